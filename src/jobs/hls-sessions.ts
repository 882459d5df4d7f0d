/**
 * All streams that are being watched. One ffmpeg a viewer and file; a limit on how many there are at once; what nobody
 * listens to any more is stopped, and its files go. Nothing of it survives a restart, and nothing needs to.
 */

import { join } from 'node:path'
import type { Deps, HlsSessions } from '../deps.ts'
import { renderPlaylist } from '../domain/hls-playlist.ts'
import { AppError } from '../errors.ts'
import { beginHlsRun, type HlsStream } from '../services/hls-runs.ts'
import { createHlsSession, type HlsSession } from './hls-session.ts'

export interface HlsLimits {
  /** Encoding a picture takes about a core; a second viewer is let in even where there is one core too few. */
  maxTranscodes: number
  /** Without a request for so long, nobody listens. */
  idleMs: number
}

const LIMITS: HlsLimits = { maxTranscodes: Math.max(2, navigator.hardwareConcurrency), idleMs: 30_000 }
/** Repacking costs next to nothing but a process and its pipe. */
const MAX_RUNS = 24
/** Another viewer may have the place of one who has paused for this long. */
const PAUSED_MS = 12_000
/** A film may be left paused over night. */
const FORGET_MS = 24 * 3600_000
const MAX_SESSIONS_PER_USER = 32
const RETRY_AFTER_SECONDS = 10
/** 144 bits: nobody guesses one. */
const ID_BYTES = 18

/** A session, or one that is to be. */
type Wanted = Pick<HlsSession, 'stream'>

const encodes = ({ stream }: Wanted): boolean => stream.source.plan.video?.action === 'encode'

const isOfSameViewer = (a: Wanted, b: Wanted): boolean => a.stream.userId === b.stream.userId

const isSameFile = (a: HlsStream, b: HlsStream): boolean => a.userId === b.userId && a.itemId === b.itemId && a.path === b.path

const isSameStream = (a: HlsStream, b: HlsStream): boolean =>
  isSameFile(a, b) &&
  a.version === b.version &&
  a.source.quality === b.source.quality &&
  JSON.stringify(a.source.plan) === JSON.stringify(b.source.plan)

const tooMany = (): AppError =>
  new AppError('unavailable', 'The server converts as many videos as it can already; try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

export const createHlsSessions = (
  deps: Pick<Deps, 'config' | 'db' | 'log'>,
  { isDiskNearlyFull }: { isDiskNearlyFull: () => boolean },
  { maxTranscodes, idleMs }: HlsLimits = LIMITS,
): HlsSessions & { stop(): Promise<void> } => {
  const root = join(deps.config.dataDir, 'tmp/hls')
  const sessions = new Map<string, HlsSession>()
  /** Those that may run an ffmpeg. */
  const running = new Set<HlsSession>()
  let timer: ReturnType<typeof setInterval> | undefined
  let isStopped = false

  const others = (session: Wanted): HlsSession[] => [...running].filter((other) => other !== session)
  const isFull = (session: Wanted): boolean =>
    others(session).length >= MAX_RUNS || (encodes(session) && others(session).filter(encodes).length >= maxTranscodes)

  /** Those that are in the way, the longest unused one first. */
  const limiting = (session: Wanted): HlsSession[] =>
    others(session)
      .filter((other) => encodes(other) || !encodes(session))
      .toSorted((a, b) => b.unusedMs() - a.unusedMs())

  /** What another viewer may have: a stream that is paused, or one of several, for whoever has none. */
  const isToSpare = (other: HlsSession, session: Wanted): boolean => {
    const countOf = (viewer: Wanted): number => limiting(session).filter((each) => isOfSameViewer(each, viewer)).length
    return other.unusedMs() > PAUSED_MS || (countOf(session) === 0 && countOf(other) > 1)
  }

  /** What gives way: another stream of the same viewer, who can hardly watch both, or what another one can spare. */
  const findDispensable = (session: HlsSession): HlsSession | undefined =>
    limiting(session).find((other) => (isOfSameViewer(other, session) ? other.unusedMs() > 0 : isToSpare(other, session)))

  /** A viewer's other stream, which somebody may still wait for at this moment, is left for the new one. */
  const hasPlace = (session: Wanted): boolean =>
    !isFull(session) || limiting(session).some((other) => isOfSameViewer(other, session) || isToSpare(other, session))

  const rivalsOf = (session: HlsSession): HlsSession[] => others(session).filter((other) => isSameFile(other.stream, session.stream))

  /** Only who has no place waits, and only for those who have one: nobody ever waits in a circle. */
  const acquire = async (session: HlsSession): Promise<void> => {
    if (isStopped) throw new AppError('unavailable', 'The server is stopping.')
    if (running.has(session)) return
    for (let rivals = rivalsOf(session); rivals.length > 0; rivals = rivalsOf(session))
      await Promise.all(rivals.map((rival) => rival.end()))
    if (isFull(session)) await findDispensable(session)?.end()
    if (isFull(session)) throw tooMany()
    running.add(session)
  }

  const forget = (id: string, session: HlsSession): void => {
    sessions.delete(id)
    void session.end().catch((error: unknown) => deps.log.warn('hls_not_ended', { error }))
  }

  const look = (): void => {
    for (const [id, session] of sessions) {
      const unusedMs = session.unusedMs()
      if (unusedMs > FORGET_MS) forget(id, session)
      else if (unusedMs > idleMs && session.isActive()) {
        void session.end().catch((error: unknown) => deps.log.warn('hls_not_ended', { error }))
      }
    }
    if (sessions.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const makeRoomFor = (userId: number): void => {
    const own = [...sessions].filter(([, { stream }]) => stream.userId === userId)
    const [oldest] = own.sort(([, a], [, b]) => b.unusedMs() - a.unusedMs())
    if (oldest && own.length >= MAX_SESSIONS_PER_USER) forget(...oldest)
  }

  const get = (id: string): HlsSession => {
    const session = sessions.get(id)
    if (!session) throw new AppError('not_found')
    return session
  }

  return {
    open: (stream) => {
      const [known, session] = [...sessions].find(([, candidate]) => isSameStream(candidate.stream, stream)) ?? []
      // Told now it is an answer; told at the first piece, a player takes it for a file that cannot be played.
      if (!hasPlace(session ?? { stream })) throw tooMany()
      if (known !== undefined) return known
      makeRoomFor(stream.userId)
      const id = crypto.getRandomValues(new Uint8Array(ID_BYTES)).toBase64({ alphabet: 'base64url', omitPadding: true })
      const added: HlsSession = createHlsSession({
        stream,
        folder: join(root, id),
        log: deps.log,
        startRun: (hooks) => beginHlsRun(deps, stream, hooks),
        acquire: () => acquire(added),
        release: () => void running.delete(added),
        isDiskNearlyFull,
      })
      sessions.set(id, added)
      timer ??= setInterval(look, idleMs / 15)
      return id
    },
    find: (id) => sessions.get(id)?.stream,
    playlist: (id) => renderPlaylist(get(id).stream.boundaries),
    init: (id, signal) => get(id).init(signal),
    piece: (id, { piece, signal }) => get(id).piece(piece, signal),
    close: (id) => {
      const session = sessions.get(id)
      if (session) forget(id, session)
    },
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await Promise.all([...sessions.values()].map((session) => session.end()))
    },
  }
}
