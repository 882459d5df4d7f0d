/** Scans as people see them: asking for one, following it, and cancelling it; what is held back is decided in held-scans.ts. */

import { and, desc, eq, inArray, isNull, lt, type SQLWrapper, sql } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import { scans } from '../db/schema/scans.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../domain/iso-time.ts'
import type { LibraryType } from '../domain/item-type.ts'
import type { Viewer } from '../domain/permissions.ts'
import { outermostFolders } from '../domain/relative-path.ts'
import { AppError } from '../errors.ts'
import { getVisibleLibrary } from './visible.ts'

export type ScanRow = typeof scans.$inferSelect

const toScan = (row: ScanRow) => ({
  id: row.id,
  libraryId: row.libraryId,
  trigger: row.trigger,
  status: row.status,
  phase: row.phase,
  paths: row.paths,
  found: row.found,
  added: row.added,
  updated: row.updated,
  moved: row.moved,
  missing: row.missing,
  restored: row.restored,
  warningCount: row.warningCount,
  warnings: row.warnings,
  error: row.error,
  startedAt: isoTime(row.startedAt),
  walkedAt: isoTime(row.walkedAt),
  finishedAt: isoTime(row.finishedAt),
})

export type Scan = ReturnType<typeof toScan>

const ACTIVE = ['queued', 'running'] as const

/** For so long a running scan is believed to have somebody who works on it. */
export const SCAN_LEASE_MS = 15_000

/** A library may be scanned every minute, and each scan keep a thousand warnings. */
const KEPT_SCANS = 100

/**
 * One that was cut off has found out nothing about losses, and one of some folders nothing about others (`dropOlderLosses`);
 * only where it has moved items, some may be no losses any more.
 */
export const leavesLosses = sql`${scans.moved} = 0 AND (${scans.status} IN ('cancelled', 'failed', 'interrupted')
  OR ${scans.status} = 'done' AND ${scans.paths} IS NOT NULL)`

/**
 * Forgets all but the last scans of a library, and what they held back; never the one that may still be applied, nor the last that
 * has looked through all of it, from which the next ones tell what is new.
 */
const forgetOldScans = async (tx: Transaction, libraryId: number): Promise<void> => {
  // Also while it is applied: it runs again then, and was over once.
  const decisive = sql`(SELECT max(id) FROM scans WHERE library_id = ${libraryId} AND finished_at IS NOT NULL AND NOT (${leavesLosses}))`
  const whole = sql`(SELECT max(id) FROM scans WHERE library_id = ${libraryId} AND status = 'done' AND paths IS NULL)`
  const oldest = sql`(SELECT id FROM scans WHERE library_id = ${libraryId} ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_SCANS})`
  await tx.run(
    sql`DELETE FROM scan_losses WHERE scan_id IN (SELECT id FROM scans WHERE library_id = ${libraryId} AND id IS NOT ${decisive})`,
  )
  await tx.run(sql`DELETE FROM scans WHERE library_id = ${libraryId} AND id <= ${oldest} AND id IS NOT ${decisive} AND id IS NOT ${whole}`)
}

/** More folders than this are a whole library. */
const MOST_PATHS = 100

/** Both looked through by one scan; null is the whole library. */
const joinPaths = (one: readonly string[] | null, other: readonly string[] | null): string[] | null => {
  const joined = one && other && outermostFolders([...one, ...other])
  return joined && joined.length <= MOST_PATHS ? joined : null
}

/**
 * Queues a scan, or answers one that will have seen everything that is there now: an active one of the whole library, as the
 * contract has it, or what waits already, which takes these folders along. One that runs may have gone past a folder, so that
 * a scan of it waits for the next, as everything does for the end of one that is being cancelled. Unique indexes keep a second one of each kind out, whichever server process asks.
 */
const queueScan = async (
  deps: Pick<Deps, 'write'>,
  libraryId: number,
  { trigger, paths }: { trigger: ScanRow['trigger']; paths: string[] | null },
): Promise<ScanRow> => {
  const row = await deps.write.transaction(async (tx) => {
    const active = await tx
      .select()
      .from(scans)
      .where(and(eq(scans.libraryId, libraryId), inArray(scans.status, [...ACTIVE])))
    const waiting = active.find(({ status }) => status === 'queued')
    const whole = paths === null ? active.find((scan) => scan.paths === null && scan.phase !== 'cancelling') : undefined
    if (whole) return whole
    if (waiting) {
      const [widened] = await tx
        .update(scans)
        .set({ paths: joinPaths(waiting.paths, paths) })
        .where(eq(scans.id, waiting.id))
        .returning()
      return widened
    }
    const [created] = await tx.insert(scans).values({ libraryId, trigger, paths, status: 'queued', createdAt: Date.now() }).returning()
    await forgetOldScans(tx, libraryId)
    return created
  })
  if (!row) throw new AppError('internal_error')
  return row
}

interface ScanWish {
  libraryId?: number
  /** A folder of that library, relative to its root, and all that is below it. */
  path?: string
  trigger: ScanRow['trigger']
}

/** What is read together is scanned together: a season of a series is nothing by itself. */
const unitOf = (type: LibraryType, path: string): string => (type === 'mixed' ? path : (path.split('/', 1)[0] ?? path))

