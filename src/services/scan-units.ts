/** What scans remember of the units that they have read. */

import { and, eq } from 'drizzle-orm'
import { scanUnits } from '../db/schema/scans.ts'
import type { Transaction } from '../db/writer.ts'
import type { MediaItemRow } from './visible.ts'

/**
 * The next scan reads the unit of this item again. Where a file was entered without a scan and is gone before one has seen
 * it, the unit is as the last scan left it, and the row would keep the file for ever.
 */
export const readUnitAgain = async (tx: Transaction, { libraryId, unit }: Pick<MediaItemRow, 'libraryId' | 'unit'>): Promise<void> => {
  await tx
    .update(scanUnits)
    .set({ signature: '' })
    .where(and(eq(scanUnits.libraryId, libraryId), eq(scanUnits.path, unit)))
}
