/** What is selected and moves on disk is the same item by another key, and stays selected. */

import { type Accessor, batch, createMemo, createSignal, onCleanup, untrack } from 'solid-js'
import type { BrowseEntry, Item } from '../api/types.ts'
import type { Selection } from './create-selection.ts'

/** As many as somebody waits for. */
const MOST_ASKED = 300

type FolderMove = readonly [from: string, to: string]

/** What both keys end with behind a slash lies in what has moved; undefined where the last part of the key is another one. */
export const folderMove = (from: string, to: string): FolderMove | undefined => {
  let length = 0
  while (length < Math.min(from.length, to.length) && from.at(-1 - length) === to.at(-1 - length)) length += 1
  const slash = from.slice(from.length - length).indexOf('/')
  if (slash < 0) return undefined
  const inside = length - slash - 1
  return [from.slice(0, from.length - inside), to.slice(0, to.length - inside)]
}

/** A file may have been put where another one would be that has gone from its folder by itself. */
const isAlike = (one: BrowseEntry, other: BrowseEntry) => one.addedAt === other.addedAt && one.size === other.size

interface Followed {
  selection: Selection
  entries: Accessor<readonly BrowseEntry[]>
  /** Whose change takes entries away that have not moved. */
  filter: Accessor<string>
  ask: (itemKey: string) => Promise<Item>
  /** Loads more of the list until that is enough, or all. */
  load: (isEnough: () => boolean) => Promise<unknown>
}

const keysOf = (entries: readonly BrowseEntry[]): ReadonlySet<string> => new Set(entries.map(({ itemKey }) => itemKey))

/**
 * The selected entries. While the server is asked for those that are gone, as nothing else tells what has moved from what is new,
 * they are among them: what is open for the selection stays open. What is new may also have pushed them behind the last page.
 */
export const followSelected = ({ selection, entries, filter, ask, load }: Followed): Accessor<readonly BrowseEntry[]> => {
  const [answers, setAnswers] = createSignal(0)
  /** What is being asked for. */
  let gone: readonly BrowseEntry[] = []
  let isEnded = false
  onCleanup(() => {
    isEnded = true
  })
  const follow = async (
    left: readonly BrowseEntry[],
    arrived: ReadonlyMap<string, BrowseEntry>,
    was: readonly BrowseEntry[],
  ): Promise<void> => {
    const old = keysOf(was)
    await load(() => {
      const there = keysOf(entries())
      const first = entries().findIndex(({ itemKey }) => old.has(itemKey))
      // As far below the first of the old ones as what is new can have pushed them.
      const isFarEnough = first >= 0 && there.size >= first + was.length + arrived.size
      return isFarEnough || left.every(({ itemKey }) => there.has(itemKey))
    })
    if (isEnded) return
    const listed = keysOf(entries())
    const next = new Map<string, string>()
    const folders: FolderMove[] = []
    let asked = 0
    const inMoved = (entry: BrowseEntry) => {
      const folder = folders.find(([from]) => entry.itemKey.startsWith(from))
      const moved = folder && arrived.get(folder[1] + entry.itemKey.slice(folder[0].length))
      return moved && isAlike(entry, moved) ? moved.itemKey : undefined
    }
    for (const entry of left) {
      const { itemKey } = entry
      if (listed.has(itemKey)) continue
      let moved = inMoved(entry)
      if (moved === undefined && asked++ < MOST_ASKED) {
        // Without an answer it stays as it was.
        moved = (await ask(itemKey).catch(() => undefined))?.itemKey
        const folder = moved === undefined || moved === itemKey ? undefined : folderMove(itemKey, moved)
        if (folder) folders.push(folder)
      }
      if (isEnded) return
      if (moved !== undefined) next.set(itemKey, moved)
    }
    gone = gone.filter((entry) => !left.includes(entry))
    batch(() => {
      selection.rename((key) => next.get(key) ?? key)
      setAnswers(answers() + 1)
    })
  }
  let before = untrack(entries)
  let asFiltered = untrack(filter)
  const lookAt = (now: readonly BrowseEntry[]) => {
    const known = keysOf(before)
    const isSameFilter = asFiltered === filter()
    const was = before
    before = now
    asFiltered = filter()
    // What has moved comes as something new.
    const arrived = new Map(now.filter(({ itemKey }) => !known.has(itemKey)).map((entry) => [entry.itemKey, entry]))
    if (!isSameFilter || arrived.size === 0) return
    const listed = keysOf(now)
    const left = was.filter(({ itemKey }) => selection.keys().has(itemKey) && !listed.has(itemKey))
    if (left.length === 0) return
    gone = [...gone, ...left]
    void follow(left, arrived, was)
  }
  // All at once: a moment without them would close what is open for them.
  return createMemo(() => {
    answers()
    const now = entries()
    if (now !== before) untrack(() => lookAt(now))
    const found = selection.entries()
    const listed = keysOf(found)
    return [...found, ...gone.filter(({ itemKey }) => !listed.has(itemKey))]
  })
}
