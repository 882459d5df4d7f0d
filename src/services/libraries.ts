/** Libraries: what they are called, where they lie, when they are scanned. Nothing here touches a media file. */

import { Cron } from 'croner'
import { eq, sql } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import type { Deps } from '../deps.ts'
import type { AiActivity } from '../domain/ai-activity.ts'
import type { LibraryType } from '../domain/item-type.ts'
import { compareNatural } from '../domain/natural-sort.ts'
import { canSeeLibrary, type Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { placeOf } from '../media/folder-probe.ts'
import { deleteInSteps } from './begun-deletions.ts'
import { leaveTrash, takeOverTrash } from './left-trash.ts'
import { forgetLibraries, type LibraryRow } from './library-cache.ts'
import { FORGET_BATCH } from './library-contents.ts'
import { assertApart, checkLibraryFolder } from './library-paths.ts'
import { cancelScan, listActiveScans, listLastScans, type Scan, type ScansOfLibrary } from './scans.ts'
import { getVisibleLibrary } from './visible.ts'

/** What everybody sees of a library, and what administrators see on top. */
interface Library {
  id: number
  name: string
  type: LibraryType
  itemCount: number
  available: boolean
  lastScan: Scan | null
  scanSchedule?: string | null
  path?: string
  trashDays?: number
  aiOnScan?: AiActivity[]
  heldScanId?: number | null
}

/** As scans see it: a folder that is empty and was not before, or leads elsewhere, is what a disk leaves behind that is away. */
export const isAvailable = async ({ path, realPath, itemCount }: Pick<LibraryRow, 'path' | 'realPath' | 'itemCount'>): Promise<boolean> => {
  const place = await placeOf(path)
  if (!place) return false
  return (realPath === null || place.realPath === realPath) && (itemCount === 0 || !place.isEmpty)
}

const toLibrary = async (row: LibraryRow, known: ScansOfLibrary | undefined, viewer: Viewer): Promise<Library> => ({
  id: row.id,
  name: row.name,
  type: row.type,
  itemCount: row.itemCount,
  available: await isAvailable(row),
  lastScan: known ? (viewer.role === 'admin' ? known.last : { ...known.last, warnings: [], error: null }) : null,
  ...(viewer.role === 'admin' && {
    scanSchedule: row.scanSchedule,
    path: row.path,
    trashDays: row.trashDays,
    aiOnScan: row.aiOnScan,
    heldScanId: known?.heldId ?? null,
  }),
})

export const listLibraries = async (deps: Deps, viewer: Viewer): Promise<Library[]> => {
  const rows = await deps.db.select().from(libraries).orderBy(libraries.id)
  const lastScans = await listLastScans(deps)
  const visible = rows.filter((row) => canSeeLibrary(viewer, row.id)).sort((a, b) => compareNatural(a.name, b.name))
  return Promise.all(visible.map((row) => toLibrary(row, lastScans.get(row.id), viewer)))
}

export const getLibrary = async (deps: Deps, viewer: Viewer, libraryId: number): Promise<Library> => {
  await getVisibleLibrary(deps, viewer, libraryId)
  const [row] = await deps.db.select().from(libraries).where(eq(libraries.id, libraryId))
  if (!row) throw new AppError('not_found')
  const lastScans = await listLastScans(deps)
  return toLibrary(row, lastScans.get(libraryId), viewer)
}

/** A five-field cron expression, or `invalid_request`. */
const assertSchedule = (schedule: string | null | undefined): void => {
  if (schedule === null || schedule === undefined) return
  const fields = schedule.trim().split(/\s+/)
  const isValid = fields.length === 5 && isCron(schedule)
  if (!isValid) {
    throw new AppError('invalid_request', 'The schedule is not a cron expression of five fields, each within its range.', {
      errors: [{ path: 'scanSchedule', message: 'not five fields, each within its range' }],
    })
  }
}

const isCron = (schedule: string): boolean => {
  try {
    new Cron(schedule, { paused: true }).stop()
    return true
  } catch {
    return false
  }
}

interface LibraryInput {
  name: string
  type: LibraryType
  path: string
  scanSchedule?: string | null
  trashDays?: number
}

export const createLibrary = async (deps: Deps, viewer: Viewer, { path, ...fields }: LibraryInput): Promise<Library> => {
  assertSchedule(fields.scanSchedule)
  const folder = await checkLibraryFolder(deps, path)
  const [row] = await deps.write.transaction(async (tx) => {
    await assertApart(tx, folder)
    const created = await tx
      .insert(libraries)
      .values({ ...fields, ...folder, createdAt: Date.now() })
      .returning()
    for (const { id, type } of created) await takeOverTrash(tx, { id, type, realPath: folder.realPath })
    return created
  })
  if (!row) throw new AppError('internal_error')
  forgetLibraries(deps.db)
  await deps.scans.reschedule()
  deps.events.emit({ type: 'library', libraryId: row.id })
  return toLibrary(row, undefined, viewer)
}

/** Resolves once no scan of the library runs in this process. */
const cancelScans = async (deps: Deps, libraryId: number): Promise<void> => {
  for (const scan of await listActiveScans(deps, libraryId)) await cancelScan(deps, scan.id)
}

interface LibraryPatch {
  name?: string
  /** Nothing but what it is already. */
  type?: LibraryType
  path?: string
  scanSchedule?: string | null
  trashDays?: number
  aiOnScan?: AiActivity[]
}

/** Throws `library_type_fixed`, or what is wrong with the folder or the schedule. */
export const updateLibrary = async (deps: Deps, viewer: Viewer, { id, patch }: { id: number; patch: LibraryPatch }): Promise<Library> => {
  const before = await getVisibleLibrary(deps, viewer, id)
  const { path, type = before.type, ...fields } = patch
  if (type !== before.type) throw new AppError('library_type_fixed')
  assertSchedule(patch.scanSchedule)
  // The same path again is a confirmation: it takes over where the path leads now, say after a disk was replaced.
  const folder = path === undefined ? undefined : await checkLibraryFolder(deps, path)
  // What is there by now is not new to a library that has asked for nothing; to one that has, what is still to be queued is.
  const begun = sql`iif(${libraries.aiOnScan} = '[]', ${Date.now()}, ${libraries.aiOnScanSince})`
  const since = patch.aiOnScan === undefined ? {} : { aiOnScanSince: begun }
  const changes = { ...fields, ...folder, ...since }
  if (folder && folder.realPath !== before.realPath) {
    await assertApart(deps.db, folder, id)
    // A scan that goes on at the old place would enter what lies there.
    await cancelScans(deps, before.id)
  }
  if (Object.keys(changes).length > 0)
    await deps.write.transaction(async (tx) => {
      if (folder) await assertApart(tx, folder, id)
      await tx.update(libraries).set(changes).where(eq(libraries.id, before.id))
      if (folder) await takeOverTrash(tx, { id, type, realPath: folder.realPath })
    })
  forgetLibraries(deps.db)
  // What is to be removed may lie there.
  if (folder) deps.removals.wake()
  await deps.scans.reschedule()
  deps.events.emit({ type: 'library', libraryId: id })
  return getLibrary(deps, viewer, id)
}

/** Items that nothing is below: a series would take all of its episodes along, however many they are, and they would not be counted. */
const FORGET_SOME = `DELETE FROM media_items WHERE id IN (SELECT m.id FROM media_items m WHERE m.library_id = ?
  AND NOT EXISTS (SELECT 1 FROM media_items child WHERE child.parent_id = m.id) LIMIT ?)`

/** Forgets a library's index rows, with their tags and progress. The files stay as they are, also those in its trash. */
export const deleteLibrary = async (deps: Deps, viewer: Viewer, libraryId: number): Promise<void> => {
  await getVisibleLibrary(deps, viewer, libraryId)
  await deleteInSteps(deps, { kind: 'library', id: libraryId }, () => forgetLibrary(deps, libraryId))
}

/** Or what a crash has left of it. */
export const forgetLibrary = async (deps: Deps, libraryId: number): Promise<void> => {
  await cancelScans(deps, libraryId)
  for (let forgotten = 1; forgotten > 0; ) {
    const [result] = await deps.write.batch([{ sql: FORGET_SOME, args: [libraryId, FORGET_BATCH] }])
    forgotten = result?.rowsAffected ?? 0
  }
  await deps.write.transaction(async (tx) => {
    await leaveTrash(tx, libraryId)
    await tx.delete(libraries).where(eq(libraries.id, libraryId))
  })
  forgetLibraries(deps.db)
  // What was told of its metadata is of no use to anybody.
  deps.nfoJobs.wake()
  await deps.scans.reschedule()
  deps.events.emit({ type: 'library', libraryId })
}
