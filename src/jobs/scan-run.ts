/** One scan: takes a scanner thread, applies what it sends, and says how it ended. */

import { and, eq } from 'drizzle-orm'
import { scans } from '../db/schema/scans.ts'
import type { Deps } from '../deps.ts'
import type { ScanWarning } from '../domain/scanned-item.ts'
import { AppError } from '../errors.ts'
import { queueNewItems } from '../services/ai-batches.ts'
import type { LibraryRow } from '../services/library-cache.ts'
import { createScanApplier, type ScanApplier } from '../services/scan-apply.ts'
import { probeRoot, RootUnavailable } from '../services/scan-root.ts'
import { SCAN_LEASE_MS, type ScanRow } from '../services/scans.ts'
import { withoutKnownTrash } from '../services/unknown-trash.ts'
import { listenToOthers } from './other-scans.ts'
import type { Scanners } from './scanner-worker.ts'

const HEARTBEAT_MS = 2_000
const END_RETRY_MS = 1_000
const MAX_WARNINGS_KEPT = 1000

class ScanStopped extends Error {}

export type ScanRunDeps = Pick<Deps, 'db' | 'write' | 'log' | 'events' | 'thumbnails' | 'aiQueue'>

interface ScanRun {
  scan: ScanRow
  library: LibraryRow
  /** Of the lease. */
  owner: string
  scanners: Scanners
  /** Ends the scan. */
  stopper: AbortController
}

interface Ending {
  status: 'done' | 'held' | 'cancelled' | 'interrupted' | 'failed'
  error: string | null
}

/** Not where the scan is not ours any more, or somebody wants it to stop. */
const SAVE_PROGRESS = `UPDATE scans SET phase = :phase, walked_at = coalesce(:walkedAt, walked_at), lease_until = :leaseUntil,
    found = :found, added = :added, updated = :updated, moved = :moved, missing = :missing, restored = :restored,
    warning_count = :warningCount, warnings = :warnings
  WHERE id = :id AND owner = :owner AND status = 'running' AND phase IS NOT 'cancelling'`

/** The row of a scan that runs, of which the lease and the figures are to be kept fresh. */
const createRecord = (deps: ScanRunDeps, { scan, owner, stopper: { signal } }: ScanRun, { counters }: ScanApplier) => {
  const warnings: ScanWarning[] = []
  let warningCount = 0
  /** Shown to people. */
  let phase: 'walking' | 'matching' = 'walking'
  let savedAt = 0

  const tell = (status: ScanRow['status']): void => {
    savedAt = performance.now()
    deps.events.emit({ type: 'scan', libraryId: scan.libraryId, scanId: scan.id, status })
  }

  /** Does not wait for the disk, nor for what the scan has written: where the power fails, nobody is at work on it any more. */
  const saveProgress = async (walkedAt: number | null = null): Promise<void> => {
    const leaseUntil = Date.now() + SCAN_LEASE_MS
    const kept = { ...counters, phase, walkedAt, warningCount, warnings: JSON.stringify(warnings), leaseUntil }
    await deps.write.batches([[{ sql: SAVE_PROGRESS, args: { ...kept, id: scan.id, owner } }]])
    tell('running')
  }

  return {
    warn: (found: readonly ScanWarning[]): void => {
      warningCount += found.length
      warnings.push(...found.slice(0, MAX_WARNINGS_KEPT - warnings.length))
    },
    beginMatching: async (): Promise<void> => {
      phase = 'matching'
      await saveProgress(Date.now())
    },
    /** Throws `ScanStopped` where the scan was cancelled, here or elsewhere, or the lease is lost. */
    heartbeat: async (): Promise<void> => {
      if (signal.aborted) throw new ScanStopped()
      if (performance.now() - savedAt < HEARTBEAT_MS / 4) return
      await saveProgress()
      const [row] = await deps.db
        .select({ phase: scans.phase, status: scans.status, owner: scans.owner })
        .from(scans)
        .where(eq(scans.id, scan.id))
      if (row?.status !== 'running' || row.owner !== owner || row.phase === 'cancelling') throw new ScanStopped()
    },
    end: async (ending: Ending): Promise<void> => {
      await deps.write.transaction((tx) =>
        tx
          .update(scans)
          .set({ ...counters, ...ending, warningCount, warnings, phase: null, leaseUntil: null, finishedAt: Date.now() })
          .where(and(eq(scans.id, scan.id), eq(scans.owner, owner), eq(scans.status, 'running'))),
      )
      tell(ending.status)
      deps.log.info('scan_finished', { scanId: scan.id, libraryId: scan.libraryId, ...ending, ...counters, warningCount })
    },
  }
}

