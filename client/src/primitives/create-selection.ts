import { type Accessor, createSignal } from 'solid-js'
import type { BrowseEntry } from '../api/types.ts'

/** Several entries of a grid, chosen to do one thing to all of them. */
export const createSelection = (entries: Accessor<readonly BrowseEntry[]>) => {
  const [keys, setKeys] = createSignal<ReadonlySet<string>>(new Set())
  const [isActive, setActive] = createSignal(false)
  return {
    isActive,
    start: () => setActive(true),
    stop: () => {
      setActive(false)
      setKeys(new Set<string>())
    },
    has: (key: string) => keys().has(key),
    toggle: (key: string) => {
      const next = new Set(keys())
      if (!next.delete(key)) next.add(key)
      setKeys(next)
    },
    /** Those that are still there: a filter may have taken some away. */
    entries: () => entries().filter(({ itemKey }) => keys().has(itemKey)),
  }
}

export type Selection = ReturnType<typeof createSelection>
