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

test('the whole track comes before the forced one and the one for the hard of hearing', () => {
  const tracks = [track('forced', 'en', { isForced: true }), track('sdh', 'en', { isForHearingImpaired: true }), track('whole', 'en-GB')]
  expect(preferredSubtitles(tracks, 'en')).toBe('whole')
  expect(preferredSubtitles(tracks.slice(0, 2), 'en-US')).toBe('forced')
})
