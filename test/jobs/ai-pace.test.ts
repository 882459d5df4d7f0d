import { expect, test } from 'bun:test'
import { createAiPace } from '../../src/jobs/ai-pace.ts'

interface Turns {
  /** Transactions, so many milliseconds apart, before each of which so many jobs end. */
  turns: number
  apartMs: number
  ends: number
}

const after = ({ turns, apartMs, ends }: Turns, pace = makePace()) => {
  for (let turn = 0; turn < turns; turn++) {
    for (let end = 0; end < ends; end++) pace.ended()
    pace.pass(apartMs)
    pace.turned()
  }
  return pace
}

/** With a clock of its own. */
const makePace = () => {
  let time = 0
  const pace = createAiPace(() => time)
  return { ...pace, pass: (ms: number) => (time += ms) }
}

test('nothing is claimed ahead of jobs that take seconds, and no end waits for another', () => {
  const pace = after({ turns: 10, apartMs: 2000, ends: 1 })
  expect(pace.ahead()).toBe(0)
  expect(pace.restMs(false)).toBe(0)
})

test('nor of jobs that take half a second and end together, each with a transaction of its own', () => {
  const pace = makePace()
  for (let round = 0; round < 10; round++) {
    after({ turns: 1, apartMs: 500, ends: 1 }, pace)
    after({ turns: 2, apartMs: 2, ends: 1 }, pace)
    expect(pace.ahead()).toBeLessThanOrEqual(1)
  }
})

test('of jobs that take no time as many are ahead as end within two transactions, soon and not without limit', () => {
  expect(after({ turns: 7, apartMs: 20, ends: 20 }).ahead()).toBeGreaterThan(2 * 20)
  expect(after({ turns: 40, apartMs: 20, ends: 2000 }).ahead()).toBe(1500)
  expect(after({ turns: 7, apartMs: 20, ends: 20 }).restMs(false)).toBeGreaterThan(0)
  expect(after({ turns: 7, apartMs: 20, ends: 20 }).restMs(true)).toBe(0)
})

test('of jobs that take no time much is ahead after a tenth of a second, the first half of which has eight at a time', () => {
  const pace = after({ turns: 12, apartMs: 5, ends: 8 })
  expect(pace.ahead()).toBeGreaterThan(200)
  expect(after({ turns: 3, apartMs: 20, ends: 200 }, pace).ahead()).toBe(1500)
})

test('a model that becomes slow has nothing ahead any more after a few ends', () => {
  expect(after({ turns: 8, apartMs: 1000, ends: 1 }, after({ turns: 20, apartMs: 20, ends: 100 })).ahead()).toBe(0)
})
