/**
 * A first scan writes its items marked as new, which keeps them out of the indexes of what the background has still to do
 * (schema/media-items.ts): a tenth of the scan would go into those. Whoever looks for such work puts them in before, in small
 * pieces; from then on, and for every item that a later scan adds, the indexes hold all that there is.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'

/** Items that are put in at a time, over which other requests have to wait. */
const PIECE = 500

/** As the indexes say it: only so does SQLite know that they hold what is asked for. */
export const IS_SETTLED = sql`NOT ${mediaItems.isNew}`

/** Nothing can be kept of them then either. */
const isFull = (error: unknown): boolean => error instanceof AppError && error.code === 'insufficient_storage'

/** The next of them. Where two libraries have new ones, those of the one that has come less far, with whatever else lies there. */
const FIRST = '(SELECT min(new_after) FROM libraries)'
const NEXT = `SELECT id FROM media_items WHERE id > ${FIRST} ORDER BY id LIMIT ${PIECE}`

const SETTLE_NEXT = [
  `UPDATE media_items SET is_new = false WHERE is_new AND id IN (${NEXT})`,
  // Null behind the last one.
  `UPDATE libraries SET new_after = (SELECT max(id) FROM (${NEXT})) WHERE new_after = ${FIRST}`,
]

/** Whether some of a library are in none of those indexes yet. */
export const hasNewItems = async ({ db }: Pick<Deps, 'db'>, libraryId: number): Promise<boolean> => {
  const { rows } = await db.$client.execute({ sql: 'SELECT 1 FROM libraries WHERE id = ? AND new_after IS NOT NULL', args: [libraryId] })
  return rows.length > 0
}

/** Puts some new items into the indexes; false once none is left, or where the disk is full. */
export const settleNewItems = async ({ db, write }: Pick<Deps, 'db' | 'write'>): Promise<boolean> => {
  const { rows } = await db.$client.execute('SELECT 1 FROM libraries WHERE new_after IS NOT NULL LIMIT 1')
  // A database of our own answers without ever leaving the thread.
  await nextTurn()
  if (rows.length === 0) return false
  // Where the power fails it is done again.
  return write.batches([SETTLE_NEXT]).then(
    () => true,
    (error: unknown) => {
      if (isFull(error)) return false
      throw error
    },
  )
}
