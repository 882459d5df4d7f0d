import { type Accessor, createComputed, createMemo } from 'solid-js'
import type { BrowseEntry } from '../api/types.ts'
import type { EntryList } from './create-entry-window.ts'

interface Seen {
  entry: BrowseEntry
  /** In the whole list. */
  index: number
}

/**
 * A list in which everything that was looked at stays where it stood, also when the filter leaves it out from then on: whoever
 * gives a tag to one after the other of what has none goes on from there, and finds what they did.
 */
export const keepPlaces = (list: EntryList, itemKey: Accessor<string>): EntryList => {
  const seen = new Map<string, Seen>()
  const gone = createMemo((): readonly Seen[] => {
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
    return place < 0 ? -1 : place + list.offset()
  }
  const at = (index: number) => entries()[index - list.offset()]
  createComputed(() => {
    const index = indexOf(itemKey())
    const entry = at(index)
    if (entry) seen.set(entry.itemKey, { entry, index })
  })
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
