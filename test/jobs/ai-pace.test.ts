import { expect, test } from 'bun:test'
import { createAiPace } from '../../src/jobs/ai-pace.ts'

interface Turns {
  /** Transactions, so many milliseconds apart, before each of which so many jobs end. */
  turns: number
  apartMs: number
  ends: number
  /** How long each job took. */
  tookMs?: number
}

const after = ({ turns, apartMs, ends, tookMs = apartMs }: Turns, pace = makePace()) => {
  for (let turn = 0; turn < turns; turn++) {
    for (let end = 0; end < ends; end++) pace.ended(tookMs)
    pace.pass(apartMs)
    pace.turned(true)
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
    after({ turns: 2, apartMs: 2, ends: 1, tookMs: 500 }, pace)
    expect(pace.ahead()).toBeLessThanOrEqual(1)
  }
})

test('of jobs that take no time as many are ahead as end within two transactions, soon and not without limit', () => {
  expect(after({ turns: 7, apartMs: 20, ends: 20 }).ahead()).toBeGreaterThan(2 * 20)
  expect(after({ turns: 40, apartMs: 20, ends: 2000 }).ahead()).toBe(1500)
  expect(after({ turns: 7, apartMs: 20, ends: 20 }).restMs(false)).toBeGreaterThan(0)
  expect(after({ turns: 7, apartMs: 20, ends: 20 }).restMs(true)).toBe(0)
})

test('of jobs that take no time more are ahead with each of the first transactions, long before there is a pace', () => {
  const pace = makePace()
  for (let ahead = 0, turn = 0; turn < 4; turn++) {
    after({ turns: 1, apartMs: 5, ends: 8 + ahead }, pace)
    expect(pace.ahead()).toBeGreaterThan(ahead)
    ahead = pace.ahead()
  }
  expect(pace.ahead()).toBeGreaterThan(500)
})

test('what is ahead is not more for a transaction before which it was not used up', () => {
  const pace = makePace()
  pace.ended(5)
  pace.turned(false)
  expect(pace.ahead()).toBe(0)
})

test('a model that becomes slow has nothing ahead any more after a few ends', () => {
  expect(after({ turns: 8, apartMs: 1000, ends: 1 }, after({ turns: 20, apartMs: 20, ends: 100 })).ahead()).toBe(0)
})
