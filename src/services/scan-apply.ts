/**
 * Applies what a scan found to the index, unit by unit while the walk goes on, and settles what is gone or moved at its
 * end. A scan inserts, updates and sets `missing_since`; nothing here deletes a row.
 *
 * An item that might be one that moved (something in the index has its inode, or its size) waits for the end of the
 * walk, because only then is it known which items are gone. A unit's signature is kept in the same transaction as its
 * items, and only once nothing of the unit waits, so that a scan that is killed is finished by the next one.
 */

import type { InStatement } from '@libsql/client'
import type { Deps } from '../deps.ts'
import { isContainer } from '../domain/item-type.ts'
import type { ScannedUnit } from '../domain/scanned-item.ts'
import { byDepth, type ColumnBatch, keyOf, parentKeyOf, toColumnBatch, type UnitItem } from '../scan/column-batch.ts'
import { listOthers } from './scan-between.ts'
import { createFinish, type FinishInput, type FinishOutcome } from './scan-finish.ts'
import { isReplaced } from './scan-ousted.ts'
import { type KnownPrints, loadKnownPrints, printOf } from './scan-prints.ts'
import { upsertStatement } from './scan-rows.ts'
import { createScanState, type IndexRow, type ScanCounters, type ScanTarget } from './scan-state.ts'
import { recountKeys, recountUnits, setSignatures, touchAbove } from './scan-statements.ts'
import { namedOf, PART_TYPES, partOf, titleOfWhole } from './scan-successors.ts'

/** A batch of a first scan: units, and all of their items as columns. */
interface FirstBatch {
  units: readonly Pick<ScannedUnit, 'path' | 'signature'>[]
  batches: readonly ColumnBatch[]
}

export interface ScanApplier {
  counters: ScanCounters
  /** The library never had an item: nothing can have moved or gone, and rows may come as columns. */
  isFirstScan: boolean
  applyFirst(batches: readonly FirstBatch[]): Promise<void>
  applyUnits(units: readonly ScannedUnit[], unchanged: readonly string[]): Promise<void>
  finish(input: FinishInput): Promise<FinishOutcome>
  /** This scan says nothing about a folder any more; resolves once nothing that it has read there is being written. */
  leaveOut(folder: string): Promise<void>
}

