/** What many messages to a thread have in common, told once: they name it by its number. */

interface SharedParts<Part extends object> {
  /** The number of a part; the same one for the same object for as long as it is remembered. */
  numberOf(part: Part): number
  /** What the thread must be told before it reads these numbers, and what it may forget after. */
  news(): { told: [number, Part][]; forgotten: number[] }
}

/** `most`: parts that are remembered, the ones named last. `nextNumber` must give no number twice. */
export const createSharedParts = <Part extends object>(most: number, nextNumber: () => number): SharedParts<Part> => {
  const numbers = new Map<Part, number>()
  let told: [number, Part][] = []
  let forgotten: number[] = []

  return {
    numberOf: (part) => {
      const known = numbers.get(part)
      const number = known ?? nextNumber()
      if (known === undefined) told.push([number, part])
      numbers.delete(part)
      numbers.set(part, number)
      for (const [oldest, old] of numbers) {
        if (numbers.size <= most) break
        numbers.delete(oldest)
        forgotten.push(old)
      }
      return number
    },
    news: () => {
      const news = { told, forgotten }
      told = []
      forgotten = []
      return news
    },
  }
}
