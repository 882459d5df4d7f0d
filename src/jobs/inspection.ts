/**
 * Looks at the bytes of every item once, in the background, while nothing else goes on: its picture is made, its file hashed,
 * for recognising it when it comes back under another name, and when it was taken is read.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { isAway } from '../db/busy.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps, ThumbnailSource } from '../deps.ts'
import { AppError } from '../errors.ts'
import { IS_SETTLED, settleNewItems } from '../services/new-items.ts'
import { createWakeable, RETRY_MS } from './wakeable.ts'

/** Items that are taken at a time. */
const BATCH = 100
const QUIET_POLL_MS = 10
/** What is kept in place of a version for an item that has nothing to show. */
const NOTHING_TO_SHOW = '-'

export interface InspectedSource extends ThumbnailSource {
  contentHash: string | null
  modifiedAt: number
  thumbhash: string | null
  takenAt: number | null
}

/** What was learnt of an item; no hash where it has no file to hash, or that cannot be read, and no time where it cannot be read. */
interface Inspected {
  item: InspectedSource
  contentHash: string | null
  takenAt: number | null | undefined
}

export interface InspectionParts {
  /** Pictures to make at a time. */
  threads: number
  /** Something goes on that comes first. */
  isElsewhere: () => boolean
  /** No picture is to be made for now, and files are hashed all the same; whoever lets go wakes the background. */
  isHeld: () => boolean
  /** Its picture made a thread die or hang, or is not to be had now, and there is nothing else to do. */
  isLeftAlone: (item: InspectedSource) => boolean
  /** Its picture was made already, or cannot be. */
  isMade: (item: InspectedSource) => Promise<boolean>
  make: (item: InspectedSource) => Promise<{ ok: true } | { ok: false; code: string }>
  /** Partial content hashes of files of a library, in order; null for what cannot be read. */
  hashesOf: (libraryId: number, paths: readonly string[]) => Promise<readonly (string | null)[]>
  /** When it was taken; undefined where its file cannot be read now. */
  takenAt: (item: InspectedSource) => Promise<number | null | undefined>
  onStart: () => void
}

interface Inspection {
  /** Looks again, from the start. */
  wake(): void
  isLooking(): boolean
  stop(): void
}

const COLUMNS = {
  id: mediaItems.id,
  libraryId: mediaItems.libraryId,
  itemType: mediaItems.itemType,
  thumbnailKind: mediaItems.thumbnailKind,
  thumbnailPath: mediaItems.thumbnailPath,
  thumbnailVersion: mediaItems.thumbnailVersion,
  inspectError: mediaItems.inspectError,
  mainFile: mediaItems.mainFile,
  contentHash: mediaItems.contentHash,
  modifiedAt: mediaItems.modifiedAt,
  missingSince: mediaItems.missingSince,
  thumbhash: mediaItems.thumbhash,
  takenAt: mediaItems.takenAt,
} as const

const IS_PENDING = and(isNull(mediaItems.inspectedVersion), isNull(mediaItems.missingSince))

/** All that is to be learnt of an item while its picture has to wait. */
const IS_UNHASHED = and(isNull(mediaItems.contentHash), isNotNull(mediaItems.mainFile))

const isUnreadable = ({ item, contentHash, takenAt }: Inspected): boolean =>
  (item.mainFile !== null && contentHash === null) || takenAt === undefined

/** A photograph or a video that says when it was taken when its picture is made; that may have been done before anybody asked. */
const isUndated = ({ itemType, thumbnailPath, takenAt }: InspectedSource): boolean =>
  itemType === 'mixed_file' && thumbnailPath !== null && takenAt === null

