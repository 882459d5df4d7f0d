/**
 * Scans that other servers run on the same database. While there is one on a remote database, this server's background
 * keeps quiet: the database has one writer, and a scan that waits too long for its turn loses its lease.
 */

import { and, eq, gt, isNotNull, isNull, ne } from 'drizzle-orm'
import { scanLeftOut, scans } from '../db/schema/scans.ts'
import type { Deps } from '../deps.ts'
import { SCAN_LEASE_MS } from '../services/scans.ts'
import { createWakeable } from './wakeable.ts'

/** How soon a scan looks again for what others ask of it, and they whether it has. */
const HEARING_INTERVAL_MS = 500

interface OtherScans {
  isBusy(): boolean
  /** Looks again; says of a library whose scan is over elsewhere that it has changed. */
  look(): Promise<void>
  /** As `ScanRunner.leaveOut`, to the scan of this library that another server runs. One that does not answer is not waited for longer than it is believed alive. */
  leaveOut(libraryId: number, folder: string): Promise<void>
}

type OtherScansDeps = Pick<Deps, 'db' | 'write' | 'log' | 'events'>

export const createOtherScans = (deps: OtherScansDeps, { owner }: { owner: string }): OtherScans => {
  let scanned = new Set<number>()
  const areTheirs = () => and(eq(scans.status, 'running'), isNotNull(scans.owner), ne(scans.owner, owner), gt(scans.leaseUntil, Date.now()))
  return {
    isBusy: () => scanned.size > 0,
    look: async () => {
      const rows = await deps.db.select({ libraryId: scans.libraryId }).from(scans).where(areTheirs())
      const now = new Set(rows.map(({ libraryId }) => libraryId))
      const over = [...scanned].filter((libraryId) => !now.has(libraryId))
      scanned = now
      for (const libraryId of over) deps.events.emit({ type: 'library', libraryId })
    },
    leaveOut: async (libraryId, folder) => {
      // One that is over, and whose losses are being applied, writes nothing that it has read.
      const [scan] = await deps.db
        .select({ id: scans.id })
        .from(scans)
        .where(and(areTheirs(), eq(scans.libraryId, libraryId), isNull(scans.finishedAt)))
      if (!scan) return
      await deps.write.transaction((tx) => tx.insert(scanLeftOut).values({ scanId: scan.id, folder }).onConflictDoNothing())
      const isThis = and(eq(scanLeftOut.scanId, scan.id), eq(scanLeftOut.folder, folder))
      const isUnheard = async (): Promise<boolean> => {
        const rows = await deps.db
          .select({ id: scans.id })
          .from(scanLeftOut)
          .innerJoin(scans, eq(scans.id, scanLeftOut.scanId))
          .where(and(isThis, areTheirs()))
        return rows.length > 0
      }
      const end = Date.now() + SCAN_LEASE_MS
      while (Date.now() < end && (await isUnheard())) await Bun.sleep(HEARING_INTERVAL_MS)
      await deps.write.transaction((tx) => tx.delete(scanLeftOut).where(isThis))
    },
  }
}

/** Hears what other servers ask of a scan of ours, until it is stopped. */
export const listenToOthers = (
  deps: OtherScansDeps,
  { scanId, leaveOut }: { scanId: number; leaveOut: (folder: string) => Promise<void> },
): { stop(): void } => {
  const listener = createWakeable({
    work: async () => {
      const rows = await deps.db.select({ folder: scanLeftOut.folder }).from(scanLeftOut).where(eq(scanLeftOut.scanId, scanId))
      for (const { folder } of rows) {
        await leaveOut(folder)
        await deps.write.transaction((tx) =>
          tx.delete(scanLeftOut).where(and(eq(scanLeftOut.scanId, scanId), eq(scanLeftOut.folder, folder))),
        )
      }
    },
    onError: (error) => deps.log.warn('scan_not_told', { scanId, error }),
  })
  const timer = setInterval(listener.wake, HEARING_INTERVAL_MS)
  return {
    stop: () => {
      clearInterval(timer)
      void listener.stop()
    },
  }
}
