/**
 * The jobs of an item in the order in which they ended, which is not that of their ids: one that failed may be tried again after
 * others that were asked for later.
 *
 * `coalesce`: of jobs of old databases it is not known when they ended. And SQLite does not go through all that ended later, by
 * the index of when jobs ended, instead of through the few jobs of the item.
 */
const endOf = (job: string): string => `(coalesce(${job}.finished_at, 0), ${job}.id)`

/** Both have ended. */
export const endedAfter = (later: string, job: string): string => `${endOf(later)} > ${endOf(job)}`

/** For `ORDER BY`: what ended last comes first. */
export const lastEndedFirst = (job: string): string => `coalesce(${job}.finished_at, 0) DESC, ${job}.id DESC`