export const createInspection = (
  deps: Pick<Deps, 'db' | 'write' | 'log'>,
  parts: InspectionParts,
  { retryMs = RETRY_MS } = {},
): Inspection => {
  let isLooking = false
  /** Items whose files cannot be read now; tried again at the next look. */
  const unavailable = new Set<number>()

  /** As it is now: a scan may have moved the file since its batch was listed, and what lies in its old place is another's. */
  const readAgain = async ({ id }: InspectedSource): Promise<InspectedSource | undefined> => {
    const [item] = await deps.db
      .select(COLUMNS)
      .from(mediaItems)
      .where(and(eq(mediaItems.id, id), IS_PENDING))
    return item
  }

  /** By library, then id: the order of `media_items_uninspected`. By id alone SQLite walks the whole table. */
  const listPending = (after: Pick<InspectedSource, 'libraryId' | 'id'>): Promise<InspectedSource[]> =>
    deps.db
      .select(COLUMNS)
      .from(mediaItems)
      .where(
        and(
          IS_SETTLED,
          IS_PENDING,
          parts.isHeld() ? IS_UNHASHED : undefined,
          sql`(${mediaItems.libraryId}, ${mediaItems.id}) > (${after.libraryId}, ${after.id})`,
        ),
      )
      .orderBy(mediaItems.libraryId, mediaItems.id)
      .limit(BATCH)

  /** Unless a file has changed or was moved meanwhile: what was learnt, and whether that is all that can be done for these items. */
  const keep = async (inspected: readonly Inspected[], { isAll = true } = {}): Promise<void> => {
    const news = inspected.filter(({ item, contentHash }) => isAll || contentHash !== item.contentHash)
    const statements = news.map(({ item, contentHash, takenAt }) => ({
      sql: `UPDATE media_items SET content_hash = ?, taken_at = coalesce(?, taken_at), inspected_version = ?
        WHERE id = ? AND thumbnail_version IS ? AND modified_at = ? AND thumbnail_path IS ? AND main_file IS ?`,
      args: [
        contentHash,
        takenAt ?? null,
        isAll ? (item.thumbnailVersion ?? NOTHING_TO_SHOW) : null,
        item.id,
        item.thumbnailVersion,
        item.modifiedAt,
        item.thumbnailPath,
        item.mainFile,
      ],
    }))
    if (statements.length > 0) await deps.write.batch(statements, 'background')
  }

  /** The items are of one library. */
  const learn = async (items: readonly InspectedSource[], { isJustMade = false } = {}): Promise<Inspected[]> => {
    const unknown = items.filter(({ mainFile, contentHash }) => mainFile !== null && contentHash === null)
    const libraryId = unknown[0]?.libraryId
    const paths = unknown.flatMap(({ mainFile }) => mainFile ?? [])
    const found = libraryId === undefined ? [] : await parts.hashesOf(libraryId, paths)
    const hashes = new Map(unknown.map((item, place) => [item, found[place] ?? null]))
    const takenAt = (item: InspectedSource) => (isUndated(item) && !isJustMade ? parts.takenAt(item) : item.takenAt)
    return Promise.all(
      items.map(async (item) => ({ item, contentHash: hashes.get(item) ?? item.contentHash, takenAt: await takenAt(item) })),
    )
  }

  /** No picture is wanted of an item without a picture, or whose picture is there. */
  const isPlain = async (item: InspectedSource): Promise<boolean> => item.thumbnailPath === null || parts.isMade(item)

  const make: InspectionParts['make'] = async (item) => (parts.isHeld() ? { ok: false, code: 'unavailable' } : parts.make(item))

  const inspect = async (item: InspectedSource): Promise<void> => {
    const outcome = (await isPlain(item)) ? undefined : await make(item)
    const inspected = await learn([item], { isJustMade: outcome?.ok === true })
    const isPictureToCome = outcome?.ok === false && outcome.code === 'unavailable'
    const isUnread = inspected.some(isUnreadable)
    if (isPictureToCome || isUnread) unavailable.add(item.id)
    if (!isUnread) await keep(inspected, { isAll: !isPictureToCome })
  }

  const inspectNow = async (listed: InspectedSource): Promise<void> => {
    const item = await readAgain(listed)
    if (item) await inspect(item)
  }

  /** Plain items of one library: one question and one transaction for all of them. */
  const inspectTogether = async (items: readonly InspectedSource[]): Promise<void> => {
    const inspected = await learn(items)
    for (const { item } of inspected.filter(isUnreadable)) unavailable.add(item.id)
    await keep(inspected.filter((one) => !isUnreadable(one)))
  }

  /** What is left of the items once the plain ones are dealt with: all of a library's, where one of them is in the way. */
  const withoutPlain = async (items: readonly InspectedSource[]): Promise<InspectedSource[]> => {
    const arePlain = await Promise.all(items.map(isPlain))
    const left = items.filter((_, place) => !arePlain[place])
    const plain = items.filter((_, place) => arePlain[place])
    for (const group of Map.groupBy(plain, ({ libraryId }) => libraryId).values())
      await inspectTogether(group).catch(() => left.push(...group))
    return left
  }

  const look = async (isStopped: () => boolean): Promise<void> => {
    let isFull = false
    /** Why the database is away: what could not be looked at now is looked at when all begins anew. */
    let away: unknown
    const isOver = (): boolean => isStopped() || isFull || away !== undefined
    const waitForQuiet = async (): Promise<void> => {
      while (!isStopped() && parts.isElsewhere()) await Bun.sleep(QUIET_POLL_MS)
    }
    let after: Pick<InspectedSource, 'libraryId' | 'id'> = { libraryId: 0, id: 0 }
    for (let isSettled = false; !isSettled; ) {
      await waitForQuiet()
      isSettled = isOver() || !(await settleNewItems(deps))
    }
    for (;;) {
      await waitForQuiet()
      const pending = isOver() ? [] : await listPending(after)
      if (pending.length === 0) return
      after = pending.at(-1) ?? after
      // Of items that are all to be passed over, a database of our own tells without ever leaving the thread.
      await nextTurn()
      const queue = await withoutPlain(pending.filter((item) => !unavailable.has(item.id) && !parts.isLeftAlone(item)))
      const work = async (): Promise<void> => {
        for (let item = queue.shift(); item && !isOver(); item = queue.shift()) {
          await waitForQuiet()
          await inspectNow(item).catch((error: unknown) => {
            // Nothing could be kept of the others either.
            isFull ||= error instanceof AppError && error.code === 'insufficient_storage'
            if (!(error instanceof AppError) && isAway(error)) away = error
            // Of a disk that is away or hangs there is nothing to say of each file.
            const isOfDisk = error instanceof AppError && error.code === 'unavailable'
            if (!isStopped()) deps.log[isOfDisk ? 'debug' : 'warn']('inspection_failed', { itemId: item?.id, error })
          })
        }
      }
      await Promise.all(Array.from({ length: parts.threads }, work))
      if (away !== undefined) throw away
    }
  }

  const background = createWakeable({
    work: async (isStopped) => {
      isLooking = true
      unavailable.clear()
      parts.onStart()
      try {
        await look(isStopped)
      } finally {
        isLooking = false
      }
    },
    onError: (error) => deps.log.error('inspection_ended', { error }),
    retryMs,
  })
  return { wake: background.wake, isLooking: () => isLooking, stop: () => void background.stop() }
}
