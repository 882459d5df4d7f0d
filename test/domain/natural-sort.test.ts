import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compareNatural, searchTitle, sortTitle, sortTitleOfAnyText } from '../../src/domain/natural-sort.ts'

const sorted = (...names: string[]): string[] => names.toSorted(compareNatural)

test('numbers compare as numbers, whatever their width', () => {
  expect(sorted('Part 10', 'Part 9', 'Part 1', 'part 002')).toEqual(['Part 1', 'part 002', 'Part 9', 'Part 10'])
  expect(sortTitle('IMG_0007.jpg')).toBe(sortTitle('img 7 jpg'))
})

test('a leading article, case, accents and the kind of separator do not count', () => {
  expect(sorted('The Zoo', 'An Apple', 'Éclair', 'a bee')).toEqual(['An Apple', 'a bee', 'Éclair', 'The Zoo'])
  expect(sortTitle('The.Wonder.Years')).toBe(sortTitle('wonder years'))
})

test('only one article is taken away, and never the whole title', () => {
  expect(sortTitle('The The')).toBe('the')
  expect(sortTitle('The')).toBe('the')
  expect(sortTitle('A')).toBe('a')
  expect(sortTitle('the a team')).toBe('a team')
})

test('an article that only an ending follows is the name of a file', () => {
  expect(sorted('b.jpg', 'a.jpg', 'The.mkv', 'an.txt', 'c.jpg')).toEqual(['a.jpg', 'an.txt', 'b.jpg', 'c.jpg', 'The.mkv'])
  expect(sorted('Zoo', 'A.Quiet.Place.mkv', 'b')).toEqual(['b', 'A.Quiet.Place.mkv', 'Zoo'])
})

test('a name of separators alone has an empty key, and a run of a hundred digits is cut', () => {
  expect(sortTitle(' ._ ')).toBe('')
  expect(sortTitle('1'.repeat(150))).toBe(`99${'1'.repeat(99)}`)
})

test('the fast way and the whole rule agree on every text', () => {
  const piece = fc.oneof(
    fc.constantFrom('the', 'a', 'an', 'The', 'A', '00', '7', '12', '.', '_', ' ', '\t', '\n', '-', 'é', 'ß', 'İ', '\u0301', '一', 'x'),
    fc.string({ unit: 'binary-ascii', maxLength: 4 }),
    fc.string({ unit: 'grapheme', maxLength: 2 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('')
      expect(sortTitle(text)).toBe(sortTitleOfAnyText(text))
    }),
    { numRuns: 3000 },
  )
})

test('a search text is composed and in lower case, and keeps its accents', () => {
  expect(searchTitle('CAFE\u0301')).toBe('caf\u00e9')
})
