/** What was deleted and can come back, where a library keeps it for a while (`trashDays`). */

import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import { deletions } from '../db/schema/deletions.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../domain/iso-time.ts'
import { canSeeLibrary, type Viewer } from '../domain/permissions.ts'
import { baseNameOf, folderOf } from '../domain/relative-path.ts'
import { AppError } from '../errors.ts'
import { MediaError, type OpenedFolder, openFolderIn, openFolderInside } from '../media/inside.ts'
import { isTaken, moveBack, moveFolder } from '../media/move-folder.ts'
import { decodeNumbers, encodeCursor, fingerprint } from './cursor.ts'
import { changeState, type DeletionRow, StepUnknown, settleExpired, settleRestored } from './deletion-journal.ts'
import { toFolderError } from './item-folder.ts'
import { isEmptyRoot, openLibraryRoot } from './library-root.ts'
import { requestScans } from './scans.ts'
import { getVisibleLibrary, visibleLibraryIds } from './visible.ts'

const toEntry = ({ removals }: Deps, row: DeletionRow) => ({
  id: row.id,
  libraryId: row.libraryId,
  itemKey: row.itemKey,
  itemType: row.itemType,
  title: row.title,
  folder: row.folder,
  files: row.files,
  bytes: row.bytes,
  deletedBy: row.createdBy,
  deletedAt: new Date(row.at).toISOString(),
  /** Null only while a deletion that is final is not over, which no list shows. */
  expiresAt: isoTime(removals.trashEnd(row)),
})

type TrashEntry = ReturnType<typeof toEntry>

const PRINT = fingerprint('trash')

/** Latest first, of the libraries that this person may see, or of one. Throws `not_found` for a library that is none for them. */
export const listTrash = async (
  deps: Deps,
  viewer: Viewer,
  { limit, cursor, libraryId }: { limit: number; cursor?: string | undefined; libraryId?: number | undefined },
): Promise<{ entries: TrashEntry[]; nextCursor: string | null }> => {
  const ids = await visibleLibraryIds(deps, viewer, libraryId)
  const [before] = cursor === undefined ? [] : decodeNumbers(PRINT, cursor, 1)
  const rows = await deps.db
    .select()
    .from(deletions)
    .where(
      and(
        eq(deletions.state, 'trashed'),
        ids ? inArray(deletions.libraryId, [...ids]) : undefined,
        before === undefined ? undefined : lt(deletions.id, before),
      ),
    )
    .orderBy(desc(deletions.id))
    .limit(limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { entries: page.map((row) => toEntry(deps, row)), nextCursor: rows.length > limit && last ? encodeCursor(PRINT, [last.id]) : null }
}

const getTrashed = async (deps: Deps, viewer: Viewer, id: number): Promise<DeletionRow> => {
  const [row] = await deps.db
    .select()
    .from(deletions)
    .where(and(eq(deletions.id, id), eq(deletions.state, 'trashed')))
  if (!row || !canSeeLibrary(viewer, row.libraryId)) throw new AppError('not_found')
  return row
}

/**
 * Moves the folder back, and does `work`; where that fails, the folder is in the trash again, unless nobody knows whether it
 * has. Throws `conflict` where something else has taken its place, or the folder above it is gone.
 */
const putBack = async (row: DeletionRow, root: OpenedFolder, work: () => Promise<void>): Promise<void> => {
  const opened: OpenedFolder[] = []
  try {
    const parent = await openFolderInside(root.path, folderOf(row.folder)).catch((error: unknown) => {
      throw error instanceof MediaError && error.code === 'not_found'
        ? new AppError('conflict', 'The folder that it lay in is not there any more.')
        : error
    })
    opened.push(parent)
    const place = { parent, name: baseNameOf(row.folder) }
    if (await isTaken(place)) throw new AppError('conflict', 'Something else lies in its place now.')
    const folder = await openFolderIn(root, row.holding)
    opened.push(folder)
    const move = { from: { parent: root, name: row.holding }, to: place }
    await moveFolder(folder, move)
    await work().catch(async (error: unknown) => {
      if (!(error instanceof StepUnknown)) await moveBack(move)
      throw error
    })
  } catch (error) {
    throw toFolderError(error)
  } finally {
    await Promise.all(opened.map(({ handle }) => handle.close()))
  }
}

/** Whether what the index has of the folder's item is still what was deleted, and not what a scan has found in its place, or elsewhere. */
const isKept = async (deps: Deps, { itemId, itemKey, at }: DeletionRow): Promise<boolean> => {
  if (itemId === null) return false
  const asDeleted = and(eq(mediaItems.id, itemId), eq(mediaItems.itemKey, itemKey), eq(mediaItems.missingSince, at))
  return (await deps.db.select({ id: mediaItems.id }).from(mediaItems).where(asDeleted)).length > 0
}

/** Brings a folder back to its place, with its item, tags and progress. Throws `not_found`, `conflict` or `unavailable`. */
export const restoreFromTrash = async (deps: Deps, viewer: Viewer, id: number): Promise<{ itemKey: string }> => {
  const row = await getTrashed(deps, viewer, id)
  const library = await getVisibleLibrary(deps, viewer, row.libraryId)
  const root = await openLibraryRoot(library)
  let isAsDeleted = false
  const enter = async (): Promise<void> => {
    await deps.scans.leaveOut(library.id, row.folder)
    isAsDeleted = await isKept(deps, row)
    await settleRestored(deps, row)
  }
  const orSettle = <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      await deps.removals.settle(id)
      throw error
    })
  try {
    // As while its disk is away: nobody could tell how far this has come, nor list it, until that is there again.
    if (await isEmptyRoot(root)) throw toFolderError(new MediaError('not_found'))
    if (!(await orSettle(changeState(deps, { id, from: 'trashed', to: 'restoring' })))) throw new AppError('not_found')
    await orSettle(putBack(row, root, enter))
  } finally {
    await root.handle.close()
  }
  // The index knows it no more, or something else by its name: then a scan finds the folder as it finds any.
  if (!isAsDeleted) await requestScans(deps, { libraryId: library.id, path: row.folder, trigger: 'manual' })
  deps.log.info('item_restored', { itemKey: row.itemKey, by: viewer.username })
  return { itemKey: row.itemKey }
}

/** Ends the time in the trash now: item and files are gone for good. Throws `not_found`. */
export const deleteFromTrash = async (deps: Deps, viewer: Viewer, id: number): Promise<void> => {
  const row = await getTrashed(deps, viewer, id)
  if (!(await settleExpired(deps, row))) throw new AppError('not_found')
  deps.log.info('item_deleted', { itemKey: row.itemKey, files: row.files, bytes: row.bytes, isFinal: true, by: viewer.username })
  await deps.removals.removed()
}
