import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'
import type { BrowseEntry } from '../../../client/src/api/types.ts'

const { createRoot, createSignal } = await import('solid-js')
const { keepPlaces } = await import('../../../client/src/primitives/keep-places.ts')

const entryOf = (itemKey: string) => ({ itemKey }) as BrowseEntry

const makeList = (keys: string, first = 0) =>
  createRoot((dispose) => {
    const [offset, setOffset] = createSignal(first)
    const [listed, setListed] = createSignal(keys)
    const [shown, show] = createSignal('')
    const entries = () => [...listed()].map(entryOf)
    const list = keepPlaces(
      {
        offset,
        entries,
        total: () => listed().length + offset(),
        end: () => listed().length + offset(),
        at: (index) => entries()[index - offset()],
        indexOf: (key) => listed().indexOf(key) + offset(),
        ensure: () => undefined,
      },
      shown,
    )
    const text = () =>
      list
        .entries()
        .map(({ itemKey }) => itemKey)
        .join('')
    return { list, text, setListed, setOffset, show, dispose }
  })

test('what was looked at stays where it stood, and what was not leaves', () => {
  const { list, text, setListed, show, dispose } = makeList('abcdef')
  show('b')
  setListed('acdef')
  expect([text(), list.indexOf('b'), list.at(2)?.itemKey, list.total(), list.end()]).toEqual(['abcdef', 1, 'c', 6, 6])
  show('c')
  setListed('ade')
  expect([text(), list.indexOf('c'), list.total()]).toEqual(['abcde', 2, 5])
  show('d')
  expect(text()).toBe('abcde')
  dispose()
})

test('what comes back is there once, at the place that the list gives it', () => {
  const { list, text, setListed, show, dispose } = makeList('abc')
  show('b')
  setListed('ac')
  setListed('acb')
  expect([text(), list.indexOf('b'), list.total()]).toEqual(['acb', 2, 3])
  dispose()
})

test('places are those of the whole list', () => {
  const { list, text, setListed, show, dispose } = makeList('abc', 100)
  show('c')
  setListed('ab')
  expect([text(), list.indexOf('c'), list.indexOf('z'), list.at(102)?.itemKey, list.end()]).toEqual(['abc', 102, -1, 'c', 103])
  dispose()
})

test('what stood before the first that is loaded now comes before it', () => {
  const { list, text, setListed, setOffset, show, dispose } = makeList('abcdef')
  show('a')
  setListed('bcdef')
  setOffset(2)
  expect([text(), list.indexOf('a')]).toEqual(['abcdef', 2])
  dispose()
})
