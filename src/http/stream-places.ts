/**
 * Files that are sent as streams of ours, since Bun sends them itself only from a disk that is quick: each has its chunks in
 * memory for as long as its client takes. So many are under way of one person, and of all; the others wait, as a page may
 * have many pictures. SECURITY, 1 E. What Bun sends itself is not counted, since nobody hears when it ends: it costs two
 * descriptors, and Bun ends it when nothing was taken of it for as long as the server lets a connection idle.
 */

import { createGate, createGateOfEach } from '../domain/gate.ts'
import { AppError } from '../errors.ts'

const EACH = 20
const ALL = 200
/** Of one person: each keeps a connection, and a file open. */
const MAX_WAITING = 200
/** When one of them ends, nobody knows. */
const RETRY_AFTER_SECONDS = 30

const refusal = (): AppError =>
  new AppError('rate_limited', 'Too many files are sent to you already.', { retryAfterSeconds: RETRY_AFTER_SECONDS })

/** Answers what gives the place back, which does so once. Throws `rate_limited` while too many wait, and the signal's reason. */
type TakeStreamPlace = (client: Client) => Promise<() => void>

export interface Client {
  userId: number
  /** Ends the waiting. */
  signal: AbortSignal
}

export const createStreamPlaces = (): TakeStreamPlace => {
  const among = createGate(ALL)
  const ofPerson = createGateOfEach<number>(EACH, { maxWaiting: MAX_WAITING, refusal })
  return ({ userId, signal }) => {
    const [taken, left] = [Promise.withResolvers<() => void>(), Promise.withResolvers<void>()]
    const stay = (): Promise<void> => {
      taken.resolve(left.resolve)
      return left.promise
    }
    ofPerson(userId)(() => among(stay, signal), signal).catch(taken.reject)
    return taken.promise
  }
}
