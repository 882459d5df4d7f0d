import { expect, test } from 'bun:test'
import { baseFor, boxLength, drawnPlaces, movedBase, SPAN } from '../../../client/src/primitives/feed-window.ts'

test('an empty list draws nothing and has no height', () => {
  expect(drawnPlaces(0, 0, 0)).toEqual([])
  expect(boxLength(0, 0)).toBe(0)
})

test.each([
  ['at the beginning', 0, 100, [0, 1, 2]],
  ['in the middle', 50, 100, [48, 49, 50, 51, 52]],
  ['at the end', 99, 100, [97, 98, 99]],
  ['of a list of one', 0, 1, [0]],
])('at most five items are drawn: %s', (_, index, end, places) => {
  expect(drawnPlaces(index, 0, end)).toEqual(places)
})

test('a list of any length has a box that browsers can draw', () => {
  const million = 1_000_000
  expect(boxLength(baseFor(500_000), million) * 1000).toBeLessThan(16_000_000)
  expect(boxLength(0, 7)).toBe(7)
})

test('the box moves along before its end is reached, and stays otherwise', () => {
  expect(movedBase(0, 0)).toBeUndefined()
  expect(movedBase(SPAN / 2, 0)).toBeUndefined()
  for (const index of [SPAN - 10, SPAN + 5, 30_000]) {
    const base = movedBase(index, 0) ?? -1
    expect(base).toBeGreaterThan(0)
    expect(movedBase(index, base)).toBeUndefined()
    expect(drawnPlaces(index, base, 1_000_000)).toHaveLength(5)
  }
  expect(movedBase(5000, 4995)).toBeLessThan(5000 - 100)
})

test('a box that begins before the list, since the list has lost something, draws nothing there and is moved', () => {
  expect(drawnPlaces(1, -3, 100)).toEqual([0, 1, 2, 3])
  expect(movedBase(1, -3)).toBe(0)
  expect(movedBase(50, -3)).toBe(0)
})
