import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compareNatural, sortTitle, sortTitleOfAnyText, sortTitlesInTurn } from '../../src/domain/natural-sort.ts'

const sorted = (...names: string[]): string[] => names.toSorted(compareNatural)

test('numbers compare as numbers, whatever their width', () => {
  expect(sorted('Part 10', 'Part 9', 'Part 1', 'part 002')).toEqual(['Part 1', 'part 002', 'Part 9', 'Part 10'])
  expect(sortTitle('IMG_0007.jpg')).toBe(sortTitle('img 7 jpg'))
})

test('digits of other widths and scripts compare as numbers, halves stay what they are', () => {
  expect(sorted('第１０巻', '第９巻', '第１巻', '第２巻')).toEqual(['第１巻', '第２巻', '第９巻', '第１０巻'])
  expect(sorted('issue 10', 'issue ٢', 'issue ๙', 'issue 𝟘')).toEqual(['issue 𝟘', 'issue ٢', 'issue ๙', 'issue 10'])
  expect(sorted('10 Things', '9½ Weeks', '8½')).toEqual(['8½', '9½ Weeks', '10 Things'])
  expect(sortTitle('ｶﾞﾝﾀﾞﾑ')).toBe(sortTitle('ガンダム'))
})

/** As Kavita, Komga, YACReader, natsort, Rosetta Code and issues of Mihon and kcc want them. */
const PEERS: string[][] = [
  ['x1.jpg', 'x3.jpg', 'x4.jpg', 'x10.jpg', 'x11.jpg'],
  ['Bub_01_[Group].zip', 'Bub_153b_RHS.zip'],
  ['Frog v01 001.jpg', 'Frog v01 ch01 p00 Credits.jpg'],
  ['Many2In1-7', 'Many2In1-7-01', 'Many2In1-7-02'],
  ['', '!001', '001', '002'],
  ['book 1', 'book  002', '  book 3', 'book   4   ', 'boôk 05', 'book  6'],
  ['Part 2/_Ch.019/001.jpg', 'Part 2/_Ch.019/002.jpg', 'Part 2/_Ch.020/001.jpg'],
  ...['.', '-', '_', ' '].map((separator) => ['0', '1', '9', '10'].map((number) => `2${separator}${number}`)),
  ['1', '2 covers', 'Annual 1', 'two covers'],
  ['001alpha.sgi', '01alpha.sgi', 'car.mov', 'my.string_41299.tif', 'organic2.0001.sgi'],
  ['foo100bar10baz0.txt', 'foo100bar99baz0.txt', 'foo1000bar99baz9.txt', 'foo1000bar99baz10.txt'],
  ['The 39 steps', 'The 40th step more', 'Wanda', 'The Wind in the Willows'],
  ['ch.1.7', 'ch.1.8', 'ch.1.9', 'ch.1.10', 'ch.1.11'],
  ['1001', '1001.5', '1002'],
]

for (const names of PEERS)
  test(`the order of ${names.join(', ')}`, () => expect(names.toReversed().toSorted(compareNatural)).toEqual(names))

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

test('an initial is no article', () => {
  expect(sorted('Bee', 'I', 'A.I. Artificial Intelligence', 'A.P. Bio', 'A.I.', 'Aardvark')).toEqual([
    'A.I.',
    'A.I. Artificial Intelligence',
    'A.P. Bio',
    'Aardvark',
    'Bee',
    'I',
  ])
  expect(['a.É.', 'A.Bee.Movie', 'A I', 'The.I.mkv'].map(sortTitle)).toEqual(['a e', 'bee movie', 'i', 'i mkv'])
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

test('titles in a row have the keys that each has alone', () => {
  const around = fc.constantFrom(
    '',
    ' ',
    '.',
    '_',
    '0',
    '7',
    'The ',
    'a.',
    'A',
    'IMG_',
    '2024-',
    'é',
    '\u0301',
    '٣',
    '１',
    'ｶ',
    '½',
    '.jpg',
  )
  const number = fc.oneof(
    fc.nat({ max: 9999 }).map((value) => String(value).padStart(4, '0')),
    fc.constantFrom('0', '00', '9', '10', '9'.repeat(120)),
  )
  const text = fc.array(around, { maxLength: 3 }).map((pieces) => pieces.join(''))
  const row = fc
    .tuple(text, text, fc.array(number, { maxLength: 4 }))
    .map(([head, tail, numbers]) => numbers.map((own) => head + own + tail))
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
      const inTurn = sortTitlesInTurn()
      for (const title of rows.flat()) expect(inTurn(title)).toBe(sortTitleOfAnyText(title))
    }),
    { numRuns: 2000 },
  )
})
