/**
 * Recognises moved and renamed items: which item of the index is which scanned one, when their keys differ.
 * A pure function of what was found and what is gone, so that every rule has a table of tests.
 *
 * The rules, strongest first: the same inode (its number and birth time), unless it was numbered anew; the same size and
 * modification time, in the same place first; the same partial content hash; for containers, the parent of most children that
 * were recognised. A rule that fits several items decides nothing: a new row and a missing one can be joined later, a tag on the
 * wrong item cannot.
 */

import { type ItemType, isSeries } from '../domain/item-type.ts'
import { baseNameOf } from '../domain/relative-path.ts'
import { namedOf } from './scan-successors.ts'

/** An item of the index that is not where it was. */
export interface GoneItem {
  id: number
  itemType: ItemType
  itemKey: string
  parentId: number | null
  path: string
  size: number | null
  modifiedAt: number
  identity: number | null
  contentHash: string | null
  mainFile: string | null
  /** Null where it was there at the last scan. */
  missingSince: number | null
  /**
   * Another file stands in its place now. It may have moved, or been rewritten in place: only its inode can tell, or that the
   * other file is one that has moved there, so the weaker rules leave it alone.
   */
  isContested: boolean
}

/** A scanned item whose place in the index is not settled. */
export interface UnplacedItem {
  itemType: ItemType
  itemKey: string
  parentKey: string | null
  path: string
  size: number | null
  modifiedAt: number
  identity: number | null
  /** Null where it was not asked for, or the file cannot be read. */
  contentHash: string | null
  mainFile: string | null
}

type Pairing<Gone extends GoneItem = GoneItem> = Map<UnplacedItem, Gone>

/** In place: a file may have a hundred thousand copies, and they share a key. */
const addTo = <Item>(groups: Map<string, Item[]>, key: string, item: Item): void =>
  void groups.getOrInsertComputed(key, () => []).push(item)

/** Pairs those that agree in `keyOf`, where the key names exactly one item on both sides. */
const pairUnique = <Gone extends GoneItem>(
  unplaced: Iterable<UnplacedItem>,
  gone: Iterable<Gone>,
  {
    paired,
    keyOf,
    agrees,
  }: { paired: Pairing<Gone>; keyOf: (item: UnplacedItem | GoneItem) => string | null; agrees: (s: UnplacedItem, g: GoneItem) => boolean },
): void => {
  const taken = new Set(paired.values())
  const goneByKey = new Map<string, Gone[]>()
  for (const item of gone) {
    const key = taken.has(item) ? null : keyOf(item)
    if (key !== null) addTo(goneByKey, key, item)
  }
  const unplacedByKey = new Map<string, UnplacedItem[]>()
  for (const item of unplaced) {
    const key = paired.has(item) ? null : keyOf(item)
    if (key !== null && goneByKey.has(key)) addTo(unplacedByKey, key, item)
  }
  for (const [key, [item, ...others]] of unplacedByKey) {
    const [match, ...otherMatches] = goneByKey.get(key) ?? []
    if (item && match && others.length === 0 && otherMatches.length === 0 && agrees(item, match)) paired.set(item, match)
  }
}

const hashesAgree = (item: UnplacedItem, gone: GoneItem): boolean =>
  item.contentHash === null || gone.contentHash === null || item.contentHash === gone.contentHash

/** Where one of the two has no identity, no inode can tell, and the weaker rules have to do. */
const mayHaveLeft = (item: UnplacedItem, gone: GoneItem): boolean => !gone.isContested || gone.identity === null || item.identity === null

const hasBytesOf = (item: UnplacedItem, known: GoneItem): boolean => item.size === known.size && item.modifiedAt === known.modifiedAt

/**
 * Whether one inode may be told of both. Network drives and programs that are file systems may number theirs as they are looked
 * at, as FAT does (inode-numbers.ts): of files that were born in the same moment each may have the number that another had at the
 * last scan. What was moved has its size and time with it; what has those of its place, or of whose place another has them, has stayed.
 */
