import { expect, test } from 'bun:test'
import { preferredTrack, type TrackFacts } from '../../src/domain/preferred-track.ts'

/** Tag, and after it `-` for what is not whole, `*` for the file's default. */
const factsOf = (text: string): TrackFacts => ({
  language: text.replace(/ .*/, '') || null,
  isWhole: !text.endsWith(' -'),
  isDefault: text.endsWith(' *'),
})

const CASES: [name: string, tracks: string[], language: string | null, chosen: string | undefined][] = [
  ['nobody who prefers no language is given any', ['de', 'en *'], null, undefined],
  ['another language does not fit', ['de', 'en *'], 'fr', undefined],
  ['nor does one that begins alike', ['deu-x', 'd', 'den'], 'de', undefined],
  ['nor a track that does not say its own', ['', ' *'], 'de', undefined],
  ['the language fits, wherever it stands', ['en *', 'de'], 'de', 'de'],
  ['another country or script of it fits, too', ['en', 'pt-PT'], 'pt-BR', 'pt-PT'],
  ['the very tag comes before it, also before the default', ['pt-PT *', 'pt-BR'], 'pt-BR', 'pt-BR'],
  ['whichever way it is written', ['pt-PT *', 'pt-BR'], 'PT-br', 'pt-BR'],
  ['a whole one comes before the very tag', ['pt-BR -', 'pt-PT'], 'pt-BR', 'pt-PT'],
  ['what is not whole is better than another language', ['en *', 'de -'], 'de', 'de -'],
  ['of equals the file’s default', ['de', 'de *'], 'de', 'de *'],
  ['of equals without one the first', ['de-AT', 'de-CH'], 'de', 'de-AT'],
]

test.each(CASES)('%s', (_, tracks, language, chosen) => {
  expect(preferredTrack(tracks, language, factsOf)).toBe(chosen)
})
