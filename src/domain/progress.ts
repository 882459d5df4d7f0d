/**
 * How far somebody has come with an item: what was told is kept as it was told (API.md, 6), and what is worth resuming is
 * decided when it is asked. The thresholds are the defaults of Jellyfin's server (UI.md 1.2): below 5 % it was hardly begun,
 * from 90 % on it was seen, and what is shorter than five minutes is not resumed, but begins anew.
 */

import type { Progress } from './browse-entry.ts'
import { type FilmPart, isInPart } from './film-parts.ts'
import type { ItemType } from './item-type.ts'

const MIN_RESUME_FRACTION = 0.05
const COMPLETED_FRACTION = 0.9
const MIN_RESUME_DURATION_SECONDS = 300
/** Of a long film 5 % are minutes: whoever has seen so much of it has begun it. */
const BEGUN_SECONDS = 30
/** No player is further beyond the end: the index is wrong about where that is. */
const TOLERANCE_SECONDS = 5

/** What a player or reader tells. Pages count from 0. */
export interface ProgressReport {
  positionSeconds?: number | null | undefined
  durationSeconds?: number | null | undefined
  page?: number | null | undefined
  /** What the position is in, of a film in several parts. */
  part?: FilmPart | undefined
  /** Said by the person, or by a client that knows better: nothing is concluded then. */
  completed?: boolean | null | undefined
}

/** What the index knows of the item; null where it does not. */
export interface ProgressSubject {
  durationSeconds: number | null
  pageCount: number | null
}

interface Begun extends Pick<ProgressSubject, 'pageCount'> {
  itemType: ItemType
}

const NOT_STARTED: Progress = { positionSeconds: null, durationSeconds: null, page: null, completed: false }

/** Seconds into the item where to go on; 0 where that is its beginning. Within a film's parts any place is one, the first seconds too. */
export const resumePosition = (progress: Omit<Progress, 'page' | 'completed'> | null | undefined): number => {
  const position = progress?.positionSeconds ?? 0
  const duration = progress?.durationSeconds
  if (duration == null || progress?.file) return position
  const fraction = position / duration
  return duration < MIN_RESUME_DURATION_SECONDS || fraction < MIN_RESUME_FRACTION || fraction >= COMPLETED_FRACTION ? 0 : position
}

/**
 * From 0: where to read on; 0 where that is the beginning. What was read begins anew, unless somebody is in the middle of reading it
 * again: then its page is before the last. So does what has fewer pages by now, as a better file may.
 */
export const resumePage = (
  progress: { page: number | null; completed: boolean | null } | null | undefined,
  pageCount: number | null | undefined,
): number => {
  const page = progress?.page ?? 0
  const isBeyond = pageCount != null && page >= pageCount
  return isBeyond || (progress?.completed && page >= (pageCount ?? 0) - 1) ? 0 : page
}

const isAtEnd = (position: number | null, duration: number | null): boolean =>
  position !== null && duration !== null && position / duration >= COMPLETED_FRACTION

/**
 * Whether there is something to go on with: a short film as well, but no short clip of a folder of pictures. A place in what was
 * completed is that of seeing or reading it again.
 */
export const isBegun = ({ itemType, pageCount, ...progress }: Progress & Begun): boolean => {
  const { positionSeconds, durationSeconds, page, completed, file } = progress
  if (resumePage(progress, pageCount) > 0 || (page && !completed)) return true
  if (itemType === 'mixed_file' || durationSeconds === null) return resumePosition(progress) > 0
  const position = positionSeconds ?? 0
  if (file) return position > 0
  const isHardly = position < BEGUN_SECONDS && position / durationSeconds < MIN_RESUME_FRACTION
  return position > 0 && !isHardly && !isAtEnd(position, durationSeconds)
}

/** Null for a duration that the position has passed: the index is wrong, or the file has been replaced since. */
const believed = (duration: number | null, position: number | null | undefined): number | null =>
  duration !== null && (position ?? 0) > duration + TOLERANCE_SECONDS ? null : duration

/** The part that a saved position names; null in the first part and at the end of the last one, where what holds for a whole film does. */
const openPart = (part: FilmPart | undefined, isEnded: boolean): string | null =>
  !part || (part.isFirst && !isEnded) || (part.isLast && isEnded) ? null : part.name

/**
 * The progress after a report. What the report leaves out stays; what was completed stays so, also while it is seen
 * again, until somebody says otherwise. What is said to be completed is gone on with from nowhere but its end.
 */
export const advanceProgress = (before: Progress | null, report: ProgressReport, subject: ProgressSubject): Progress => {
  const known = before ?? NOT_STARTED
  const { part } = report
  const knownDuration = !part || isInPart(part, known.file) ? known.durationSeconds : null
  const durationSeconds = report.durationSeconds || knownDuration || believed(subject.durationSeconds, report.positionSeconds) || null
  const lastPage = subject.pageCount ? subject.pageCount - 1 : Number.POSITIVE_INFINITY
  const page = report.page == null ? null : Math.min(report.page, lastPage)
  const position = report.positionSeconds == null ? null : Math.min(report.positionSeconds, durationSeconds ?? Number.POSITIVE_INFINITY)
  const isEnded = isAtEnd(position, durationSeconds)
  const openFile = openPart(part, isEnded)
  if (report.completed != null) {
    const last = position ?? known.positionSeconds
    const ended = last === null || isAtEnd(last, durationSeconds) ? last : 0
    const read = page !== null && subject.pageCount && page < lastPage ? 0 : page
    if (report.completed) return { positionSeconds: ended, durationSeconds, page: read, completed: true }
    return { positionSeconds: position, durationSeconds, page, completed: false, ...(position && openFile && { file: openFile }) }
  }
  const isSeen = isEnded && part?.isLast !== false
  const file = position === null ? known.file : openFile
  const isRead = page !== null && page >= lastPage
  return {
    positionSeconds: position ?? known.positionSeconds,
    durationSeconds,
    page: page ?? known.page,
    completed: known.completed || isSeen || isRead,
    ...(file && { file }),
  }
}
