/**
 * Whether the disk that a file lies on answers at once. Bun sends files on the main thread, so what waits for a disk there
 * holds up everybody: for one that wakes up some seconds, for one that hangs for as long as it does. To find out, single bytes
 * are read, for which other threads wait.
 */

import { setNewest } from '../domain/bounded-map.ts'
import { untilAborted } from '../domain/until-aborted.ts'
import type { ByteRange } from './byte-range.ts'

interface PacedFile {
  handle: { read(target: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }> }
  /** As `SentFile` has it. */
  version: string
  /** The disk: what differs between file systems. */
  device: string
}

/** A spinning disk takes a third of it. */
const QUICK_MS = 30
/** Players ask for one piece after the other as fast as they can, and asking the disk costs a quarter of what a piece does. */
const QUICK_FOR_MS = 100
/** Of a disk that was late twice. One that was late once may have been busy, and what is not sent by Bun has no length. */
const SLOW_FOR_MS = 30_000
const MAX_KNOWN = 100

/** Until when what is known of a file or a disk counts, on the clock of `performance.now`. */
type Known = Map<string, number>

const isKnown = (known: Known, key: string): boolean => performance.now() < (known.get(key) ?? 0)

const keep = (known: Known, key: string, forMs: number): void => setNewest(known, key, performance.now() + forMs, MAX_KNOWN)

/** Answers when the disk does, and throws what reading throws, or the signal's reason while a disk is overdue. */
type IsDiskQuick = (file: PacedFile, range: ByteRange, signal: AbortSignal) => Promise<boolean>

export const createDiskPace = (): IsDiskQuick => {
  const quickFiles: Known = new Map()
  /** A disk stays here until it is quick. */
  const slowDisks: Known = new Map()
  /** What a disk has not answered in time. Whoever comes meanwhile waits for the same, as one that hangs would take up every thread. */
  const overdue = new Map<string, Promise<unknown>>()

  /** By a timer and not by the clock: what came while this thread was busy has come in time. */
  const answersInTime = async (file: PacedFile, places: readonly number[]): Promise<boolean> => {
    let state: 'asked' | 'late' | 'answered' = 'asked'
    const answer = Promise.all(places.map((place) => file.handle.read(new Uint8Array(1), 0, 1, place)))
    const settled = Promise.allSettled([answer])
    const onTime = (): void => {
      if (state === 'answered') return
      state = 'late'
      overdue.set(file.device, settled)
    }
    const timer = setTimeout(() => setImmediate(onTime), QUICK_MS)
    try {
      await answer
      return state === 'asked'
    } finally {
      clearTimeout(timer)
      state = 'answered'
      if (overdue.get(file.device) === settled) overdue.delete(file.device)
    }
  }

  /**
   * The beginning of a file often lies in memory while its disk sleeps, so any place is asked for too. A disk that has woken up
   * is quick from then on; one that was late, now or the last time, must answer some more in time, which is no luck then.
   */
  const ask = async (file: PacedFile, { start, end }: ByteRange, wasLate: boolean): Promise<boolean> => {
    const anywhere = (): number => start + Math.floor(Math.random() * (end - start + 1))
    if ((await answersInTime(file, [start, anywhere()])) && !wasLate) return true
    for (let times = 0; times < 3; times += 1) if (!(await answersInTime(file, [anywhere()]))) return false
    return true
  }

  return async (file, range, signal) => {
    const late = overdue.get(file.device)
    // Files stay open for as long as a disk hangs, so nobody waits on who has left.
    if (late) await untilAborted(late, signal)
    if (isKnown(slowDisks, file.device)) return false
    const key = `${file.device}/${file.version}`
    const wasLate = slowDisks.has(file.device)
    if (!wasLate && isKnown(quickFiles, key)) return true
    const isQuick = await ask(file, range, wasLate)
    if (isQuick) {
      keep(quickFiles, key, QUICK_FOR_MS)
      slowDisks.delete(file.device)
    } else keep(slowDisks, file.device, wasLate ? SLOW_FOR_MS : 0)
    return isQuick
  }
}
