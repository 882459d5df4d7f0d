import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isDense, markedTerm, markedText } from '../../src/domain/dense-script.ts'

const CHARACTERS = ['a', 'b', ' ', '3', '\u0001', '\u0002', 'я', '東', '京', 'が', 'ー', '한', 'ก', '👩', '𠮷']
const text = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 12 }).map((characters) => characters.join(''))

const threes = (of: string): Set<string> => {
  const characters = [...of]
  return new Set(characters.slice(2).map((_, place) => characters.slice(place, place + 3).join('')))
}

test('two characters of which one is dense, and every dense one, are found exactly where they stand', () => {
  const short = [...CHARACTERS, ...CHARACTERS.flatMap((first) => CHARACTERS.map((second) => first + second))].filter(isDense)
  fc.assert(
    fc.property(text, (folded) => {
      const known = threes(folded + markedText(folded))
      expect(short.filter((term) => known.has(markedTerm(term)))).toEqual(short.filter((term) => folded.includes(term)))
    }),
  )
})

test('three characters are found in a text with marks where they are in the text, and nowhere else', () => {
  fc.assert(
    fc.property(text, (folded) => {
      const unmarked = [...threes(folded + markedText(folded))].filter((three) => !three.includes('\u0003'))
      expect(unmarked.toSorted()).toEqual([...threes(folded)].toSorted())
    }),
  )
})

test('a text without such a script is given nothing', () => {
  expect(markedText('\u0001plain text, я, é\u0002\u0002')).toBe('')
})
