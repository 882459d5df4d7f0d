/** Rounds in turn, so that whatever else the machine does meets every contender alike. */

interface Contender<Measured> {
  measure: () => Promise<Measured>
  /** Fewer rounds than asked for, for one that takes minutes. */
  mostRounds?: number
  /** Switched off for one that takes minutes. */
  isWarmedUp?: boolean
}

/**
 * Runs every contender once as a warm-up, then `rounds` times by turns; answers what each round measured, and nothing
 * for a contender that is missing (null).
 */
export const interleave = async <Name extends string, Measured>(
  rounds: number,
  contenders: Record<Name, Contender<Measured> | null>,
): Promise<Record<Name, Measured[]>> => {
  const entries = Object.entries<Contender<Measured> | null>(contenders)
  const measured = new Map<string, Measured[]>(entries.map(([name]) => [name, []]))
  for (const [, contender] of entries) if (contender && contender.isWarmedUp !== false) await contender.measure()
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, contender] of entries) {
      if (contender && round < (contender.mostRounds ?? rounds)) measured.get(name)?.push(await contender.measure())
    }
  }
  return Object.fromEntries(measured) as Record<Name, Measured[]>
}

/** The value below which `share` (0..1) of the values lie; the nearest rank. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new Error('There is no quantile of no values.')
  return value
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  if (low === undefined || high === undefined) throw new Error('There is no median of no values.')
  return (low + high) / 2
}

export const medianOrNull = (values: readonly number[]): number | null => (values.length === 0 ? null : median(values))

/** Seconds that the work took. */
export const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
