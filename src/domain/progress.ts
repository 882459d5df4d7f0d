/**
 * How far somebody has come with an item: what was told is kept as it was told (API.md, 6), and what is worth resuming is
 * decided when it is asked. The thresholds are the defaults of Jellyfin's server (UI.md 1.2): below 5 % it was hardly begun,
 * from 90 % on it was seen, and what is shorter than five minutes is not resumed.
 */

import type { Progress } from './browse-entry.ts'

const MIN_RESUME_FRACTION = 0.05
const COMPLETED_FRACTION = 0.9
const MIN_RESUME_DURATION_SECONDS = 300

/** What a player or reader tells. Pages count from 0. */
export interface ProgressReport {
  positionSeconds?: number | null | undefined
  durationSeconds?: number | null | undefined
  page?: number | null | undefined
  /** Said by the person, or by a client that knows better: nothing is concluded then. */
  completed?: boolean | null | undefined
}

/** What the index knows of the item; null where it does not. */
export interface ProgressSubject {
  durationSeconds: number | null
  pageCount: number | null
}

const NOT_STARTED: Progress = { positionSeconds: null, durationSeconds: null, page: null, completed: false }

/** Seconds into the item where to go on; 0 where that is its beginning. */
export const resumePosition = (progress: Pick<Progress, 'positionSeconds' | 'durationSeconds'> | null | undefined): number => {
  const position = progress?.positionSeconds ?? 0
  const duration = progress?.durationSeconds
  if (duration == null) return position
  const fraction = position / duration
  return duration < MIN_RESUME_DURATION_SECONDS || fraction < MIN_RESUME_FRACTION || fraction >= COMPLETED_FRACTION ? 0 : position
}

/**
 * The progress after a report. What the report leaves out stays; what was completed stays so, also while it is seen
 * again, until somebody says otherwise. Whoever has just seen it to its end has no position any more.
 */
export const advanceProgress = (before: Progress | null, report: ProgressReport, subject: ProgressSubject): Progress => {
  const known = before ?? NOT_STARTED
  const durationSeconds = report.durationSeconds || known.durationSeconds || subject.durationSeconds || null
  const lastPage = subject.pageCount ? subject.pageCount - 1 : Number.POSITIVE_INFINITY
  const page = report.page == null ? null : Math.min(report.page, lastPage)
  const position = report.positionSeconds == null ? null : Math.min(report.positionSeconds, durationSeconds ?? Number.POSITIVE_INFINITY)
  if (report.completed != null) {
    const hasPosition = position !== null || known.positionSeconds !== null
    return { positionSeconds: report.completed && hasPosition ? 0 : position, durationSeconds, page, completed: report.completed }
  }
  const isSeen = position !== null && durationSeconds !== null && position / durationSeconds >= COMPLETED_FRACTION
  const isRead = page !== null && page >= lastPage
  return {
    positionSeconds: isSeen ? 0 : (position ?? known.positionSeconds),
    durationSeconds,
    page: page ?? known.page,
    completed: known.completed || isSeen || isRead,
  }
}
