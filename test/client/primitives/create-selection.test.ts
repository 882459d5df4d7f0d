import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'
import type { BrowseEntry } from '../../../client/src/api/types.ts'

const { createRoot, createSignal } = await import('solid-js')
const { createSelection } = await import('../../../client/src/primitives/create-selection.ts')

const entry = (itemKey: string) => ({ itemKey }) as BrowseEntry

const makeSelection = () =>
  createRoot((dispose) => {
    const [entries, setEntries] = createSignal(['a', 'b', 'c'].map(entry))
    return { ...createSelection(entries), setEntries, dispose }
  })

test('what is no longer there is not selected, and is again when it comes back', () => {
  const { toggle, entries, setEntries, dispose } = makeSelection()
  toggle('a')
  toggle('c')
  setEntries([entry('c')])
  expect(entries().map(({ itemKey }) => itemKey)).toEqual(['c'])
  setEntries(['a', 'c'].map(entry))
  expect(entries().map(({ itemKey }) => itemKey)).toEqual(['a', 'c'])
  dispose()
})

test('a second click takes an entry out, and stopping takes out all', () => {
  const { start, stop, toggle, keys, isActive, entries, dispose } = makeSelection()
  start()
  toggle('a')
  toggle('b')
  toggle('a')
  expect([...keys()]).toEqual(['b'])
  stop()
  expect({ isActive: isActive(), count: entries().length }).toEqual({ isActive: false, count: 0 })
  dispose()
})