export const createScanApplier = async (deps: Pick<Deps, 'db' | 'write'>, target: ScanTarget): Promise<ScanApplier> => {
  const state = await createScanState(deps, target)
  const { libraryId, db, write, isFirstScan, lastId, counters, seenUnits, waiting, waitingSignatures, gone, findChildIn } = state
  const { rowsByKey, collectGone, listLostParts, listNames, listSeries, countChanges, isLeftOut, touchesLeftOut, leaveOut } = state

  /** What the library held before this scan, read when the first new thing turns up. */
  let known: Promise<KnownPrints> | undefined
  let names: Promise<ReadonlySet<string | null>> | undefined
  let series: ReturnType<typeof listSeries> | undefined
  let others: Promise<number[]> | undefined

  /** The rows that might be another item which moved here: its inode, or its size and time or content, is known elsewhere. */
  const findMaybeMoved = async (rows: readonly UnitItem[], existing: ReadonlyMap<string, IndexRow>): Promise<Set<UnitItem>> => {
    if (rows.length === 0) return new Set()
    known ??= loadKnownPrints(db, libraryId)
    const prints = await known
    return new Set(
      rows.filter((row) => {
        const own = existing.get(keyOf(libraryId, row.item))
        // The same size and time in the same place: all of it was copied to another disk, or its inode was not known.
        const print = printOf(row.item)
        const isItself = own?.size === print.size && own.modifiedAt === print.modifiedAt
        return prints.mayKnowInode(print) || (!isItself && prints.mayKnowBytes(print))
      }),
    )
  }

  /** The new films and games of which the library knows another folder. */
  const findKnownNames = async (rows: readonly UnitItem[]): Promise<UnitItem[]> => {
    const named = rows.filter(({ item }) => namedOf(item) !== null)
    if (named.length === 0) return []
    names ??= listNames()
    const known = await names
    return named.filter(({ item }) => known.has(namedOf(item)))
  }

  /** The new series of which the library knows the title from another folder. */
  const findKnownSeries = async (rows: readonly UnitItem[]): Promise<UnitItem[]> => {
    const [first, ...others] = rows.filter(({ item }) => item.itemType === 'tv_series' || item.itemType === 'manga_series')
    if (!first) return []
    series ??= listSeries(first.item.itemType)
    const known = await series
    return [first, ...others].filter(({ item }) => known.get(titleOfWhole(item))?.some(({ path }) => path !== item.path))
  }

  /** The new parts of series that may stand where the series has lost one. */
  const findMaybeParts = async (rows: readonly UnitItem[]): Promise<UnitItem[]> => {
    const parts = rows.filter(({ item }) => PART_TYPES.includes(item.itemType))
    if (parts.length === 0) return []
    const lostParts = await listLostParts([...new Set(parts.map(({ unit }) => unit))])
    const lost = new Map([...Map.groupBy(lostParts, ({ unit }) => unit)].map(([unit, ofUnit]) => [unit, new Set(ofUnit.map(partOf))]))
    return parts.filter(({ unit, item }) => lost.get(unit)?.has(partOf(item)))
  }

  const isElsewhere = (row: IndexRow, { item }: UnitItem): boolean => {
    const { identity, size, modifiedAt } = printOf(item)
    return row.identity !== null && identity !== null ? row.identity !== identity : row.size !== size || row.modifiedAt !== modifiedAt
  }

  /** Files that another one has taken the place of, which may be one that another library has lost: only its inode tells. */
  const findMaybeOusting = async (rows: readonly UnitItem[], existing: ReadonlyMap<string, IndexRow>): Promise<UnitItem[]> => {
    const replaced = rows.filter(({ item }) => isReplaced(printOf(item), existing.get(keyOf(libraryId, item))))
    if (replaced.length === 0) return []
    others ??= listOthers(state)
    return (await others).length === 0 ? [] : replaced
  }

  /** Which rows of a batch must wait for the end of the walk: those that may have moved, and containers above them that are new, or others. */
  const findWaiting = async (rows: readonly UnitItem[], existing: ReadonlyMap<string, IndexRow>): Promise<Set<UnitItem>> => {
    const unsettled = rows.filter((row) => {
      const present = existing.get(keyOf(libraryId, row.item))
      return !present || isElsewhere(present, row)
    })
    const waits = await findMaybeMoved(unsettled, existing)
    const added = rows.filter(({ item }) => !existing.has(keyOf(libraryId, item)))
    const maybe = [
      await findKnownNames(added),
      await findKnownSeries(added),
      await findMaybeParts(added),
      await findMaybeOusting(unsettled, existing),
    ]
    for (const row of maybe.flat()) waits.add(row)
    if (waits.size === 0) return waits
    const unsettledKeys = new Map(unsettled.map((row) => [keyOf(libraryId, row.item), row]))
    for (const row of waits) {
      const parentKey = parentKeyOf(libraryId, row.item)
      const parent = parentKey === null ? undefined : unsettledKeys.get(parentKey)
      if (parent) waits.add(parent)
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

  /** Writes rows whose place is settled, and counts them. `existing` are the rows of the index with their keys. */
  const writeRows = async (given: readonly UnitItem[], existing: ReadonlyMap<string, IndexRow>, more: InStatement[]): Promise<void> => {
    // Nothing may be awaited between this look and the batch: `leaveOut` waits for batches that were made before it.
    const rows = given.filter(({ item }) => !isLeftOut(item.path))
    const now = Date.now()
    const groups = byDepth(rows)
    const upserts = groups.map((group) => upsertStatement(libraryId, toColumnBatch(libraryId, group), { now, isNew: false }))
    const newTopLevel = rows.filter(
      ({ item }) => item.parentPath === null && existing.get(keyOf(libraryId, item))?.missingSince !== null,
    ).length
    const grow: InStatement = { sql: 'UPDATE libraries SET item_count = item_count + ? WHERE id = ?', args: [newTopLevel, libraryId] }
    const containers = rows.filter(({ item }) => isContainer(item.itemType)).map(({ item }) => keyOf(libraryId, item))
    // At once: no scan looks again at a unit of which the signature is kept.
    const recount = containers.length > 0 ? [recountKeys(containers)] : []
    const touch = touchAbove(libraryId, rows, { known: existing, now })
    const results = await write.batch([...upserts, ...more, ...(newTopLevel > 0 ? [grow] : []), ...recount, ...touch], 'background')
    countChanges(results.slice(0, upserts.length), existing)
  }

  const statementsOf = ({ units, batches }: FirstBatch, now: number): InStatement[] => {
    const topLevel = batches.reduce((sum, batch) => sum + batch.topLevel, 0)
    const paths = units.map((unit) => unit.path)
    const signatures = units.map((unit) => [unit.path, unit.signature ?? ''] as const)
    return [
      ...batches.map((batch) => upsertStatement(libraryId, batch, { now, isNew: true })),
      setSignatures(libraryId, signatures),
      ...(batches.some((batch) => batch.count > batch.topLevel) ? [recountUnits(libraryId, paths)] : []),
      {
        sql: 'UPDATE libraries SET item_count = item_count + ?, new_after = coalesce(new_after, ?) WHERE id = ?',
        args: [topLevel, lastId, libraryId],
      },
    ]
  }

  const applyFirst: ScanApplier['applyFirst'] = async (found) => {
    const now = Date.now()
    for (const { units } of found) for (const unit of units) seenUnits.add(unit.path)
    await write.batches(found.map((batch) => statementsOf(batch, now)))
    for (const { batches } of found) for (const batch of batches) counters.added += batch.count
  }

  const applyUnits: ScanApplier['applyUnits'] = async (units, unchanged) => {
    for (const unit of unchanged) seenUnits.add(unit)
    for (const unit of units) seenUnits.add(unit.path)
    const rows = units.flatMap((unit) => unit.items.map((item) => ({ unit: unit.path, item })))
    const signatures = units.map((unit) => [unit.path, unit.signature ?? ''] as const)
    const keys = rows.map(({ item }) => keyOf(libraryId, item))
    const existing = await rowsByKey(keys)
    for (const { item } of rows) {
      const season = existing.get(keyOf(libraryId, item))?.parentId
      const seasonKey = parentKeyOf(libraryId, item)
      if (item.itemType !== 'tv_episode' || season == null || seasonKey === null) continue
      findChildIn(season, seasonKey)
    }
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
      [
        setSignatures(
          libraryId,
          [...settled, ...unsettled].map(([unit, signature]) => [unit, touchesLeftOut(unit) ? '' : signature]),
        ),
      ],
    )
  }

  return { counters, isFirstScan, applyFirst, applyUnits, finish: createFinish(state), leaveOut }
}
