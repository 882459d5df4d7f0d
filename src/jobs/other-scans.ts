/**
 * Scans that other servers run on the same remote database. While there is one, this server's background keeps quiet:
 * the database has one writer, and a scan that waits too long for its turn loses its lease.
 */

import { and, eq, gt, isNotNull, ne } from 'drizzle-orm'
import { scans } from '../db/schema/scans.ts'
import type { Deps } from '../deps.ts'

export interface OtherScans {
  isBusy(): boolean
  /** Looks again; says of a library whose scan is over elsewhere that it has changed. */
  look(): Promise<void>
}

export const createOtherScans = (deps: Pick<Deps, 'db' | 'events'>, { owner }: { owner: string }): OtherScans => {
  let scanned = new Set<number>()
  return {
    isBusy: () => scanned.size > 0,
    look: async () => {
      const rows = await deps.db
        .select({ libraryId: scans.libraryId })
        .from(scans)
        .where(and(eq(scans.status, 'running'), isNotNull(scans.owner), ne(scans.owner, owner), gt(scans.leaseUntil, Date.now())))
      const now = new Set(rows.map(({ libraryId }) => libraryId))
      const over = [...scanned].filter((libraryId) => !now.has(libraryId))
      scanned = now
      for (const libraryId of over) deps.events.emit({ type: 'library', libraryId })
    },
  }
}
