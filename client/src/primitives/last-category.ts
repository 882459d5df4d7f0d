/** Where somebody put the tag that was made last on this device: the next one often belongs there too. */

const KEY = 'vitrine.tagCategory'
/** For this visit, where storage is refused. */
let latest: string | null = null

export const rememberCategory = (id: number): void => {
  latest = String(id)
  try {
    localStorage.setItem(KEY, latest)
  } catch {
    // Then it holds for this visit.
  }
}

const recall = (): string | null => {
  try {
    return localStorage.getItem(KEY) ?? latest
  } catch {
    // Storage is refused in some private windows.
    return latest
  }
}

/** That category first, the others as they come. */
export const lastCategoryFirst = <Category extends { id: number }>(categories: readonly Category[]): Category[] => {
  const last = recall()
  return categories.toSorted((a, b) => Number(String(b.id) === last) - Number(String(a.id) === last))
}
