import { expect, test } from 'bun:test'
import { createSharedParts } from '../../src/jobs/shared-parts.ts'

const partsOf = (most: number) => {
  let last = 0
  return createSharedParts<{ name: string }>(most, () => ++last)
}

test('a part is told once, and named by the same number afterwards', () => {
  const parts = partsOf(2)
  const [a, b] = [{ name: 'a' }, { name: 'b' }]
  expect([parts.numberOf(a), parts.numberOf(b), parts.numberOf(a)]).toEqual([1, 2, 1])
  expect(parts.news()).toEqual({
    told: [
      [1, a],
      [2, b],
    ],
    forgotten: [],
  })
  expect(parts.numberOf(b)).toBe(2)
  expect(parts.news()).toEqual({ told: [], forgotten: [] })
})

test('what has not been named for longest is forgotten, and told anew', () => {
  const parts = partsOf(2)
  const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]
  for (const part of [a, b, a, c]) parts.numberOf(part)
  expect(parts.news().forgotten).toEqual([2])
  expect(parts.numberOf(b)).toBe(4)
  expect(parts.news()).toEqual({ told: [[4, b]], forgotten: [1] })
})
