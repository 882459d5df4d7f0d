/**
 * Thumbnails, on demand and ahead of time. A requested picture overtakes the background; one picture is never made
 * twice at once; what cannot be made is remembered by content version and not tried again.
 *
 * Files are `<data>/thumbnails/<2 digits of the id>/<id>-<version>-<size>.webp`: a moved item keeps its id and its bytes,
 * and so its thumbnails.
 */

import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { libraries } from '../db/schema/libraries.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps, ThumbnailQueue, ThumbnailSource } from '../deps.ts'
import { mediaTypeOf } from '../domain/media-file.ts'
import { slicesOf } from '../domain/slices.ts'
import { THUMBNAIL_SIZE_NAMES, type ThumbnailSize } from '../domain/thumbnail-size.ts'
import { AppError } from '../errors.ts'
import { readableRootOf } from '../services/library-root.ts'
import { LATER_PARTS } from '../services/media-probes.ts'
import type {
  DateAnswer,
  DateRequest,
  HashAnswer,
  HashRequest,
  ThumbnailAnswer,
  ThumbnailReady,
  ThumbnailRequest,
} from '../workers/protocol.ts'
import { createInspection, type InspectedSource } from './inspection.ts'
import { threadUrl } from './thread-url.ts'
import { createWorkerPool, ThreadError } from './worker-pool.ts'

/** As many pipelines as cores gives the most pictures a second; a household's box has few. */
const THREADS = Math.max(1, Math.min(4, navigator.hardwareConcurrency))
const REQUEST_TIMEOUT_MS = 60_000
/** What is read in the time of one request also off a slow disk. */
const HASH_BATCH_FILES = 100
/** A picture of the background is done by then; a video may take seconds. */
const URGENT_PATIENCE_MS = 50

type MediaRequest = ThumbnailRequest | HashRequest | DateRequest
type MediaAnswer = ThumbnailAnswer | ThumbnailReady | HashAnswer | DateAnswer

type Outcome = { ok: true } | { ok: false; code: string }

/** What says nothing of the file. */
const FOR_NOW: ReadonlySet<string> = new Set(['unavailable', 'timeout'])
/** Remembered while there is no ffmpeg. */
const NO_FFMPEG = 'no_ffmpeg'

/** What a picture is made from. */
type Origin = Pick<ThumbnailRequest, 'kind' | 'path'>

/**
 * In the order in which they are tried: the file beside a film, an episode or a volume that is called a picture may be none.
 * What is made of a later one bears the version of the first, so that a scan that finds another file there takes that.
 */
const originsOf = ({ itemType, thumbnailKind: kind, thumbnailPath: path, mainFile }: ThumbnailSource): Origin[] => {
  if (kind === null || path === null) return []
  const own: Origin = { kind, path }
  if (kind !== 'image' || mainFile === null) return [own]
  if (itemType === 'manga_volume') return [own, { kind: 'pages', path: mainFile }]
  return mediaTypeOf(mainFile).thumbnail === 'video' ? [own, { kind: 'video', path: mainFile }] : [own]
}

/** What somebody waits for, and how to tell them. */
interface Wanted {
  size: ThumbnailSize
  ready: () => void
}

/**
 * How long the file of an item is, where the picture came out of it. A series shows its first episode, whose length is
 * not that of the series, a film in parts shows its first, and a poster says nothing about the film.
 */
const lengthOf = ({ durationSeconds }: { durationSeconds: number | null }) =>
  durationSeconds === null
    ? {}
    : {
        durationSeconds: sql<number | null>`CASE WHEN ${mediaItems.mainFile} IS NULL THEN NULL
          WHEN EXISTS ${LATER_PARTS} THEN coalesce(${mediaItems.durationSeconds}, ${durationSeconds}) ELSE ${durationSeconds} END`,
      }

/** How many pages a volume has, where the picture is one of them. A series shows a page of its first volume. */
const pagesOf = ({ pageCount }: { pageCount: number | null }) =>
  pageCount === null ? {} : { pageCount: sql<number | null>`CASE ${mediaItems.itemType} WHEN 'manga_volume' THEN ${pageCount} END` }

