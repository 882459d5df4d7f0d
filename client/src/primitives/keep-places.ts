import { type Accessor, createComputed, createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import type { BrowseEntry, Item } from '../api/types.ts'
import type { EntryList } from './create-entry-window.ts'

interface Seen {
  entry: BrowseEntry
  /** In the whole list. */
  index: number
}

/** A browser sends no more to one server at a time. */
const ASKED_AT_ONCE = 6
/** Whoever has seen more than these waits for no answer about those far off. */
const MOST_ASKED = 300

/**
 * A list in which everything that was looked at stays where it stood, also when the filter leaves it out from then on: whoever
 * gives a tag to one after the other of what has none goes on from there, and finds what they did.
 *
 * What has moved on disk is the same item under another key: it is there once, where the list has it now, and is also found by
 * the key that it had. The server is asked for it (`ask`), as nothing else tells it from what is new.
 */
export const keepPlaces = (list: EntryList, itemKey: Accessor<string>, ask: (itemKey: string) => Promise<Item>): EntryList => {
  const seen = new Map<string, Seen>()
  /** The next key of what has moved, by the one before it. */
  const [moved, setMoved] = createSignal<ReadonlyMap<string, string>>(new Map())
  const gone = createMemo((): readonly Seen[] => {
    moved()
    const listed = new Set(list.entries().map((entry) => entry.itemKey))
    return [...seen.values()].filter(({ entry }) => !listed.has(entry.itemKey)).sort((one, other) => one.index - other.index)
  })
  const entries = createMemo((): readonly BrowseEntry[] => {
    if (gone().length === 0) return list.entries()
    const all = [...list.entries()]
    // Below zero it would be counted from the end.
    for (const { entry, index } of gone()) all.splice(Math.max(0, index - list.offset()), 0, entry)
    return all
  })
  const indexOf = (key: string): number => {
    const place = entries().findIndex((entry) => entry.itemKey === key)
    if (place >= 0) return place + list.offset()
    const next = moved().get(key) ?? list.movedTo?.(key)
    return next === undefined ? -1 : indexOf(next)
  }
  const at = (index: number) => entries()[index - list.offset()]
  createComputed(() => {
    const index = indexOf(itemKey())
    const entry = at(index)
    if (entry) seen.set(entry.itemKey, { entry, index })
  })

  let isEnded = false
  onCleanup(() => {
    isEnded = true
  })
  const follow = async (keys: readonly string[]): Promise<void> => {
    for (let from = 0; from < keys.length && !isEnded; from += ASKED_AT_ONCE) {
      // Without an answer it stays as it was.
      const answers = await Promise.all(
        keys.slice(from, from + ASKED_AT_ONCE).map(async (key) => ({ key, item: await ask(key).catch(() => undefined) })),
      )
      const next = new Map(moved())
      let hasMoved = false
      for (const { key, item } of answers) {
        const was = gone().find(({ entry }) => entry.itemKey === key)
        if (!was || !item || item.itemKey === key) continue
        hasMoved = true
        seen.delete(key)
        // A file has no plot; an item says so by null, and an entry by having none.
        if (!seen.has(item.itemKey)) seen.set(item.itemKey, { entry: { ...item, plot: undefined }, index: was.index })
        next.set(key, item.itemKey)
        // It may have come back to where it was before.
        next.delete(item.itemKey)
      }
      if (hasMoved) setMoved(next)
    }
  }
  createEffect(
    on(list.entries, (now, before = []) => {
      const known = new Set(before.map((entry) => entry.itemKey))
      // What has moved comes as something new.
      if (now.every((entry) => known.has(entry.itemKey))) return
      const here = indexOf(itemKey())
      const left = gone().filter(({ entry }) => known.has(entry.itemKey))
      left.sort((one, other) => Math.abs(one.index - here) - Math.abs(other.index - here))
      void follow(left.slice(0, MOST_ASKED).map(({ entry }) => entry.itemKey))
    }),
  )
  return {
    offset: list.offset,
    entries,
    total: () => {
      const total = list.total()
      return total === null ? null : total + gone().length
    },
    end: () => list.end() + gone().length,
    at,
    indexOf,
    ensure: list.ensure,
  }
}
