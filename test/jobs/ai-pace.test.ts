import { expect, test } from 'bun:test'
import { createAiPace } from '../../src/jobs/ai-pace.ts'

/** A pace with a clock of its own: `turns` transactions, so many milliseconds apart, of so many ends each. */
const after = (turns: number, apartMs: number, ends: number, pace = makePace()) => {
  for (let turn = 0; turn < turns; turn++) {
    for (let end = 0; end < ends; end++) pace.ended()
    pace.pass(apartMs)
    pace.turned()
  }
  return pace
}

const makePace = () => {
  let time = 0
  const pace = createAiPace(() => time)
  return { ...pace, pass: (ms: number) => (time += ms) }
}

test('nothing is claimed ahead of jobs that take seconds, and no end waits for another', () => {
  const pace = after(10, 2000, 1)
  expect(pace.ahead()).toBe(0)
  expect(pace.restMs(false)).toBe(0)
})

test('nor of jobs that take half a second and end together, each with a transaction of its own', () => {
  const pace = makePace()
  for (let round = 0; round < 10; round++) {
    after(1, 500, 1, pace)
    after(2, 2, 1, pace)
    expect(pace.ahead()).toBeLessThanOrEqual(1)
  }
})

test('of jobs that take no time as many are ahead as end within two transactions, soon and not without limit', () => {
  expect(after(7, 20, 20).ahead()).toBeGreaterThan(2 * 20)
  expect(after(40, 20, 2000).ahead()).toBe(1500)
  expect(after(7, 20, 20).restMs(false)).toBeGreaterThan(0)
  expect(after(7, 20, 20).restMs(true)).toBe(0)
})

test('a model that becomes slow has nothing ahead any more after a few ends', () => {
  expect(after(8, 1000, 1, after(20, 20, 100)).ahead()).toBe(0)
})
