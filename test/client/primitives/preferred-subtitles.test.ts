import { expect, test } from 'bun:test'
import { preferredSubtitles } from '../../../client/src/primitives/preferred-subtitles.ts'

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
