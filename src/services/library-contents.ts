/** What a library holds, and what of it can be forgotten because it is missing. */

import { and, eq, inArray, isNotNull, max, sql } from 'drizzle-orm'
import { mediaItems } from '../db/schema/media-items.ts'
import { scanUnits } from '../db/schema/scans.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { isLeftOfCopy, isLeftOfCopySql } from './left-of-copy.ts'
import { listActiveScans } from './scans.ts'
import { getVisibleLibrary } from './visible.ts'

/** Rows a transaction while items are forgotten, so that others get their turn: each takes its tags and texts along, some 200 microseconds. */
export const FORGET_BATCH = 500

/**
 * What lies in the trash is missing, and comes back with everything that was on it. Of what was cut off on its way there,
 * a scan may have seen alone that it is gone.
 */
const IS_IN_TRASH = sql`EXISTS (SELECT 1 FROM deletions d WHERE d.library_id = ${mediaItems.libraryId} AND CASE d.state
  WHEN 'moving' THEN d.unit = ${mediaItems.unit} ELSE d.state IN ('trashed', 'restoring') AND d.at = ${mediaItems.missingSince} END)`

interface LibraryContents {
  /** Of every level, missing ones included: what deleting the library forgets. */
  items: number
  /** Tags on them. */
  assignments: number
  /** Missing ones that no trash holds: what `purgeMissing` forgets. */
  missing: number
  missingAssignments: number
}

export const getLibraryContents = async (deps: Deps, viewer: Viewer, libraryId: number): Promise<LibraryContents> => {
  await getVisibleLibrary(deps, viewer, libraryId)
  const isLost = sql`library_id = ${libraryId} AND missing_since IS NOT NULL AND NOT ${IS_IN_TRASH}`
  const [held] = await deps.db.all<LibraryContents>(sql`SELECT
    (SELECT count(*) FROM media_items WHERE library_id = ${libraryId}) AS items,
    (SELECT coalesce(sum(assigned), 0) FROM library_tags WHERE library_id = ${libraryId}) AS assignments,
    (SELECT count(*) FROM media_items WHERE ${isLost}) AS missing,
    (SELECT count(*) FROM item_tags WHERE item_id IN (SELECT id FROM media_items WHERE ${isLost})) AS missingAssignments`)
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT count(*) AS items, coalesce(sum((SELECT count(*) FROM item_tags WHERE item_id = media_items.id)), 0) AS assignments
      FROM media_items WHERE library_id = ? AND ${isLeftOfCopySql('media_items')}`,
    args: [libraryId],
  })
  const left = { items: Number(rows[0]?.items), assignments: Number(rows[0]?.assignments) }
  return {
    items: (held?.items ?? 0) - left.items,
    assignments: (held?.assignments ?? 0) - left.assignments,
    missing: (held?.missing ?? 0) - left.items,
    missingAssignments: (held?.missingAssignments ?? 0) - left.assignments,
  }
}

interface Forgotten {
  rows: number
  /** Those that somebody may have missed. */
  items: number
}

interface Wanted {
  libraryId: number
  /** Milliseconds since the epoch: nobody has counted what goes missing later. */
  missingBy: number
}

/**
 * Forgets some missing items, children before their parents, so that each is counted, and what is left of copies. Answers
 * nothing while the library is being scanned.
 */
const forgetMissing = async (tx: Transaction, { libraryId, missingBy }: Wanted): Promise<Forgotten | undefined> => {
  if ((await listActiveScans({ db: tx }, libraryId)).length > 0) return undefined
  const rows = await tx
    .select({
      id: mediaItems.id,
      identity: mediaItems.identity,
      modifiedAt: mediaItems.modifiedAt,
      missingSince: mediaItems.missingSince,
    })
    .from(mediaItems)
    .where(
      sql`${mediaItems.libraryId} = ${libraryId} AND ${mediaItems.missingSince} <= ${missingBy} AND NOT ${IS_IN_TRASH} AND NOT EXISTS
        (SELECT 1 FROM media_items child WHERE child.parent_id = ${mediaItems.id} AND child.missing_since IS NOT NULL)`,
    )
    .limit(FORGET_BATCH)
  const ids = rows.map(({ id }) => id)
  // A present item never hangs below a missing one for long, but a purge must not take it along if it does.
  await tx.update(mediaItems).set({ parentId: null }).where(inArray(mediaItems.parentId, ids))
  await tx.delete(mediaItems).where(inArray(mediaItems.id, ids))
  return { rows: ids.length, items: rows.filter((row) => !isLeftOfCopy(row)).length }
}

/**
 * Forgets the items of a library that are missing: the only way in which an item is ever forgotten by itself. Throws
 * `conflict` while the library is being scanned; a scan that begins meanwhile ends it, and the answer says how far it came.
 */
export const purgeMissing = async (deps: Deps, viewer: Viewer, libraryId: number): Promise<number> => {
  await getVisibleLibrary(deps, viewer, libraryId)
  // Not by the clock, which may have been set since.
  const [last] = await deps.db
    .select({ missingBy: max(mediaItems.missingSince) })
    .from(mediaItems)
    .where(and(eq(mediaItems.libraryId, libraryId), isNotNull(mediaItems.missingSince)))
  const missingBy = last?.missingBy ?? 0
  const forgetSome = () => deps.write.transaction((tx) => forgetMissing(tx, { libraryId, missingBy }))
  let forgotten = await forgetSome()
  if (!forgotten) throw new AppError('conflict', 'This library is being scanned.')
  let purged = 0
  try {
    for (; forgotten && forgotten.rows > 0; forgotten = await forgetSome()) purged += forgotten.items
    // Folders that held nothing else are forgotten too; one that is still there is only read again.
    const isEmpty = sql`NOT EXISTS (SELECT 1 FROM media_items WHERE library_id = ${scanUnits.libraryId} AND unit = ${scanUnits.path})`
    await deps.write.transaction((tx) =>
      tx.delete(scanUnits).where(and(eq(scanUnits.libraryId, libraryId), eq(scanUnits.signature, ''), isEmpty)),
    )
  } finally {
    deps.events.emit({ type: 'library', libraryId })
  }
  return purged
}