/** When the file of an item was taken. What is no photograph or video of its own shows a picture that says nothing of it. */
const dateOf = ({ takenAt }: { takenAt: number | null }) => ({
  takenAt: sql<number | null>`CASE ${mediaItems.itemType} WHEN 'mixed_file' THEN ${takenAt} END`,
})

/** The card of a series without a picture of its own shows that of a game, a season or an episode. */
const forgetWholes = (id: number) => sql`UPDATE media_items SET entry = NULL WHERE entry IS NOT NULL AND id IN (
  SELECT parent_id FROM media_items WHERE id = ${id}
  UNION ALL SELECT season.parent_id FROM media_items AS own JOIN media_items AS season ON season.id = own.parent_id WHERE own.id = ${id})`

interface ThumbnailJobs extends ThumbnailQueue {
  isLooking(): boolean
  /** Ends the background; what somebody asks for is still made. */
  stop(): void
  /** Ends the threads, and with them what they are busy with. */
  close(): void
}

export const createThumbnailQueue = (
  deps: Pick<Deps, 'config' | 'db' | 'write' | 'log'>,
  { isScanning, isDiskNearlyFull }: { isScanning: () => boolean; isDiskNearlyFull: () => boolean },
): ThumbnailJobs => {
  const pool = createWorkerPool<MediaRequest, MediaAnswer>({
    url: threadUrl('thumbnailer'),
    size: THREADS,
    timeoutMs: REQUEST_TIMEOUT_MS,
    urgentPatienceMs: URGENT_PATIENCE_MS,
  })
  const making = new Map<string, Promise<Outcome>>()
  /** Pictures that somebody waits for: the background pauses, and they get the next free thread. */
  const urgent = new Set<string>()
  /** What made its thread die or hang in this process, or took too long, which may be the fault of a disk that sleeps. */
  const leftAlone = new Set<string>()
  /** What was made since the background last started: its list may still name it. */
  const made = new Set<string>()
  let isClosed = false

  const fileOf = (source: ThumbnailSource, size: ThumbnailSize): string =>
    join(
      deps.config.dataDir,
      'thumbnails',
      String(source.id % 100).padStart(2, '0'),
      `${source.id}-${source.thumbnailVersion}-${size}.webp`,
    )

  const rootOf = async (libraryId: number, isWanted: boolean): Promise<string> => {
    const [library] = await deps.db.select().from(libraries).where(eq(libraries.id, libraryId))
    if (!library) throw new AppError('not_found')
    return readableRootOf(library, { isWanted })
  }

  /** Its row, unless it has changed or was moved meanwhile: what lies in its old place is another's. */
  const rowOf = ({ id, thumbnailVersion, thumbnailPath }: ThumbnailSource) =>
    and(
      eq(mediaItems.id, id),
      sql`(${mediaItems.thumbnailVersion}, ${mediaItems.thumbnailPath}) IS (${thumbnailVersion}, ${thumbnailPath})`,
    )

  const isInPlace = async (source: ThumbnailSource): Promise<boolean> =>
    (await deps.db.select({ id: mediaItems.id }).from(mediaItems).where(rowOf(source))).length > 0

  /** Keeps what was learnt of a picture that is still in its place. */
  const keep = (source: ThumbnailSource, inspectError: string | null, learnt: SQLiteUpdateSetSource<typeof mediaItems>): Promise<boolean> =>
    deps.write.transaction(async (tx) => {
      const { rowsAffected } = await tx
        .update(mediaItems)
        .set({ ...learnt, inspectError })
        .where(rowOf(source))
      if (rowsAffected > 0 && inspectError !== source.inspectError) await tx.run(forgetWholes(source.id))
      return rowsAffected > 0
    }, 'background')

  const keyOf = (source: ThumbnailSource): string => `${source.id}-${source.thumbnailVersion}`

  /** What is remembered of it that holds still. */
  const errorOf = ({ inspectError }: ThumbnailSource): string | null =>
    inspectError === NO_FFMPEG && deps.config.ffmpegPath !== null ? null : inspectError

  const ask = async (source: ThumbnailSource, { path, kind }: Origin, wanted: Wanted | undefined): Promise<ThumbnailAnswer> => {
    const targets = THUMBNAIL_SIZE_NAMES.map((size) => ({ size, file: fileOf(source, size) }))
    await mkdir(dirname(fileOf(source, 'small')), { recursive: true })
    const { ffmpegPath } = deps.config
    const root = await rootOf(source.libraryId, wanted !== undefined)
    const request = {
      type: 'thumbnail',
      root,
      path,
      kind,
      targets,
      ...(wanted && { first: wanted.size }),
      ffmpegPath,
    } as const
    const onPart = ({ type }: MediaAnswer): boolean => {
      if (type === 'ready') wanted?.ready()
      return type === 'ready'
    }
    const answer = await pool.ask(request, { isUrgent: wanted !== undefined, onPart })
    if (answer.type !== 'thumbnail') throw new Error('The thumbnailer answered another question.')
    return answer
  }

  /** Of the first file that is a picture, or has one. */
  const askAll = async (
    source: ThumbnailSource,
    [first, ...others]: readonly Origin[],
    wanted: Wanted | undefined,
  ): Promise<ThumbnailAnswer> => {
    if (!first) return { type: 'thumbnail', id: 0, ok: false, code: 'unsupported', message: 'There is nothing to show.' }
    const answer = await ask(source, first, wanted).catch((error: unknown): ThumbnailAnswer => {
      if (!isClosed && !(error instanceof AppError)) deps.log.warn('thumbnail_failed', { itemId: source.id, path: first.path, error })
      // The thread died or hung, which need not be the file's fault: it is left alone until the next start.
      if (error instanceof ThreadError) leftAlone.add(keyOf(source))
      return { type: 'thumbnail', id: 0, ok: false, code: 'unavailable', message: 'The thumbnailer failed.' }
    })
    const isNone = !answer.ok && !FOR_NOW.has(answer.code) && answer.code !== NO_FFMPEG
    return isNone && others.length > 0 ? askAll(source, others, wanted) : answer
  }

  const makeNow = async (source: ThumbnailSource, wanted: Wanted | undefined): Promise<Outcome> => {
    const answer = await askAll(source, originsOf(source), wanted)
    if (!answer.ok) {
      if (answer.code === 'timeout') leftAlone.add(keyOf(source))
      // The entry that lists show must not offer it any more.
      if (!FOR_NOW.has(answer.code) && answer.code !== source.inspectError) await keep(source, answer.code, { entry: null })
      return { ok: false, code: FOR_NOW.has(answer.code) || answer.code === NO_FFMPEG ? 'unavailable' : answer.code }
    }
    const { width, height, thumbhash } = answer
    if (!(await keep(source, null, { width, height, thumbhash, ...lengthOf(answer), ...pagesOf(answer), ...dateOf(answer) }))) {
      // Their names are those of the right ones, which are still to be made.
      await Promise.all(THUMBNAIL_SIZE_NAMES.map((size) => rm(fileOf(source, size), { force: true })))
      return { ok: false, code: 'unavailable' }
    }
    made.add(keyOf(source))
    return { ok: true }
  }

  /** Makes the thumbnails of an item, once however many ask. */
  const make = (source: ThumbnailSource, wanted?: Wanted): Promise<Outcome> => {
    const key = keyOf(source)
    const running = making.get(key)
    if (running) return running
    const promise = makeNow(source, wanted).finally(() => making.delete(key))
    making.set(key, promise)
    return promise
  }

  /** A power cut may leave the name of a file without its bytes. */
  const exists = (file: string): Promise<boolean> =>
    stat(file).then(
      ({ size }) => size > 0,
      () => false,
    )

  /** Whether the picture was made already, or cannot be: somebody may have asked for it before the background came. */
  const isMade = async (item: InspectedSource): Promise<boolean> =>
    made.has(keyOf(item)) ||
    (item.inspectError !== null && item.inspectError !== NO_FFMPEG) ||
    (item.thumbhash !== null && (await exists(fileOf(item, 'large'))))

  const hashBatch = async (root: string, paths: string[]): Promise<(string | null)[]> => {
    const answer = await pool.ask({ type: 'hash', root, paths })
    // Fewer hashes than paths would be those of other files.
    if (answer.type !== 'hashes') throw new Error('The thumbnailer answered another question.')
    return answer.hashes
  }

  /** In batches, each with its own time: what has moved to another library may be thousands of files, and is no disk that hangs. */
  const hashesIn = async (root: string, paths: readonly string[]): Promise<(string | null)[]> => {
    const hashes: (string | null)[] = []
    for (const batch of slicesOf(paths, HASH_BATCH_FILES)) hashes.push(...(await hashBatch(root, batch)))
    return hashes
  }
  const hashesOf: ThumbnailQueue['hashesOf'] = async (libraryId, paths) => hashesIn(await rootOf(libraryId, true), paths)

  /** Undefined where the file cannot be read now. */
  const takenAt = async (item: InspectedSource): Promise<number | null | undefined> => {
    const { libraryId, thumbnailPath: path, thumbnailKind: kind } = item
    if (path === null || kind === null || kind === 'pages') return null
    try {
      const answer = await pool.ask({ type: 'date', root: await rootOf(libraryId, false), path, kind })
      return answer.type === 'date' ? answer.takenAt : undefined
    } catch (error) {
      if (!isClosed && !(error instanceof AppError)) deps.log.warn('date_failed', { itemId: item.id, path, error })
      if (error instanceof ThreadError) leftAlone.add(keyOf(item))
      return undefined
    }
  }

  const inspection = createInspection(deps, {
    threads: THREADS,
    isElsewhere: () => isScanning() || urgent.size > 0,
    isHeld: isDiskNearlyFull,
    isLeftAlone: (item) =>
      leftAlone.has(keyOf(item)) || ((item.mainFile === null || item.contentHash !== null) && errorOf(item) === NO_FFMPEG),
    isMade,
    make,
    hashesOf: async (libraryId, paths) => hashesIn(await rootOf(libraryId, false), paths),
    takenAt,
    onStart: () => made.clear(),
  })

  const findFile = async (source: ThumbnailSource, size: ThumbnailSize): Promise<string | undefined> => {
    const file = fileOf(source, size)
    return (await exists(file)) ? file : undefined
  }

  return {
    findKept: async (source, size) => {
      if (!(await findFile(source, size))) return undefined
      // Until all of it is made it is not known whether it is the right one.
      await Promise.allSettled([making.get(keyOf(source))])
      return findFile(source, size)
    },
    get: async (source, size) => {
      const kept = await findFile(source, size)
      if (kept !== undefined && !making.has(keyOf(source))) return kept
      const key = keyOf(source)
      // A scan that finds other bytes takes the error back.
      if (source.missingSince !== null || errorOf(source) !== null || leftAlone.has(key)) throw new AppError('no_thumbnail')
      urgent.add(key)
      try {
        // The other sizes are made meanwhile: nobody waits for those.
        const early = Promise.withResolvers<Outcome>()
        const ready = async (): Promise<void> => {
          if (await isInPlace(source).catch(() => false)) early.resolve({ ok: true })
        }
        const outcome = await Promise.race([make(source, { size, ready: () => void ready() }), early.promise])
        if (!outcome.ok) throw new AppError('no_thumbnail')
        return fileOf(source, size)
      } finally {
        urgent.delete(key)
      }
    },
    hashesOf,
    wake: inspection.wake,
    isLooking: inspection.isLooking,
    state: () => ({ pending: urgent.size, running: making.size }),
    stop: inspection.stop,
    close: () => {
      isClosed = true
      pool.close()
    },
  }
}