type ScanRecord = ReturnType<typeof createRecord>

const hasPresentItems = async (deps: Pick<Deps, 'db'>, libraryId: number): Promise<boolean> => {
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT 1 FROM media_items INDEXED BY media_items_by_title WHERE library_id = ? AND missing_since IS NULL LIMIT 1',
    args: [libraryId],
  })
  return rows.length > 0
}

/** Looks through the library, and applies what it holds. */
const look = async (
  deps: ScanRunDeps,
  { scan: { paths }, library, scanners, stopper: { signal } }: ScanRun,
  { applier, record }: { applier: ScanApplier; record: ScanRecord },
): Promise<Ending> => {
  const root = await probeRoot(library, signal)
  const scanner = await scanners.start({ library, root: root.path, paths, signal, asColumns: applier.isFirstScan })
  try {
    const walked = await scanner.walk(async (messages) => {
      const warnings = messages.flatMap((message) => message.warnings)
      record.warn(await withoutKnownTrash(deps, root.path, warnings))
      if (applier.isFirstScan) await applier.applyFirst(messages)
      else for (const { units, unchanged } of messages) await applier.applyUnits(units, unchanged)
      applier.counters.found = messages.at(-1)?.foundItems ?? 0
      await record.heartbeat()
    })
    if (walked.rootIsEmpty && (await hasPresentItems(deps, library.id)))
      throw new RootUnavailable('The folder is empty, but it was not before.')
    // A disk that went away during the walk looks like a folder that lost everything.
    await root.assertUnchanged()
    await record.beginMatching()
    const outcome = await applier.finish({
      paths,
      unreadable: walked.unreadable,
      ownData: walked.ownData,
      hashFiles: scanner.hashFiles,
      hashElsewhere: deps.thumbnails.hashesOf,
      checkpoint: () => {
        if (signal.aborted) throw new ScanStopped()
      },
    })
    for (const libraryId of outcome.others) deps.events.emit({ type: 'library', libraryId })
    await queueNewItems(deps, library.id).catch((error: unknown) =>
      deps.log.error('new_items_not_queued', { libraryId: library.id, error }),
    )
    return outcome.status === 'held'
      ? { status: 'held', error: `${outcome.losses} items would go missing.` }
      : { status: 'done', error: null }
  } finally {
    scanner.close()
  }
}

export const runScan = async (
  deps: ScanRunDeps,
  {
    ready,
    isEnding,
    ...run
  }: ScanRun & {
    ready: (applier: ScanApplier) => void
    /** Whether the server is about to end. */
    isEnding: () => boolean
  },
): Promise<void> => {
  const { scan, library, stopper } = run
  const applier = await createScanApplier(deps, { libraryId: library.id, scanId: scan.id })
  ready(applier)
  const record = createRecord(deps, run, applier)
  const listener = listenToOthers(deps, { scanId: scan.id, leaveOut: applier.leaveOut })

  const beat = (): Promise<void> =>
    record.heartbeat().catch((error: unknown) => {
      if (error instanceof ScanStopped) stopper.abort()
      else deps.log.warn('scan_heartbeat_failed', { scanId: scan.id, error })
    })
  const endingOf = (error: unknown): Ending => {
    if (error instanceof ScanStopped || stopper.signal.aborted) return { status: isEnding() ? 'interrupted' : 'cancelled', error: null }
    if (error instanceof RootUnavailable) {
      deps.log.warn('scan_root_unavailable', { scanId: scan.id, libraryId: library.id, reason: error.message })
      return { status: 'failed', error: 'root_unavailable' }
    }
    deps.log.error('scan_failed', { scanId: scan.id, libraryId: library.id, error })
    const isFull = error instanceof AppError && error.code === 'insufficient_storage'
    return { status: 'failed', error: isFull ? 'disk_full' : 'scan_failed' }
  }
  /** Where the database cannot be written, that is tried until it can: what does not say that it is over stands in the way of the next one. */
  const end = async (ending: Ending, { isTold = false } = {}): Promise<void> => {
    try {
      await record.end(ending)
    } catch (error) {
      if (isEnding()) throw error
      if (!isTold) deps.log.warn('scan_end_not_kept', { scanId: scan.id, libraryId: library.id, error })
      await Bun.sleep(END_RETRY_MS)
      await end(ending, { isTold: true })
    }
  }
  const timer = setInterval(() => void beat(), HEARTBEAT_MS)
  const ending = await look(deps, run, { applier, record })
    .catch(endingOf)
    .finally(() => {
      clearInterval(timer)
      listener.stop()
    })
  await end(ending)
}
