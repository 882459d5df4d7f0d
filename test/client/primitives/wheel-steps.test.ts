import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'

const { createRoot } = await import('solid-js')
const { createWheelSteps } = await import('../../../client/src/primitives/wheel-steps.ts')

const PIXELS = 0
const LINES = 1

/** What the browser's own event says of a turned wheel. */
const turned = (deltaY: number, deltaMode: number, ctrlKey: boolean): Event =>
  Object.assign(new Event('wheel', { cancelable: true }), { deltaY, deltaMode, ctrlKey })

const open = async () => {
  const target = new EventTarget()
  const steps: string[] = []
  const dispose = createRoot((end) => {
    createWheelSteps(
      () => target as HTMLElement,
      (direction) => steps.push(direction),
    )
    return end
  })
  // What is mounted is listening after the present turn.
  await Bun.sleep(1)
  const turn = (deltaY: number, deltaMode = PIXELS, ctrlKey = false): boolean => !target.dispatchEvent(turned(deltaY, deltaMode, ctrlKey))
  return { steps, turn, dispose }
}

test('the zoom of the browser stays its own, and a wheel turned sideways is nothing', async () => {
  const { steps, turn, dispose } = await open()
  expect([turn(-300, PIXELS, true), turn(0)]).toEqual([false, false])
  expect(steps).toEqual([])
  dispose()
})

test('a notch is a step, in pixels and in lines, and scrolls nothing besides', async () => {
  const { steps, turn, dispose } = await open()
  expect([turn(-120), turn(3, LINES), turn(100)]).toEqual([true, true, true])
  expect(steps).toEqual(['up', 'down', 'down'])
  dispose()
})

test('crumbs of a touchpad add up to a step, and turning back begins anew', async () => {
  const { steps, turn, dispose } = await open()
  for (let crumb = 0; crumb < 9; crumb += 1) turn(-10)
  turn(10)
  turn(-90)
  expect(steps).toEqual([])
  turn(-10)
  expect(steps).toEqual(['up'])
  dispose()
})

test('disposal stops it', async () => {
  const { steps, turn, dispose } = await open()
  dispose()
  turn(-120)
  expect(steps).toEqual([])
})
