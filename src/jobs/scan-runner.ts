/**
 * Runs queued scans, of which it claims the rows (scan-run.ts is one of them).
 *
 * A running scan holds a lease on its row. A process that dies lets the lease run out, and whoever starts next calls
 * the scan `interrupted`; two server processes on one remote database can therefore never run one scan twice.
 */

import { hostname } from 'node:os'
import { Cron } from 'croner'
import { and, eq, gt, isNotNull, lt, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import { scans } from '../db/schema/scans.ts'
import type { ScanRunner } from '../deps.ts'
import type { LibraryRow } from '../services/library-cache.ts'
import type { ScanApplier } from '../services/scan-apply.ts'
import { requestScans, SCAN_LEASE_MS, type ScanRow } from '../services/scans.ts'
import { MOST_SKEW_MS } from './clock-watch.ts'
import { createOtherScans } from './other-scans.ts'
import { runScan, type ScanRunDeps } from './scan-run.ts'
import { createScanners } from './scanner-worker.ts'
import { createWakeable } from './wakeable.ts'

const OTHERS_INTERVAL_MS = 1_000
/** A disk that hangs must not hold up every other library; more than two only fight over the same cores. */
const MAX_CONCURRENT_SCANS = 2

interface RunningScan {
  libraryId: number
  stop(): void
  leaveOut(folder: string): Promise<void>
  finished: Promise<void>
}

interface ScanJobs extends ScanRunner {
  isBusy(): boolean
  start(): Promise<void>
  stop(): Promise<void>
}

export const createScanRunner = (deps: ScanRunDeps, { isShared }: { isShared: boolean }): ScanJobs => {
  const owner = `${hostname()}-${process.pid}-${crypto.randomUUID()}`
  const running = new Map<number, RunningScan>()
  const others = createOtherScans(deps, { owner })
  const scanners = createScanners(deps)
  let schedules: Cron[] = []
  let timesAsked = 0
  /** Which time it was that `schedules` are the answer of. */
  let answered = 0
  let isStopped = false

  /** Scans whose lease has run out: their process died, perhaps with its clock ahead. Those that run here say themselves how they end. */
  const isExpired = () => {
    const now = Date.now()
    // Our own are ahead after our clock is set back, until they are renewed.
    const isTooFar = and(gt(scans.leaseUntil, now + SCAN_LEASE_MS + MOST_SKEW_MS), sql`${scans.owner} IS NOT ${owner}`)
    return and(notInArray(scans.id, [...running.keys()]), or(lt(scans.leaseUntil, now), isTooFar))
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

  const start = (scan: ScanRow, library: LibraryRow): void => {
    const stopper = new AbortController()
    deps.log.info('scan_started', { scanId: scan.id, libraryId: library.id, trigger: scan.trigger })
    const applier = Promise.withResolvers<ScanApplier | undefined>()
    const finished = runScan(deps, { scan, library, owner, scanners, stopper, ready: applier.resolve, isEnding: () => isStopped })
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
      scanners.close()
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
