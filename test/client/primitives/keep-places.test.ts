import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'
import type { BrowseEntry, Item } from '../../../client/src/api/types.ts'

const { createRoot, createSignal } = await import('solid-js')
const { keepPlaces } = await import('../../../client/src/primitives/keep-places.ts')

const entryOf = (itemKey: string) => ({ itemKey }) as BrowseEntry

/** `places`: what the server says of keys, each after a turn; it has no answer about others. */
const makeList = (keys: string, first = 0, places: Record<string, string> = {}) =>
  createRoot((dispose) => {
    const [offset, setOffset] = createSignal(first)
    const [listed, setListed] = createSignal(keys)
    const [shown, show] = createSignal('')
    const asked: string[] = []
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
      async (key) => {
        asked.push(key)
        const itemKey = places[key]
        if (itemKey === undefined) throw new Error('no answer')
        return { itemKey } as Item
      },
    )
    const text = () =>
      list
        .entries()
        .map(({ itemKey }) => itemKey)
        .join('')
    return { list, text, asked, setListed, setOffset, show, dispose }
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

test('what has moved is there once, at the place that the list gives it, and is found by the key that it had', async () => {
  const { list, text, asked, setListed, show, dispose } = makeList('abcdef', 0, { b: 'B', c: 'C' })
  show('b')
  show('c')
  setListed('ABCDEF')
  await Bun.sleep(0)
  expect([text(), list.indexOf('b'), list.indexOf('c'), list.at(list.indexOf('c'))?.itemKey]).toEqual(['ABCDEF', 1, 2, 'C'])
  expect([list.total(), list.end(), list.indexOf('d'), asked]).toEqual([6, 6, -1, ['c', 'b']])
  dispose()
})

test('what has moved out of the list stays where it stood, by the key that it has now', async () => {
  const { list, text, setListed, show, dispose } = makeList('abc', 0, { b: 'B' })
  show('b')
  setListed('acd')
  await Bun.sleep(0)
  expect([text(), list.indexOf('b'), list.total()]).toEqual(['aBcd', 1, 4])
  // It is on a page that is loaded later.
  setListed('acdeB')
  expect([text(), list.indexOf('b'), list.total()]).toEqual(['acdeB', 4, 5])
  dispose()
})

test('what moves on, and back, is followed', async () => {
  const places: Record<string, string> = { b: 'B' }
  const { list, text, setListed, show, dispose } = makeList('abc', 0, places)
  show('b')
  for (const key of ['B', 'x', 'b', 'B']) {
    places[list.at(1)?.itemKey ?? ''] = key
    setListed(`a${key}c`)
    await Bun.sleep(0)
    expect([text(), list.indexOf('b'), list.total()]).toEqual([`a${key}c`, 1, 3])
    show(key)
  }
  dispose()
})

test('without an answer, or with the same key, what is gone stays beside what is new', async () => {
  const { text, asked, setListed, show, dispose } = makeList('abcd', 0, { c: 'c' })
  show('b')
  show('c')
  setListed('aBCd')
  await Bun.sleep(0)
  expect([text(), asked]).toEqual(['abcBCd', ['c', 'b']])
  dispose()
})

test('what only leaves is not asked for, nor again what stays away', async () => {
  const { asked, setListed, show, dispose } = makeList('abc', 0, { b: 'b' })
  show('b')
  setListed('ac')
  await Bun.sleep(0)
  expect(asked).toEqual([])
  setListed('acd')
  await Bun.sleep(0)
  expect(asked).toEqual([])
  dispose()
})
