import '../../support/solid-preload.ts'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { replaceGlobals } from '../../support/replaced-globals.ts'

const { createRoot, createSignal } = await import('solid-js')
const { createWakeLock } = await import('../../../client/src/primitives/wake-lock.ts')

/** A screen that counts who keeps it on, and a page that can be hidden. */
class Screen extends EventTarget {
  held = 0
  refuses = false
  locks: { release: () => Promise<void> }[] = []
  visibilityState = 'visible'
  request = async () => {
    if (this.refuses) throw new Error('The battery is low.')
    this.held += 1
    const lock = {
      released: false,
      release: async () => {
        if (!lock.released) this.held -= 1
        lock.released = true
      },
    }
    this.locks.push(lock)
    return lock
  }
  become(state: 'visible' | 'hidden'): void {
    this.visibilityState = state
    // The browser takes the lock with the page.
    if (state === 'hidden') for (const lock of this.locks) void lock.release()
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

let screen = new Screen()
let restore: () => void
beforeEach(() => {
  screen = new Screen()
  restore = replaceGlobals({ document: screen, navigator: { wakeLock: screen } })
})
afterEach(() => restore())

const settle = () => Bun.sleep(1)

const play = () =>
  createRoot((dispose) => {
    const [isPlaying, setPlaying] = createSignal(true)
    createWakeLock(isPlaying)
    return { setPlaying, dispose }
  })

test('a browser without it and a refusal are no error', async () => {
  screen.refuses = true
  const refused = play()
  await settle()
  refused.dispose()
  restore()
  restore = replaceGlobals({ document: screen, navigator: {} })
  const without = play()
  await settle()
  without.dispose()
  expect(screen.held).toBe(0)
})

test('disposal lets the screen go, and listens to the page no longer', async () => {
  const { dispose } = play()
  await settle()
  expect(screen.held).toBe(1)
  dispose()
  await settle()
  screen.become('visible')
  await settle()
  expect(screen.held).toBe(0)
})

test('disposal before the answer gives back what the answer brings', async () => {
  const { dispose } = play()
  dispose()
  await settle()
  expect(screen.held).toBe(0)
})

test('a page that is hidden and back before the answer holds one lock, and lets it go', async () => {
  const answer = Promise.withResolvers<void>()
  const { request } = screen
  screen.request = async () => {
    await answer.promise
    return request()
  }
  const { dispose } = play()
  screen.become('hidden')
  screen.become('visible')
  answer.resolve()
  await settle()
  expect(screen.held).toBe(1)
  dispose()
  await settle()
  expect(screen.held).toBe(0)
})

test('the screen stays on while something plays, and again when the page is back', async () => {
  const { setPlaying, dispose } = play()
  await settle()
  screen.become('hidden')
  await settle()
  expect(screen.held).toBe(0)
  screen.become('visible')
  await settle()
  expect(screen.held).toBe(1)
  setPlaying(false)
  await settle()
  expect(screen.held).toBe(0)
  dispose()
})
