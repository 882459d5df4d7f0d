import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'

const { batch, createRoot, createSignal } = await import('solid-js')
const { createPace } = await import('../../../client/src/primitives/create-pace.ts')

const SECOND_MS = 1000

/** Work of a hundred jobs, at a clock of its own. */
const watchWork = () =>
  createRoot((dispose) => {
    const [done, setDone] = createSignal(20)
    const [isHalted, setHalted] = createSignal(false)
    let time = 0
    const secondsLeft = createPace({ done, left: () => 100 - done(), isHalted }, () => time)
    return {
      secondsLeft,
      dispose,
      /** What the next answer says, so many seconds later. */
      later: (seconds: number, more: { done: number; isHalted?: boolean }) => {
        time += seconds * SECOND_MS
        batch(() => {
          setDone(more.done)
          setHalted(more.isHalted ?? false)
        })
      },
    }
  })

test('nothing is promised before ten seconds and five jobs have been seen', () => {
  const { secondsLeft, later, dispose } = watchWork()
  expect(secondsLeft()).toBeUndefined()
  later(9, { done: 40 })
  expect(secondsLeft()).toBeUndefined()
  dispose()
  const slow = watchWork()
  slow.later(60, { done: 24 })
  expect(slow.secondsLeft()).toBeUndefined()
  slow.later(15, { done: 25 })
  // Five in 75 seconds, and 75 are left.
  expect(slow.secondsLeft()).toBe(1125)
  slow.dispose()
})

test('nothing is promised while the work is halted, and the time that it stood still is none of its pace', () => {
  const { secondsLeft, later, dispose } = watchWork()
  later(20, { done: 40 })
  expect(secondsLeft()).toBe(60)
  later(1, { done: 40, isHalted: true })
  expect(secondsLeft()).toBeUndefined()
  later(3600, { done: 40 })
  expect(secondsLeft()).toBeUndefined()
  later(10, { done: 50 })
  expect(secondsLeft()).toBe(50)
  dispose()
})

test('nothing is promised of what is done', () => {
  const { secondsLeft, later, dispose } = watchWork()
  later(20, { done: 100 })
  expect(secondsLeft()).toBeUndefined()
  dispose()
})