const inodesAgree = (unplaced: readonly UnplacedItem[], gone: readonly GoneItem[]) => {
  const standing = new Map(unplaced.map((item) => [item.itemKey, item]))
  const known = new Map(gone.map((item) => [item.itemKey, item]))
  const isInPlace = (item: UnplacedItem | undefined, row: GoneItem | undefined): boolean =>
    item !== undefined && row !== undefined && hasBytesOf(item, row)
  return (item: UnplacedItem, row: GoneItem): boolean =>
    hasBytesOf(item, row) || !(isInPlace(item, known.get(item.itemKey)) || isInPlace(standing.get(row.itemKey), row))
}

/** In the same name first: there may be copies. */
const BY_CONTENT: readonly ((item: UnplacedItem | GoneItem) => string | null)[] = [
  (i) => (i.size && i.contentHash ? `${i.itemType} ${i.size} ${i.contentHash} ${baseNameOf(i.path)}` : null),
  (i) => (i.size && i.contentHash ? `${i.itemType} ${i.size} ${i.contentHash}` : null),
]

const agreesWeakly = (item: UnplacedItem, gone: GoneItem): boolean => mayHaveLeft(item, gone) && hashesAgree(item, gone)

/** Where nobody has read what they hold. */
const BY_TIME = (i: UnplacedItem | GoneItem): string | null => (i.size ? `${i.itemType} ${i.size} ${i.modifiedAt}` : null)

/**
 * Pairs files that others stand in the places of, by their content, or size and time, where what stands there is one of these items as
 * well: they were copied to the places of each other. A file that nobody knows may be a newer version, and what it replaced was kept
 * elsewhere.
 */
const pairExchanged = <Gone extends GoneItem>(unplaced: readonly UnplacedItem[], gone: readonly Gone[], paired: Pairing<Gone>): void => {
  const all: Pairing<Gone> = new Map(paired)
  for (const keyOf of [...BY_CONTENT, BY_TIME]) pairUnique(unplaced, gone, { paired: all, keyOf, agrees: hashesAgree })
  const standing = new Map(unplaced.map((item) => [item.itemKey, item]))
  const leaving = new Map([...all].filter(([item]) => !paired.has(item)).map(([item, match]) => [match.itemKey, item]))
  const isExchanged = (match: Gone): boolean => {
    const occupant = standing.get(match.itemKey)
    const other = occupant && all.get(occupant)
    return !match.isContested || (other !== undefined && other !== match)
  }
  const open = [...leaving.values()]
  for (const item of open) {
    const match = all.get(item)
    if (!match || isExchanged(match)) continue
    all.delete(item)
    // What stood in this place has nothing to leave it to.
    const next = leaving.get(item.itemKey)
    if (next) open.push(next)
  }
  for (const [item, match] of all) paired.set(item, match)
}

/**
 * Where no inode tells its folder, a film or game that has the file of another release of it is still itself, as where that was put
 * in place of its own, unless it has been recognised elsewhere. Of one that had gone before, nothing was replaced.
 */
const withoutRefilled = <Gone extends GoneItem>(unplaced: readonly UnplacedItem[], gone: readonly Gone[], paired: Pairing<Gone>): void => {
  const standing = new Map(unplaced.map((item) => [item.itemKey, item]))
  const occupants = new Map(gone.flatMap((row) => (row.isContested && row.missingSince === null ? [[row.itemKey, row]] : [])))
  const elsewhere = new Set(paired.values())
  const open = [...paired.keys()]
  for (const item of open) {
    const [row, own] = [paired.get(item), occupants.get(item.itemKey)]
    if (!row || !own || own === row || elsewhere.has(own)) continue
    const isTold = item.identity !== null && row.identity !== null
    const name = namedOf(item)
    if (isTold || name === null || name !== namedOf(row)) continue
    paired.delete(item)
    elsewhere.delete(row)
    // What stands in the place of that one has nowhere to leave it to.
    const next = standing.get(row.itemKey)
    if (next) open.push(next)
  }
}

/**
 * Pairs containers by their children: the gone parent of more than half of its recognised children. One that has a child in its
 * place yet keeps it, however much of another one has been put into it, unless it has itself been recognised elsewhere.
 */
