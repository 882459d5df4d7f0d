/**
 * Where a person's library grants are checked: every service that takes a library or an item goes through here, so that
 * what somebody may not see does not exist for them, whatever the route.
 */

import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps } from '../deps.ts'
import { parseItemKey } from '../domain/item-key.ts'
import { canSeeLibrary, type Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { findLibrary, type LibraryRow } from './library-cache.ts'

export type MediaItemRow = typeof mediaItems.$inferSelect

/** Throws `not_found` where there is no such library, or not for this person. */
export const getVisibleLibrary = async (deps: Deps, viewer: Viewer, libraryId: number): Promise<LibraryRow> => {
  if (!canSeeLibrary(viewer, libraryId)) throw new AppError('not_found')
  const library = await findLibrary(deps.db, libraryId)
  if (!library) throw new AppError('not_found')
  return library
}

/** What is asked of an item whose bytes are wanted: a third of a row, read for every range of a film and every thumbnail. */
const placedColumns = (({
  id,
  libraryId,
  itemType,
  path,
  mainFile,
  files,
  data,
  artwork,
  thumbnailKind,
  thumbnailPath,
  thumbnailVersion,
  inspectedVersion,
  inspectError,
}) => ({
  id,
  libraryId,
  itemType,
  path,
  mainFile,
  files,
  data,
  artwork,
  thumbnailKind,
  thumbnailPath,
  thumbnailVersion,
  inspectedVersion,
  inspectError,
}))(getTableColumns(mediaItems))

/** Building a query costs several times as much as running it by key, so both are built once. */
const prepare = (db: Database) => {
  const byKey = eq(mediaItems.itemKey, sql.placeholder('itemKey'))
  return {
    whole: db.select().from(mediaItems).where(byKey).prepare(),
    placed: db.select(placedColumns).from(mediaItems).where(byKey).prepare(),
  }
}

const prepared = new WeakMap<Database, ReturnType<typeof prepare>>()

const queriesOf = (db: Database): ReturnType<typeof prepare> => {
  const queries = prepared.get(db) ?? prepare(db)
  prepared.set(db, queries)
  return queries
}

const assertVisible = (viewer: Viewer, itemKey: string): void => {
  const parts = parseItemKey(itemKey)
  if (!parts || !canSeeLibrary(viewer, parts.libraryId)) throw new AppError('not_found')
}

/** Throws `not_found` where there is no such item, or not for this person. Missing items are found: they are only not listed. */
export const getVisibleItem = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<MediaItemRow> => {
  assertVisible(viewer, itemKey)
  const [item] = await queriesOf(deps.db).whole.execute({ itemKey })
  if (!item) throw new AppError('not_found')
  return item
}

export type PlacedItem = Pick<MediaItemRow, keyof typeof placedColumns>

/** As `getVisibleItem`, with only what leads to the item's files and pictures. */
export const getPlacedItem = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<PlacedItem> => {
  assertVisible(viewer, itemKey)
  const [item] = await queriesOf(deps.db).placed.execute({ itemKey })
  if (!item) throw new AppError('not_found')
  return item
}
