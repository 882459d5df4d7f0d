/** In which order parts are shown that come in any order, so that none is pushed away by another. */

import { type Accessor, createEffect, createMemo, createSignal } from 'solid-js'
import { createDelayed } from './create-delayed.ts'

/** Longer than this what is there does not wait for what should stand above it. */
export const PATIENCE_MS = 300

/** Those that can be placed: each whose predecessors are there. Who was passed over once keeps nobody waiting any more. */
const inOrder = (ids: readonly number[], placed: readonly number[], isThere: (id: number) => boolean): number[] => {
  const passed = Math.max(-1, ...placed.map((id) => ids.indexOf(id)))
  const firstMissing = ids.findIndex((id, place) => place > passed && !isThere(id))
  return ids.filter((id, place) => isThere(id) && (firstMissing < 0 || place < firstMissing))
}

/** Answers the ids from the top down. What has its place keeps it; what comes too late for its own is placed at the end. */
export const createPlaces = (ids: Accessor<readonly number[]>, isThere: (id: number) => boolean): Accessor<readonly number[]> => {
  const [placed, setPlaced] = createSignal<readonly number[]>([])
  const waiting = createMemo(() => ids().filter((id) => isThere(id) && !placed().includes(id)))
  const isPatienceOver = createDelayed(() => waiting().length > 0, PATIENCE_MS)
  createEffect(() => {
    const due = isPatienceOver() ? waiting() : inOrder(ids(), placed(), isThere).filter((id) => waiting().includes(id))
    if (due.length > 0) setPlaced((before) => [...before, ...due])
  })
  return placed
}
