/**
 * What is sent as a stream of ours: a file, since Bun sends it itself only from a disk that is quick, or a page. Each has its
 * chunks in memory, or all of it, for as long as its client takes. So many are under way of one person, and of all; the others
 * wait, as a screen may have many pictures. SECURITY, 1 E. What Bun sends itself is not counted, since nobody hears when it ends: it costs two
 * descriptors, and Bun ends it when nothing was taken of it for as long as the server lets a connection idle.
 */

import { createGate, createGateOfEach } from '../domain/gate.ts'
import { AppError } from '../errors.ts'

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

/** Of one person, and of all. */
interface StreamLimits {
  each: number
  all: number
}

export const createStreamPlaces = ({ each, all }: StreamLimits): TakeStreamPlace => {
  const among = createGate(all)
  const ofPerson = createGateOfEach<number>(each, { maxWaiting: MAX_WAITING, refusal })
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
