/** How much of what takes long is under way at once, for one person and for all (SECURITY, 1 E and 3.7). */

import { createGate, createGateOfEach, createGateOfPeople, type Gate } from '../domain/gate.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'

/** When one of them ends, nobody knows. */
const RETRY_AFTER_SECONDS = 30

interface Limits {
  each: number
  all?: number
  /** What is said to whoever has taken theirs. */
  refusal: string
}

/** Throws `rate_limited`; answers what gives the place back, which does so once. */
type TakePlace = (viewer: Viewer) => () => void

const createLimited = ({ each, all = Number.POSITIVE_INFINITY, refusal }: Limits): TakePlace => {
  const takenBy = new Map<number, number>()
  let taken = 0
  return ({ userId }) => {
    const own = takenBy.get(userId) ?? 0
    if (own >= each || taken >= all) throw new AppError('rate_limited', refusal, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    takenBy.set(userId, own + 1)
    taken += 1
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      taken -= 1
      const left = (takenBy.get(userId) ?? 1) - 1
      if (left > 0) takenBy.set(userId, left)
      else takenBy.delete(userId)
    }
  }
}

export interface Places {
  /** Of archives that are made while they are sent. Administrators are not counted, as with AI jobs. */
  takeArchive: TakePlace
  /** Of those who listen to events: every one of them keeps a connection, and what it has not read yet. */
  takeEvents: TakePlace
  /** One after the other for each folder, by its real path: who puts back what was there must not put back what another one has replaced since. */
  inFolder: (path: string) => Gate
  /** One after the other for each person: each takes its share of every turn for as long as it looks through texts. */
  inSearchOf: (userId: number) => Gate
  /**
   * Of answers that are looked for among many rows, for each person: each takes as long as all others wait, and of large libraries that
   * is some tenths of a second. Throws `rate_limited` while too many wait.
   */
  inListOf: (userId: number) => Gate
  /** One piece after the other, for each person: of files that tell all the tags of libraries. Throws the same. */
  inExportOf: (userId: number) => Gate
  /** One in each turn: a list of thousands of pages takes some of everybody's time, and memory. Throws `rate_limited` while too many wait. */
  inPageListOf: (userId: number) => Gate
  /** Of the database, one after the other: each reads and writes all of it. */
  inBackup: Gate
  /** Of tags, one after the other: each has the whole vocabulary in memory. */
  inImport: Gate
  /**
   * Each of a hundred subtitle files that are asked for at once may take as much memory. Of each disk, and of each person: one
   * that hangs lets nobody on, and one who asks for many holds up nobody else.
   */
  inSidecarOf: (who: { userId: number; device: string }) => Gate
}

/** Of lists of pages, for one person: a reader shows one, and asks for the next. */
const MAX_WAITING_LISTS = 20

/** Of the others, for one person: a start page asks for one of each library at once. */
const MAX_WAITING_ANSWERS = 200

const tooManyAnswers = (): AppError =>
  new AppError('rate_limited', 'You have asked for too much at once.', { retryAfterSeconds: RETRY_AFTER_SECONDS })

const tooManyLists = (): AppError =>
  new AppError('rate_limited', 'You have asked for too many lists of pages at once.', { retryAfterSeconds: RETRY_AFTER_SECONDS })

export const createPlaces = (): Places => {
  const takeArchive = createLimited({ each: 2, refusal: 'No more than 2 applications are zipped for one person at once.' })
  const sidecars = createGateOfEach<string>(1)
  return {
    takeArchive: (viewer) => (viewer.role === 'admin' ? () => undefined : takeArchive(viewer)),
    takeEvents: createLimited({ each: 20, all: 200, refusal: 'Too many connections listen to events already.' }),
    inFolder: createGateOfEach<string>(1),
    inSearchOf: createGateOfPeople(2),
    inListOf: createGateOfEach<number>(2, { maxWaiting: MAX_WAITING_ANSWERS, refusal: tooManyAnswers }),
    inExportOf: createGateOfEach<number>(1, { maxWaiting: MAX_WAITING_ANSWERS, refusal: tooManyAnswers }),
    inPageListOf: createGateOfPeople(1, { maxWaiting: MAX_WAITING_LISTS, refusal: tooManyLists }),
    inBackup: createGate(1),
    inImport: createGate(1),
    inSidecarOf: ({ userId, device }) => sidecars(`${userId} ${device}`),
  }
}
