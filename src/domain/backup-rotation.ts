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

/** Those of the backups that may go. They are counted, and not compared with the clock: one that is wrong takes none away. */
export const expendableBackups = (names: readonly string[], days: number): string[] => {
  const older = names.filter(isBackupName).toSorted().toReversed().slice(days)
  const newestOfWeek = new Map(older.toReversed().map((name) => [weekOf(name), name]))
  const kept = new Set([...newestOfWeek.values()].toSorted().toReversed().slice(0, WEEKS))
  return older.filter((name) => !kept.has(name))
}
