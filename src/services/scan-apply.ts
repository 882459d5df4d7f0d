/**
 * Applies what a scan found to the index, unit by unit while the walk goes on, and settles what is gone or moved at its
 * end. A scan inserts, updates and sets `missing_since`; nothing here deletes a row.
 *
 * An item that might be one that moved (something in the index has its inode, or its size) waits for the end of the
 * walk, because only then is it known which items are gone. A unit's signature is kept in the same transaction as its
 * items, and only once nothing of the unit waits, so that a scan that is killed is finished by the next one.
 */

import type { InStatement, ResultSet } from '@libsql/client'
import type { Deps } from '../deps.ts'
import { isContainer } from '../domain/item-type.ts'
import type { ScannedUnit } from '../domain/scanned-item.ts'
import { byDepth, type ColumnBatch, keyOf, parentKeyOf, toColumnBatch, type UnitItem } from '../scan/column-batch.ts'
import { type GoneItem, matchMoved, type UnplacedItem } from './scan-match.ts'
import { type KnownPrints, loadKnownPrints } from './scan-prints.ts'
import { upsertStatement } from './scan-rows.ts'
import {
  displace,
  keepLosses,
  markMissingStatements,
  park,
  recountChildren,
  recountLibrary,
  recountUnits,
  setKeys,
  setSignatures,
} from './scan-statements.ts'

export interface ScanCounters {
  found: number
  added: number
  updated: number
  moved: number
  missing: number
  restored: number
}

/** More losses than both of these hold a scan back until an administrator applies them (API.md, 4). */
const HELD_ABOVE_ITEMS = 25
const HELD_ABOVE_SHARE = 0.2

/** Rows a statement, so that one transaction stays short. */
const BATCH_ROWS = 2000

const inParts = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / BATCH_ROWS) }, (_, part) => rows.slice(part * BATCH_ROWS, (part + 1) * BATCH_ROWS))

interface IndexRow extends Omit<GoneItem, 'isContested'> {
  unit: string
  missingSince: number | null
}

const INDEX_COLUMNS = `id, unit, item_type AS itemType, item_key AS itemKey, parent_id AS parentId, path, size, modified_at AS modifiedAt,
  identity, content_hash AS contentHash, missing_since AS missingSince`

export interface FinishInput {
  /** Paths that could not be read. */
  unreadable: readonly string[]
  /** Partial content hashes of files, paths relative to the root, in the order asked. */
  hashFiles: (paths: string[]) => Promise<(string | null)[]>
}

export type FinishOutcome = { status: 'done' } | { status: 'held'; losses: number }

export interface ScanApplier {
  counters: ScanCounters
  /** The library never had an item: nothing can have moved or gone, and rows may come as columns. */
  isFirstScan: boolean
  /** A batch of a first scan. */
  applyFirst(units: readonly Omit<ScannedUnit, 'items'>[], batches: readonly ColumnBatch[]): Promise<void>
  applyUnits(units: readonly ScannedUnit[], unchanged: readonly string[]): Promise<void>
  finish(input: FinishInput): Promise<FinishOutcome>
}

export interface ScanTarget {
  libraryId: number
  scanId: number
}

const isAtOrBelow = (path: string, folder: string): boolean => folder === '' || path === folder || path.startsWith(`${folder}/`)

/** Nothing at, below or above an unreadable place may be called missing: it may well be there. */
const isShielded = (path: string, unreadable: readonly string[]): boolean =>
  unreadable.some((place) => isAtOrBelow(path, place) || isAtOrBelow(place, path))

