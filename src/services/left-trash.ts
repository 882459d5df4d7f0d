/** The trash outlives its library: its folders lie hidden on the disk, and nothing else knows what they were. */

import { and, eq, sql } from 'drizzle-orm'
import { deletions } from '../db/schema/deletions.ts'
import { leftTrash } from '../db/schema/left-trash.ts'
import { MIN_TRASH_MS, TRASH_COLUMNS } from '../db/trash-rows.ts'
import type { Transaction } from '../db/writer.ts'
import { itemKey } from '../domain/item-key.ts'
import type { LibraryType } from '../domain/item-type.ts'
import { slicesOf } from '../domain/slices.ts'
import { trashEnd } from '../domain/trash-end.ts'

/** Rows a statement, each with some twenty values. */
const SLICE_ROWS = 500

const FIELDS = sql.join(
  TRASH_COLUMNS.map((name) => sql.identifier(name)),
  sql`, `,
)

/** Writes down what the trash of a library holds that is about to be forgotten, and what a crash may have left on its way there or back. */
export const leaveTrash = async (tx: Transaction, libraryId: number): Promise<void> => {
  await tx.run(sql`INSERT INTO left_trash (real_path, library_type, trash_until, later_times, state, ${FIELDS})
    SELECT coalesce(d.root_path, l.real_path, l.path), l.type, trash_until, later_times,
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
  const rows = await tx
    .delete(leftTrash)
    .where(and(eq(leftTrash.realPath, realPath), eq(leftTrash.libraryType, type)))
    .returning()
  const now = Date.now()
  const least = now + MIN_TRASH_MS
  const taken = rows
    .toSorted((a, b) => a.id - b.id)
    .map((row) => ({
      ...row,
      ...((trashEnd(row, now) ?? least) < least ? { trashUntil: least, laterTimes: null } : {}),
      id: undefined,
      libraryId: id,
      itemKey: itemKey(row.itemType, id, row.folder),
      rootPath: realPath,
    }))
  for (const slice of slicesOf(taken, SLICE_ROWS)) await tx.insert(deletions).values(slice)
}
