/**
 * The pieces of one stream: made on demand by one ffmpeg at a time, a little ahead of the viewer, and taken away behind
 * him. A piece that is far from what is being made starts ffmpeg anew at that place.
 */

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { INIT_NAME, pieceName } from '../domain/hls-playlist.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { type HlsStream, hlsFailure, type RunHooks } from '../services/hls-runs.ts'

/** What is made ahead, and kept behind: as much as players hold themselves. */
const AHEAD_SECONDS = 40
const BEHIND_SECONDS = 30
/** Pieces of a film of 4K that is only copied have up to 50 MB. */
const MAX_AHEAD_BYTES = 256 * 1024 * 1024
/** How far ahead a piece may lie for waiting to be quicker than starting anew. */
const PATIENCE_SECONDS = { copy: 60, encode: 8 } as const
/** A request that waits for another place of the film gets so long before it must make way; two screens may share a stream. */
const COURTESY_MS = 1500
const PIECE_TIMEOUT_MS = 60_000
/** Screens of one viewer, times the requests that each has under way. */
const RECENT_PIECES = 8

interface Run {
  finished: Promise<void>
  stop(): Promise<void>
}

interface Waiter {
  piece: number
  /** How often it had to make way. */
  turns: number
  settle: PromiseWithResolvers<'made' | 'again'>
}

interface HlsSessionOptions {
  stream: HlsStream
  /** Absolute; the session makes it and takes it away. */
  folder: string
  log: Log
  startRun(hooks: RunHooks): Promise<Run>
  /** Asks for the right to run; throws where it is not given. Called before every start. */
  acquire(): Promise<void>
  release(): void
  /** What is made ahead would take the room that what people do needs. */
  isDiskNearlyFull(): boolean
}

export interface HlsSession {
  stream: HlsStream
  /** How long nobody has asked for anything; 0 while somebody waits. */
  unusedMs(): number
  /** Whether an ffmpeg runs, or files are there. */
  isActive(): boolean
  /** Absolute file names, once the files are complete. */
  init(signal: AbortSignal): Promise<string>
  piece(piece: number, signal: AbortSignal): Promise<string>
  /** Ends ffmpeg and takes the files away; the next request starts anew. */
  end(): Promise<void>
}

