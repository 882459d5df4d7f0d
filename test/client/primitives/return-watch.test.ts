import '../../support/solid-preload.ts'
import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { replaceGlobals } from '../../support/replaced-globals.ts'

const { createRoot, createSignal } = await import('solid-js')
const { request } = await import('../../../client/src/api/http.ts')
const { createReturnWatch, FIRST_PAUSE_MS, LONGEST_PAUSE_MS } = await import('../../../client/src/primitives/return-watch.ts')

let status = 0
/** When each question came, in milliseconds since the beginning. */
let asked: number[] = []
let window: EventTarget
let restore: () => void
let start: number
beforeEach(() => {
  status = 0
  asked = []
  window = new EventTarget()
  const fetch = async () => {
    asked.push(Date.now() - start)
    if (status === 0) throw new TypeError('Failed to fetch')
    return new Response('', { status })
  }
  restore = replaceGlobals({ fetch, window, document: { baseURI: 'http://server.test/' } })
  jest.useFakeTimers()
  start = Date.now()
})
afterEach(() => {
  jest.useRealTimers()
  restore()
})

const settle = async () => {
  for (let step = 0; step < 30; step += 1) await Promise.resolve()
}
const pass = async (milliseconds: number) => {
  for (let passed = 0; passed < milliseconds; passed += 1000) {
    jest.advanceTimersByTime(1000)
    await settle()
  }
}

/** Each return mends it at once, unless it is told not to. */
const watch = ({ isMending = true } = {}) =>
  createRoot((dispose) => {
    const [isLost, setLost] = createSignal(true)
    const heard = { returns: 0 }
    createReturnWatch(isLost, async () => {
      heard.returns += 1
      if (isMending) setLost(false)
    })
    return { heard, setLost, dispose }
  })

test('nobody is asked while nothing is lost, nor after disposal, nor after somebody mended it by hand', async () => {
  const whole = watch()
  whole.setLost(false)
  const gone = watch()
  gone.dispose()
  await pass(60_000)
  window.dispatchEvent(new Event('online'))
  await settle()
  expect(asked).toEqual([])
  whole.dispose()
})

test('a server that stays away, and the proxy of one, are asked after growing pauses, up to the longest', async () => {
  const { heard, dispose } = watch()
  await pass(30_000)
  status = 502
  await pass(91_000)
  expect(asked).toEqual([2000, 6000, 14_000, 30_000, 60_000, 90_000, 120_000])
  expect(heard.returns).toBe(0)
  dispose()
})

test('one that answers again is told of once', async () => {
  const { heard, dispose } = watch()
  await pass(6000)
  status = 200
  await pass(60_000)
  expect(asked).toEqual([2000, 6000, 14_000])
  expect(heard.returns).toBe(1)
  dispose()
})

test('a network that comes up, or another answer, is followed at once', async () => {
  const byNetwork = watch()
  await pass(15_000)
  status = 200
  window.dispatchEvent(new Event('online'))
  await settle()
  expect(byNetwork.heard.returns).toBe(1)
  byNetwork.dispose()
  status = 0
  const byAnswer = watch()
  await pass(15_000)
  expect(byAnswer.heard.returns).toBe(0)
  status = 200
  await request('http://server.test/api/anything')
  await settle()
  expect(byAnswer.heard.returns).toBe(1)
  byAnswer.dispose()
})

test('a network that came up before the server is asked about soon again', async () => {
  const { dispose } = watch()
  await pass(20_000)
  window.dispatchEvent(new Event('online'))
  await settle()
  await pass(FIRST_PAUSE_MS)
  expect(asked).toEqual([2000, 6000, 14_000, 20_000, 22_000])
  dispose()
})

test('a line that breaks again at once is tried less and less often; one that held for a while is tried soon', async () => {
  status = 200
  const { heard, setLost, dispose } = watch()
  for (let turn = 0; turn < 4; turn += 1) {
    await pass(16_000)
    if (turn < 3) setLost(true)
  }
  expect(asked).toEqual([2000, 20_000, 40_000, 64_000])
  await pass(LONGEST_PAUSE_MS + 1000)
  setLost(true)
  await pass(FIRST_PAUSE_MS)
  expect(heard.returns).toBe(5)
  dispose()
})

test('what could not be mended is told again after the next pause', async () => {
  status = 200
  const { heard, dispose } = watch({ isMending: false })
  await pass(14_000)
  expect(heard.returns).toBe(3)
  dispose()
})
