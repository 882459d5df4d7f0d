import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'

globalThis.WheelEvent ??= { DOM_DELTA_PIXEL: 0 } as typeof WheelEvent
const { createRoot } = await import('solid-js')
const { createWheelTurns } = await import('../../../client/src/primitives/wheel-turns.ts')

interface Roll {
  /** Milliseconds on the clock of events. */
  at: number
  deltaY: number
  /** What browsers tell beside the distance: 120 a notch of a mouse. */
  wheelDeltaY: number
}

const rolled = ({ at, ...deltas }: Roll): Event => {
  const event = Object.assign(new Event('wheel', { cancelable: true }), { deltaMode: 0, ctrlKey: false, ...deltas })
  return Object.defineProperty(event, 'timeStamp', { value: at })
}

const open = async () => {
  const target = new EventTarget()
  const turns: number[] = []
  const dispose = createRoot((end) => {
    createWheelTurns(
      () => target as HTMLElement,
      (step) => turns.push(step),
    )
    return end
  })
  // What is mounted is listening after the present turn.
  await Bun.sleep(1)
  /** Answers whether it was taken from the browser. */
  const roll = (event: Roll): boolean => !target.dispatchEvent(rolled(event))
  return { turns, roll, dispose }
}
const notch = (at: number, direction: 1 | -1 = 1): Roll => ({ at, deltaY: direction * 100, wheelDeltaY: direction * -120 })
const crumb = (at: number): Roll => ({ at, deltaY: 7, wheelDeltaY: -21 })

test('one roll turns once, also where the page is too busy to hear its notches in time', async () => {
  const { turns, roll, dispose } = await open()
  roll(notch(1000))
  await Bun.sleep(200)
  roll(notch(1050))
  roll(notch(1100))
  expect(turns).toEqual([1])
  dispose()
})

test('a wheel that has rested turns again, and so does one that is rolled on and on', async () => {
  const { turns, roll, dispose } = await open()
  for (const at of [1000, 1200]) roll(notch(at, -1))
  expect(turns).toEqual([-1, -1])
  for (let at = 2000; at <= 3000; at += 100) roll(notch(at))
  expect(turns).toEqual([-1, -1, 1, 1, 1])
  dispose()
})

test('fingers on a touchpad scroll by themselves, also where a crumb of it looks like a notch', async () => {
  const { turns, roll, dispose } = await open()
  expect([roll(crumb(1000)), roll(crumb(1020)), roll(notch(1040))]).toEqual([false, false, false])
  expect(roll(notch(1300))).toBe(true)
  expect(turns).toEqual([1])
  dispose()
})
