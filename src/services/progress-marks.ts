/**
 * Marks of many items at once, for what somebody has seen elsewhere: whole seasons and series, as libraries that people
 * come from let them do. Every mark can be taken back, positions and all.
 */

import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { mediaItems } from '../db/schema/media-items.ts'
import { progress } from '../db/schema/progress.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { ITEM_TYPES, type ItemType, isContainer } from '../domain/item-type.ts'
import type { Viewer } from '../domain/permissions.ts'
import { advanceProgress } from '../domain/progress.ts'
import { slicesOf } from '../domain/slices.ts'
import { AppError } from '../errors.ts'
import { listed } from './listed.ts'
import { assertSingle, JOIN_SEASON, leadTo, NEVER_OPENED, PART_ORDER, type SavedProgress, SERIES_ID, toSaved } from './progress.ts'
import { SLICE_ROWS } from './tag-slices.ts'
import { getVisibleIds, getVisibleItem } from './visible.ts'

/** Episodes and volumes of what one request names. */
const MAX_PARTS = 20_000

/** The progress that an item had; nulls where it had never been opened. */
interface ProgressMark extends SavedProgress {
  itemKey: string
  /** Not among what to go on with, until it is opened again. */
  leftOut: boolean
}

type ProgressRow = typeof progress.$inferInsert

const SINGLE_TYPES = ITEM_TYPES.filter((type) => !isContainer(type))

interface Part {
  id: number
  /** The last one that is named of its series: what comes after it is gone on with. Nothing comes after specials. */
  isLast: boolean
}

/** What is no group of others: the items themselves, and what lies below them and is there, in the order of their series, specials first. */
const listParts = async (deps: Deps, ids: readonly number[]): Promise<Part[]> => {
  const named = listed(ids)
  const children = sql`(SELECT id FROM media_items WHERE parent_id IN ${named})`
  const rows = await deps.db.all<{ id: number; seriesId: number | null }>(sql`
    SELECT part.id AS id, ${SERIES_ID} AS seriesId FROM media_items part ${JOIN_SEASON}
    WHERE part.id IN (SELECT * FROM ${named} UNION SELECT * FROM ${children} UNION SELECT id FROM media_items WHERE parent_id IN ${children})
      AND part.item_type IN ${listed(SINGLE_TYPES)} AND part.missing_since IS NULL
    ORDER BY seriesId, season.season_number IS NOT 0, ${PART_ORDER} LIMIT ${MAX_PARTS + 1}`)
  return rows.map(({ id, seriesId }, index) => ({ id, isLast: seriesId !== null && seriesId !== rows[index + 1]?.seriesId }))
}

const findMarked = (tx: Transaction, viewer: Viewer, ids: readonly number[]) =>
  tx
    .select({
      id: mediaItems.id,
      itemKey: mediaItems.itemKey,
      durationSeconds: mediaItems.durationSeconds,
      pageCount: mediaItems.pageCount,
      row: progress,
    })
    .from(mediaItems)
    .leftJoin(progress, and(eq(progress.itemId, mediaItems.id), eq(progress.userId, viewer.userId)))
    .where(inArray(mediaItems.id, listed(ids)))

type Marked = Awaited<ReturnType<typeof findMarked>>[number]

const write = async (tx: Transaction, rows: readonly ProgressRow[]): Promise<void> => {
  await tx.run(sql`INSERT INTO progress (user_id, item_id, position_seconds, duration_seconds, page, completed, file, left_out, updated_at)
    SELECT value ->> 'userId', value ->> 'itemId', value ->> 'positionSeconds', value ->> 'durationSeconds', value ->> 'page',
      value ->> 'completed', value ->> 'file', value ->> 'leftOut', value ->> 'updatedAt' FROM json_each(${JSON.stringify(rows)}) WHERE true
    ON CONFLICT (user_id, item_id) DO UPDATE SET position_seconds = excluded.position_seconds, duration_seconds = excluded.duration_seconds,
      page = excluded.page, completed = excluded.completed, file = excluded.file, left_out = excluded.left_out, updated_at = excluded.updated_at`)
}

const isMarked = ({ row }: Marked, completed: boolean): boolean =>
  completed ? row?.completed === true : !row || (!row.completed && row.positionSeconds === null && row.page === null)

const markOf = ({ itemKey, row }: Marked): ProgressMark => {
  return { itemKey, ...(row ? toSaved(row, row.updatedAt) : NEVER_OPENED), leftOut: row?.leftOut ?? false }
}

