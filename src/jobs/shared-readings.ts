/**
 * What takes long to read or to make: each once for all who ask for it, given up when the last of them has gone, and not
 * two at a time for one person.
 */

import type { Asker } from '../deps.ts'
import type { Gate } from '../domain/gate.ts'
import { AppError } from '../errors.ts'

interface Reading<Result> {
  askers: number
  isBegun: boolean
  result: PromiseWithResolvers<Result>
  gone: AbortController
}

/** `read` may end when its signal says that nobody waits any more; `key` names what it reads. */
export type ReadShared<Result> = (key: string, asker: Asker, read: (signal: AbortSignal) => Promise<Result>) => Promise<Result>

export const createSharedReadings = <Result>(inTurnOf: (userId: number) => Gate): ReadShared<Result> => {
  const readings = new Map<string, Reading<Result>>()

  const begin = (key: string): Reading<Result> => {
    const reading = { askers: 0, isBegun: false, result: Promise.withResolvers<Result>(), gone: new AbortController() }
    readings.set(key, reading)
    const forget = (): void => {
      if (readings.get(key) === reading) readings.delete(key)
    }
    reading.gone.signal.addEventListener('abort', () => {
      forget()
      reading.result.reject(new AppError('unavailable', 'Nobody waits for this any more.'))
    })
    reading.result.promise.catch(() => undefined).finally(forget)
    return reading
  }

  /** In the turn of whichever of the askers comes first. */
  const takeTurn = async (reading: Reading<Result>, { userId, signal }: Asker, read: Parameters<ReadShared<Result>>[2]): Promise<void> => {
    await inTurnOf(userId)(async () => {
      if (reading.isBegun || signal.aborted) return
      reading.isBegun = true
      await read(reading.gone.signal).then(reading.result.resolve, reading.result.reject)
    })
  }

  return async (key, asker, read) => {
    if (asker.signal.aborted) throw new AppError('unavailable')
    const reading = readings.get(key) ?? begin(key)
    reading.askers += 1
    const leave = (): void => {
      reading.askers -= 1
      if (reading.askers === 0) reading.gone.abort()
    }
    asker.signal.addEventListener('abort', leave)
    void takeTurn(reading, asker, read)
    try {
      // Also for whoever has gone: it may be their file that is being read for the others.
      return await reading.result.promise
    } finally {
      asker.signal.removeEventListener('abort', leave)
    }
  }
}
