import { expect, test } from 'bun:test'
import { isNextDue } from '../../../client/src/primitives/next-up.ts'

test.each([
  ['a short one, near its end', 590, 599, false],
  ['an unknown length', 10, Number.NaN, false],
  ['a live stream', 10, Number.POSITIVE_INFINITY, false],
  ['31 s before the end of 20 minutes', 1169, 1200, false],
  ['30 s before the end of 20 minutes', 1170, 1200, true],
  ['35 s before the end of 40 minutes', 2365, 2400, true],
  ['40 s before the end of 50 minutes', 2960, 3000, true],
  ['20 s before the end', 1180, 1200, true],
  ['19 s before the end, where it would only flash up', 1181, 1200, false],
])('%s', (_, position, duration, isDue) => {
  expect(isNextDue(position, duration, false)).toBe(isDue)
})

test.each([
  ['19 s before the end', 1181, 1200, true],
  ['at the end', 1200, 1200, true],
  ['31 s before the end, where somebody went back to', 1169, 1200, false],
  ['near the end of a short one', 590, 599, false],
])('what is offered already, %s', (_, position, duration, isDue) => {
  expect(isNextDue(position, duration, true)).toBe(isDue)
})
