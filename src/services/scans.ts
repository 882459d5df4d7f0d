/** Scans as people see them: asking for one, following it, cancelling it, and deciding about one that is held. */

import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import { scans } from '../db/schema/scans.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { INDEX_COLUMNS, type IndexRow } from './scan-state.ts'
import { markMissingStatements } from './scan-statements.ts'
import { joinTwins } from './scan-twins.ts'

type ScanRow = typeof scans.$inferSelect
export type ScanTrigger = ScanRow['trigger']

const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const toScan = (row: ScanRow) => ({
  id: row.id,
  libraryId: row.libraryId,
  trigger: row.trigger,
  status: row.status,
  phase: row.phase,
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
  finishedAt: isoTime(row.finishedAt),
})

export type Scan = ReturnType<typeof toScan>

const ACTIVE = ['queued', 'running'] as const

/** A library may be scanned every minute, and each scan keep a thousand warnings. */
const KEPT_SCANS = 100

/** Forgets all but the last scans of a library, and what they held back; never the one that may still be applied. */
const forgetOldScans = async (tx: Transaction, libraryId: number): Promise<void> => {
  const held = sql`(SELECT max(id) FROM scans WHERE library_id = ${libraryId} AND status = 'held')`
  const oldest = sql`(SELECT id FROM scans WHERE library_id = ${libraryId} ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_SCANS})`
  await tx.run(sql`DELETE FROM scan_losses WHERE scan_id IN (SELECT id FROM scans WHERE library_id = ${libraryId} AND id IS NOT ${held})`)
  await tx.run(sql`DELETE FROM scans WHERE library_id = ${libraryId} AND id <= ${oldest} AND id IS NOT ${held}`)
}

/**
 * Queues a scan, or answers the one that is active. A unique index keeps a second active scan of a library out, so two
 * server processes that ask at once get the same one.
 */
const queueScan = async (deps: Deps, libraryId: number, trigger: ScanTrigger): Promise<ScanRow> => {
  const row = await deps.write.transaction(async (tx) => {
    const [active] = await tx
      .select()
      .from(scans)
      .where(and(eq(scans.libraryId, libraryId), inArray(scans.status, [...ACTIVE])))
    if (active) return active
    const [created] = await tx.insert(scans).values({ libraryId, trigger, status: 'queued', createdAt: Date.now() }).returning()
    await forgetOldScans(tx, libraryId)
    return created
  })
  if (!row) throw new AppError('internal_error')
  return row
}

/** Queues a scan of one library, or of every library. Throws `not_found` for an unknown library. */
export const requestScans = async (deps: Deps, { libraryId, trigger }: { libraryId?: number; trigger: ScanTrigger }): Promise<Scan[]> => {
  const wanted = await deps.db
    .select({ id: libraries.id })
    .from(libraries)
    .where(libraryId === undefined ? undefined : eq(libraries.id, libraryId))
    .orderBy(libraries.id)
  if (libraryId !== undefined && wanted.length === 0) throw new AppError('not_found')
  const queued: Scan[] = []
  for (const { id } of wanted) queued.push(toScan(await queueScan(deps, id, trigger)))
  deps.scans.wake()
  return queued
}

export const listScans = async (deps: Deps, { libraryId, limit }: { libraryId?: number; limit: number }): Promise<Scan[]> => {
  const rows = await deps.db
    .select()
    .from(scans)
    .where(libraryId === undefined ? undefined : eq(scans.libraryId, libraryId))
    .orderBy(desc(scans.id))
    .limit(limit)
  return rows.map(toScan)
}

const getScanRow = async (deps: Deps, scanId: number): Promise<ScanRow> => {
  const [row] = await deps.db.select().from(scans).where(eq(scans.id, scanId))
  if (!row) throw new AppError('not_found')
  return row
}

export const getScan = async (deps: Deps, scanId: number): Promise<Scan> => toScan(await getScanRow(deps, scanId))

/** The newest scan of each library, by library id. */
export const listLastScans = async (deps: Deps): Promise<Map<number, Scan>> => {
  const newest = deps.db
    .select({ id: sql<number>`max(${scans.id})` })
    .from(scans)
    .groupBy(scans.libraryId)
  const rows = await deps.db.select().from(scans).where(inArray(scans.id, newest))
  return new Map(rows.map((row) => [row.libraryId, toScan(row)]))
}

/**
 * Cancels a scan. A queued one is over at once; a running one is told to stop, by whichever process runs it, and what it
 * has applied stays. Cancelling a finished scan changes nothing.
 */
export const cancelScan = async (deps: Deps, scanId: number): Promise<void> => {
  await getScanRow(deps, scanId)
  await deps.write.transaction(async (tx) => {
    await tx
      .update(scans)
      .set({ status: 'cancelled', finishedAt: Date.now() })
      .where(and(eq(scans.id, scanId), eq(scans.status, 'queued')))
    await tx
      .update(scans)
      .set({ phase: 'cancelling' })
      .where(and(eq(scans.id, scanId), eq(scans.status, 'running')))
  })
  await deps.scans.cancel(scanId)
}

