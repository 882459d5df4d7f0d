import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { markedParts } from '../../../client/src/primitives/marked-parts.ts'

const marked = (text: string, ranges: [number, number][]) =>
  markedParts(text, ranges)
    .map((part) => (part.isMarked ? `[${part.text}]` : part.text))
    .join('')

test.each<[[number, number][], string]>([
  [[[-3, -1]], 'lantern'],
  [[[5, 5]], 'lantern'],
  [[[6, 2]], 'lantern'],
  [[[7, 99]], 'lantern'],
])('%p is no place in the text', (ranges, expected) => {
  expect(marked('lantern', ranges)).toBe(expected)
})

test.each<[[number, number][], string]>([
  [[], 'lantern'],
  [[[0, 3]], '[lan]tern'],
  [[[3, 99]], 'lan[tern]'],
  [
    [
      [5, 7],
      [0, 2],
    ],
    '[la]nte[rn]',
  ],
  [
    [
      [0, 4],
      [2, 6],
    ],
    '[lant][er]n',
  ],
])('%p is marked', (ranges, expected) => {
  expect(marked('lantern', ranges)).toBe(expected)
})

test('whatever the ranges, nothing of the text is lost or doubled', () => {
  const range = fc.tuple(fc.integer({ min: -5, max: 40 }), fc.integer({ min: -5, max: 40 }))
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), fc.array(range, { maxLength: 6 }), (text, ranges) => {
      expect(
        markedParts(text, ranges)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
    }),
  )
})
