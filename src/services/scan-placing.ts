/** What waited for the end of the walk gets its place: it is an item that has moved, or a newer file of one, or new. */

import type { ResultSet } from '@libsql/client'
import { isSeries } from '../domain/item-type.ts'
import { baseNameOf } from '../domain/relative-path.ts'
import { slicesOf } from '../domain/slices.ts'
import { byDepth, keyOf, parentKeyOf, toColumnBatch, type UnitItem } from '../scan/column-batch.ts'
import { isLeftOfCopy } from './left-of-copy.ts'
import { dropCopies, enterFolders, inheritTags } from './scan-inheritance.ts'
import { matchMoved, type UnplacedItem } from './scan-match.ts'
import { listOusted } from './scan-ousted.ts'
import { type Hashing, printOf } from './scan-prints.ts'
import { upsertStatement } from './scan-rows.ts'
import { INDEX_COLUMNS, type IndexRow, type ScanState } from './scan-state.ts'
import { displace, displacedPlace, park, recountChildren, recountKeys, setKeys, touchAbove } from './scan-statements.ts'
import { LEVELS, levelOf, pairDated, pairSuccessors, placeOf, WHOLE_TYPES } from './scan-successors.ts'
import { listDivided } from './scan-wholes.ts'

/** Rows a statement, so that one transaction stays short. */
export const BATCH_ROWS = 2000

type Contestable = IndexRow & { isContested: boolean }
type KnownSeries = Awaited<ReturnType<ScanState['listSeries']>>
type Recognised = ReadonlyMap<UnplacedItem, Contestable>

interface KnownPlaces {
  /** By key. */
  occupants: ReadonlyMap<string, IndexRow>
  parents: ReadonlyMap<string, IndexRow>
  /** Whose places have been taken. */
  ousted: ReadonlySet<number>
}

