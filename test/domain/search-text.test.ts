import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findRanges, makeSnippet } from '../../src/domain/search-snippet.ts'
import { foldSearch, foldWithPlaces, searchTerms } from '../../src/domain/search-text.ts'

const PIECES = [
  'a',
  'Z',
  ' ',
  '.',
  '_',
  '\t',
  '\n',
  'é',
  'e\u0301',
  'ß',
  'Σ',
  'ς',
  '東',
  '京',
  'が',
  'か\u3099',
  'ｶﾞ',
  'Ａ',
  'ก',
  'กั',
  '한',
  '\u1112\u1161\u11ab',
  'ﬁ',
  '👩‍👩‍👧',
  'İ',
  '-',
  '1',
  '\u0007',
  '…',
  '’',
  'שָׁ',
  'ก็ู่',
  '\u1100\u1161',
]
/** Pieces of letters, and marks without any: folded, they are whole ones beside each other. */
const LOOSE_PIECES = ['\u1161', 'ㄱ', 'ㅏ', 'ﾡ', 'ￂ', '㉠', 'ﾞ', '\u0301', '\u05b8\u3099'.repeat(16), '\u{16d67}', '\u{16d68}']
const textOf = (pieces: readonly string[]) => fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((chosen) => chosen.join(''))
const text = textOf([...PIECES, ...LOOSE_PIECES])

describe('a folded text', () => {
  test('keeps each of the characters that it takes for simple, as Unicode does', () => {
    for (const [first, last] of [
      [0x3001, 0x3002],
      [0x300c, 0x300f],
      [0x3041, 0x3096],
      [0x30a1, 0x30fa],
      [0x30fc, 0x30fc],
      [0x4e00, 0x9fff],
      [0xac00, 0xd7a3],
    ] as const) {
      const all = Array.from({ length: last - first + 1 }, (_, place) => String.fromCharCode(first + place)).join('')
      expect(all.normalize('NFKD').normalize('NFC').toLowerCase()).toBe(all)
      // Beside a letter that is not simple every character is looked at by itself.
      expect([foldSearch(all), foldSearch(`é${all}`)]).toEqual([all, `e${all}`])
    }
  })

  test.each([
    ['Crème Brûlée', 'creme brulee'],
    ['ŁÓDŹ Straße Ærø', 'lodz strasse aero'],
    ['ＡＢＣ ｶﾞ', 'abc ガ'],
    ['a.b__c \t d', 'a b c d'],
    ['ΟΔΟΣ οδος', 'οδοσ οδοσ'],
    ['Ёлка', 'елка'],
    ['กำลัง', 'กําลัง'],
    ['が か\u3099', 'が が'],
    ['\u1112\u1161\u11ab', '한'],
    ['Director’s', "director's"],
    ['İstanbul', 'istanbul'],
  ])('of %p is %p', (original, folded) => {
    expect(foldSearch(original)).toBe(folded)
  })

  test('is the same with and without the way back, and every place leads into the original', () => {
    fc.assert(
      fc.property(text, (original) => {
        const folded = foldWithPlaces(original)
        expect(folded.text).toBe(foldSearch(original))
        expect([folded.starts.length, folded.ends.length]).toEqual([folded.text.length, folded.text.length])
        for (const [place, start] of folded.starts.entries()) {
          const end = folded.ends[place] ?? -1
          expect(start < end && end <= original.length).toBe(true)
          expect(foldSearch(original.slice(start, end)).includes(folded.text[place] ?? '?')).toBe(true)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('is the same when it is folded again', () => {
    fc.assert(fc.property(textOf(PIECES), (original) => expect(foldSearch(foldSearch(original))).toBe(foldSearch(original))))
  })
})

describe('the terms of a search', () => {
  test.each([
    ['  Alien  DAWN ', ['alien', 'dawn']],
    ['"Alien dawn" alien alien', ['alien dawn', 'alien']],
    ['v2.0', ['v2 0']],
    ['" " . _', []],
    ['unclosed "quote', ['unclosed', 'quote']],
    ['', []],
  ])('%p are %p', (query, terms) => {
    expect(searchTerms(query)).toEqual(terms)
  })
})

describe('a snippet', () => {
  test('marks what matched, in UTF-16 units of its own text', () => {
    expect(findRanges('Ｃafé, 👍 CAFE\u0301!', ['cafe'])).toEqual([
      [0, 4],
      [9, 14],
    ])
    expect(findRanges('aaaa', ['aa', 'aaa'])).toEqual([[0, 4]])
    expect(findRanges('東京都', ['京'])).toEqual([[1, 2]])
  })

  test.each([
    ['an accent', 'e\u0301 '],
    ['letters of Hangul', '\u1112\u1161\u11ab '],
    ['Thai vowels and tones', 'ที่ '],
    ['Hebrew points', 'שָׁ '],
    ['joined signs', '👩‍👩‍👧 '],
    ['more marks than any language has', `x${'\u0316\u0301'.repeat(50)} `],
    ['more marks that stay', `x${'\u05b8\u05c1'.repeat(50)} `],
  ])('marks what matched behind %s', (_, before) => {
    for (const count of [1, 40]) {
      const snippet = makeSnippet(`${before.repeat(count)}nee\u0301dle`, ['needle'])
      expect(snippet?.ranges.map((range) => snippet.text.slice(...range))).toEqual(['nee\u0301dle'])
    }
  })

  test('stays short where marks have no end', () => {
    const marks = '\u0316\u0301'.repeat(50_000)
    expect((makeSnippet(`text${marks} text`, ['text'])?.text.length ?? 0) < 400).toBe(true)
    expect((makeSnippet(`${marks} text${marks}`, ['text'])?.text.length ?? 0) < 400).toBe(true)
  })

  test('is null where nothing matches', () => {
    expect(makeSnippet('nothing here', ['else'])).toBeNull()
  })

  test('shows the place, wherever it is, and never half a character', () => {
    fc.assert(
      fc.property(fc.nat(900), fc.nat(300), fc.constantFrom('x ', '👩‍👩‍👧 ', 'é', '京', 'กั'), (before, after, filler) => {
        const snippet = makeSnippet(`${filler.repeat(before)}Needle${filler.repeat(after)}`, ['needle'])
        const [range] = snippet?.ranges ?? []
        expect(snippet?.text.slice(...(range ?? [0, 0]))).toBe('Needle')
        expect(snippet?.text.isWellFormed()).toBe(true)
        expect((snippet?.text.length ?? 0) < 400).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})
