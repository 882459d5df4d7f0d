/**
 * Runs queued scans: claims the row, starts a scanner thread, applies what it sends, and says how it ended.
 *
 * A running scan holds a lease on its row. A process that dies lets the lease run out, and whoever starts next calls
 * the scan `interrupted`; two server processes on one remote database can therefore never run one scan twice.
 */

import { hostname } from 'node:os'
import { Cron } from 'croner'
import { and, eq, gt, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import { scans } from '../db/schema/scans.ts'
import type { Deps, ScanRunner } from '../deps.ts'
import type { ScanWarning } from '../domain/scanned-item.ts'
import { queueNewItems } from '../services/ai-batches.ts'
import type { LibraryRow } from '../services/library-cache.ts'
import { createScanApplier, type ScanApplier } from '../services/scan-apply.ts'
import { probeRoot, RootUnavailable } from '../services/scan-root.ts'
import type { ScanCounters } from '../services/scan-state.ts'
import { requestScans, SCAN_LEASE_MS } from '../services/scans.ts'
import { withoutKnownTrash } from '../services/unknown-trash.ts'
import { MOST_SKEW_MS } from './clock-watch.ts'
import { createOtherScans, listenToOthers } from './other-scans.ts'
import { startScanner } from './scanner-worker.ts'
import { createWakeable } from './wakeable.ts'

type ScanRow = typeof scans.$inferSelect

const HEARTBEAT_MS = 2_000
const OTHERS_INTERVAL_MS = 1_000
/** A disk that hangs must not hold up every other library; more than two only fight over the same cores. */
const MAX_CONCURRENT_SCANS = 2
const MAX_WARNINGS_KEPT = 1000

/** Shown to people, and kept on the scan. */
type ScanPhase = 'walking' | 'matching'

class ScanStopped extends Error {}

interface RunningScan {
  libraryId: number
  stop(): void
  leaveOut(folder: string): Promise<void>
  finished: Promise<void>
}

export interface ScanJobs extends ScanRunner {
  isBusy(): boolean
  start(): Promise<void>
  stop(): Promise<void>
}

type RunnerDeps = Pick<Deps, 'db' | 'write' | 'log' | 'events' | 'thumbnails' | 'aiQueue'>

export const createScanRunner = (deps: RunnerDeps, { isShared }: { isShared: boolean }): ScanJobs => {
  const owner = `${hostname()}-${process.pid}-${crypto.randomUUID()}`
  const running = new Map<number, RunningScan>()
  const others = createOtherScans(deps, { owner })
  let schedules: Cron[] = []
  let timesAsked = 0
  /** Which time it was that `schedules` are the answer of. */
  let answered = 0
  let isStopped = false

  /** Scans whose lease has run out: their process died, perhaps with its clock ahead, or could not write how they ended. */
  const isExpired = () => {
    const now = Date.now()
    // Our own are ahead after our clock is set back, until they are renewed.
    const isTooFar = and(gt(scans.leaseUntil, now + SCAN_LEASE_MS + MOST_SKEW_MS), sql`${scans.owner} IS NOT ${owner}`)
    return or(lt(scans.leaseUntil, now), isTooFar)
  }

  /** Says so of scans that nobody works on any more. One that was over holds its losses again, which were being applied. */
  const interrupt = async (abandoned: SQL | undefined): Promise<void> => {
    const isAbandoned = and(eq(scans.status, 'running'), abandoned)
    await deps.write.transaction(async (tx) => {
      await tx
        .update(scans)
        .set({ status: 'held', phase: null })
        .where(and(isAbandoned, isNotNull(scans.finishedAt)))
      await tx
        .update(scans)
        .set({ status: 'interrupted', phase: null, finishedAt: Date.now(), error: 'The server stopped while the scan ran.' })
        .where(isAbandoned)
    })
  }

  /** Nothing else of its library runs; what does will wake us at its end. */
  const isFree = sql`${scans.libraryId} NOT IN (SELECT library_id FROM scans WHERE status = 'running')`

  /** The next queued scan, as ours. Another process may take it first; then there is the one after it. */
  const claim = async (): Promise<{ scan: ScanRow; library: LibraryRow } | undefined> => {
    for (;;) {
      const [next] = await deps.db
        .select()
        .from(scans)
        .where(and(eq(scans.status, 'queued'), isFree))
        .orderBy(scans.id)
        .limit(1)
      if (!next) return undefined
      const [scan] = await deps.write.transaction((tx) =>
        tx
          .update(scans)
          .set({ status: 'running', phase: 'walking', owner, leaseUntil: Date.now() + SCAN_LEASE_MS, startedAt: Date.now() })
          .where(and(eq(scans.id, next.id), eq(scans.status, 'queued'), isFree))
          .returning(),
      )
      const [library] = await deps.db.select().from(libraries).where(eq(libraries.id, next.libraryId))
      if (scan && library) return { scan, library }
    }
  }

  const announce = (scan: ScanRow, status: string): void =>
    deps.events.emit({ type: 'scan', libraryId: scan.libraryId, scanId: scan.id, status })

  const run = async (
    scan: ScanRow,
    library: LibraryRow,
    { signal, ready }: { signal: AbortSignal; ready: (applier: ScanApplier) => void },
  ): Promise<void> => {
    const warnings: ScanWarning[] = []
    let warningCount = 0
    let phase: ScanPhase = 'walking'
    let savedAt = 0
    const applier = await createScanApplier(deps, { libraryId: library.id, scanId: scan.id })
    ready(applier)
    const listener = listenToOthers(deps, { scanId: scan.id, leaveOut: applier.leaveOut })

    const isWanted = sql`${scans.phase} IS NOT 'cancelling'`

    /** Answers false where the scan is not ours any more, or somebody wants it to stop. */
    const save = async (changes: Partial<ScanRow>): Promise<boolean> => {
      const counters: ScanCounters = applier.counters
      const rows = await deps.write.transaction((tx) =>
        tx
          .update(scans)
          .set({ ...counters, warningCount, warnings, leaseUntil: Date.now() + SCAN_LEASE_MS, ...changes })
          .where(and(eq(scans.id, scan.id), eq(scans.owner, owner), eq(scans.status, 'running'), changes.status ? undefined : isWanted))
          .returning({ phase: scans.phase }),
      )
      savedAt = performance.now()
      announce(scan, changes.status ?? 'running')
      return rows[0] !== undefined
    }

    /** Keeps the lease and the figures fresh; stops the scan when it was cancelled elsewhere or the lease is lost. */
    const heartbeat = async (): Promise<void> => {
      if (signal.aborted) throw new ScanStopped()
      if (performance.now() - savedAt < HEARTBEAT_MS / 4) return
      const [row] = await deps.db
        .select({ phase: scans.phase, status: scans.status, owner: scans.owner })
        .from(scans)
        .where(eq(scans.id, scan.id))
      if (row?.status !== 'running' || row.owner !== owner || row.phase === 'cancelling') throw new ScanStopped()
      if (!(await save({ phase }))) throw new ScanStopped()
    }

    const finishAs = async (status: ScanRow['status'], error: string | null = null): Promise<void> => {
      await save({ status, error, phase: null, leaseUntil: null, finishedAt: Date.now() })
      deps.log.info('scan_finished', { scanId: scan.id, libraryId: library.id, status, error, ...applier.counters, warningCount })
    }

    const beat = async (): Promise<void> => {
      try {
        await heartbeat()
      } catch (error) {
        if (error instanceof ScanStopped) stopper.abort()
        else deps.log.warn('scan_heartbeat_failed', { scanId: scan.id, error })
      }
    }
    const timer = setInterval(() => void beat(), HEARTBEAT_MS)
    const stopper = new AbortController()
    const stopSignal = AbortSignal.any([signal, stopper.signal])
    try {
      const root = await probeRoot(library, stopSignal)
      const { paths } = scan
      const scanner = await startScanner(deps, { library, root: root.path, paths, signal: stopSignal, asColumns: applier.isFirstScan })
      try {
        const walked = await scanner.walk(async (message) => {
          const found = await withoutKnownTrash(deps, root.path, message.warnings)
          warningCount += found.length
          warnings.push(...found.slice(0, MAX_WARNINGS_KEPT - warnings.length))
          if (applier.isFirstScan) await applier.applyFirst(message.units, message.batches)
          else await applier.applyUnits(message.units, message.unchanged)
          applier.counters.found = message.foundItems
          await heartbeat()
        })
        if (walked.rootIsEmpty && (await hasPresentItems(deps, library.id)))
          throw new RootUnavailable('The folder is empty, but it was not before.')
        // A disk that went away during the walk looks like a folder that lost everything.
        await root.assertUnchanged()
        phase = 'matching'
        await save({ phase, walkedAt: Date.now() })
        const checkpoint = (): void => {
          if (stopSignal.aborted) throw new ScanStopped()
        }
        const outcome = await applier.finish({
          paths,
          unreadable: walked.unreadable,
          ownData: walked.ownData,
          hashFiles: scanner.hashFiles,
          hashElsewhere: deps.thumbnails.hashesOf,
          checkpoint,
        })
        for (const libraryId of outcome.others) deps.events.emit({ type: 'library', libraryId })
        await queueNewItems(deps, library.id).catch((error: unknown) =>
          deps.log.error('new_items_not_queued', { libraryId: library.id, error }),
        )
        if (outcome.status === 'held') await finishAs('held', `${outcome.losses} items would go missing.`)
        else await finishAs('done')
      } finally {
        scanner.close()
      }
    } catch (error) {
      if (error instanceof ScanStopped || stopSignal.aborted) await finishAs(isStopped ? 'interrupted' : 'cancelled')
      else if (error instanceof RootUnavailable) await finishAs('failed', 'root_unavailable')
      else {
        deps.log.error('scan_failed', { scanId: scan.id, libraryId: library.id, error })
        await finishAs('failed', 'scan_failed')
      }
    } finally {
      clearInterval(timer)
      listener.stop()
    }
  }

  const start = (scan: ScanRow, library: LibraryRow): void => {
    const stopper = new AbortController()
    deps.log.info('scan_started', { scanId: scan.id, libraryId: library.id, trigger: scan.trigger })
    const applier = Promise.withResolvers<ScanApplier | undefined>()
    const finished = run(scan, library, { signal: stopper.signal, ready: applier.resolve })
      .catch((error: unknown) => deps.log.error('scan_crashed', { scanId: scan.id, error }))
      .finally(() => {
        applier.resolve(undefined)
        running.delete(scan.id)
        // Only now: what waits for a quiet moment looks whether there is one when it hears of this.
        deps.events.emit({ type: 'library', libraryId: library.id })
        claims.wake()
      })
    const leaveOut = async (folder: string): Promise<void> => (await applier.promise)?.leaveOut(folder)
    running.set(scan.id, { libraryId: library.id, stop: () => stopper.abort(), leaveOut, finished })
  }

  const claimAll = async (): Promise<void> => {
    while (!isStopped && running.size < MAX_CONCURRENT_SCANS) {
      const next = await claim()
      if (!next) return
      start(next.scan, next.library)
    }
  }

  const claims = createWakeable({ work: claimAll, onError: (error) => deps.log.error('scan_claim_failed', { error }) })

  const runner = {
    wake: claims.wake,
    cancel: async (scanId: number) => {
      const scan = running.get(scanId)
      scan?.stop()
      await scan?.finished
    },
    leaveOut: async (libraryId: number, folder: string) => {
      const scansOfIt = [...running.values()].filter((scan) => scan.libraryId === libraryId)
      await Promise.all([...scansOfIt.map((scan) => scan.leaveOut(folder)), others.leaveOut(libraryId, folder)])
    },
    reschedule: async () => {
      const asked = ++timesAsked
      const rows = await deps.db.select().from(libraries)
      // On a database elsewhere the older answer may come last.
      if (asked < answered) return
      answered = asked
      // Only now: whoever else reschedules meanwhile leaves jobs of its own behind.
      for (const job of schedules) job.stop()
      schedules = rows.flatMap((row) => (row.scanSchedule === null || isStopped ? [] : [scheduled(row.id, row.scanSchedule)]))
    },
    isBusy: () => running.size > 0 || others.isBusy(),
    start: async () => {
      // In a database file that is ours alone, whatever runs now is not run by anybody.
      await interrupt(isShared ? isExpired() : sql`${scans.owner} IS NOT ${owner}`)
      await runner.reschedule()
      timers.push(
        setInterval(
          quietly('interrupt', () => interrupt(isExpired()).then(claims.wake)),
          SCAN_LEASE_MS / 3,
        ),
      )
      if (isShared) timers.push(setInterval(quietly('others', others.look), OTHERS_INTERVAL_MS))
      claims.wake()
    },
    stop: async () => {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      for (const job of schedules) job.stop()
      // What is being claimed is started yet, and stopped like the others.
      await claims.stop()
      for (const scan of running.values()) scan.stop()
      await Promise.all([...running.values()].map((scan) => scan.finished))
    },
  }
  const timers: ReturnType<typeof setInterval>[] = []

  /** By the clock: what fails is looked at again next time. */
  const quietly = (name: string, work: () => Promise<unknown>) => (): void =>
    void work().catch((error: unknown) => deps.log.warn('scan_upkeep_failed', { work: name, error }))

  const scheduled = (libraryId: number, expression: string): Cron =>
    new Cron(expression, { protect: true }, async () => {
      try {
        await requestScans({ ...deps, scans: runner }, { libraryId, trigger: 'scheduled' })
      } catch (error) {
        deps.log.error('scheduled_scan_failed', { libraryId, error })
      }
    })

  return runner
}

const hasPresentItems = async (deps: Pick<Deps, 'db'>, libraryId: number): Promise<boolean> => {
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT 1 FROM media_items INDEXED BY media_items_by_title WHERE library_id = ? AND missing_since IS NULL LIMIT 1',
    args: [libraryId],
  })
  return rows.length > 0
}
