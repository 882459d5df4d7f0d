import '../../support/solid-preload.ts'
import { afterEach, beforeEach, expect, jest, test } from 'bun:test'

const { createEffect, createRoot } = await import('solid-js')
const { createNote } = await import('../../../client/src/primitives/create-note.ts')

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const makeNote = () => createRoot((dispose) => ({ ...createNote(), dispose }))

test('disposal stops the timer', () => {
  const { text, show, dispose } = makeNote()
  show('1.25x')
  dispose()
  jest.advanceTimersByTime(5000)
  expect(text()).toBe('1.25x')
})

test('a word goes by itself, and the one after it has its whole time', () => {
  const { text, show, dispose } = makeNote()
  expect(text()).toBeUndefined()
  show('1.25x')
  jest.advanceTimersByTime(900)
  show('1.5x')
  jest.advanceTimersByTime(900)
  expect(text()).toBe('1.5x')
  jest.advanceTimersByTime(100)
  expect(text()).toBeUndefined()
  dispose()
})

test('the same word twice is said twice', async () => {
  const said: (string | undefined)[] = []
  const { show, dispose } = createRoot((end) => {
    const note = createNote()
    createEffect(() => said.push(note.text()))
    return { ...note, dispose: end }
  })
  show('Muted')
  show('Muted')
  expect(said).toEqual([undefined, 'Muted', 'Muted'])
  dispose()
})
