/** Which backups that are made every day stay: those of the last days, and one of each of the weeks before. */

const NAME = /^vitrine-(\d{4}-\d{2}-\d{2})\.db$/
const WEEKS = 4
const DAY_MS = 24 * 60 * 60 * 1000
/** The first day of the Unix epoch was a Thursday, weeks begin with Monday (ISO 8601). */
const DAYS_BEFORE_EPOCH = 3

/** `vitrine-2026-11-24.db`, by the day in UTC. */
export const backupName = (now: number): string => `vitrine-${new Date(now).toISOString().slice(0, 10)}.db`

export const isBackupName = (name: string): boolean => NAME.test(name)

const weekOf = (name: string): number => Math.floor((Date.parse(NAME.exec(name)?.[1] ?? '') / DAY_MS + DAYS_BEFORE_EPOCH) / 7)

/**
 * Those of the backups that may go, now that one has been made. They are counted, and not compared with the clock: one that is
 * wrong takes none away. What is named later was made by a clock that was ahead, or is: it counts as older than all others.
 */
export const expendableBackups = (names: readonly string[], days: number, made: string): string[] => {
  const byName = names.filter(isBackupName).toSorted().toReversed()
  const older = [...byName.filter((name) => name <= made), ...byName.filter((name) => name > made)].slice(days)
  const weeks = new Map(older.toReversed().map((name) => [weekOf(name), name]))
  const newestOfWeek = new Set(weeks.values())
  const kept = new Set(older.filter((name) => newestOfWeek.has(name)).slice(0, WEEKS))
  return older.filter((name) => !kept.has(name))
}
