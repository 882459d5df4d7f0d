import { type Accessor, createSignal } from 'solid-js'
import type { BrowseEntry } from '../api/types.ts'

/** Several entries of a grid, chosen to do one thing to all of them. */
export const createSelection = (entries: Accessor<readonly BrowseEntry[]>) => {
  const [keys, setKeys] = createSignal<ReadonlySet<string>>(new Set())
  const [isActive, setActive] = createSignal(false)
  /** The one that was chosen last: a range goes from there. */
  let last = ''
  const add = (keysToAdd: readonly string[]) => setKeys(new Set([...keys(), ...keysToAdd]))
  return {
    isActive,
    start: () => setActive(true),
    stop: () => {
      setActive(false)
      setKeys(new Set<string>())
      last = ''
    },
    keys,
    toggle: (key: string) => {
      const next = new Set(keys())
      if (!next.delete(key)) next.add(key)
      setKeys(next)
      last = key
    },
    /** Everything from the one that was chosen last to this one. */
    extendTo: (key: string) => {
      const listed = entries().map(({ itemKey }) => itemKey)
      const from = listed.indexOf(last)
      const to = listed.indexOf(key)
      add(from < 0 ? [key] : listed.slice(Math.min(from, to), Math.max(from, to) + 1))
      last = key
    },
    add,
    /** What has moved has another key. */
    rename: (next: (key: string) => string) => {
      setKeys(new Set([...keys()].map(next)))
      last = next(last)
    },
    /** Those that are still there: a filter may have taken some away. */
    entries: () => entries().filter(({ itemKey }) => keys().has(itemKey)),
  }
}

export type Selection = ReturnType<typeof createSelection>
