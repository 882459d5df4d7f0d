/** How many archives are made for one person at once: two (SECURITY, 3.7). Administrators are not counted, as with AI jobs. */

import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'

const MAX_AT_ONCE = 2
/** When one of the two ends, nobody knows. */
const RETRY_AFTER_SECONDS = 30

const takenBy = new Map<number, number>()

/** Throws `rate_limited`; answers what gives the place back, which does so once. */
export const takeArchivePlace = ({ role, userId }: Viewer): (() => void) => {
  if (role === 'admin') return () => undefined
  const taken = takenBy.get(userId) ?? 0
  if (taken >= MAX_AT_ONCE)
    throw new AppError('rate_limited', `No more than ${MAX_AT_ONCE} applications are zipped for one person at once.`, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  takenBy.set(userId, taken + 1)
  let isTaken = true
  return () => {
    if (!isTaken) return
    isTaken = false
    const left = (takenBy.get(userId) ?? 1) - 1
    if (left > 0) takenBy.set(userId, left)
    else takenBy.delete(userId)
  }
}
