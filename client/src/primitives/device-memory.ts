/** What this device remembers by name. Storage is refused in some private windows: then nothing is. */

const keyOf = (name: string): string => `vitrine.${name}`

export const recall = (name: string): string | null => {
  try {
    return localStorage.getItem(keyOf(name))
  } catch {
    return null
  }
}

export const remember = (name: string, value: string): void => {
  try {
    localStorage.setItem(keyOf(name), value)
  } catch {
    // It holds for this visit.
  }
}
