import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { nameKey, searchKey } from '../../src/domain/name-key.ts'
import { foldSearch } from '../../src/domain/search-text.ts'

test('what a part of a name is looked for in has no capitals and no accents, and all else', () => {
  const keys: [name: string, key: string][] = [
    ['CAFE\u0301', 'cafe'],
    ['caf\u00e9', 'cafe'],
    ['Pokémon', 'pokemon'],
    ['Komödie', 'komodie'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['Smørrebrød', 'smorrebrod'],
    ['Łódź', 'lodz'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['Ёлка', 'елка'],
    ['İzmir', 'izmir'],
    ['ガ', 'ガ'],
    ['ガ', 'ガ'],
    ['한글', '한글'],
    ['snake_case.v2', 'snake_case.v2'],
    ['Sci-Fi / 100%', 'sci-fi / 100%'],
  ]
  for (const [name, key] of keys) expect([name, searchKey(name)]).toEqual([name, key])
})

test('two names that are the same, as "ﬁlm" and "film" are, are found by each other', () => {
  const forms: [name: string, same: string][] = [
    ['ﬁlm', 'FILM'],
    ['\u00b5m', '\u03bcm'],
    ['Արև', 'ԱՐԵՒ'],
    ['ſtill', 'Still'],
    ['ϑήτα', 'θήτα'],
  ]
  for (const [name, same] of forms) expect([name, nameKey(name) === nameKey(same), searchKey(name)]).toEqual([name, true, searchKey(same)])
})

test('of a name that consists of accents alone they are left: nothing would be in every name', () => {
  expect([searchKey('\u0301'), searchKey('\u20e3\u0308')]).toEqual(['\u0301', '\u20e3\u0308'])
})

test('what is in it is also in the text of the full-text tables, where it is looked for first', () => {
  for (let code = 0; code < 0x30000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue
    const name = `x${String.fromCodePoint(code)}y`
    if (foldSearch(searchKey(name)) !== foldSearch(name)) expect([code, foldSearch(searchKey(name))]).toEqual([code, foldSearch(name)])
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(foldSearch(searchKey(name))).toBe(foldSearch(name))
      expect(searchKey(searchKey(name))).toBe(searchKey(name))
    }),
    { numRuns: 3000 },
  )
})
