import '../../support/solid-preload.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { replaceGlobals } from '../../support/replaced-globals.ts'

const { createRoot } = await import('solid-js')
const { createNearView } = await import('../../../client/src/primitives/create-near-view.ts')

type Tell = (changes: { isIntersecting: boolean }[]) => void

/** An observer that says what the test wants, and knows whether it is still listened to. */
class FakeObserver {
  static current: FakeObserver | undefined
  isConnected = false
  readonly tell: Tell
  constructor(tell: Tell) {
    this.tell = tell
    FakeObserver.current = this
  }
  observe(): void {
    this.isConnected = true
  }
  disconnect(): void {
    this.isConnected = false
  }
}

let restore: () => void
beforeAll(() => {
  restore = replaceGlobals({ IntersectionObserver: FakeObserver })
})
afterAll(() => restore())
beforeEach(() => {
  FakeObserver.current = undefined
})

const open = async () => {
  const made = createRoot((dispose) => ({ isNear: createNearView(() => new EventTarget() as Element), dispose }))
  // What is mounted is watched after the present turn.
  await Bun.sleep(1)
  return made
}
const see = (isIntersecting: boolean) => FakeObserver.current?.tell([{ isIntersecting }])

test('disposal stops the watching', async () => {
  const { dispose } = await open()
  expect(FakeObserver.current?.isConnected).toBe(true)
  dispose()
  expect(FakeObserver.current?.isConnected).toBe(false)
})

test('what is far off is not near; what has come near stays so, and is watched no longer', async () => {
  const { isNear, dispose } = await open()
  see(false)
  expect(isNear()).toBe(false)
  see(true)
  expect([isNear(), FakeObserver.current?.isConnected]).toEqual([true, false])
  see(false)
  expect(isNear()).toBe(true)
  dispose()
})