/** Items that were missing before this scan and that a waiting row may turn out to be. */
const collectLongGone = async ({ query, libraryId, gone }: ScanState): Promise<void> => {
  const rows = await query<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM media_items WHERE library_id = ? AND missing_since IS NOT NULL`, [
    libraryId,
  ])
  for (const row of rows) if (!gone.has(row.id)) gone.set(row.id, row)
}

/** When what lies in the trash went: whoever brings it back wants what was on it. */
const listDeletionTimes = async ({ query, libraryId }: ScanState): Promise<Set<number | null>> => {
  const rows = await query<{ at: number }>('SELECT at FROM deletions WHERE library_id = ?', [libraryId])
  return new Set(rows.map(({ at }) => at))
}

const describeWaiting = async (
  { libraryId, waiting }: ScanState,
  hashFiles: Hashing['hashFiles'],
  candidates: readonly IndexRow[],
): Promise<Map<UnplacedItem, UnitItem>> => {
  const hashedSizes = new Set(candidates.filter((row) => row.contentHash !== null).map((row) => row.size))
  const identities = new Set(candidates.map((row) => row.identity))
  const isByContent = ({ item }: UnitItem) => item.mainFile !== null && hashedSizes.has(printOf(item).size)
  const wanted = waiting.filter((row) => isByContent(row) && (row.item.identity === null || !identities.has(row.item.identity)))
  const hashes = wanted.length > 0 ? await hashFiles(wanted.map(({ item }) => item.mainFile ?? '')) : []
  const hashOf = new Map(wanted.map((row, index) => [row, hashes[index] ?? null]))
  return new Map(
    waiting.map((row) => {
      const { itemType, path, mainFile } = row.item
      const contentHash = hashOf.get(row) ?? null
      const keys = { itemKey: keyOf(libraryId, row.item), parentKey: parentKeyOf(libraryId, row.item) }
      return [{ itemType, path, mainFile, ...printOf(row.item), contentHash, ...keys }, row]
    }),
  )
}

/** What nobody recognises by itself, in the places of what is gone: of what went just now, or else of what went long ago. */
const findSuccessors = (
  unplaced: readonly (readonly [UnplacedItem, UnitItem])[],
  pool: readonly Contestable[],
  { recognised, occupants, parents, ousted }: KnownPlaces & { recognised: Recognised },
): [UnplacedItem, Contestable][] => {
  const taken = new Set([...recognised.values()].map(({ id }) => id))
  const recognisedByKey = new Map([...recognised].map(([to, from]) => [to.itemKey, from]))
  const parentIdOf = (key: string | null): number | null => {
    if (key === null) return null
    const standing = parents.get(key)?.id
    return recognisedByKey.get(key)?.id ?? (standing === undefined || taken.has(standing) || ousted.has(standing) ? null : standing)
  }
  /** A game has its place in the folder of its series, which may have been renamed just now. */
  const pathBefore = ({ itemType, path, parentKey }: UnplacedItem): string => {
    const series = itemType === 'game' && parentKey !== null ? recognisedByKey.get(parentKey) : undefined
    return series ? `${series.path}/${baseNameOf(path)}` : path
  }
  const found = unplaced
    .filter(([to]) => !recognised.has(to) && !occupants.has(to.itemKey))
    .map(([to, { item }]) => ({ to, part: item, parentId: parentIdOf(to.parentKey) }))
    .map((one) => ({ ...one, place: placeOf({ ...one.part, path: pathBefore(one.to) }, one.parentId) }))
  // To read the names of all that has ever gone would take seconds.
  const within = new Set(found.map(({ parentId }) => parentId))
  const isWithWholes = found.some(({ part }) => WHOLE_TYPES.includes(part.itemType))
  const lost = pool
    .filter(
      (row) => !taken.has(row.id) && !row.isContested && (WHOLE_TYPES.includes(row.itemType) ? isWithWholes : within.has(row.parentId)),
    )
    .map((row) => ({ row, part: row, missingSince: row.missingSince, place: placeOf(row, row.parentId) }))
  const fresh = pairSuccessors(
    found,
    lost.filter(({ missingSince }) => missingSince === null),
    { isAtOnce: true },
  )
  const settled = new Set(fresh.map(([{ to }]) => to))
  const late = pairSuccessors(
    found.filter(({ to }) => !settled.has(to)),
    lost.filter(({ row, missingSince }) => missingSince !== null && !isLeftOfCopy(row)),
    { isAtOnce: false },
  )
  return [...fresh, ...late].map(([{ to }, { row }]) => [to, row])
}

/** Series that came and went just now, of which one has a year in its name and the other has none. */
const findDated = (
  unplaced: readonly (readonly [UnplacedItem, UnitItem])[],
  pool: readonly Contestable[],
  { recognised, occupants, series }: Pick<KnownPlaces, 'occupants'> & { recognised: Recognised; series: KnownSeries },
): [UnplacedItem, Contestable][] => {
  const taken = new Set([...recognised.values()].map(({ id }) => id))
  const found = unplaced.filter(([to]) => isSeries(to.itemType) && !recognised.has(to) && !occupants.has(to.itemKey))
  const gone = pool.filter((row) => row.missingSince === null)
  const lost = gone.filter((row) => isSeries(row.itemType) && !taken.has(row.id) && !row.isContested)
  if (found.length === 0 || lost.length === 0) return []
  const foundIn = Map.groupBy(unplaced, ([, { unit }]) => unit)
  const goneIn = Map.groupBy(gone, ({ unit }) => unit)
  return pairDated(
    found.map(([to, { unit, item }]) => ({ to, part: item, place: null, parts: (foundIn.get(unit) ?? []).map(([, row]) => row.item) })),
    lost.map((row) => ({ row, part: row, place: null, parts: goneIn.get(row.unit) ?? [] })),
    (title, paths) => (series.get(title) ?? []).every(({ path }) => paths.includes(path)),
  ).map(([{ to }, { row }]) => [to, row])
}

/** Places everything that waited: moved items keep their rows and get new keys, the rest is new. Answers whose places have been taken, where they are now. */
export const placeWaiting = async (state: ScanState, { hashFiles, hashElsewhere }: Hashing): Promise<IndexRow[]> => {
  const { libraryId, write, counters, waiting, gone, findChildIn, rowsByKey, listSeries, countChanges, isLeftOut } = state
  if (waiting.length === 0) return []
  await collectLongGone(state)
  const occupants = await rowsByKey(waiting.map(({ item }) => keyOf(libraryId, item)))
  const parents = await rowsByKey([...new Set(waiting.flatMap(({ item }) => parentKeyOf(libraryId, item) ?? []))])
  const deletionTimes = await listDeletionTimes(state)
  const candidates = new Map([...gone, ...[...occupants.values()].map((row) => [row.id, row] as const)])
  const described = await describeWaiting(state, hashFiles, [...candidates.values()])
  const [newSeries] = waiting.filter(({ item }) => isSeries(item.itemType))
  const series: KnownSeries = newSeries ? await listSeries(newSeries.item.itemType) : new Map()
  const ousted = await listOusted(state, { unplaced: [...described.keys()], occupants, gone: gone.values() }, { hashFiles, hashElsewhere })
  // From here to the batch nothing is awaited: see `leaveOut` of scan-state.ts.
  const placed = waiting.filter(({ item }) => !isLeftOut(item.path))
  const pool = [...candidates.values()]
    .filter(({ path, missingSince }) => !isLeftOut(path) && !deletionTimes.has(missingSince))
    .map((row) => ({ ...row, isContested: occupants.has(row.itemKey) && !ousted.has(row.id) }))
  const unplaced = [...described].filter(([{ path }]) => !isLeftOut(path))
  const recognised = matchMoved(
    unplaced.map(([to]) => to),
    pool,
  )
  const known = { occupants, parents, ousted }
  const settled = new Map(recognised)
  // From above: seasons are looked for in their series, and episodes in their seasons.
  for (const level of LEVELS) {
    const ofLevel = unplaced.filter(([to]) => levelOf(to.itemType) === level)
    for (const [to, from] of findSuccessors(ofLevel, pool, { ...known, recognised: settled })) settled.set(to, from)
    if (level === 0) for (const [to, from] of findDated(unplaced, pool, { occupants, recognised: settled, series })) settled.set(to, from)
  }
  const moves = [...settled].filter(([to, from]) => to.itemKey !== from.itemKey)
  const movedIds = new Set(moves.map(([, from]) => from.id))
  const taken = new Set(moves.map(([to]) => to.itemKey))
  const displaced = unplaced.flatMap(([{ itemKey }]) => {
    const occupant = occupants.get(itemKey)
    return occupant && !movedIds.has(occupant.id) && (taken.has(itemKey) || ousted.has(occupant.id)) ? [occupant] : []
  })
  const displacedIds = new Set(displaced.map(({ id }) => id))
  const before = new Map([...occupants].filter(([, row]) => !movedIds.has(row.id) && !displacedIds.has(row.id)))
  for (const [to, from] of moves) {
    before.set(to.itemKey, from)
    // Also of what lies at the top now, and in nothing.
    if (from.parentId !== null) findChildIn(from.parentId, to.parentKey ?? '')
  }
  for (const { id } of [...occupants.values(), ...moves.map(([, from]) => from)]) gone.delete(id)

  const now = Date.now()
  const keep = (group: readonly UnitItem[]) => upsertStatement(libraryId, toColumnBatch(libraryId, group), { now, isNew: false })
  const parking = [...moves.map(([, from]) => from), ...displaced]
  const newKeys = moves.map(([to, from]) => ({ from, itemKey: to.itemKey }))
  const keying = parking.length > 0 ? [park(parking), setKeys(newKeys), ...displace(displaced, now)] : []
  const divided = listDivided(moves.map(([, from]) => from))
  const entered = moves.map(([to, from]) => ({ id: from.id, from: from.path, to: to.path }))
  const divide = divided.length > 0 ? [inheritTags(divided), enterFolders(entered)] : []
  // With the keys, as nothing tells afterwards what was divided: what it is divided into, which lies at the top.
  const dividedKeys = new Set(divided.map(([, key]) => key))
  const isAtOnce = ({ item }: UnitItem): boolean => placed.length <= BATCH_ROWS || dividedKeys.has(keyOf(libraryId, item))
  const atOnce = byDepth(placed.filter(isAtOnce))
  const later = byDepth(placed.filter((row) => !isAtOnce(row)))
  const finish = [...touchAbove(libraryId, placed, { known: before, now }), ...dropCopies(moves.map(([, from]) => ({ from })))]
  const first = [...keying, ...atOnce.map(keep), ...divide, ...(later.length === 0 ? finish : [])]
  const kept: ResultSet[] = (await write.batch(first, 'background')).slice(keying.length, keying.length + atOnce.length)
  for (const part of later.flatMap((group) => [...slicesOf(group, BATCH_ROWS)])) {
    const left = part.filter(({ item }) => !isLeftOut(item.path))
    if (left.length > 0) kept.push(...(await write.batch([keep(left)], 'background')))
  }
  if (later.length > 0 && finish.length > 0) await write.batch(finish, 'background')
  counters.moved += moves.length
  countChanges(kept, before, taken)
  const counted = placed.flatMap(({ item }) => [keyOf(libraryId, item), parentKeyOf(libraryId, item)]).filter((key) => key !== null)
  await write.batch([recountKeys([...new Set(counted)])], 'background')
  // Also of what has stayed in its place: a new season may have taken it over.
  const left = [...new Set([...occupants.values(), ...moves.map(([, from]) => from)].flatMap(({ parentId }) => parentId ?? []))]
  if (left.length > 0) await write.batch([recountChildren(left)], 'background')
  return displaced.map((row) => ({ ...row, ...displacedPlace(row, now) }))
}
