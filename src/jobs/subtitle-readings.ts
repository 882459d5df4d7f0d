/**
 * Subtitles that are read out of videos, which takes as long as reading the whole film does: each once for all who ask for
 * it, given up when the last of them has gone, and not two at a time for one person.
 */

import { createGate, createGateOfEach } from '../domain/gate.ts'
import { AppError } from '../errors.ts'

const AT_ONCE = 2
/** Texts of a hundred films. */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024

interface Asker {
  userId: number
  signal: AbortSignal
}

interface Reading {
  askers: number
  isBegun: boolean
  text: PromiseWithResolvers<string>
  gone: AbortController
}

/** `read` ends when its signal says that nobody waits any more; `key` names what it reads. */
export type ReadOnce = (key: string, asker: Asker, read: (signal: AbortSignal) => Promise<string>) => Promise<string>

export const createSubtitleReadings = (): ReadOnce => {
  /** The longest unused first. */
  const texts = new Map<string, string>()
  const readings = new Map<string, Reading>()
  const extracting = createGate(AT_ONCE)
  const inTurnOf = createGateOfEach<number>(1)

  const keep = (key: string, text: string): void => {
    texts.delete(key)
    texts.set(key, text)
    let total = texts.values().reduce((sum, { length }) => sum + length, 0)
    for (const [other, { length }] of texts) {
      if (total <= MAX_KEPT_CHARACTERS) return
      texts.delete(other)
      total -= length
    }
  }

  const begin = (key: string): Reading => {
    const reading = { askers: 0, isBegun: false, text: Promise.withResolvers<string>(), gone: new AbortController() }
    readings.set(key, reading)
    const forget = (): void => {
      if (readings.get(key) === reading) readings.delete(key)
    }
    reading.gone.signal.addEventListener('abort', () => {
      forget()
      reading.text.reject(new AppError('unavailable', 'Nobody waits for these subtitles any more.'))
    })
    reading.text.promise
      .then((text) => keep(key, text))
      .catch(() => undefined)
      .finally(forget)
    return reading
  }

  /** In the turn of whichever of the askers comes first. */
  const takeTurn = async (reading: Reading, { userId, signal }: Asker, read: Parameters<ReadOnce>[2]): Promise<void> => {
    const isOver = (): boolean => reading.isBegun || signal.aborted
    await inTurnOf(userId)(async () => {
      if (isOver()) return
      await extracting(async () => {
        if (isOver()) return
        reading.isBegun = true
        await read(reading.gone.signal).then(reading.text.resolve, reading.text.reject)
      })
    })
  }

  return async (key, asker, read) => {
    const kept = texts.get(key)
    if (kept !== undefined) {
      keep(key, kept)
      return kept
    }
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
      return await reading.text.promise
    } finally {
      asker.signal.removeEventListener('abort', leave)
    }
  }
}
