import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'

Object.assign(globalThis, { PointerEvent: globalThis.PointerEvent ?? class extends Event {} })
const { createRoot } = await import('solid-js')
const { createPlayerGestures } = await import('../../../client/src/primitives/player-gestures.ts')

/** Longer than a double click lasts. */
const LATE_MS = 350

const open = async () => {
  const target = new EventTarget()
  const done: string[] = []
  const note = (what: string) => () => void done.push(what)
  const dispose = createRoot((end) => {
    createPlayerGestures(() => target as HTMLElement, {
      onToggle: note('toggle'),
      onFullscreen: note('fullscreen'),
      onSkip: note('skip'),
      onHold: note('hold'),
    })
    return end
  })
  // What is mounted is listening after the present turn.
  await Bun.sleep(1)
  const click = (at: number) => void target.dispatchEvent(Object.defineProperty(new Event('click'), 'timeStamp', { value: at }))
  return { done, click, dispose }
}

test('two clicks fill the screen, and leave it playing or paused as it was', async () => {
  const { done, click, dispose } = await open()
  click(1000)
  click(1200)
  await Bun.sleep(LATE_MS)
  expect(done).toEqual(['fullscreen'])
  dispose()
})

test('a page that hears of the second click late takes back what it took the first for', async () => {
  const { done, click, dispose } = await open()
  click(1000)
  await Bun.sleep(LATE_MS)
  click(1200)
  await Bun.sleep(LATE_MS)
  expect(done).toEqual(['toggle', 'toggle', 'fullscreen'])
  dispose()
})

test('two clicks with some time between them pause and play, also where both are heard at once', async () => {
  const { done, click, dispose } = await open()
  click(1000)
  click(1400)
  await Bun.sleep(LATE_MS)
  expect(done).toEqual(['toggle', 'toggle'])
  dispose()
})
