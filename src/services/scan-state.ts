/**
 * What one scan knows while it runs: what it has seen, what waits for the end of the walk, and what is gone so far;
 * with the questions to the index that both halves of it ask.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ResultSet } from '@libsql/client'
import type { Database } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import type { ItemType } from '../domain/item-type.ts'
import { isAtOrBelow } from '../domain/relative-path.ts'
import { slicesOf } from '../domain/slices.ts'
import type { UnitItem } from '../scan/column-batch.ts'
import type { GoneItem } from './scan-match.ts'
import { PRINT_COLUMNS } from './scan-prints.ts'
import { namedOf, PART_TYPES, SERIES_PART_COLUMNS, type SeriesPart, titleOfWhole } from './scan-successors.ts'

/** So that requests get their turn in between. */
const NAMES_A_QUERY = 2000
const UNITS_A_QUERY = 50

export interface ScanCounters {
  /** What the walk has come across so far; at the end, what is there. */
  found: number
  added: number
  updated: number
  moved: number
  missing: number
  restored: number
}

export interface ScanTarget {
  libraryId: number
  scanId: number
}

export interface IndexRow extends Omit<GoneItem, 'isContested'>, SeriesPart {
  libraryId: number
  unit: string
  missingSince: number | null
  /** As JSON. */
  files: string | null
}

export const INDEX_COLUMNS = `id, library_id AS libraryId, unit, item_type AS itemType, item_key AS itemKey, parent_id AS parentId, path,
  ${PRINT_COLUMNS}, content_hash AS contentHash, missing_since AS missingSince, main_file AS mainFile,
  iif(item_type = 'movie', files, NULL) AS files, ${SERIES_PART_COLUMNS}`

/** Rows are what the columns of the question say. */
export const rowsOf =
  ({ $client }: Database) =>
  async <Row>(sql: string, args: (string | number)[]): Promise<Row[]> =>
    (await $client.execute({ sql, args })).rows.map((row) => ({ ...row }) as Row)

