import '../../support/solid-preload.ts'
import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { replaceGlobals } from '../../support/replaced-globals.ts'

const { createRoot } = await import('solid-js')
const { createStallWatch, LOOK_EVERY_MS } = await import('../../../client/src/primitives/stall-watch.ts')

const STARVED = { readyState: 1, paused: false, ended: false, seeking: false, error: null, currentTime: 40 }

let status = 0
let asked = 0
let answers: Promise<void>
let restore: () => void
beforeEach(() => {
  status = 0
  asked = 0
  answers = Promise.resolve()
  const fetch = async () => {
    asked += 1
    await answers
    if (status === 0) throw new TypeError('Failed to fetch')
    return new Response('', { status })
  }
  restore = replaceGlobals({ fetch, document: { baseURI: 'http://server.test/' } })
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
  restore()
})

const watch = (video: Partial<typeof STARVED> = {}) =>
  createRoot((dispose) => {
    const state = { ...STARVED, ...video }
    const heard = { lost: 0 }
    createStallWatch(
      () => state,
      () => {
        heard.lost += 1
      },
    )
    return { state, heard, dispose }
  })

const look = async (times: number) => {
  for (let turn = 0; turn < times; turn += 1) {
    jest.advanceTimersByTime(LOOK_EVERY_MS)
    for (let step = 0; step < 20; step += 1) await Promise.resolve()
  }
}

test('a picture that is paused, at its end, broken or moving is none that waits: nobody is asked', async () => {
  const videos = [{ paused: true }, { ended: true }, { readyState: 4 }].map(watch)
  const moving = watch()
  for (let second = 0; second < 4; second += 1) {
    moving.state.currentTime += 1
    await look(1)
  }
  expect(asked).toBe(0)
  for (const { dispose } of [...videos, moving]) dispose()
})

test('a server that answers is waited for, however slow the picture is; the proxy of one that is gone is not', async () => {
  status = 200
  const { heard, dispose } = watch()
  await look(4)
  expect(asked).toBeGreaterThan(0)
  expect(heard.lost).toBe(0)
  status = 502
  await look(1)
  expect(heard.lost).toBe(1)
  dispose()
})

test('no answer is a lost connection, also where a paused picture was moved, or has not begun', async () => {
  for (const video of [{}, { paused: true, seeking: true }, { paused: true, readyState: 0 }]) {
    const { heard, dispose } = watch(video)
    await look(2)
    expect(heard.lost).toBe(1)
    dispose()
  }
})

test('after disposal nothing is asked, and an answer that was under way says nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  answers = promise
  const { heard, dispose } = watch()
  await look(3)
  dispose()
  resolve()
  await look(3)
  expect(asked).toBe(1)
  expect(heard.lost).toBe(0)
})
