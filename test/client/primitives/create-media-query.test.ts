import '../../support/solid-preload.ts'
import { afterEach, beforeEach, expect, test } from 'bun:test'

const { createRoot } = await import('solid-js')
const { createMediaQuery } = await import('../../../client/src/primitives/create-media-query.ts')

/** A window that can be made wider and narrower. */
class FakeList extends EventTarget {
  matches = false
  become(matches: boolean): void {
    this.matches = matches
    this.dispatchEvent(new Event('change'))
  }
}

let list = new FakeList()
const before = Object.getOwnPropertyDescriptor(globalThis, 'matchMedia')

beforeEach(() => {
  list = new FakeList()
  Object.defineProperty(globalThis, 'matchMedia', { value: () => list, configurable: true })
})
afterEach(() => {
  if (before) Object.defineProperty(globalThis, 'matchMedia', before)
  else Reflect.deleteProperty(globalThis, 'matchMedia')
})

const makeQuery = () => createRoot((dispose) => ({ doesMatch: createMediaQuery('(min-width: 840px)'), dispose }))

test('disposal stops the listening', () => {
  const { doesMatch, dispose } = makeQuery()
  dispose()
  list.become(true)
  expect(doesMatch()).toBe(false)
})

test('what holds at first is known at once, and every change after it', () => {
  list.matches = true
  const { doesMatch, dispose } = makeQuery()
  const seen = [doesMatch()]
  for (const matches of [false, true]) {
    list.become(matches)
    seen.push(doesMatch())
  }
  expect(seen).toEqual([true, false, true])
  dispose()
})
