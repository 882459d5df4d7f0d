import { expect, test } from 'bun:test'
import { slicesOf } from '../../src/domain/slices.ts'

test('every value is in one slice, in order, and only the last slice may be shorter', () => {
  expect([...slicesOf([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]])
  expect([...slicesOf([1, 2], 2)]).toEqual([[1, 2]])
  expect([...slicesOf([], 2)]).toEqual([])
})
