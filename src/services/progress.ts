/** How far each person has come, and what they may want to go on with. */

import { and, desc, eq, inArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { mediaItems } from '../db/schema/media-items.ts'
import { progress } from '../db/schema/progress.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { type Progress, withBasePath } from '../domain/browse-entry.ts'
import { findPart, isInPart } from '../domain/film-parts.ts'
import { type ItemType, isContainer } from '../domain/item-type.ts'
import type { Viewer } from '../domain/permissions.ts'
import { advanceProgress, isBegun, type ProgressReport } from '../domain/progress.ts'
import { inStandingPart } from '../domain/standing-part.ts'
import { AppError } from '../errors.ts'
import { entriesOf, PROGRESS_SQL, SERIES_TITLE_SQL } from './browse-page.ts'
import { placeFile } from './files.ts'
import { listed } from './listed.ts'
import { findNextItem } from './next-item.ts'
import type { PlayableQuery } from './playable.ts'
import { getKnownItem, getVisibleItem, type MediaItemRow } from './visible.ts'

/** As the API answers it: nulls for what was never opened. */
export interface SavedProgress {
  positionSeconds: number | null
  durationSeconds: number | null
  page: number | null
  completed: boolean | null
  /** The part of a film that the position is in, where that is not the first. */
  file?: string
  /** ISO 8601, UTC. */
  updatedAt: string | null
}

export const NEVER_OPENED: SavedProgress = { positionSeconds: null, durationSeconds: null, page: null, completed: null, updatedAt: null }

const findRow = async (reader: Deps['db'] | Transaction, viewer: Viewer, { id, files }: Pick<MediaItemRow, 'id' | 'files'>) => {
  const [row] = await reader
    .select()
    .from(progress)
    .where(and(eq(progress.userId, viewer.userId), eq(progress.itemId, id)))
  return row && inStandingPart(files ?? [], row)
}

export const toSaved = ({ positionSeconds, durationSeconds, page, completed, file }: Progress, updatedAt: number): SavedProgress => ({
  positionSeconds,
  durationSeconds,
  page,
  completed,
  ...(file && { file }),
  updatedAt: new Date(updatedAt).toISOString(),
})

/** Throws `not_found` for a file that the item does not have. */
const isExtra = (item: MediaItemRow, file: string | undefined): boolean => {
  if (file === undefined) return false
  placeFile(item, file)
  return item.files?.find(({ name }) => name === file)?.role === 'extra'
}

/** Of one file of the item, if it is named: what is known of others says nothing of where it was. */
export const getProgress = async (deps: Deps, viewer: Viewer, { itemKey, file }: PlayableQuery): Promise<SavedProgress> => {
  const item = await getKnownItem(deps, viewer, itemKey)
  if (isExtra(item, file)) return NEVER_OPENED
  const row = await findRow(deps.db, viewer, item)
  if (!row) return NEVER_OPENED
  const saved = toSaved(row, row.updatedAt)
  const part = file === undefined ? undefined : findPart(item.files ?? [], file)
  return !part || isInPart(part, row.file) ? saved : { ...saved, positionSeconds: null, durationSeconds: null }
}

/** Throws `invalid_request` for series and seasons: they are as far as their episodes are. */
export const assertSingle = (itemType: ItemType): void => {
  if (!isContainer(itemType)) return
  const errors = [{ path: 'itemKey', message: 'names a group of items' }]
  throw new AppError('invalid_request', 'Progress is kept for single items.', { errors })
}

/** A part of a series as `part`, its season as `season`; volumes have none. */
export const JOIN_SEASON = sql`LEFT JOIN media_items season ON season.id = part.parent_id AND part.item_type = 'tv_episode'`
export const SERIES_ID = sql`coalesce(season.parent_id, part.parent_id)`
/** The order of the parts of a series, as in next-item.ts. */
export const PART_ORDER = sql`coalesce(season.sort_number, 9e15), season.sort_title, season.id,
  coalesce(part.sort_number, 9e15), part.sort_title, part.id`

/**
 * Of parts that were marked together the last one alone is listed among what leads on (progress-marks.ts). Where some of them
 * are said not to have been seen after all, it is the last completed one before the first of these in its series.
 */
export const leadTo = async (tx: Transaction, { userId }: Viewer, itemIds: readonly number[]): Promise<void> => {
  const unseen = listed(itemIds)
  await tx.run(sql`WITH named AS (
      SELECT DISTINCT ${SERIES_ID} AS id FROM media_items part ${JOIN_SEASON} WHERE part.id IN ${unseen}),
    ranked AS (
      SELECT part.id AS id, named.id AS series, row_number() OVER (PARTITION BY named.id ORDER BY ${PART_ORDER}) AS nth
      FROM named JOIN media_items part ON part.parent_id IN (SELECT named.id UNION ALL SELECT id FROM media_items WHERE parent_id = named.id)
      ${JOIN_SEASON} WHERE season.season_number IS NOT 0),
    firsts AS (SELECT series, min(nth) AS nth FROM ranked WHERE id IN ${unseen} GROUP BY series),
    leading AS (
      SELECT ranked.id AS id, max(ranked.nth) FROM firsts JOIN ranked ON ranked.series = firsts.series AND ranked.nth < firsts.nth
      JOIN progress p ON p.user_id = ${userId} AND p.item_id = ranked.id AND p.completed GROUP BY ranked.series)
    UPDATE progress SET left_out = false WHERE user_id = ${userId} AND item_id IN (SELECT id FROM leading)`)
}

/** Throws `invalid_request` as `assertSingle`. */
export const saveProgress = async (
  deps: Deps,
  viewer: Viewer,
  { itemKey, file, ...told }: Omit<ProgressReport, 'part'> & PlayableQuery,
): Promise<SavedProgress> => {
  const item = await getVisibleItem(deps, viewer, itemKey)
  // Nobody has come further in a film or a series by its trailer.
  if (isExtra(item, file)) return getProgress(deps, viewer, { itemKey })
  assertSingle(item.itemType)
  const report = { ...told, part: file === undefined ? undefined : findPart(item.files ?? [], file) }
  const updatedAt = Date.now()
  const saved = await deps.write.transaction(async (tx) => {
    const advanced = advanceProgress((await findRow(tx, viewer, item)) ?? null, report, item)
    const after = { ...advanced, file: advanced.file ?? null }
    await tx
      .insert(progress)
      .values({ userId: viewer.userId, itemId: item.id, ...after, updatedAt })
      .onConflictDoUpdate({ target: [progress.userId, progress.itemId], set: { ...after, leftOut: false, updatedAt } })
    if (report.completed === false) await leadTo(tx, viewer, [item.id])
    return after
  })
  return toSaved(saved, updatedAt)
}

/** What was last touched longer ago than this many items is not gone on with. */
const MAX_LOOKED_AT = 1000
const BATCH = 100

const season = alias(mediaItems, 'season')

/** What somebody has touched, the latest first; of one series alone, where it is named. */
const listTouched = (deps: Deps, viewer: Viewer, { offset, seriesId }: { offset: number; seriesId: number | undefined }) =>
  deps.db
    .select({
      id: mediaItems.id,
      /** Of an episode or a volume. */
      seriesId: sql<number | null>`coalesce(${season.parentId}, ${mediaItems.parentId})`,
      itemType: mediaItems.itemType,
      pageCount: mediaItems.pageCount,
      missingSince: mediaItems.missingSince,
      positionSeconds: progress.positionSeconds,
      durationSeconds: progress.durationSeconds,
      page: progress.page,
      completed: progress.completed,
      file: progress.file,
    })
    .from(progress)
    .innerJoin(mediaItems, eq(mediaItems.id, progress.itemId))
    .leftJoin(season, and(eq(season.id, mediaItems.parentId), eq(mediaItems.itemType, 'tv_episode')))
    .where(
      and(
        eq(progress.userId, viewer.userId),
        eq(progress.leftOut, false),
        viewer.libraryIds ? inArray(mediaItems.libraryId, [...viewer.libraryIds]) : undefined,
        seriesId === undefined ? undefined : or(eq(mediaItems.parentId, seriesId), eq(season.parentId, seriesId)),
      ),
    )
    .orderBy(desc(progress.updatedAt), desc(progress.itemId))
    .limit(BATCH)
    .offset(offset)

type Touched = Awaited<ReturnType<typeof listTouched>>[number]

interface ContinueQuery {
  limit: number
  seriesKey?: string | undefined
}

/** Ids of what to go on with: what was begun, and after the last completed part of a series the next one that was not. */
const listContinueIds = async (deps: Deps, viewer: Viewer, { limit, seriesKey }: ContinueQuery): Promise<number[]> => {
  const seriesId = seriesKey === undefined ? undefined : (await getVisibleItem(deps, viewer, seriesKey)).id
  const found = new Set<number>()
  const settled = new Set<number>()

  const look = async (touched: Touched): Promise<void> => {
    const { id, seriesId, missingSince, completed } = touched
    if (missingSince === null && isBegun(touched)) {
      found.add(id)
      if (seriesId !== null) settled.add(seriesId)
    } else if (completed && seriesId !== null && !settled.has(seriesId)) {
      settled.add(seriesId)
      const next = await findNextItem(deps, id, { notCompletedBy: viewer.userId })
      if (next !== undefined) found.add(next)
    }
  }

  for (let offset = 0; offset < MAX_LOOKED_AT; offset += BATCH) {
    const batch = await listTouched(deps, viewer, { offset, seriesId })
    for (const touched of batch) {
      await look(touched)
      if (found.size === limit) return [...found]
    }
    if (batch.length < BATCH) break
  }
  return [...found]
}

/** `{entries}` as JSON text, the latest first. Throws `not_found` for an unknown series. */
export const listContinue = async (deps: Deps, viewer: Viewer, query: ContinueQuery): Promise<{ json: string }> => {
  const ids = await listContinueIds(deps, viewer, query)
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT m.id AS id, m.entry AS entry, ${PROGRESS_SQL} AS progress, ${SERIES_TITLE_SQL} AS series_title FROM json_each(?) AS wanted JOIN media_items m ON m.id = wanted.value ORDER BY wanted.key`,
    args: [viewer.userId, JSON.stringify(ids)],
  })
  const textOf = (value: unknown): string | null => (value === null ? null : String(value))
  const entries = await entriesOf(
    deps,
    rows.map((row) => ({
      id: Number(row.id),
      entry: textOf(row.entry),
      progress: textOf(row.progress),
      seriesTitle: textOf(row.series_title),
    })),
  )
  return { json: withBasePath(`{"entries":[${entries.join(',')}]}`, deps.config.basePath) }
}
