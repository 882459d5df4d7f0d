/** The trash outlives its library: its folders lie hidden on the disk, and nothing else knows what they were. */

import { sql } from 'drizzle-orm'
import { MIN_TRASH_MS, TRASH_COLUMNS } from '../db/trash-rows.ts'
import type { Transaction } from '../db/writer.ts'
import type { LibraryType } from '../domain/item-type.ts'

const FIELDS = sql.join(
  TRASH_COLUMNS.map((name) => sql.identifier(name)),
  sql`, `,
)

/** Writes down what the trash of a library holds that is about to be forgotten, and what a crash may have left on its way there or back. */
export const leaveTrash = async (tx: Transaction, libraryId: number): Promise<void> => {
  await tx.run(sql`INSERT INTO left_trash (real_path, library_type, trash_until, state, ${FIELDS})
    SELECT coalesce(d.root_path, l.real_path, l.path), l.type, trash_until,
      CASE WHEN state = 'removing' OR trash_until IS NULL THEN 'removing' ELSE 'trashed' END, ${FIELDS} FROM deletions d
    JOIN (SELECT id, real_path, path, type FROM libraries) l ON l.id = d.library_id
    WHERE d.library_id = ${libraryId}`)
}

/**
 * Gives a library what an earlier one of the same type left in its folder, or a restored database did not know to be its own. The
 * items are known no more: a scan finds what is restored.
 */
export const takeOverTrash = async (
  tx: Transaction,
  { id, realPath, type }: { id: number; realPath: string; type: LibraryType },
): Promise<void> => {
  const isLeft = sql`real_path = ${realPath} AND library_type = ${type}`
  await tx.run(sql`INSERT INTO deletions (library_id, item_key, root_path, trash_until, state, ${FIELDS})
    SELECT ${id}, item_type || ':' || ${String(id)} || ':' || folder, real_path, max(trash_until, ${Date.now() + MIN_TRASH_MS}), state, ${FIELDS}
    FROM left_trash WHERE ${isLeft} ORDER BY id`)
  await tx.run(sql`DELETE FROM left_trash WHERE ${isLeft}`)
}
