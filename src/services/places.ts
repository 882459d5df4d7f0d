/** How much of what takes long is under way at once, for one person and for all (SECURITY, 1 E and 3.7). */

import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'

/** When one of them ends, nobody knows. */
const RETRY_AFTER_SECONDS = 30

interface Places {
  each: number
  all?: number
  /** What is said to whoever has taken theirs. */
  refusal: string
}

/** Throws `rate_limited`; answers what gives the place back, which does so once. */
type TakePlace = (viewer: Viewer) => () => void

const createPlaces = ({ each, all = Number.POSITIVE_INFINITY, refusal }: Places): TakePlace => {
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

const archives = createPlaces({ each: 2, refusal: 'No more than 2 applications are zipped for one person at once.' })
/** Of archives that are made while they are sent. Administrators are not counted, as with AI jobs. */
export const takeArchivePlace: TakePlace = (viewer) => (viewer.role === 'admin' ? () => undefined : archives(viewer))

/** Of those who listen to events: every one of them keeps a connection, and what it has not read yet. */
export const takeEventPlace = createPlaces({ each: 20, all: 200, refusal: 'Too many connections listen to events already.' })
