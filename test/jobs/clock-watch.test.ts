import { expect, test } from 'bun:test'
import { createClockWatch } from '../../src/jobs/clock-watch.ts'

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS
const START = 1_800_000_000_000

const watchFrom = (lastKnown: number | null) => {
  const clocks = { now: START, elapsed: 1000 }
  const watch = createClockWatch(lastKnown, { now: () => clocks.now, elapsed: () => clocks.elapsed })
  const pass = (ms: number): void => {
    clocks.now += ms
    clocks.elapsed += ms
  }
  const set = (ms: number): void => {
    clocks.now += ms
  }
  return { watch, pass, set }
}

test('a start that goes on from what is known is believed at once, another one after an hour', () => {
  expect(watchFrom(START - 5 * HOUR_MS).watch.isSettled()).toBe(true)
  for (const lastKnown of [null, START - YEAR_MS, START - 25 * HOUR_MS]) {
    const { watch, pass } = watchFrom(lastKnown)
    expect(watch.isSettled()).toBe(false)
    pass(HOUR_MS - 1)
    expect(watch.isSettled()).toBe(false)
    pass(1)
    expect(watch.isSettled()).toBe(true)
  }
})

test('a clock that is set forward is doubted for an hour, one that is set a little or back is not', () => {
  const { watch, pass, set } = watchFrom(START)
  set(HOUR_MS)
  expect(watch.isSettled()).toBe(true)
  set(-YEAR_MS)
  expect(watch.isSettled()).toBe(true)
  set(YEAR_MS)
  expect(watch.isSettled()).toBe(false)
  pass(HOUR_MS / 2)
  set(YEAR_MS)
  expect(watch.isSettled()).toBe(false)
  pass(HOUR_MS / 2)
  expect(watch.isSettled()).toBe(false)
  pass(HOUR_MS / 2)
  expect(watch.isSettled()).toBe(true)
})