/** A cancelled scan has found out nothing about losses; only where it has moved items already, some may be no losses any more. */
const leavesLosses = sql`${scans.status} = 'cancelled' AND ${scans.moved} = 0`

const getHeldScan = async (deps: Deps, scanId: number): Promise<ScanRow> => {
  const row = await getScanRow(deps, scanId)
  if (row.status !== 'held') throw new AppError('conflict', 'This scan holds nothing back.')
  const [newest] = await deps.db
    .select({ id: sql<number>`max(${scans.id})` })
    .from(scans)
    .where(and(eq(scans.libraryId, row.libraryId), sql`NOT (${leavesLosses})`))
  if (newest?.id !== scanId) throw new AppError('conflict', 'A newer scan of this library has looked again.')
  return row
}

export interface Loss {
  itemKey: string
  title: string
  tagCount: number
}

/** What a held scan would mark missing, by item id. */
export const listLosses = async (
  deps: Deps,
  { scanId, limit, cursor }: { scanId: number; limit: number; cursor?: string },
): Promise<{ entries: Loss[]; nextCursor: string | null }> => {
  await getScanRow(deps, scanId)
  const [after = 0] = cursor === undefined ? [] : decodeCursor('losses', cursor, { query: [scanId], count: 1 })
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT m.id AS id, m.item_key AS itemKey, m.title AS title, (SELECT count(*) FROM item_tags t WHERE t.item_id = m.id) AS tagCount
      FROM scan_losses l JOIN media_items m ON m.id = l.item_id WHERE l.scan_id = ? AND l.item_id > ? ORDER BY l.item_id LIMIT ?`,
    args: [scanId, Number(after), limit + 1],
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    entries: page.map((row) => ({ itemKey: String(row.itemKey), title: String(row.title), tagCount: Number(row.tagCount) })),
    nextCursor: rows.length > limit && last ? encodeCursor('losses', [Number(last.id)], [scanId]) : null,
  }
}

/** Losses a transaction, so that other writes get their turn. */
const LOSSES_BATCH = 2000

const applyLosses = async (deps: Deps, scanId: number): Promise<Scan> => {
  const row = await getHeldScan(deps, scanId)
  const query = async <Row>(sql: string, args: (string | number)[]): Promise<Row[]> =>
    (await deps.db.$client.execute({ sql, args })).rows.map((found) => ({ ...found }) as Row)
  const losses = await query<IndexRow>(
    `SELECT ${INDEX_COLUMNS} FROM media_items WHERE missing_since IS NULL AND id IN (SELECT item_id FROM scan_losses WHERE scan_id = ?)`,
    [scanId],
  )
  const lost = new Set(losses.map(({ id }) => id))
  const moved = await joinTwins({ query, libraryId: row.libraryId, write: deps.write }, losses, {
    // The scan has left that to this decision, and what nobody has read by now is not told from others.
    hashFiles: async (paths) => paths.map(() => null),
    isStanding: ({ id }) => !lost.has(id),
    isLeftOut: () => false,
    checkpoint: () => undefined,
  })
  const ids = [...lost].filter((id) => !moved.has(id))
  const now = Date.now()
  let missing = 0
  for (let from = 0; from < ids.length; from += LOSSES_BATCH) {
    const [marked] = await deps.write.batch(markMissingStatements(ids.slice(from, from + LOSSES_BATCH), now))
    missing += marked?.rowsAffected ?? 0
  }
  // Last: what a crash leaves half applied is still held, and can be applied again.
  await deps.write.batch([
    {
      sql: `UPDATE scans SET status = 'done', error = NULL, missing = missing + ?, moved = moved + ? WHERE id = ? AND status = 'held'`,
      args: [missing, moved.size, scanId],
    },
  ])
  deps.events.emit({ type: 'library', libraryId: row.libraryId })
  return getScan(deps, scanId)
}

const applying = new WeakMap<Deps['db'], Map<number, Promise<Scan>>>()

/**
 * Marks missing what a held scan has kept back, but for what lives on in a copy. Whoever asks meanwhile gets the same
 * answer: a second look at the same losses would take what has moved for lost. Throws `conflict` when it is not held, or
 * not the newest.
 */
export const applyHeldScan = (deps: Deps, scanId: number): Promise<Scan> => {
  const ofThis = applying.get(deps.db) ?? new Map<number, Promise<Scan>>()
  applying.set(deps.db, ofThis)
  const running = ofThis.get(scanId) ?? applyLosses(deps, scanId).finally(() => ofThis.delete(scanId))
  ofThis.set(scanId, running)
  return running
}
