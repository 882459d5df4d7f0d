import { expect, test } from 'bun:test'
import { setNewest } from '../../src/domain/bounded-map.ts'

test('what was set longest ago goes first, and what is set again is new', () => {
  const map = new Map<string, number>()
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    setNewest(map, key, value, 2)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})
