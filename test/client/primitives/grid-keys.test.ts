import { describe, expect, test } from 'bun:test'
import { nextGridIndex } from '../../../client/src/primitives/grid-keys.ts'

/** Ten cards in rows of four: the last row has two. */
const at = (index: number) => ({ index, columns: 4, count: 10, rowsPerPage: 2 })

describe('keys in a grid', () => {
  test.each([['Enter'], ['Tab'], ['a'], ['Escape']])('%s moves nothing', (key) => {
    expect(nextGridIndex(key, at(5))).toBeUndefined()
  })

  test.each([
    ['ArrowLeft', 0, 0],
    ['ArrowUp', 2, 2],
    ['ArrowRight', 9, 9],
    ['ArrowDown', 8, 8],
    ['PageUp', 6, 2],
    ['PageDown', 9, 9],
  ])('%s at %i does not leave the list', (key, from, to) => {
    expect(nextGridIndex(key, at(from))).toBe(to)
  })

  test.each([
    ['ArrowLeft', 4, 3],
    ['ArrowRight', 3, 4],
    ['ArrowUp', 9, 5],
    ['ArrowDown', 1, 5],
    ['PageDown', 0, 8],
    ['PageUp', 9, 1],
    ['Home', 7, 0],
    ['End', 2, 9],
  ])('%s goes from %i to %i', (key, from, to) => {
    expect(nextGridIndex(key, at(from))).toBe(to)
  })

  test('down into a shorter last row ends on its last card', () => {
    expect(nextGridIndex('ArrowDown', at(7))).toBe(9)
  })
})
