import { expect, test } from 'bun:test'
import { anySubtitles, preferredSubtitles } from '../../../client/src/primitives/preferred-subtitles.ts'

const track = (id: string, language: string | null, traits: { isForced?: boolean; isForHearingImpaired?: boolean } = {}) => ({
  id,
  label: id,
  language,
  isDefault: false,
  isForced: false,
  isForHearingImpaired: false,
  url: `/${id}`,
  ...traits,
})

test('nobody who chose none gets any', () => {
  expect(preferredSubtitles([track('a', 'en')], null)).toBeUndefined()
  expect(preferredSubtitles([track('a', 'de'), track('b', null)], 'en')).toBeUndefined()
})

test('of two forms of one language the one that was chosen comes first', () => {
  const tracks = [
    track('simplified', 'zh-Hans'),
    track('traditional', 'zh-Hant'),
    track('forced', 'pt-BR', { isForced: true }),
    track('pt', 'pt-PT'),
  ]
  expect(preferredSubtitles(tracks, 'zh-Hant')).toBe('traditional')
  expect(preferredSubtitles(tracks, 'zh-Hans')).toBe('simplified')
  expect(preferredSubtitles(tracks, 'zh')).toBe('simplified')
  expect(preferredSubtitles(tracks, 'pt-BR')).toBe('pt')
})

test('the whole track comes before the forced one and the one for the hard of hearing', () => {
  const tracks = [track('forced', 'en', { isForced: true }), track('sdh', 'en', { isForHearingImpaired: true }), track('whole', 'en-GB')]
  expect(preferredSubtitles(tracks, 'en')).toBe('whole')
  expect(preferredSubtitles(tracks.slice(0, 2), 'en-US')).toBe('forced')
})

test('whoever just asks for subtitles gets the language of the interface, and otherwise not a forced track that says next to nothing', () => {
  const tracks = [track('forced', 'de', { isForced: true }), track('de', 'de'), track('fr', 'fr')]
  expect(anySubtitles(tracks, 'fr')).toBe('fr')
  expect(anySubtitles(tracks, 'de')).toBe('de')
  expect(anySubtitles(tracks, 'en')).toBe('de')
  expect(anySubtitles(tracks.slice(0, 1), 'en')).toBe('forced')
  expect(anySubtitles([], 'en')).toBeUndefined()
})
