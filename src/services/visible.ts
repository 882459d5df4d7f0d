/**
 * Where a person's library grants are checked: every service that takes a library or an item goes through here, so that
 * what somebody may not see does not exist for them, whatever the route. Nor does for anybody what lies in the trash.
 */

import { and, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { formerKeys } from '../db/schema/former-keys.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps } from '../deps.ts'
import { setNewest } from '../domain/bounded-map.ts'
import { parseItemKey } from '../domain/item-key.ts'
import { canSeeLibrary, type Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import type { Clause } from './clause.ts'
import { isInTrashSql } from './deletion-journal.ts'
import { isLeftOfCopy } from './left-of-copy.ts'
import { findLibrary, type LibraryRow } from './library-cache.ts'
import { rootPathOf } from './library-root.ts'
import { listed } from './listed.ts'

export type MediaItemRow = typeof mediaItems.$inferSelect

/** Throws `not_found` where there is no such library, or not for this person. */
export const getVisibleLibrary = async (deps: Deps, viewer: Viewer, libraryId: number): Promise<LibraryRow> => {
  if (!canSeeLibrary(viewer, libraryId)) throw new AppError('not_found')
  const library = await findLibrary(deps.db, libraryId)
  if (!library) throw new AppError('not_found')
  return library
}

/** Those that a question is about: the one that it names, or all that this person may see; null is every library. Throws `not_found`. */
export const visibleLibraryIds = async (deps: Deps, viewer: Viewer, libraryId?: number): Promise<readonly number[] | null> => {
  if (libraryId !== undefined) return [(await getVisibleLibrary(deps, viewer, libraryId)).id]
  return viewer.role === 'admin' ? null : viewer.libraryIds
}

/** These as a condition. */
export const inLibraries = (libraryIds: readonly number[] | null, column: 'library_id' | 'id' = 'library_id'): Clause =>
  libraryIds === null
    ? { sql: 'true', args: [] }
    : { sql: `${column} IN (SELECT value FROM json_each(?))`, args: [JSON.stringify(libraryIds)] }

/**
 * The resolved folder of its library, for whoever reads a file of the item. Throws `not_found` for what is missing, though
 * the file be there: a scan may have had its reasons not to see it, as it has been ignored since, or is the data of a server.
 */
export const getRootOf = async (
  deps: Deps,
  viewer: Viewer,
  { libraryId, missingSince }: Pick<MediaItemRow, 'libraryId' | 'missingSince'>,
): Promise<string> => {
  if (missingSince !== null) throw new AppError('not_found')
  const library = await getVisibleLibrary(deps, viewer, libraryId)
  return rootPathOf(library)
}

/** What is asked of an item whose bytes are wanted. */
export type PlacedItem = Pick<
  MediaItemRow,
  | 'id'
  | 'libraryId'
  | 'itemType'
  | 'path'
  | 'mainFile'
  | 'files'
  | 'data'
  | 'artwork'
  | 'thumbnailKind'
  | 'thumbnailPath'
  | 'thumbnailVersion'
  | 'inspectError'
  | 'missingSince'
>

/**
 * A `PlacedItem` as one JSON text: read for every range of a film and every thumbnail, and to carry its columns over one by one
 * takes three times as long as the query does.
 */
const PLACED_SQL = `SELECT json_object('id', id, 'libraryId', library_id, 'itemType', item_type, 'path', path, 'mainFile', main_file,
  'files', json(files), 'data', data, 'artwork', json(artwork), 'thumbnailKind', thumbnail_kind, 'thumbnailPath', thumbnail_path,
  'thumbnailVersion', thumbnail_version, 'inspectError', inspect_error, 'missingSince', missing_since) AS item
  FROM media_items WHERE item_key = ? AND NOT (${isInTrashSql('media_items')})`

const BELIEVED_MS = 1000
const MAX_REMEMBERED = 100

interface Remembered {
  item: PlacedItem
  readAt: number
}

const remembered = new WeakMap<Database, Map<string, Remembered>>()

const placedOf = (db: Database): Map<string, Remembered> => remembered.getOrInsertComputed(db, () => new Map())

/** Building a query costs several times as much as running it by key, so it is built once. */
const prepareWhole = (db: Database) =>
  db
    .select()
    .from(mediaItems)
    .where(eq(mediaItems.itemKey, sql.placeholder('itemKey')))
    .prepare()

const prepared = new WeakMap<Database, ReturnType<typeof prepareWhole>>()

const wholeQueryOf = (db: Database): ReturnType<typeof prepareWhole> => prepared.getOrInsertComputed(db, prepareWhole)

const isVisible = (viewer: Viewer, itemKey: string): boolean => {
  const parts = parseItemKey(itemKey)
  return parts !== undefined && canSeeLibrary(viewer, parts.libraryId)
}

const assertVisible = (viewer: Viewer, itemKey: string): void => {
  if (!isVisible(viewer, itemKey)) throw new AppError('not_found')
}

/** Only of what is missing the trash has to be asked. */
const withoutTrash = async <T extends Pick<MediaItemRow, 'id' | 'missingSince'>>(
  { db }: Deps,
  items: readonly T[],
): Promise<readonly T[]> => {
  const missing = items.filter(({ missingSince }) => missingSince !== null).map(({ id }) => id)
  if (missing.length === 0) return items
  const { rows } = await db.$client.execute({
    sql: `SELECT id FROM media_items WHERE id IN (SELECT value FROM json_each(?)) AND ${isInTrashSql('media_items')}`,
    args: [JSON.stringify(missing)],
  })
  const trashed = new Set(rows.map(({ id }) => Number(id)))
  return items.filter(({ id }) => !trashed.has(id))
}

const findKnown = async (deps: Deps, itemKey: string): Promise<MediaItemRow | undefined> => {
  const [item] = await withoutTrash(deps, await wholeQueryOf(deps.db).execute({ itemKey }))
  return item
}

/** As `getVisibleItem`, and also what is left of a copy, for those who only look: they are told that it is missing. */
export const getKnownItem = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<MediaItemRow> => {
  assertVisible(viewer, itemKey)
  const item = await findKnown(deps, itemKey)
  if (!item) throw new AppError('not_found')
  return item
}

const listKnown = async (deps: Deps, itemKeys: readonly string[]) => {
  const { id, itemKey, identity, modifiedAt, missingSince } = getTableColumns(mediaItems)
  const found = await deps.db
    .select({ id, itemKey, identity, modifiedAt, missingSince })
    .from(mediaItems)
    .where(inArray(mediaItems.itemKey, listed(itemKeys)))
  return withoutTrash(deps, found)
}

/** What had this key before it moved, and is there. */
const findMoved = async (deps: Deps, itemKey: string): Promise<MediaItemRow | undefined> => {
  const [moved] = await deps.db
    .select({ item: mediaItems })
    .from(formerKeys)
    .innerJoin(mediaItems, eq(mediaItems.id, formerKeys.itemId))
    .where(and(eq(formerKeys.itemKey, itemKey), isNull(mediaItems.missingSince)))
  return moved?.item
}

/**
 * Ids of the items that have these keys and that this person may see, by their keys. One that has moved is found by a key
 * that it had before, and what is left of a copy is not.
 */
export const findItemIds = async (deps: Deps, viewer: Viewer, itemKeys: readonly string[]): Promise<Map<string, number>> => {
  const visible = itemKeys.filter((key) => isVisible(viewer, key))
  const rows = await listKnown(deps, visible)
  const ids = new Map(rows.map((row) => [row.itemKey, row.id]))
  const left = new Set(rows.filter(isLeftOfCopy).map((row) => row.itemKey))
  const unknown = visible.filter((key) => left.has(key) || !ids.has(key))
  const moved = await deps.db
    .select({ id: mediaItems.id, libraryId: mediaItems.libraryId, itemKey: formerKeys.itemKey })
    .from(formerKeys)
    .innerJoin(mediaItems, eq(mediaItems.id, formerKeys.itemId))
    .where(and(inArray(formerKeys.itemKey, listed(unknown)), isNull(mediaItems.missingSince)))
  for (const row of moved)
    if (canSeeLibrary(viewer, row.libraryId)) ids.set(row.itemKey, row.id)
    else ids.delete(row.itemKey)
  return ids
}

/** What is left of a copy lies where an item was that lives on elsewhere: nobody would see again what is put on it. */
const assertOwn = async (deps: Deps, item: Parameters<typeof isLeftOfCopy>[0] & Pick<MediaItemRow, 'itemKey'>): Promise<void> => {
  if (isLeftOfCopy(item) && (await findMoved(deps, item.itemKey))) throw new AppError('not_found')
}

/** Throws `not_found` where there is no such item, or not for this person. Missing items are found: they are only not listed. */
export const getVisibleItem = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<MediaItemRow> => {
  const item = await getKnownItem(deps, viewer, itemKey)
  await assertOwn(deps, item)
  return item
}

/** As `getKnownItem`, but where nothing lies there any more it is what had this key before it moved, as far as this person may see it. */
export const getMovedItem = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<MediaItemRow> => {
  assertVisible(viewer, itemKey)
  const item = await findKnown(deps, itemKey)
  if (item?.missingSince === null) return item
  const moved = await findMoved(deps, itemKey)
  const found = moved && canSeeLibrary(viewer, moved.libraryId) ? moved : item
  if (!found) throw new AppError('not_found')
  return found
}

/** As `getVisibleItem`, with only what leads to the item's files and pictures. */
export const getPlacedItem = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<PlacedItem> => {
  assertVisible(viewer, itemKey)
  const { rows } = await deps.db.$client.execute({ sql: PLACED_SQL, args: [itemKey] })
  const text = rows[0]?.item
  if (typeof text !== 'string') throw new AppError('not_found')
  const item: PlacedItem = JSON.parse(text)
  setNewest(placedOf(deps.db), itemKey, { item, readAt: performance.now() }, MAX_REMEMBERED)
  return item
}

/** As it was up to a second ago, for who asks again and again, as players do; undefined where nobody has asked. */
export const recallPlacedItem = (deps: Deps, viewer: Viewer, itemKey: string): PlacedItem | undefined => {
  assertVisible(viewer, itemKey)
  const { item, readAt = 0 } = placedOf(deps.db).get(itemKey) ?? {}
  return performance.now() - readAt < BELIEVED_MS ? item : undefined
}

/** Ids of the items, each once. Throws `not_found` where one of them does not exist, or not for this person. */
export const getVisibleIds = async (deps: Deps, viewer: Viewer, itemKeys: readonly string[]): Promise<number[]> => {
  for (const key of itemKeys) assertVisible(viewer, key)
  const keys = [...new Set(itemKeys)]
  const rows = await listKnown(deps, keys)
  if (rows.length < keys.length) throw new AppError('not_found', 'One of them is not there any more, or you may not see it.')
  for (const row of rows) await assertOwn(deps, row)
  return rows.map((row) => row.id)
}
