/** Where somebody put the tag that was made last on this device: the next one often belongs there too. */

import { recall, remember } from './device-memory.ts'

const MEMORY = 'tagCategory'
/** For this visit, where the device remembers nothing. */
let latest: string | null = null

export const rememberCategory = (id: number): void => {
  latest = String(id)
  remember(MEMORY, latest)
}

/** That category first, the others as they come. */
export const lastCategoryFirst = <Category extends { id: number }>(categories: readonly Category[]): Category[] => {
  const last = recall(MEMORY) ?? latest
  return categories.toSorted((a, b) => Number(String(b.id) === last) - Number(String(a.id) === last))
}
