import '../../support/solid-preload.ts'
import { afterEach, beforeEach, expect, jest, test } from 'bun:test'

const { createRoot } = await import('solid-js')
const { createArmed } = await import('../../../client/src/primitives/create-armed.ts')

const makeArmed = (prepare?: () => Promise<boolean>) =>
  createRoot((dispose) => {
    const confirmed = { count: 0 }
    const onConfirm = () => {
      confirmed.count += 1
    }
    const armed = createArmed({ onConfirm, ...(prepare && { prepare }) })
    return { ...armed, press: (timeStamp = performance.now()) => armed.press({ timeStamp }), confirmed, dispose }
  })

/** Lets what waits for a promise go on. */
const settle = () => Promise.resolve().then(() => undefined)

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

test('one press does nothing but arm', async () => {
  const { press, isArmed, confirmed, dispose } = makeArmed()
  press()
  await settle()
  expect({ isArmed: isArmed(), count: confirmed.count }).toEqual({ isArmed: true, count: 0 })
  dispose()
})

test('the second half of a double-click is no second press', async () => {
  const { press, confirmed, dispose } = makeArmed()
  press()
  await settle()
  jest.advanceTimersByTime(499)
  press()
  expect(confirmed.count).toBe(0)
  jest.advanceTimersByTime(1)
  press()
  expect(confirmed.count).toBe(1)
  dispose()
})

test('nor is it one that is answered late, because the device was busy', async () => {
  const { press, confirmed, dispose } = makeArmed()
  press()
  await settle()
  const pressedAt = performance.now() + 100
  jest.advanceTimersByTime(2000)
  press(pressedAt)
  expect(confirmed.count).toBe(0)
  dispose()
})

test('who does not press again within five seconds has to begin anew', async () => {
  const { press, isArmed, confirmed, dispose } = makeArmed()
  press()
  await settle()
  jest.advanceTimersByTime(5000)
  expect(isArmed()).toBe(false)
  press()
  expect(confirmed.count).toBe(0)
  dispose()
})

test('what could not be prepared is not armed', async () => {
  const { press, isArmed, dispose } = makeArmed(() => Promise.resolve(false))
  press()
  await settle()
  expect(isArmed()).toBe(false)
  dispose()
})

test('disposal stops the timer', async () => {
  const { press, isArmed, dispose } = makeArmed()
  press()
  await settle()
  dispose()
  jest.advanceTimersByTime(10_000)
  expect(isArmed()).toBe(true)
})