export const createScanApplier = async (deps: Pick<Deps, 'db' | 'write'>, { libraryId, scanId }: ScanTarget): Promise<ScanApplier> => {
  const { $client: client } = deps.db
  const query = async <Row>(sql: string, args: (string | number)[]): Promise<Row[]> =>
    (await client.execute({ sql, args })).rows.map((row) => ({ ...row }) as Row)

  const [before] = await query<{ some: number }>('SELECT EXISTS (SELECT 1 FROM media_items WHERE library_id = ?) AS some', [libraryId])
  const isFirstScan = before?.some === 0

  const counters: ScanCounters = { found: 0, added: 0, updated: 0, moved: 0, missing: 0, restored: 0 }
  const seenUnits = new Set<string>()
  const waiting: UnitItem[] = []
  const waitingSignatures = new Map<string, string>()
  const gone = new Map<number, IndexRow>()

  const rowsByKey = async (keys: readonly string[]): Promise<Map<string, IndexRow>> => {
    const rows = await query<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM media_items WHERE item_key IN (SELECT value FROM json_each(?))`, [
      JSON.stringify(keys),
    ])
    return new Map(rows.map((row) => [row.itemKey, row]))
  }

  /** Present items of these units that the walk did not find there. */
  const collectGone = async (units: readonly string[], foundKeys: ReadonlySet<string>): Promise<Set<string>> => {
    const rows = await query<IndexRow>(
      `SELECT ${INDEX_COLUMNS} FROM media_items WHERE library_id = ? AND unit IN (SELECT value FROM json_each(?)) AND missing_since IS NULL`,
      [libraryId, JSON.stringify(units)],
    )
    const affected = new Set<string>()
    for (const row of rows) {
      if (foundKeys.has(row.itemKey)) continue
      gone.set(row.id, row)
      affected.add(row.unit)
    }
    return affected
  }

  /** What the library held before this scan, read when the first new thing turns up. */
  let known: Promise<KnownPrints> | undefined

  /** The rows that might be another item which moved here: its inode, or its size and time or content, is known elsewhere. */
  const findMaybeMoved = async (rows: readonly UnitItem[], existing: ReadonlyMap<string, IndexRow>): Promise<Set<UnitItem>> => {
    if (rows.length === 0) return new Set()
    known ??= loadKnownPrints(deps.db, libraryId)
    const prints = await known
    const identities = rows.map(({ item }) => [keyOf(libraryId, item), item.identity])
    const hits = await query<{ place: number }>(
      `SELECT row.key AS place FROM json_each(?2) AS row WHERE EXISTS (SELECT 1 FROM media_items m
          WHERE m.library_id = ?1 AND m.identity = row.value ->> 1 AND m.item_key <> row.value ->> 0)`,
      [libraryId, JSON.stringify(identities)],
    )
    const byIdentity = new Set(hits.map(({ place }) => rows[Number(place)]))
    return new Set(
      rows.filter((row) => {
        const own = existing.get(keyOf(libraryId, row.item))
        // The same size and time in the same place: a disk that came back under another number.
        const isItself = own?.size === row.item.size && own.modifiedAt === row.item.modifiedAt
        return byIdentity.has(row) || (!isItself && prints.mayKnow(row.item))
      }),
    )
  }

  const isElsewhere = (row: IndexRow, { item }: UnitItem): boolean =>
    row.identity !== null && item.identity !== null
      ? row.identity !== item.identity
      : row.size !== item.size || row.modifiedAt !== item.modifiedAt

  /** Which rows of a batch must wait for the end of the walk: those that may have moved, and new containers above them. */
  const findWaiting = async (rows: readonly UnitItem[], existing: ReadonlyMap<string, IndexRow>): Promise<Set<UnitItem>> => {
    const unsettled = rows.filter((row) => {
      const present = existing.get(keyOf(libraryId, row.item))
      return !present || isElsewhere(present, row)
    })
    const waits = await findMaybeMoved(unsettled, existing)
    if (waits.size === 0) return waits
    const unsettledKeys = new Map(unsettled.map((row) => [keyOf(libraryId, row.item), row]))
    for (const row of waits) {
      const parentKey = parentKeyOf(libraryId, row.item)
      const parent = parentKey === null ? undefined : unsettledKeys.get(parentKey)
      if (parent && !existing.has(keyOf(libraryId, parent.item))) waits.add(parent)
    }
    // Children of a waiting container cannot be inserted before it.
    const waitingKeys = new Set([...waits].map((row) => keyOf(libraryId, row.item)))
    for (const row of byDepth(rows).flat()) {
      const parentKey = parentKeyOf(libraryId, row.item)
      if (parentKey === null || !waitingKeys.has(parentKey)) continue
      waits.add(row)
      waitingKeys.add(keyOf(libraryId, row.item))
    }
    return waits
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

  /** Writes rows whose place is settled, and counts them. `existing` are the rows of the index with their keys. */
  const writeRows = async (rows: readonly UnitItem[], existing: ReadonlyMap<string, IndexRow>, more: InStatement[]): Promise<void> => {
    const now = Date.now()
    const groups = byDepth(rows)
    const upserts = groups.map((group) => upsertStatement(libraryId, toColumnBatch(libraryId, group), { now, quiet: false }))
    const newTopLevel = rows.filter(
      ({ item }) => item.parentPath === null && existing.get(keyOf(libraryId, item))?.missingSince !== null,
    ).length
    const grow: InStatement = { sql: 'UPDATE libraries SET item_count = item_count + ? WHERE id = ?', args: [newTopLevel, libraryId] }
    const results = await deps.write.batch([...upserts, ...more, ...(newTopLevel > 0 ? [grow] : [])], 'background')
    countChanges(results.slice(0, upserts.length), existing)
    const containers = rows.filter(({ item }) => isContainer(item.itemType)).map(({ item }) => keyOf(libraryId, item))
    if (containers.length > 0) await recountByKey(containers)
  }

  const applyFirst: ScanApplier['applyFirst'] = async (units, batches) => {
    const now = Date.now()
    const topLevel = batches.reduce((sum, batch) => sum + batch.topLevel, 0)
    const added = batches.reduce((sum, batch) => sum + batch.count, 0)
    for (const unit of units) seenUnits.add(unit.path)
    await deps.write.batch(
      [
        ...batches.map((batch) => upsertStatement(libraryId, batch, { now, quiet: true })),
        setSignatures(
          libraryId,
          units.map((unit) => [unit.path, unit.signature ?? '']),
        ),
        ...(added > topLevel
          ? [
              recountUnits(
                libraryId,
                units.map((unit) => unit.path),
              ),
            ]
          : []),
        { sql: 'UPDATE libraries SET item_count = item_count + ? WHERE id = ?', args: [topLevel, libraryId] },
      ],
      'background',
    )
    counters.found += added
    counters.added += added
  }

  const recountByKey = async (keys: readonly string[]): Promise<void> => {
    const rows = await rowsByKey(keys)
    await deps.write.batch([recountChildren([...rows.values()].map((row) => row.id))], 'background')
  }

  const applyUnits: ScanApplier['applyUnits'] = async (units, unchanged) => {
    for (const unit of unchanged) seenUnits.add(unit)
    for (const unit of units) seenUnits.add(unit.path)
    const rows = units.flatMap((unit) => unit.items.map((item) => ({ unit: unit.path, item })))
    counters.found += rows.length
    const signatures = units.map((unit) => [unit.path, unit.signature ?? ''] as const)
    const keys = rows.map(({ item }) => keyOf(libraryId, item))
    const existing = await rowsByKey(keys)
    // Where a scan was killed between giving an item its new key and its new unit, it was looked for in the old one.
    for (const { id } of existing.values()) gone.delete(id)
    const unitsWithLosses = await collectGone(
      units.map((unit) => unit.path),
      new Set(keys),
    )
    const waits = await findWaiting(rows, existing)
    waiting.push(...waits)
    const open = new Set([...unitsWithLosses, ...[...waits].map((row) => row.unit)])
    for (const [unit, signature] of signatures) if (open.has(unit)) waitingSignatures.set(unit, signature)
    const settled = signatures.filter(([unit]) => !open.has(unit))
    // An open unit gets its row now, without a signature: what is in the index always has a unit to be found by.
    const unsettled = [...open].map((unit) => [unit, ''] as const)
    await writeRows(
      rows.filter((row) => !waits.has(row)),
      existing,
      [setSignatures(libraryId, [...settled, ...unsettled])],
    )
  }

  /** Units that were in the index and that the walk did not come across: what they held is gone, or moved. */
  const collectGoneUnits = async (): Promise<void> => {
    const rows = await query<{ path: string; signature: string }>('SELECT path, signature FROM scan_units WHERE library_id = ?', [
      libraryId,
    ])
    const vanished = rows.filter(({ path }) => !seenUnits.has(path))
    if (vanished.length === 0) return
    // A folder that gets its old name back is the same to its signature, but its items are elsewhere by then.
    const signed = vanished.filter(({ signature }) => signature !== '').map(({ path }) => [path, ''] as const)
    for (const part of inParts(signed)) await deps.write.batch([setSignatures(libraryId, part)], 'background')
    await collectGone(
      vanished.map(({ path }) => path),
      new Set(),
    )
  }

  /** Items that were missing before this scan and that a waiting row may turn out to be. */
  const collectLongGone = async (): Promise<void> => {
    const rows = await query<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM media_items WHERE library_id = ? AND missing_since IS NOT NULL`, [
      libraryId,
    ])
    for (const row of rows) if (!gone.has(row.id)) gone.set(row.id, row)
  }

  const describeWaiting = async (
    hashFiles: FinishInput['hashFiles'],
    candidates: readonly IndexRow[],
  ): Promise<Map<UnplacedItem, UnitItem>> => {
    const hashedSizes = new Set(candidates.filter((row) => row.contentHash !== null).map((row) => row.size))
    const identities = new Set(candidates.map((row) => row.identity))
    const isByContent = ({ item }: UnitItem) => item.mainFile !== null && hashedSizes.has(item.size)
    const wanted = waiting.filter((row) => isByContent(row) && (row.item.identity === null || !identities.has(row.item.identity)))
    const hashes = wanted.length > 0 ? await hashFiles(wanted.map(({ item }) => item.mainFile ?? '')) : []
    const hashOf = new Map(wanted.map((row, index) => [row, hashes[index] ?? null]))
    return new Map(
      waiting.map((row) => {
        const { itemType, path, size, modifiedAt, identity } = row.item
        const contentHash = hashOf.get(row) ?? null
        const keys = { itemKey: keyOf(libraryId, row.item), parentKey: parentKeyOf(libraryId, row.item) }
        return [{ itemType, path, size, modifiedAt, identity, contentHash, ...keys }, row]
      }),
    )
  }

  /** Places everything that waited: moved items keep their rows and get new keys, the rest is new. */
  const placeWaiting = async (hashFiles: FinishInput['hashFiles']): Promise<void> => {
    if (waiting.length === 0) return
    await collectLongGone()
    const occupants = await rowsByKey(waiting.map(({ item }) => keyOf(libraryId, item)))
    const candidates = new Map([...gone, ...[...occupants.values()].map((row) => [row.id, row] as const)])
    const described = await describeWaiting(hashFiles, [...candidates.values()])
    const pool = [...candidates.values()].map((row) => ({ ...row, isContested: occupants.has(row.itemKey) }))
    const moves = [...matchMoved([...described.keys()], pool)].filter(([to, from]) => to.itemKey !== from.itemKey)
    const movedIds = new Set(moves.map(([, from]) => from.id))
    const displaced = moves.flatMap(([to]) => {
      const occupant = occupants.get(to.itemKey)
      return occupant && !movedIds.has(occupant.id) ? [occupant] : []
    })
    const before = new Map([...occupants].filter(([, row]) => !movedIds.has(row.id)))
    for (const [to, from] of moves) before.set(to.itemKey, from)
    for (const { id } of [...occupants.values(), ...moves.map(([, from]) => from)]) gone.delete(id)

    const now = Date.now()
    const keep = (group: readonly UnitItem[]) => upsertStatement(libraryId, toColumnBatch(libraryId, group), { now, quiet: false })
    const parking = [...movedIds, ...displaced.map((row) => row.id)]
    const keying = [
      ...(parking.length > 0
        ? [park(parking), setKeys(moves.map(([to, from]) => ({ id: from.id, itemKey: to.itemKey }))), ...displace(displaced, now)]
        : []),
    ]
    const groups = byDepth(waiting)
    const kept: ResultSet[] = []
    if (waiting.length <= BATCH_ROWS) {
      kept.push(...(await deps.write.batch([...keying, ...groups.map(keep)], 'background')).slice(keying.length))
    } else {
      await deps.write.batch(keying, 'background')
      for (const part of groups.flatMap(inParts)) kept.push(...(await deps.write.batch([keep(part)], 'background')))
    }
    await deps.write.batch([recountLibrary(libraryId)], 'background')
    counters.missing += displaced.filter((row) => row.missingSince === null).length
    counters.moved += moves.length
    const movedKeys = new Set(moves.map(([to]) => to.itemKey))
    countChanges(kept, before, movedKeys)
    await recountParents(waiting)
  }

  const recountParents = async (rows: readonly UnitItem[]): Promise<void> => {
    const keys = rows.flatMap(({ item }) => [keyOf(libraryId, item), parentKeyOf(libraryId, item) ?? []].flat())
    await recountByKey([...new Set(keys)])
  }

  const presentCount = async (): Promise<number> => {
    const [row] = await query<{ total: number }>(
      'SELECT count(*) AS total FROM media_items INDEXED BY media_items_by_title WHERE library_id = ? AND missing_since IS NULL',
      [libraryId],
    )
    return row?.total ?? 0
  }

  const finish: ScanApplier['finish'] = async ({ unreadable, hashFiles }) => {
    await collectGoneUnits()
    for (const row of gone.values()) if (isShielded(row.path, unreadable)) gone.delete(row.id)
    await placeWaiting(hashFiles)
    const losses = [...gone.values()].filter((row) => row.missingSince === null)
    const present = await presentCount()
    counters.found = present - losses.length
    // What this scan has added does not make a loss smaller.
    const before = present - counters.added - counters.restored
    if (losses.length > HELD_ABOVE_ITEMS && losses.length > HELD_ABOVE_SHARE * before) {
      for (const part of inParts(losses)) {
        await deps.write.batch(
          [
            keepLosses(
              scanId,
              part.map((row) => row.id),
            ),
          ],
          'background',
        )
      }
      return { status: 'held', losses: losses.length }
    }
    // Marking clears the signatures of units that lost something; the others are kept only after it, lest a crash between the two hides a loss.
    const lossUnits = new Set(losses.map((row) => row.unit))
    const now = Date.now()
    for (const part of inParts(losses)) {
      await deps.write.batch(
        markMissingStatements(
          part.map((row) => row.id),
          now,
        ),
        'background',
      )
    }
    const signatures = [...waitingSignatures].filter(([unit]) => !lossUnits.has(unit) && !isShielded(unit, unreadable))
    if (signatures.length > 0) await deps.write.batch([setSignatures(libraryId, signatures)], 'background')
    counters.missing += losses.length
    return { status: 'done' }
  }

  return { counters, isFirstScan, applyFirst, applyUnits, finish }
}
