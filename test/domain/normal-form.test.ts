import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readTagAnswer } from '../../src/ai/tagging.ts'
import { parseLanguage } from '../../src/domain/language-code.ts'
import { nameKey, searchKey } from '../../src/domain/name-key.ts'
import { sortTitle } from '../../src/domain/natural-sort.ts'
import { normalForm } from '../../src/domain/normal-form.ts'
import { findTerms, makeSnippet } from '../../src/domain/search-snippet.ts'
import { foldSearch, foldWithPlaces } from '../../src/domain/search-text.ts'

/** What all of these strings of 100 kB may take together; each takes half a minute where its marks are sorted in one go. */
const LIMIT_MS = 2000

/** Each sorts before the one in front of it. */
const UNSORTED = ['\u0301\u0316', '\uff9e\u0301', '\u05bd\u05bb', '\u0e48\u0e38', '\u0345\u0301\u0316\u0327']
const TEXTS = UNSORTED.flatMap((marks) => ['a', 'text '].map((before) => before + marks.repeat(100_000 / marks.length)))

const MAKERS: Record<string, (text: string) => unknown> = {
  normalForm: (text) => (['NFC', 'NFD', 'NFKC'] as const).map((form) => normalForm(text, form)),
  foldSearch,
  foldWithPlaces,
  findTerms: (text) => findTerms(text, ['needle'], () => Promise.resolve()),
  makeSnippet: (text) => [makeSnippet(text, ['text']), makeSnippet(`${text} text`, ['text'])],
  nameKey,
  sortTitle,
  searchKey,
  parseLanguage,
  readTagAnswer: (text) =>
    readTagAnswer(JSON.stringify({ tags: [text] }), [{ id: 1, name: 'Horror', category: 'Genre', aliases: [], usage: 0 }]),
}

test.each(Object.keys(MAKERS))('marks without end hold nobody up: %s', async (name) => {
  const begun = performance.now()
  for (const text of TEXTS) await MAKERS[name]?.(text)
  expect(performance.now() - begun).toBeLessThan(LIMIT_MS)
})

test('is what Unicode says for any text with at most thirty marks in a row', () => {
  const base = fc.constantFrom('a', 'É', ' ', '\u1112\u1161\u11ab', '한', 'กำ', 'שָׁ', '👩‍👩‍👧', 'ｶﾞ', 'ﬁ')
  const marks = fc.array(fc.constantFrom('\u0301', '\u0316', '\u05b8', '\u05c1', '\u0e49', '\u3099', '\u0345', '\u0308'), { maxLength: 29 })
  const text = fc.array(fc.tuple(base, marks).map(([letter, own]) => letter + own.join(''))).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, fc.constantFrom('NFC', 'NFD', 'NFKC'), (any, form) => {
      expect(normalForm(any, form)).toBe(any.normalize(form))
    }),
  )
})
