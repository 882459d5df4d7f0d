/** The rows of the index among which scans look for copies of what is lost (scan-twins.ts, scan-between.ts). */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { slicesOf } from '../domain/slices.ts'
import { MAIN_SIZE } from './scan-prints.ts'
import { INDEX_COLUMNS, type IndexRow, type ScanState } from './scan-state.ts'

/** Ids that are looked through a query, so that requests get their turn in between. */
const BATCH_IDS = 10_000
/** Rows a query, for the same. */
const BATCH_ROWS = 1000
/** Nothing of it was put there by a person; what a model wrote is taken along. */
export const IS_BARE = `item.text_version = 0
  AND NOT EXISTS (SELECT 1 FROM item_tags WHERE item_id = item.id AND source <> 'ai')
  AND NOT EXISTS (SELECT 1 FROM tag_refusals WHERE item_id = item.id)
  AND NOT EXISTS (SELECT 1 FROM progress WHERE item_id = item.id)
  AND NOT EXISTS (SELECT 1 FROM reader_settings WHERE item_id = item.id)`

export const UNTOUCHED = `item.missing_since IS NULL AND ${IS_BARE}`

/** Of the index: present, also where they are gone from the disk. */
export interface TwinRow extends IndexRow {
  foundAt: number
}

/** Since when it is known to be there. Metadata that somebody has read anew says nothing of it. */
export const FOUND_AT = 'iif(updated_at IS nfo_refreshed_at, added_at, updated_at)'

const COLUMNS = `${INDEX_COLUMNS}, ${FOUND_AT} AS foundAt`

export type Library = Pick<ScanState, 'query' | 'libraryId'> & { write: Pick<Deps['write'], 'batch'> }

/** Where else copies are looked for, and which count: scan-between.ts. */
export interface TwinReach {
  libraryIds: readonly number[]
  /** Only those with a higher id. */
  after?: number
  mayBe: (lost: IndexRow, twin: Pick<TwinRow, 'libraryId' | 'identity' | 'foundAt'>) => boolean
}

export const listRows = async ({ query }: Library, ids: readonly number[], condition = 'true'): Promise<TwinRow[]> => {
  const found: TwinRow[] = []
  for (const slice of slicesOf(ids, BATCH_ROWS)) {
    const rows = await query<TwinRow>(
      `SELECT ${COLUMNS} FROM media_items AS item WHERE id IN (SELECT value FROM json_each(?)) AND ${condition}`,
      [JSON.stringify(slice)],
    )
    found.push(...rows)
    await nextTurn()
  }
  return found
}

/** Untouched items of the library, or of those within reach, that are younger than an id and of which the condition holds; its values count on from `?4`. */
export const listYounger = async (
  { query, libraryId }: Library,
  after: number,
  condition: { sql: string; args: (string | number)[]; reach?: Pick<TwinReach, 'libraryIds'> | undefined },
): Promise<TwinRow[]> => {
  const libraryIds = JSON.stringify(condition.reach?.libraryIds ?? [libraryId])
  const [last] = await query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM media_items', [])
  const younger: TwinRow[] = []
  for (let start = after; start < (last?.id ?? 0); start += BATCH_IDS) {
    const rows = await query<TwinRow>(
      `SELECT ${COLUMNS} FROM media_items AS item WHERE id > ?1 AND id <= ?2
        AND library_id IN (SELECT value FROM json_each(?3)) AND ${condition.sql} AND ${UNTOUCHED}`,
      [start, start + BATCH_IDS, libraryIds, ...condition.args],
    )
    younger.push(...rows)
    // A database of our own answers without ever leaving the thread.
    await nextTurn()
  }
  return younger
}

export const oldestOf = (losses: readonly Pick<IndexRow, 'id'>[]): number =>
  losses.reduce((oldest, { id }) => Math.min(oldest, id), Number.MAX_SAFE_INTEGER)

/** Untouched items as large as one of these losses: in the same library younger than the oldest of them, elsewhere of any age. */
export const listAsLarge = (
  library: Library,
  losses: readonly Pick<IndexRow, 'id' | 'size'>[],
  reach?: Pick<TwinReach, 'libraryIds' | 'after'>,
): Promise<TwinRow[]> =>
  listYounger(library, reach === undefined ? oldestOf(losses) : (reach.after ?? 0), {
    sql: `${MAIN_SIZE} IN (SELECT value FROM json_each(?4))`,
    args: [JSON.stringify([...new Set(losses.map(({ size }) => size))])],
    reach,
  })

/** The untouched containers above these items, up to the top. */
export const listContainers = async (library: Library, rows: readonly IndexRow[]): Promise<TwinRow[]> => {
  const ids = [...new Set(rows.flatMap(({ parentId }) => parentId ?? []))]
  const parents = await listRows(library, ids, UNTOUCHED)
  return parents.length === 0 ? [] : [...parents, ...(await listContainers(library, parents))]
}