export const createScanState = async ({ db, write: writer }: Pick<Deps, 'db' | 'write'>, { libraryId, scanId }: ScanTarget) => {
  const query = rowsOf(db)
  const [before] = await query<{ some: number; lastId: number }>(
    'SELECT EXISTS (SELECT 1 FROM media_items WHERE library_id = ?) AS some, (SELECT coalesce(max(id), 0) FROM media_items) AS lastId',
    [libraryId],
  )
  const isFirstScan = before?.some === 0

  const counters: ScanCounters = { found: 0, added: 0, updated: 0, moved: 0, missing: 0, restored: 0 }
  const seenUnits = new Set<string>()
  const waiting: UnitItem[] = []
  const waitingSignatures = new Map<string, string>()
  const gone = new Map<number, IndexRow>()
  const childrenNow = new Map<number, Map<string, number>>()
  const findChildIn = (parentId: number, parentKey: string): void => {
    const counts = childrenNow.getOrInsertComputed(parentId, () => new Map<string, number>())
    counts.set(parentKey, (counts.get(parentKey) ?? 0) + 1)
  }

  /** Folders that left their place, came back, or were changed by us while this scan ran: what was read of them is of no use. */
  const leftOut: string[] = []
  let writing: Promise<unknown> = Promise.resolve()
  const noteWriting = <T>(written: Promise<T>): Promise<T> => {
    writing = Promise.allSettled([writing, written])
    return written
  }
  const write: Pick<Deps['write'], 'batch' | 'batches'> = {
    batch: (statements, priority) => noteWriting(writer.batch(statements, priority)),
    batches: (batches) => noteWriting(writer.batches(batches)),
  }
  const isLeftOut = (path: string): boolean => leftOut.some((folder) => isAtOrBelow(path, folder))
  /** Whether the signature of a unit may speak of such a folder. */
  const touchesLeftOut = (unit: string): boolean => isLeftOut(unit) || leftOut.some((folder) => isAtOrBelow(folder, unit))
  /** Resolves once no batch is under way that was made before. */
  const leaveOut = async (folder: string): Promise<void> => {
    leftOut.push(folder)
    await writing
  }

  const rowsByKey = async (keys: readonly string[]): Promise<Map<string, IndexRow>> => {
    const rows = await query<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM media_items WHERE item_key IN (SELECT value FROM json_each(?))`, [
      JSON.stringify(keys),
    ])
    return new Map(rows.map((row) => [row.itemKey, row]))
  }

  /** Present items of these units that the walk did not find there. */
  const collectGone = async (units: readonly string[], foundKeys: ReadonlySet<string>): Promise<Set<string>> => {
    const affected = new Set<string>()
    for (const slice of slicesOf(units, UNITS_A_QUERY)) {
      const rows = await query<IndexRow>(
        `SELECT ${INDEX_COLUMNS} FROM media_items WHERE library_id = ? AND unit IN (SELECT value FROM json_each(?)) AND missing_since IS NULL`,
        [libraryId, JSON.stringify(slice)],
      )
      for (const row of rows) {
        if (foundKeys.has(row.itemKey)) continue
        gone.set(row.id, row)
        affected.add(row.unit)
      }
      if (units.length > UNITS_A_QUERY) await nextTurn()
    }
    return affected
  }

  /** Parts of series that these units have lost, in this scan or before it. */
  const listLostParts = async (units: readonly string[]): Promise<IndexRow[]> => {
    const missing = await query<IndexRow>(
      `SELECT ${INDEX_COLUMNS} FROM media_items WHERE library_id = ? AND unit IN (SELECT value FROM json_each(?))
        AND missing_since IS NOT NULL AND item_type IN (SELECT value FROM json_each(?))`,
      [libraryId, JSON.stringify(units), JSON.stringify(PART_TYPES)],
    )
    const named = new Set(units)
    return [...[...gone.values()].filter(({ unit }) => named.has(unit)), ...missing]
  }

  /** The films and games that this library holds or has held, as `namedOf` names them. */
  const listNames = async (): Promise<ReadonlySet<string | null>> => {
    const names = new Set<string | null>()
    for (let after = 0, isDone = false; !isDone; ) {
      const rows = await query<Pick<IndexRow, 'id' | 'itemType' | 'path'>>(
        `SELECT id, item_type AS itemType, path FROM media_items WHERE id > ? AND library_id = ? AND item_type IN ('movie', 'game') ORDER BY id LIMIT ?`,
        [after, libraryId, NAMES_A_QUERY],
      )
      for (const row of rows) names.add(namedOf(row))
      after = rows.at(-1)?.id ?? after
      isDone = rows.length < NAMES_A_QUERY
      // A database of our own answers without ever leaving the thread.
      await nextTurn()
    }
    return names
  }

  /** The folders in which a library of series has one, present or missing, by `titleOfWhole`: each is a unit, and nothing is left of where one was before. */
  const listSeries = async (itemType: ItemType): Promise<ReadonlyMap<string | null, readonly { path: string }[]>> => {
    const rows = await query<{ path: string }>(
      `SELECT path FROM scan_units WHERE library_id = ?1
        AND EXISTS (SELECT 1 FROM media_items WHERE library_id = ?1 AND unit = scan_units.path)`,
      [libraryId],
    )
    return Map.groupBy(rows, ({ path }) => titleOfWhole({ itemType, path }))
  }

  /** Counts the rows that upserts have changed. `before`: what the index held under their keys. A moved row is not updated as well. */
  const countChanges = (results: readonly ResultSet[], before: ReadonlyMap<string, IndexRow>, moved?: ReadonlySet<string>): void => {
    for (const { itemKey } of results.flatMap(({ rows }) => rows)) {
      const row = before.get(String(itemKey))
      if (!row) counters.added += 1
      else if (row.missingSince !== null) counters.restored += 1
      else if (!moved?.has(String(itemKey))) counters.updated += 1
    }
  }

  return {
    libraryId,
    scanId,
    db,
    write,
    isFirstScan,
    /** What this scan adds has a higher one. */
    lastId: before?.lastId ?? 0,
    counters,
    /** Paths of units that the walk has come across. */
    seenUnits,
    /** Items whose place is settled at the end of the walk. */
    waiting,
    /** Signatures of units of which something waits or is gone. */
    waitingSignatures,
    /** Items that are not where they were, by id. */
    gone,
    /** By the series or season that the index had them in: in which ones this scan has found how many of its children, by key. */
    childrenNow,
    findChildIn,
    query,
    rowsByKey,
    collectGone,
    listLostParts,
    listNames,
    listSeries,
    countChanges,
    isLeftOut,
    touchesLeftOut,
    leaveOut,
  }
}

export type ScanState = Awaited<ReturnType<typeof createScanState>>
