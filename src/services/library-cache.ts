/**
 * Libraries are few, hardly ever change, and every request asks for one. A row is believed for a second: long enough
 * for a burst of requests, short enough that a change by another server process on the same database is soon seen.
 * `item_count` changes with every scan and is not to be read from here.
 */

import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { libraries } from '../db/schema/libraries.ts'

export type LibraryRow = typeof libraries.$inferSelect

const BELIEVED_MS = 1000

interface Remembered {
  row: LibraryRow
  readAt: number
}

const caches = new WeakMap<Database, Map<number, Remembered>>()

const cacheOf = (db: Database): Map<number, Remembered> => caches.getOrInsertComputed(db, () => new Map())

export const findLibrary = async (db: Database, libraryId: number): Promise<LibraryRow | undefined> => {
  const cache = cacheOf(db)
  const remembered = cache.get(libraryId)
  if (remembered && performance.now() - remembered.readAt < BELIEVED_MS) return remembered.row
  const readAt = performance.now()
  const [row] = await db.select().from(libraries).where(eq(libraries.id, libraryId))
  // Of ids that no library has there is no end.
  if (row) cache.set(libraryId, { row, readAt })
  return row
}

/** After every change of a library by this process. */
export const forgetLibraries = (db: Database): void => {
  caches.delete(db)
}
