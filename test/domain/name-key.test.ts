import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { searchKey } from '../../src/domain/name-key.ts'
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
