import '../../support/solid-preload.ts'
import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { replaceGlobals } from '../../support/replaced-globals.ts'

const { createRoot, createSignal } = await import('solid-js')
const { createTapHint, HINT_MS } = await import('../../../client/src/primitives/tap-hint.ts')

/** What a device remembers. */
let stored = new Map<string, string>()
let restore: () => void
beforeEach(() => {
  stored = new Map()
  restore = replaceGlobals({
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    },
  })
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
  restore()
})

const open = async () => {
  const made = createRoot((dispose) => {
    const [zones, setZones] = createSignal('edges')
    return { isShown: createTapHint(zones), setZones, dispose }
  })
  // What is mounted runs after the present turn.
  await Promise.resolve()
  return made
}

test('where nothing can be remembered, not every visit is the first', async () => {
  restore()
  restore = replaceGlobals({ localStorage: undefined })
  const { isShown, dispose } = await open()
  expect(isShown()).toBe(false)
  dispose()
})

test('disposal stops the timer', async () => {
  const { isShown, dispose } = await open()
  dispose()
  jest.advanceTimersByTime(2 * HINT_MS)
  expect(isShown()).toBe(true)
})

test('the zones are shown for a moment on the first visit, and on none after it', async () => {
  const first = await open()
  expect(first.isShown()).toBe(true)
  jest.advanceTimersByTime(HINT_MS)
  expect(first.isShown()).toBe(false)
  first.dispose()
  const second = await open()
  expect(second.isShown()).toBe(false)
  second.dispose()
})

test('other zones are shown, the same ones are not', async () => {
  stored.set('vitrine.reader-hint', 'seen')
  const { isShown, setZones, dispose } = await open()
  setZones('edges')
  expect(isShown()).toBe(false)
  setZones('corners')
  expect(isShown()).toBe(true)
  dispose()
})