export const createHlsSession = (options: HlsSessionOptions): HlsSession => {
  const { stream, folder, log } = options
  const { boundaries } = stream
  const lastPiece = boundaries.length - 2
  const patience = PATIENCE_SECONDS[stream.source.plan.video?.action === 'encode' ? 'encode' : 'copy']
  const made = new Map<number, number>()
  const waiters = new Set<Waiter>()
  let room: (() => void)[] = []
  let run: Run | undefined
  /** The piece that the run makes now. */
  let making = 0
  let isBusy = false
  let hasInit = false
  let wanted = stream.firstPiece
  /** The last pieces that were asked for, or made for somebody who had waited: those of another screen may lie far from `wanted`. */
  let recent: number[] = []
  let usedAtMs = performance.now()
  /** One start or end at a time. */
  let turn: Promise<unknown> = Promise.resolve()

  const startOf = (piece: number): number => boundaries[piece] ?? 0
  const fileOf = (piece: number): string => join(folder, pieceName(piece))
  /** The head of the stream is waited for like a piece. */
  const INIT = -1
  const isThere = (piece: number): boolean => (piece === INIT ? hasInit : made.has(piece))

  const isComing = (piece: number): boolean =>
    run !== undefined && (piece === INIT || (piece >= making && startOf(piece) - startOf(making) <= patience))

  const settle = (outcome: 'made' | 'again', concerns: (waiter: Waiter) => boolean): void => {
    for (const waiter of [...waiters].filter(concerns)) {
      waiters.delete(waiter)
      waiter.settle.resolve(outcome)
    }
  }
  const fail = (error: unknown, concerned: Iterable<Waiter>): void => {
    for (const waiter of [...concerned]) {
      waiters.delete(waiter)
      waiter.settle.reject(hlsFailure(error))
    }
  }

  const releaseRoom = (): void => {
    const waiting = room
    room = []
    for (const resume of waiting) resume()
  }
  const hasRoom = (piece: number): boolean => {
    const isWaitedFor = [...waiters].some((waiter) => waiter.piece >= piece && isComing(waiter.piece))
    if (isWaitedFor) return true
    if (options.isDiskNearlyFull()) return false
    if (piece <= wanted + 1) return true
    const ahead = [...made].reduce((sum, [other, bytes]) => (other > wanted ? sum + bytes : sum), 0)
    return startOf(piece) - startOf(wanted) <= AHEAD_SECONDS && ahead < MAX_AHEAD_BYTES
  }
  const waitForRoom = async (piece: number): Promise<void> => {
    making = piece
    while (!hasRoom(piece)) await new Promise<void>((resolve) => room.push(resolve))
  }

  const remember = (piece: number): void => {
    recent = [piece, ...recent.filter((other) => other !== piece)].slice(0, RECENT_PIECES)
  }

  const prune = (): void => {
    for (const piece of made.keys()) {
      const isBehind = startOf(piece + 1) < startOf(wanted) - BEHIND_SECONDS
      const isAhead = piece > wanted + 1 && startOf(piece) > startOf(wanted) + AHEAD_SECONDS + patience
      if ((!isBehind && !isAhead) || recent.includes(piece)) continue
      made.delete(piece)
      void rm(fileOf(piece), { force: true }).catch((error: unknown) => log.warn('hls_file_stays', { error }))
    }
  }

  const halt = async (): Promise<void> => {
    const halted = run
    run = undefined
    releaseRoom()
    await halted?.stop()
  }

  const begin = async (piece: number): Promise<void> => {
    await halt()
    isBusy = true
    try {
      await options.acquire()
      await mkdir(folder, { recursive: true, mode: 0o700 })
      making = piece
      const started = await options.startRun({
        from: piece,
        folder,
        waitForRoom,
        onInit: () => {
          hasInit = true
          settle('made', (waiter) => waiter.piece === INIT)
        },
        onPiece: (done, bytes) => {
          made.set(done, bytes)
          making = done + 1
          if ([...waiters].some((waiter) => waiter.piece === done)) remember(done)
          settle('made', (waiter) => waiter.piece === done)
          prune()
        },
      })
      run = started
      void follow(started)
    } catch (error) {
      options.release()
      if (!(error instanceof AppError)) log.warn('hls_failed', { itemId: stream.itemId, path: stream.path, error })
      throw hlsFailure(error)
    } finally {
      isBusy = false
    }
    settle('again', (waiter) => !isThere(waiter.piece) && !isComing(waiter.piece))
  }

  const follow = async (started: Run): Promise<void> => {
    const error = await started.finished.then(
      () => undefined,
      (reason: unknown) => reason ?? new Error('unknown'),
    )
    if (run !== started) return
    const concerned = [...waiters].filter((waiter) => isComing(waiter.piece))
    run = undefined
    options.release()
    if (error !== undefined) log.warn('hls_failed', { itemId: stream.itemId, path: stream.path, error })
    // What the file is said to have and ffmpeg did not find: the end of a film that was cut off.
    fail(error ?? new AppError('not_found', 'The file has nothing at this place.'), concerned)
  }

  /** Gives those who wait for what is being made a moment to get it. */
  const giveWay = async (asking: Waiter): Promise<void> => {
    const others = [...waiters].filter((waiter) => waiter !== asking && isComing(waiter.piece))
    if (others.length === 0) return
    const most = others.reduce((turns, waiter) => Math.max(turns, waiter.turns), 0)
    const settled = Promise.allSettled(others.map((waiter) => waiter.settle.promise))
    await Promise.race([settled, Bun.sleep(COURTESY_MS * (most + 1))])
  }

  const start = (waiter: Waiter): Promise<void> => {
    const next = turn.then(async () => {
      if (!waiters.has(waiter) || isThere(waiter.piece) || isComing(waiter.piece)) return
      await giveWay(waiter)
      if (!waiters.has(waiter) || isThere(waiter.piece)) return
      await begin(waiter.piece === INIT ? wanted : waiter.piece)
    })
    turn = next.catch(() => undefined)
    return next
  }

  const waitFor = async (waiter: Waiter, signal: AbortSignal): Promise<'made' | 'again'> => {
    waiters.add(waiter)
    const giveUp = (): void => {
      waiters.delete(waiter)
      waiter.settle.reject(new AppError('unavailable', 'Making this piece of the video took too long.'))
    }
    const timer = setTimeout(giveUp, PIECE_TIMEOUT_MS)
    signal.addEventListener('abort', giveUp)
    // A late rejection that nobody waits for any more is no news.
    waiter.settle.promise.catch(() => undefined)
    releaseRoom()
    try {
      if (!isComing(waiter.piece)) await start(waiter)
      return await waiter.settle.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      waiters.delete(waiter)
    }
  }

  const get = async (piece: number, signal: AbortSignal): Promise<string> => {
    for (let turns = 0; !isThere(piece); turns += 1) {
      if (signal.aborted) throw new AppError('unavailable', 'Nobody waits for this piece of the video any more.')
      await waitFor({ piece, turns, settle: Promise.withResolvers() }, signal)
    }
    usedAtMs = performance.now()
    return piece === INIT ? join(folder, INIT_NAME) : fileOf(piece)
  }

  return {
    stream,
    unusedMs: () => (waiters.size > 0 ? 0 : performance.now() - usedAtMs),
    isActive: () => run !== undefined || isBusy || made.size > 0 || hasInit,
    init: (signal) => get(INIT, signal),
    piece: async (piece, signal) => {
      if (piece > lastPiece) throw new AppError('not_found')
      wanted = piece
      remember(piece)
      prune()
      releaseRoom()
      return get(piece, signal)
    },
    end: () => {
      const stop = (): void => fail(new AppError('unavailable', 'The stream was stopped.'), waiters)
      // None of them gets a turn first: however many there are, the end does not wait for them.
      stop()
      const next = turn.then(async () => {
        const wasRunning = run !== undefined
        await halt()
        if (wasRunning) options.release()
        made.clear()
        hasInit = false
        stop()
        await rm(folder, { recursive: true, force: true })
      })
      turn = next.catch(() => undefined)
      return next
    },
  }
}