const pairContainers = <Gone extends GoneItem>(
  containers: readonly UnplacedItem[],
  { unplaced, gone, paired }: { unplaced: readonly UnplacedItem[]; gone: readonly Gone[]; paired: Pairing<Gone> },
): void => {
  const goneById = new Map(gone.map((item) => [item.id, item]))
  const taken = new Set(paired.values())
  const occupants = new Map(gone.filter((item) => item.isContested && !taken.has(item)).map((item) => [item.itemKey, item]))
  const votes = new Map<string, Map<Gone, number>>()
  for (const child of unplaced) {
    const { parentId = null } = paired.get(child) ?? occupants.get(child.itemKey) ?? {}
    const parent = parentId === null ? undefined : goneById.get(parentId)
    if (!parent || child.parentKey === null) continue
    const count = votes.getOrInsertComputed(child.parentKey, () => new Map())
    count.set(parent, (count.get(parent) ?? 0) + 1)
  }
  const byKey = new Map(containers.map((item) => [item.itemKey, item]))
  const open = [...containers]
  for (const item of open) {
    const counts = [...(votes.get(item.itemKey) ?? [])]
    if (paired.has(item) || counts.some(([g]) => g.isContested && g.itemKey === item.itemKey && !taken.has(g))) continue
    const candidates = counts.filter(([g]) => g.itemType === item.itemType && !taken.has(g))
    const [best] = candidates.sort((a, b) => b[1] - a[1])
    const total = candidates.reduce((sum, [, count]) => sum + count, 0)
    if (!best || best[1] * 2 <= total) continue
    paired.set(item, best[0])
    taken.add(best[0])
    // Its place is free now.
    const next = byKey.get(best[0].itemKey)
    if (next) open.push(next)
  }
}

/** Which gone item each unplaced one is; items that stay without a partner are new, or missing. */
export const matchMoved = <Gone extends GoneItem>(unplaced: readonly UnplacedItem[], gone: readonly Gone[]): Pairing<Gone> => {
  const paired: Pairing<Gone> = new Map()
  const agreesByInode = inodesAgree(unplaced, gone)
  const rules: { keyOf: (item: UnplacedItem | GoneItem) => string | null; agrees: (s: UnplacedItem, g: GoneItem) => boolean }[] = [
    // Hard links share an inode: the name tells them apart first, then being the only one.
    { keyOf: (i) => (i.identity === null ? null : `${i.itemType} ${i.identity} ${baseNameOf(i.path)}`), agrees: agreesByInode },
    { keyOf: (i) => (i.identity === null ? null : `${i.itemType} ${i.identity}`), agrees: agreesByInode },
    // Its file is where it was: one folder more or less is its item now.
    { keyOf: (i) => (i.size && i.mainFile ? `${i.itemType} ${i.size} ${i.modifiedAt} ${i.mainFile}` : null), agrees: agreesWeakly },
    { keyOf: (i) => (i.size ? `${i.itemType} ${i.size} ${i.modifiedAt} ${baseNameOf(i.path)}` : null), agrees: agreesWeakly },
    { keyOf: (i) => (i.size ? `${i.itemType} ${i.size} ${i.modifiedAt} ${i.contentHash}` : null), agrees: agreesWeakly },
    { keyOf: BY_TIME, agrees: agreesWeakly },
    ...BY_CONTENT.map((keyOf) => ({ keyOf, agrees: mayHaveLeft })),
  ]
  for (const { keyOf, agrees } of rules) pairUnique(unplaced, gone, { paired, keyOf, agrees })
  pairExchanged(unplaced, gone, paired)
  withoutRefilled(unplaced, gone, paired)
  // Seasons are recognised by their episodes, then series by their seasons.
  const seasons = unplaced.filter(({ itemType }) => itemType === 'tv_season')
  const series = unplaced.filter(({ itemType }) => isSeries(itemType))
  for (const containers of [seasons, series]) pairContainers(containers, { unplaced, gone, paired })
  return paired
}
