/** Scans that hold back what they would mark missing, until an administrator has decided. */

import { and, eq, sql } from 'drizzle-orm'
import { scans } from '../db/schema/scans.ts'
import type { Deps } from '../deps.ts'
import { slicesOf } from '../domain/slices.ts'
import { AppError } from '../errors.ts'
import { decodeNumbers, encodeCursor, fingerprint } from './cursor.ts'
import { joinElsewhere } from './scan-between.ts'
import { INDEX_COLUMNS, type IndexRow, rowsOf } from './scan-state.ts'
import { markMissingStatements } from './scan-statements.ts'
import { joinTwins, type TwinSearch } from './scan-twins.ts'
import { listWholes } from './scan-wholes.ts'
import { getScan, leavesLosses, SCAN_LEASE_MS, type Scan, type ScanRow } from './scans.ts'

/** A held scan runs while its losses are applied, and so no other scan of its library does. It was over once already. */
const resumeHeldScan = (deps: Deps, scanId: number, owner: string): Promise<ScanRow> =>
  deps.write.transaction(async (tx) => {
    const [row] = await tx.select().from(scans).where(eq(scans.id, scanId))
    if (!row) throw new AppError('not_found')
    if (row.status !== 'held') throw new AppError('conflict', 'This scan holds nothing back.')
    const [newest] = await tx
      .select({ id: sql<number>`max(${scans.id})` })
      .from(scans)
      .where(and(eq(scans.libraryId, row.libraryId), sql`NOT (${leavesLosses})`))
    if (newest?.id !== scanId) throw new AppError('conflict', 'A newer scan of this library has looked again.')
    const resumed = { status: 'running', phase: 'matching', owner, leaseUntil: Date.now() + SCAN_LEASE_MS } as const
    await tx.update(scans).set(resumed).where(eq(scans.id, scanId))
    return row
  })

interface Loss {
  itemKey: string
  title: string
  tagCount: number
}

/** What a held scan would mark missing, by item id. */
export const listLosses = async (
  deps: Deps,
  { scanId, limit, cursor }: { scanId: number; limit: number; cursor?: string },
): Promise<{ entries: Loss[]; nextCursor: string | null }> => {
  await getScan(deps, scanId)
  const print = fingerprint('losses', [scanId])
  const [after = 0] = cursor === undefined ? [] : decodeNumbers(print, cursor, 1)
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT m.id AS id, m.item_key AS itemKey, m.title AS title, (SELECT count(*) FROM item_tags t WHERE t.item_id = m.id) AS tagCount
      FROM scan_losses l JOIN media_items m ON m.id = l.item_id WHERE l.scan_id = ? AND l.item_id > ? ORDER BY l.item_id LIMIT ?`,
    args: [scanId, after, limit + 1],
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    entries: page.map((row) => ({ itemKey: String(row.itemKey), title: String(row.title), tagCount: Number(row.tagCount) })),
    nextCursor: rows.length > limit && last ? encodeCursor(print, [Number(last.id)]) : null,
  }
}

/** Losses a transaction, so that other writes get their turn. */
const LOSSES_BATCH = 2000

interface Settled {
  /** How many live on in a copy. */
  moved: number
  missing: number
  /** Where some of the copies are. */
  others: number[]
}

const settleLosses = async (deps: Deps, { id: scanId, libraryId }: ScanRow): Promise<Settled> => {
  const query = rowsOf(deps.db)
  const losses = await query<IndexRow>(
    `SELECT ${INDEX_COLUMNS} FROM media_items WHERE missing_since IS NULL AND id IN (SELECT item_id FROM scan_losses WHERE scan_id = ?)`,
    [scanId],
  )
  const lost = new Set(losses.map(({ id }) => id))
  const library = { query, libraryId, write: deps.write }
  const search: TwinSearch = { isStanding: ({ id }) => !lost.has(id), isLeftOut: () => false, checkpoint: () => undefined }
  const moved = await joinTwins(library, losses, search)
  const unknown = losses.filter(({ id }) => !moved.has(id))
  const elsewhere = await joinElsewhere(library, unknown, { ...search, hashElsewhere: deps.thumbnails.hashesOf, isByInode: false })
  for (const pair of elsewhere) moved.add(pair.lost.id)
  const left = losses.filter(({ id }) => !moved.has(id))
  const wholes = await listWholes(library, left)
  const now = Date.now()
  let missing = 0
  for (const slice of slicesOf(left, LOSSES_BATCH)) {
    const ids = slice.map(({ id }) => id)
    const [marked] = await deps.write.batch(markMissingStatements(ids, now, wholes))
    missing += marked?.rowsAffected ?? 0
  }
  return { moved: moved.size, missing, others: [...new Set(elsewhere.map(({ twin }) => twin.libraryId))] }
}

const applyLosses = async (deps: Deps, scanId: number): Promise<Scan> => {
  const owner = crypto.randomUUID()
  const row = await resumeHeldScan(deps, scanId, owner)
  const isOurs = and(eq(scans.id, scanId), eq(scans.owner, owner))
  const save = (changes: Partial<ScanRow>) => deps.write.transaction((tx) => tx.update(scans).set(changes).where(isOurs))
  const timer = setInterval(
    () =>
      void save({ leaseUntil: Date.now() + SCAN_LEASE_MS }).catch((error: unknown) => deps.log.warn('lease_not_kept', { scanId, error })),
    SCAN_LEASE_MS / 5,
  )
  const over = { phase: null, owner: null, leaseUntil: null }
  try {
    const { moved, missing, others } = await settleLosses(deps, row)
    for (const libraryId of others) deps.events.emit({ type: 'library', libraryId })
    await save({ ...over, status: 'done', error: null, moved: row.moved + moved, missing: row.missing + missing })
  } catch (error) {
    // What is half applied is still held, and can be applied again. Where this cannot be kept the lease runs out (scan-runner.ts).
    await save({ ...over, status: 'held' }).catch((cause: unknown) => deps.log.warn('held_scan_not_kept', { scanId, error: cause }))
    throw error
  } finally {
    clearInterval(timer)
    // What has waited for the end of this.
    deps.scans.wake()
  }
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
  const ofThis = applying.getOrInsertComputed(deps.db, () => new Map())
  return ofThis.getOrInsertComputed(scanId, () => applyLosses(deps, scanId).finally(() => ofThis.delete(scanId)))
}
