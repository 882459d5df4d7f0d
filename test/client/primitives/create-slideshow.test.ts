import '../../support/solid-preload.ts'
import { afterEach, beforeEach, expect, jest, test } from 'bun:test'

const { createRoot, createSignal } = await import('solid-js')
const { createSlideshow, SLIDE_MS } = await import('../../../client/src/primitives/create-slideshow.ts')

const LAST = 3

const makeShow = (isTimed: (index: number) => boolean = () => true) =>
  createRoot((dispose) => {
    const [index, setIndex] = createSignal(0)
    const show = createSlideshow({
      key: index,
      isTimed: () => isTimed(index()),
      hasNext: () => index() < LAST,
      onNext: () => setIndex(index() + 1),
    })
    return { ...show, index, setIndex, dispose }
  })

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

test('nothing turns before it is started, nor after it is stopped', () => {
  const { index, toggle, stop, dispose } = makeShow()
  jest.advanceTimersByTime(SLIDE_MS * 2)
  expect(index()).toBe(0)
  toggle()
  jest.advanceTimersByTime(SLIDE_MS)
  expect(index()).toBe(1)
  stop()
  jest.advanceTimersByTime(SLIDE_MS * 2)
  expect(index()).toBe(1)
  dispose()
})

test('it stops at the last one', () => {
  const { index, toggle, isRunning, dispose } = makeShow()
  toggle()
  jest.advanceTimersByTime(SLIDE_MS * (LAST + 1))
  expect({ index: index(), isRunning: isRunning() }).toEqual({ index: LAST, isRunning: false })
  dispose()
})

test('who turns by hand sees the next one for its whole time', () => {
  const { index, setIndex, toggle, dispose } = makeShow()
  toggle()
  jest.advanceTimersByTime(SLIDE_MS - 1)
  setIndex(1)
  jest.advanceTimersByTime(SLIDE_MS - 1)
  expect(index()).toBe(1)
  jest.advanceTimersByTime(1)
  expect(index()).toBe(2)
  dispose()
})

test('a video ends by itself, and turns then', () => {
  const { index, toggle, onEnded, dispose } = makeShow((place) => place !== 0)
  onEnded()
  toggle()
  jest.advanceTimersByTime(SLIDE_MS * 3)
  expect(index()).toBe(0)
  onEnded()
  expect(index()).toBe(1)
  dispose()
})

test('disposal stops the timer', () => {
  const { index, toggle, dispose } = makeShow()
  toggle()
  dispose()
  jest.advanceTimersByTime(SLIDE_MS * 3)
  expect(index()).toBe(0)
})

test('a video that cannot be played is gone past like a picture, and only that one', () => {
  const { index, toggle, onUnplayable, dispose } = makeShow(() => false)
  toggle()
  onUnplayable()
  jest.advanceTimersByTime(SLIDE_MS)
  expect(index()).toBe(1)
  jest.advanceTimersByTime(SLIDE_MS * 2)
  expect(index()).toBe(1)
  dispose()
})
