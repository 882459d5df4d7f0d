/**
 * Copies that were there before their originals went: what somebody copies to its new place, has scanned, and only then
 * deletes. By then the copy is an item of its own, so nothing waits for the original. It takes the copy's place all the
 * same, with everything that it carries, as if the file had been moved in one go (FEATURES.md, pain point 2).
 *
 * Only for certain, because a tag on the wrong item cannot be told later: the copy is younger than the original, nobody
 * has touched it, it is the only one, and it is the same inode (a hard link) or has the same partial content hash.
 */

import { isContainer } from '../domain/item-type.ts'
import { matchMoved, type UnplacedItem } from './scan-match.ts'
import { INDEX_COLUMNS, type IndexRow, type ScanState } from './scan-state.ts'
import type { TwinPair } from './scan-statements.ts'

/** Ids a query, so that requests get their turn in between. */
const BATCH_IDS = 10_000

/** Nothing of it was put there by a person; what a model wrote is taken along. */
const UNTOUCHED = `item.missing_since IS NULL AND item.text_version = 0
  AND NOT EXISTS (SELECT 1 FROM item_tags WHERE item_id = item.id AND source <> 'ai')
  AND NOT EXISTS (SELECT 1 FROM tag_refusals WHERE item_id = item.id)
  AND NOT EXISTS (SELECT 1 FROM progress WHERE item_id = item.id)
  AND NOT EXISTS (SELECT 1 FROM reader_settings WHERE item_id = item.id)`

interface TwinRow extends IndexRow {
  mainFile: string | null
}

const COLUMNS = `${INDEX_COLUMNS}, main_file AS mainFile`

interface TwinSearch {
  /** As in `FinishInput`. */
  hashFiles: (paths: string[]) => Promise<(string | null)[]>
  /** Whether this scan has seen to it that the item is where the index says. */
  isStanding: (row: IndexRow) => boolean
}

/** Untouched items of the library that are younger than the oldest loss and as large as one of them. */
const listYounger = async ({ query, libraryId }: ScanState, losses: readonly IndexRow[]): Promise<TwinRow[]> => {
  const sizes = JSON.stringify([...new Set(losses.map(({ size }) => size))])
  const [last] = await query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM media_items', [])
  const younger: TwinRow[] = []
  for (let after = Math.min(...losses.map(({ id }) => id)); after < (last?.id ?? 0); after += BATCH_IDS) {
    const rows = await query<TwinRow>(
      `SELECT ${COLUMNS} FROM media_items AS item WHERE id > ? AND id <= ? AND library_id = ?
        AND size IN (SELECT value FROM json_each(?)) AND ${UNTOUCHED}`,
      [after, after + BATCH_IDS, libraryId, sizes],
    )
    younger.push(...rows)
  }
  return younger
}

/** The untouched containers above these items, up to the top. */
const listContainers = async (state: ScanState, rows: readonly IndexRow[]): Promise<TwinRow[]> => {
  const ids = [...new Set(rows.flatMap(({ parentId }) => parentId ?? []))]
  if (ids.length === 0) return []
  const parents = await state.query<TwinRow>(
    `SELECT ${COLUMNS} FROM media_items AS item WHERE id IN (SELECT value FROM json_each(?)) AND ${UNTOUCHED}`,
    [JSON.stringify(ids)],
  )
  return [...parents, ...(await listContainers(state, parents))]
}

/** Series, then seasons, then what has a file. */
const levelOf = ({ lost }: TwinPair): number => (lost.itemType === 'tv_season' ? 1 : isContainer(lost.itemType) ? 0 : 2)

/** What nobody has read is told by its inode alone: size and time are no proof while both were there. */
const sizeOf = ({ size, contentHash }: IndexRow): number | null => (contentHash === null ? null : size)

/** Which of the lost items live on in which present ones, level by level, containers before what is in them. */
export const findTwins = async (
  state: ScanState,
  losses: readonly IndexRow[],
  { hashFiles, isStanding }: TwinSearch,
): Promise<TwinPair[][]> => {
  const files = losses.filter(({ size, contentHash, identity }) => size && (contentHash !== null || identity !== null))
  if (files.length === 0) return []
  const younger = (await listYounger(state, files)).filter(isStanding)
  if (younger.length === 0) return []
  const unread = younger.filter(({ contentHash, mainFile }) => contentHash === null && mainFile !== null)
  const read = unread.length > 0 ? await hashFiles(unread.map(({ mainFile }) => mainFile ?? '')) : []
  const hashes = new Map(unread.map(({ id }, place) => [id, read[place] ?? null]))
  const candidates = [...younger, ...(await listContainers(state, younger)).filter(isStanding)].map((row) => ({
    ...row,
    contentHash: row.contentHash ?? hashes.get(row.id) ?? null,
  }))
  const keyById = new Map(candidates.map(({ id, itemKey }) => [id, itemKey]))
  const twins = new Map<UnplacedItem, IndexRow>(
    candidates.map((row) => [
      { ...row, size: sizeOf(row), parentKey: row.parentId === null ? null : (keyById.get(row.parentId) ?? null) },
      row,
    ]),
  )
  const lost = losses.map((row) => ({ ...row, size: sizeOf(row), isContested: false }))
  const pairs = [...matchMoved([...twins.keys()], lost)].flatMap(([to, from]) => {
    const twin = twins.get(to)
    return twin && from.id < twin.id ? [{ lost: from, twin }] : []
  })
  return [0, 1, 2].map((level) => pairs.filter((pair) => levelOf(pair) === level)).filter((level) => level.length > 0)
}
