import '../../support/solid-preload.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { replaceGlobals } from '../../support/replaced-globals.ts'

const { createRoot } = await import('solid-js')
const { createReaderTouch } = await import('../../../client/src/primitives/reader-touch.ts')

const window = new Window()
let restore: () => void
beforeAll(() => {
  const { document, Element, Event, MouseEvent, DOMRect } = window
  restore = replaceGlobals({ document, Element, Event, MouseEvent, DOMRect })
})
afterAll(async () => {
  restore()
  await window.happyDOM.close()
})

/** A page of 200 by 400 pixels in the corner of the window. */
const makeStage = async () => {
  const stage = document.createElement('div')
  const button = document.createElement('button')
  stage.append(button)
  document.body.replaceChildren(stage)
  stage.getBoundingClientRect = () => new DOMRect(0, 0, 200, 400)
  const done: unknown[] = []
  const dispose = createRoot((end) => {
    createReaderTouch(() => stage, {
      onTap: (x, y) => done.push([x, y]),
      onSwipe: (axis, step) => done.push(`${axis}${step}`),
    })
    return end
  })
  // What is mounted is listening after the present turn.
  await Bun.sleep(1)
  const click = (x: number, y: number, target: HTMLElement = stage, mouse = 0) =>
    target.dispatchEvent(new MouseEvent('click', { clientX: x, clientY: y, button: mouse, bubbles: true }))
  const touch = (name: string, x: number, y: number, fingers = 1) => {
    const event = new Event(name, { bubbles: true })
    const points = Array.from({ length: fingers }, () => ({ clientX: x, clientY: y }))
    stage.dispatchEvent(Object.assign(event, { touches: points, changedTouches: points }))
  }
  const swipe = (x: number, y: number, fingers = 1) => {
    touch('touchstart', 100, 200, fingers)
    touch('touchend', 100 + x, 200 + y)
  }
  return { button, done, click, swipe, dispose }
}

test('a button on the page, and another button of the mouse, are no tap', async () => {
  const { button, done, click, dispose } = await makeStage()
  click(10, 10, button)
  click(10, 10, undefined, 1)
  expect(done).toEqual([])
  dispose()
})

test('a short or a slanting movement, and one of two fingers, are no swipe', async () => {
  const { done, swipe, dispose } = await makeStage()
  swipe(47, 0)
  swipe(60, 40)
  swipe(100, 0, 2)
  expect(done).toEqual([])
  dispose()
})

test('on a page that two fingers have enlarged, a tap is told by its share of the screen', async () => {
  const { done, click, dispose } = await makeStage()
  const putBack = replaceGlobals({ visualViewport: { offsetLeft: 100, offsetTop: 50, scale: 4 } })
  click(105, 75)
  putBack()
  click(105, 75)
  expect(done).toEqual([
    [0.1, 0.25],
    [0.525, 0.1875],
  ])
  dispose()
})

test('disposal stops the listening', async () => {
  const { done, click, swipe, dispose } = await makeStage()
  dispose()
  click(10, 10)
  swipe(100, 0)
  expect(done).toEqual([])
})

test('a tap is told by its share of the page, a swipe by its direction', async () => {
  const { done, click, swipe, dispose } = await makeStage()
  click(50, 100)
  swipe(-48, 10)
  swipe(0, 90)
  expect(done).toEqual([[0.25, 0.25], 'x1', 'y-1'])
  dispose()
})
