import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'

const { createRoot, createSignal } = await import('solid-js')
const { createDelayed } = await import('../../../client/src/primitives/create-delayed.ts')

const DELAY_MS = 20
const LONG_ENOUGH_MS = 60

const makeDelayed = () =>
  createRoot((dispose) => {
    const [isActive, setActive] = createSignal(false)
    return { isLate: createDelayed(isActive, DELAY_MS), setActive, dispose }
  })

test('what settles within the delay never shows', async () => {
  const { isLate, setActive, dispose } = makeDelayed()
  setActive(true)
  setActive(false)
  await Bun.sleep(LONG_ENOUGH_MS)
  expect(isLate()).toBe(false)
  dispose()
})

test('disposal stops the timer', async () => {
  const { isLate, setActive, dispose } = makeDelayed()
  setActive(true)
  dispose()
  await Bun.sleep(LONG_ENOUGH_MS)
  expect(isLate()).toBe(false)
})

test('what lasts longer than the delay shows until it ends', async () => {
  const { isLate, setActive, dispose } = makeDelayed()
  setActive(true)
  expect(isLate()).toBe(false)
  await Bun.sleep(LONG_ENOUGH_MS)
  expect(isLate()).toBe(true)
  setActive(false)
  expect(isLate()).toBe(false)
  dispose()
})