const markSlice = (deps: Deps, viewer: Viewer, parts: readonly Part[], completed: boolean): Promise<ProgressMark[]> =>
  deps.write.transaction(async (tx) => {
    const lastIds = new Set(parts.filter(({ isLast }) => isLast).map(({ id }) => id))
    const found = await findMarked(
      tx,
      viewer,
      parts.map(({ id }) => id),
    )
    const changed = found.filter((item) => !isMarked(item, completed))
    const updatedAt = Date.now()
    await write(
      tx,
      changed.map((item) => ({
        ...advanceProgress(item.row, { completed }, item),
        userId: viewer.userId,
        itemId: item.id,
        // Of hundreds of episodes one says where to go on; what was really begun would be lost to sight among them.
        leftOut: completed && !lastIds.has(item.id),
        updatedAt,
      })),
    )
    if (!completed)
      await leadTo(
        tx,
        viewer,
        changed.map(({ id }) => id),
      )
    return changed.map(markOf)
  })

interface BulkMarks {
  /** What was changed, as it was before. */
  marks: ProgressMark[]
  /** What was thrown on the way, where some had been changed by then; the rest is as it was. */
  failure?: unknown
}

/**
 * Marks the items as completed or as not begun. A series or season stands for everything in it that is there. Nothing
 * happens where an item does not exist (`not_found`), or together they have more than 20,000 parts (`too_large`);
 * thousands are marked in slices, each of them whole.
 */
export const markInBulk = async (
  deps: Deps,
  viewer: Viewer,
  { itemKeys, completed }: { itemKeys: readonly string[]; completed: boolean },
): Promise<BulkMarks> => {
  const parts = await listParts(deps, await getVisibleIds(deps, viewer, itemKeys))
  if (parts.length > MAX_PARTS) throw new AppError('too_large', `They have more than ${MAX_PARTS} parts together.`)
  const marks: ProgressMark[] = []
  try {
    for (const slice of slicesOf(parts, SLICE_ROWS)) marks.push(...(await markSlice(deps, viewer, slice, completed)))
  } catch (error) {
    if (marks.length === 0) throw error
    deps.log.error('marks_broken_off', { marked: marks.length, parts: parts.length, error })
    return { marks, failure: error }
  }
  return { marks }
}

/** Takes marks back: these items are as far as they say. Throws `not_found`, or `invalid_request` as `assertSingle`, and changes nothing then. */
export const restoreMarks = async (deps: Deps, viewer: Viewer, marks: readonly ProgressMark[]): Promise<void> => {
  await getVisibleIds(
    deps,
    viewer,
    marks.map(({ itemKey }) => itemKey),
  )
  const given = new Map(marks.map((mark) => [mark.itemKey, mark]))
  await deps.write.transaction(async (tx) => {
    const items = await tx
      .select({ itemId: mediaItems.id, itemKey: mediaItems.itemKey, itemType: mediaItems.itemType })
      .from(mediaItems)
      .where(inArray(mediaItems.itemKey, listed([...given.keys()])))
    for (const { itemType } of items) assertSingle(itemType)
    const isOpened = (itemKey: string): boolean => given.get(itemKey)?.updatedAt != null
    const forgotten = items.filter(({ itemKey }) => !isOpened(itemKey)).map(({ itemId }) => itemId)
    await tx.delete(progress).where(and(eq(progress.userId, viewer.userId), inArray(progress.itemId, listed(forgotten))))
    await write(
      tx,
      items.flatMap(({ itemId, itemKey }) => {
        const mark = given.get(itemKey)
        if (mark?.updatedAt == null) return []
        const { positionSeconds, durationSeconds, page, file, leftOut } = mark
        // Nothing was seen in the future: it would be the latest for ever.
        const updatedAt = Math.min(Date.parse(mark.updatedAt), Date.now())
        const completed = mark.completed ?? false
        return [{ userId: viewer.userId, itemId, positionSeconds, durationSeconds, page, completed, file, leftOut, updatedAt }]
      }),
    )
  })
}

/** Leaves an item out of what to go on with, or takes it in again; of a series that is a matter of all its parts. */
export const leaveOut = async (deps: Deps, viewer: Viewer, { itemKey, leftOut }: { itemKey: string; leftOut: boolean }): Promise<void> => {
  const item = await getVisibleItem(deps, viewer, itemKey)
  const seasons = sql`SELECT id FROM media_items WHERE parent_id = (SELECT parent_id FROM media_items WHERE id = ${item.parentId})`
  const partsOf: Partial<Record<ItemType, SQL>> = {
    tv_episode: sql`SELECT id FROM media_items WHERE parent_id IN (${seasons})`,
    manga_volume: sql`SELECT id FROM media_items WHERE parent_id = ${item.parentId}`,
  }
  const those = partsOf[item.itemType] ?? sql`SELECT ${item.id}`
  await deps.write.transaction((tx) =>
    tx
      .update(progress)
      .set({ leftOut })
      .where(and(eq(progress.userId, viewer.userId), sql`${progress.itemId} IN (${those})`)),
  )
}
