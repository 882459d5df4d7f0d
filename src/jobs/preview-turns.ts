/**
 * Small pictures of places in videos: few at once, one of each person, and of those that a person waits for the newest alone.
 * Whoever moves along the bar has gone on from the others, and holds up nobody else.
 */

import { createGate, type Gate } from '../domain/gate.ts'
import { AppError } from '../errors.ts'

const AT_ONCE = 2
const MAX_WAITING = 50
/** Of one person, in several tabs. */
const MAX_OWN = 3

interface Own {
  gate: Gate
  /** Those that have not begun, the oldest first. */
  waiting: Set<AbortController>
  count: number
}

const refusal = (): AppError => new AppError('unavailable')

/** Throws `unavailable` for what is given up, and while too many wait. */
export const createPreviewTurns = () => {
  const making = createGate(AT_ONCE, { maxWaiting: MAX_WAITING, refusal })
  const people = new Map<number, Own>()

  return async <T>(userId: number, make: () => Promise<T>): Promise<T> => {
    const own = people.getOrInsertComputed(userId, () => ({ gate: createGate(1), waiting: new Set(), count: 0 }))
    own.count += 1
    const wait = new AbortController()
    own.waiting.add(wait)
    const [oldest] = own.waiting
    if (oldest && own.waiting.size > MAX_OWN) {
      own.waiting.delete(oldest)
      oldest.abort(refusal())
    }
    const begin = (): Promise<T> => {
      own.waiting.delete(wait)
      return make()
    }
    try {
      return await own.gate(() => making(begin, wait.signal), wait.signal)
    } finally {
      own.waiting.delete(wait)
      own.count -= 1
      if (own.count === 0) people.delete(userId)
    }
  }
}