/** Queues a scan of one library or of a folder in it, or of every library. Throws `not_found` for an unknown library. */
export const requestScans = async (deps: Pick<Deps, 'db' | 'write' | 'scans'>, { libraryId, path, trigger }: ScanWish): Promise<Scan[]> => {
  const wanted = await deps.db
    .select({ id: libraries.id, type: libraries.type })
    .from(libraries)
    .where(libraryId === undefined ? undefined : eq(libraries.id, libraryId))
    .orderBy(libraries.id)
  if (libraryId !== undefined && wanted.length === 0) throw new AppError('not_found')
  const queued: Scan[] = []
  for (const { id, type } of wanted) {
    const paths = path === undefined ? null : [unitOf(type, path)]
    const scan = await queueScan(deps, id, { trigger, paths }).catch((error: unknown) => {
      // One of all that has been removed since they were listed.
      if (libraryId === undefined && error instanceof AppError && error.code === 'not_found') return undefined
      throw error
    })
    if (scan) queued.push(toScan(scan))
  }
  deps.scans.wake()
  return queued
}

/** The id of the scan of a library whose losses wait for a decision, however many have come after it; null where nothing waits. */
const heldIdOf = (libraryId: SQLWrapper | number) => sql<number | null>`(SELECT CASE status WHEN 'held' THEN id END FROM scans
  WHERE library_id = ${libraryId} AND NOT (${leavesLosses}) ORDER BY id DESC LIMIT 1)`

const findHeld = async (deps: Deps, libraryId: number): Promise<Scan | null> => {
  const [held] = await deps.db
    .select()
    .from(scans)
    .where(eq(scans.id, heldIdOf(libraryId)))
  return held ? toScan(held) : null
}

/** Newest first; of one library also the one that may still be applied, however old it is. Throws `not_found` for an unknown library. */
export const listScans = async (
  deps: Deps,
  viewer: Viewer,
  { libraryId, limit }: { libraryId?: number; limit: number },
): Promise<{ scans: Scan[]; held: Scan | null }> => {
  if (libraryId !== undefined) await getVisibleLibrary(deps, viewer, libraryId)
  const rows = await deps.db
    .select()
    .from(scans)
    .where(libraryId === undefined ? undefined : eq(scans.libraryId, libraryId))
    .orderBy(desc(scans.id))
    .limit(limit)
  return { scans: rows.map(toScan), held: libraryId === undefined ? null : await findHeld(deps, libraryId) }
}

const getScanRow = async (deps: Deps, scanId: number): Promise<ScanRow> => {
  const [row] = await deps.db.select().from(scans).where(eq(scans.id, scanId))
  if (!row) throw new AppError('not_found')
  return row
}

export const getScan = async (deps: Deps, scanId: number): Promise<Scan> => toScan(await getScanRow(deps, scanId))

/** What is queued and what runs of a library. */
export const listActiveScans = async ({ db }: { db: Pick<Transaction, 'select'> }, libraryId: number): Promise<Scan[]> => {
  const isActive = inArray(scans.status, [...ACTIVE])
  const rows = await db
    .select()
    .from(scans)
    .where(and(eq(scans.libraryId, libraryId), isActive))
  return rows.map(toScan)
}

export interface ScansOfLibrary {
  /** The one that runs, or else the newest. */
  last: Scan
  /** The one whose losses wait for a decision. */
  heldId: number | null
}

/** By library id. */
export const listLastScans = async (deps: Deps): Promise<Map<number, ScansOfLibrary>> => {
  const isLast = sql`${scans.id} = (SELECT id FROM scans AS other WHERE other.library_id = ${libraries.id}
    ORDER BY other.status = 'running' DESC, other.id DESC LIMIT 1)`
  const rows = await deps.db
    .select({ scan: scans, heldId: heldIdOf(libraries.id) })
    .from(libraries)
    .innerJoin(scans, isLast)
  return new Map(rows.map(({ scan, heldId }) => [scan.libraryId, { last: toScan(scan), heldId }]))
}

/**
 * Cancels a scan. A queued one is over at once; a running one is told to stop, by whichever process runs it, and what it
 * has applied stays. Of a held one the losses are dropped, with those that older ones held back: they are out of date, and
 * a cancelled scan stands in nobody's way (`leavesLosses`). Cancelling a finished scan changes nothing.
 */
export const cancelScan = async (deps: Deps, scanId: number): Promise<void> => {
  const { libraryId } = await getScanRow(deps, scanId)
  await deps.write.transaction(async (tx) => {
    await tx
      .update(scans)
      .set({ status: 'cancelled', finishedAt: Date.now() })
      .where(and(eq(scans.id, scanId), eq(scans.status, 'queued')))
    await tx
      .update(scans)
      .set({ phase: 'cancelling' })
      .where(and(eq(scans.id, scanId), eq(scans.status, 'running'), isNull(scans.finishedAt)))
    const [dropped] = await tx
      .update(scans)
      .set({ status: 'cancelled', error: null })
      .where(and(eq(scans.id, scanId), eq(scans.status, 'held')))
      .returning({ id: scans.id })
    if (!dropped) return
    await tx
      .update(scans)
      .set({ status: 'cancelled', error: null })
      .where(and(eq(scans.libraryId, libraryId), eq(scans.status, 'held'), lt(scans.id, scanId)))
  })
  await deps.scans.cancel(scanId)
}
