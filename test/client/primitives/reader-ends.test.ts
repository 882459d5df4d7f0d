import '../../support/solid-preload.ts'
import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'

const { createRoot } = await import('solid-js')
const { createEndConfirmation, CONFIRM_WITHIN_MS } = await import('../../../client/src/primitives/end-confirmation.ts')
const { createEndPull, PULL_DISTANCE } = await import('../../../client/src/primitives/end-pull.ts')
const { pageAddress, pagesAround } = await import('../../../client/src/primitives/reader-pages.ts')

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

describe('beyond the last page', () => {
  const make = () =>
    createRoot((dispose) => {
      const left: string[] = []
      return { ...createEndConfirmation((end) => left.push(end)), left, dispose }
    })

  test('one press only asks', () => {
    const { press, asked, left, dispose } = make()
    press('next')
    expect([asked(), left]).toEqual(['next', []])
    dispose()
  })

  test('too late, or at the other end, is a first press again', () => {
    const { press, asked, left, dispose } = make()
    press('next')
    jest.advanceTimersByTime(CONFIRM_WITHIN_MS)
    expect(asked()).toBeUndefined()
    press('next')
    press('previous')
    expect([asked(), left]).toEqual(['previous', []])
    dispose()
  })

  test('two presses within three seconds leave', () => {
    const { press, asked, left, dispose } = make()
    press('next')
    jest.advanceTimersByTime(CONFIRM_WITHIN_MS - 1)
    press('next')
    expect([asked(), left]).toEqual([undefined, ['next']])
    dispose()
  })

  test('disposal stops the timer', () => {
    const { press, asked, dispose } = make()
    press('next')
    dispose()
    jest.advanceTimersByTime(CONFIRM_WITHIN_MS)
    expect(asked()).toBe('next')
  })
})

describe('pulling on below a strip', () => {
  const make = () =>
    createRoot((dispose) => {
      const pulls = { count: 0 }
      const onPull = () => {
        pulls.count += 1
      }
      const { onWheel, ...pull } = createEndPull(onPull)
      let at = 1000
      return {
        ...pull,
        pulls,
        dispose,
        onWheel: (by: number, isAtEnd: boolean, after = 10) => {
          at += after
          onWheel(by, at, isAtEnd)
        },
      }
    })

  test('while there is something to scroll, nothing is pulled', () => {
    const { onFinger, onWheel, fraction, pulls, dispose } = make()
    onFinger(800, false)
    onFinger(100, false)
    onWheel(1000, false)
    expect([fraction(), pulls.count]).toEqual([0, 0])
    dispose()
  })

  test('a finger pulls from where the end was reached', () => {
    const { onFinger, fraction, pulls, dispose } = make()
    onFinger(800, false)
    onFinger(500, true)
    onFinger(400, true)
    expect([fraction(), pulls.count]).toEqual([0.5, 0])
    onFinger(500 - PULL_DISTANCE, true)
    expect([fraction(), pulls.count]).toEqual([0, 1])
    dispose()
  })

  test('a wheel that rests has been let go, and so has one that turns back', () => {
    const { onWheel, fraction, pulls, dispose } = make()
    onWheel(100, true)
    onWheel(50, true)
    expect(fraction()).toBe(0.75)
    jest.advanceTimersByTime(400)
    expect(fraction()).toBe(0)
    onWheel(150, true, 410)
    onWheel(-10, true)
    onWheel(100, true)
    expect([fraction(), pulls.count]).toEqual([0.5, 0])
    onWheel(100, true)
    expect(pulls.count).toBe(1)
    dispose()
  })

  test('a wheel that was turning when it came to the end has to rest first', () => {
    const { onWheel, fraction, pulls, dispose } = make()
    onWheel(500, false)
    onWheel(500, true)
    onWheel(500, true)
    expect([fraction(), pulls.count]).toEqual([0, 0])
    jest.advanceTimersByTime(400)
    onWheel(PULL_DISTANCE, true, 410)
    expect(pulls.count).toBe(1)
    dispose()
  })

  test('a wheel that goes on turning is not let go by a page that hears of it late', () => {
    const { onWheel, fraction, pulls, dispose } = make()
    onWheel(120, true)
    jest.advanceTimersByTime(600)
    expect(fraction()).toBe(0)
    onWheel(120, true, 100)
    expect(pulls.count).toBe(1)
    // And one that had not rested as it came to the end still has not.
    onWheel(500, false, 1000)
    jest.advanceTimersByTime(600)
    onWheel(500, true, 100)
    expect([fraction(), pulls.count]).toEqual([0, 1])
    dispose()
  })

  test('disposal lets go and stops the timer', () => {
    const { onWheel, fraction, dispose } = make()
    onWheel(100, true)
    dispose()
    expect(fraction()).toBe(0)
    expect(jest.getTimerCount()).toBe(0)
  })
})

describe('pages at hand', () => {
  test('five ahead and one behind, and none beyond the covers', () => {
    expect(pagesAround([10], 100)).toEqual([11, 12, 13, 14, 15, 9])
    expect(pagesAround([10, 11], 100)).toEqual([12, 13, 14, 15, 16, 9])
    expect(pagesAround([0], 3)).toEqual([1, 2])
    expect(pagesAround([0], 1)).toEqual([])
  })

  test('a page is asked for no wider than the screen, and never wider than it is', () => {
    const page = { index: 0, width: 1600, height: 2400, url: '/p?index=0' }
    expect(pageAddress(page, 960)).toBe('/p?index=0&width=960')
    expect(pageAddress(page, 1600)).toBe('/p?index=0')
    expect(pageAddress(page, undefined)).toBe('/p?index=0')
    expect(pageAddress({ ...page, width: null }, 960)).toBe('/p?index=0')
  })
})
