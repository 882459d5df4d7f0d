import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'
import type { BrowseEntry, Item } from '../../../client/src/api/types.ts'

const { createRoot, createSignal } = await import('solid-js')
const { createSelection } = await import('../../../client/src/primitives/create-selection.ts')
const { folderMove, followSelected } = await import('../../../client/src/primitives/follow-selected.ts')

const entry = (itemKey: string) => ({ itemKey }) as BrowseEntry
const keysOf = (entries: readonly BrowseEntry[]) => entries.map(({ itemKey }) => itemKey)

/** `more`: pages of the list that nobody has scrolled to. */
const follow = (keys: readonly string[], moves: Readonly<Record<string, string>>, more: string[][] = []) =>
  createRoot((dispose) => {
    const [entries, setEntries] = createSignal<readonly BrowseEntry[]>(keys.map(entry))
    const [filter, setFilter] = createSignal('')
    const selection = createSelection(entries)
    const asked: string[] = []
    const ask = async (itemKey: string): Promise<Item> => {
      asked.push(itemKey)
      const moved = moves[itemKey]
      if (moved === undefined) throw new Error('There is no such item')
      return { itemKey: moved } as Item
    }
    const load = async (isEnough: () => boolean) => {
      while (!isEnough()) {
        const page = more.shift()
        if (!page) return
        await Bun.sleep(0)
        setEntries([...entries(), ...page.map(entry)])
      }
    }
    const chosen = followSelected({ selection, entries, filter, ask, load })
    const show = (now: readonly string[], fields: Readonly<Record<string, Partial<BrowseEntry>>> = {}) =>
      setEntries(now.map((key) => ({ ...entry(key), ...fields[key] })))
    return { selection, chosen, setEntries: show, setFilter, asked, dispose }
  })

test('a folder that has moved is where both keys begin to be the same', () => {
  const moves: [from: string, to: string, move: ReturnType<typeof folderMove>][] = [
    ['mixed_file:1:a/x.jpg', 'mixed_file:1:b/x.jpg', ['mixed_file:1:a/', 'mixed_file:1:b/']],
    ['mixed_file:1:2020/sea/x.jpg', 'mixed_file:1:2021/sea/x.jpg', ['mixed_file:1:2020/', 'mixed_file:1:2021/']],
    ['mixed_file:1:a/x.jpg', 'mixed_file:1:a/y/x.jpg', ['mixed_file:1:a/', 'mixed_file:1:a/y/']],
    ['mixed_file:1:a/x.jpg', 'mixed_file:1:a/y.jpg', undefined],
    ['movie:1:Brazil', 'movie:1:Brasil', undefined],
  ]
  for (const [from, to, move] of moves) expect([from, folderMove(from, to)]).toEqual([from, move])
})

test('what moves with its folder stays selected, also while it is asked for, and is asked for once', async () => {
  const { selection, chosen, setEntries, asked, dispose } = follow(['a/1', 'a/2', 'a/3', 'z'], { 'a/1': 'b/1', 'a/2': 'b/2', z: 'y' })
  selection.add(['a/1', 'a/2', 'z'])
  setEntries(['b/1', 'b/2', 'b/3', 'y'])
  expect(keysOf(chosen())).toEqual(['a/1', 'a/2', 'z'])
  await Bun.sleep(0)
  expect([keysOf(chosen()), asked]).toEqual([
    ['b/1', 'b/2', 'y'],
    ['a/1', 'z'],
  ])
  selection.extendTo('b/1')
  expect(keysOf(chosen())).toEqual(['b/1', 'b/2', 'y'])
  dispose()
})

test('what is gone is not selected any more, and nothing that only lies where it would be', async () => {
  const { selection, chosen, setEntries, asked, dispose } = follow(['a/1', 'a/2'], { 'a/1': 'b/1' })
  selection.add(['a/1', 'a/2'])
  setEntries(['b/1', 'c/2'])
  await Bun.sleep(0)
  expect([keysOf(chosen()), asked]).toEqual([['b/1'], ['a/1', 'a/2']])
  dispose()
})

test('what lay already where one of them would be is another item, and so is what has come there from elsewhere', async () => {
  const { selection, chosen, setEntries, asked, dispose } = follow(['a/1', 'a/2', 'a/3', 'b/2'], { 'a/1': 'b/1' })
  selection.add(['a/1', 'a/2', 'a/3'])
  setEntries(['b/1', 'b/2', 'b/3'], { 'b/3': { addedAt: '2026-11-29T12:00:00.000Z' } })
  await Bun.sleep(0)
  expect([keysOf(chosen()), asked]).toEqual([['b/1'], ['a/1', 'a/2', 'a/3']])
  dispose()
})

test('another filter, or nothing new, is no reason to ask', async () => {
  const { selection, chosen, setEntries, setFilter, asked, dispose } = follow(['a', 'b', 'c'], {})
  selection.add(['a', 'b'])
  setEntries(['b', 'c'])
  setFilter('other')
  setEntries(['c', 'd'])
  await Bun.sleep(0)
  expect([keysOf(chosen()), asked]).toEqual([[], []])
  dispose()
})

test('what is pushed behind the pages that are there stays selected once, and is found, however much was added above', async () => {
  const more = [['new 3', 'new 4'], ['new 5', 'a'], ['b', 'c'], ['d']]
  const { selection, chosen, setEntries, asked, dispose } = follow(['a', 'b'], {}, more)
  selection.add(['a', 'b'])
  setEntries(['new 1', 'new 2'])
  expect(keysOf(chosen())).toEqual(['a', 'b'])
  await Bun.sleep(10)
  expect([keysOf(chosen()), asked, more]).toEqual([['a', 'b'], [], [['d']]])
  dispose()
})

test('what no longer belongs into a list is not looked for to its end', async () => {
  const more = ['e', 'f', 'g', 'h'].map((key) => [key])
  const { selection, chosen, setEntries, asked, dispose } = follow(['a', 'b', 'c'], { a: 'a' }, more)
  selection.add(['a'])
  setEntries(['b', 'c', 'd'])
  await Bun.sleep(10)
  expect([keysOf(chosen()), asked, more.length]).toEqual([[], ['a'], 3])
  dispose()
})
