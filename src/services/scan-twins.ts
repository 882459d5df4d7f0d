/**
 * Copies that were there before their originals went: what somebody copies to its new place, has scanned, and only then
 * deletes. By then the copy is an item of its own, so nothing waits for the original. It takes the copy's place all the
 * same, with everything that it carries, as if the file had been moved in one go (FEATURES.md, pain point 2).
 *
 * Only for certain, because a tag on the wrong item cannot be told later: the copy is younger than the original, nobody
 * has touched it, no other untouched one could be meant, and it is the same inode (a hard link) or has the same partial
 * content hash. A series is its copy's where most of what either holds has found its copy. What came as a better
 * file of the same film, game, season, episode or volume while the old one was still there is given its place in the same way
 * (scan-successors.ts), told by its name or by its number in place of the bytes.
 */

import type { InStatement } from '@libsql/client'
import { isContainer } from '../domain/item-type.ts'
import { slicesOf } from '../domain/slices.ts'
import { isLeftOfCopySql } from './left-of-copy.ts'
import { dropCopies } from './scan-inheritance.ts'
import { matchMoved, type UnplacedItem } from './scan-match.ts'
import type { Hashing } from './scan-prints.ts'
import type { IndexRow } from './scan-state.ts'
import { changePlaces, type TwinPair } from './scan-statements.ts'
import { LEVELS, levelOf, PART_TYPES, pairSuccessors, placeOf, WHOLE_TYPES } from './scan-successors.ts'
import {
  IS_BARE,
  type Library,
  listAsLarge,
  listContainers,
  listRows,
  listYounger,
  oldestOf,
  type TwinReach,
  type TwinRow,
  UNTOUCHED,
} from './scan-twin-rows.ts'

/** Pairs a transaction. */
const BATCH_PAIRS = 250

export interface TwinSearch {
  /** Whether the last scan has seen it where the index says. */
  isStanding: (row: TwinRow) => boolean
  /** Whether somebody deletes it, or brings it back, meanwhile. */
  isLeftOut: (row: IndexRow) => boolean
  checkpoint: () => void
}

/** What nobody has read is told by its inode alone: size and time are no proof while both were there. */
const sizeOf = ({ size, contentHash }: IndexRow): number | null => (contentHash === null ? null : size)

interface Held {
  id: number
  /** Children that it holds, or that went when it did. */
  children: number
  /** Those of which a scan has let the copy have its place already. */
  ahead: number
}

const countHeld = async ({ query }: Library, pairs: readonly TwinPair[]): Promise<Map<number, Held>> => {
  const ids = pairs.filter(({ lost }) => isContainer(lost.itemType)).flatMap(({ lost, twin }) => [lost.id, twin.id])
  if (ids.length === 0) return new Map()
  const rows = await query<Held>(
    `SELECT parent.id AS id, sum(child.missing_since IS NULL OR child.missing_since >= parent.missing_since AND NOT (${isLeftOfCopySql('child')})) AS children,
      sum(${isLeftOfCopySql('child')}) AS ahead
    FROM media_items parent JOIN media_items child ON child.parent_id = parent.id WHERE parent.id IN (SELECT value FROM json_each(?)) GROUP BY parent.id`,
    [JSON.stringify(ids)],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Without containers of which not most of the children, on either side, have found their copies, now or before. */
const withMostChildren = async (library: Library, pairs: readonly TwinPair[]): Promise<TwinPair[]> => {
  const held = await countHeld(library, pairs)
  const kept: TwinPair[] = []
  const children = new Map<string, number>()
  // From below, so that seasons which are none of the copy's do not count for their series.
  for (const level of LEVELS.toReversed())
    for (const pair of pairs.filter((one) => levelOf(one.lost.itemType) === level)) {
      const { lost, twin } = pair
      const [before, after] = [held.get(lost.id), held.get(twin.id)]
      const found = children.get(`${lost.id} ${twin.id}`) ?? 0
      const copied = found + Math.min(before?.ahead ?? 0, (after?.children ?? 0) - found)
      const most = Math.max((before?.children ?? 0) + (before?.ahead ?? 0), after?.children ?? 0)
      if (level < 2 && copied * 2 <= most) continue
      const parents = `${lost.parentId} ${twin.parentId}`
      children.set(parents, (children.get(parents) ?? 0) + 1)
      kept.push(pair)
    }
  return kept
}

/** What can be told from others: by its inode, or by its content. */
const recognisable = (losses: readonly IndexRow[]): IndexRow[] =>
  losses.filter(({ size, contentHash, identity }) => size && (contentHash !== null || identity !== null))

/**
 * Has what may be a copy read that nobody has read yet, and keeps what was read: it is asked for now, or when losses are
 * applied. Where the losses are another library's it may be older than they are.
 */
export const readTwins = async (
  library: Library,
  losses: readonly IndexRow[],
  { hashFiles, isElsewhere = false }: Pick<Hashing, 'hashFiles'> & { isElsewhere?: boolean },
): Promise<void> => {
  const hashed = recognisable(losses).filter(({ contentHash }) => contentHash !== null)
  if (hashed.length === 0) return
  const inodes = new Set(losses.map(({ identity }) => identity))
  const reach = isElsewhere ? { libraryIds: [library.libraryId] } : undefined
  const unread = (await listAsLarge(library, hashed, reach)).filter(
    // Those that are told by their inode are not read.
    ({ contentHash, mainFile, identity }) => contentHash === null && mainFile !== null && (identity === null || !inodes.has(identity)),
  )
  if (unread.length === 0) return
  const hashes = await hashFiles(unread.map(({ mainFile }) => mainFile ?? ''))
  const read = unread.map(({ id, modifiedAt }, place) => [id, modifiedAt, hashes[place] ?? null])
  for (const slice of slicesOf(read, BATCH_PAIRS))
    await library.write.batch(
      [
        {
          sql: `UPDATE media_items SET content_hash = row.value ->> 2 FROM json_each(?) AS row
            WHERE media_items.id = row.value ->> 0 AND modified_at = row.value ->> 1 AND content_hash IS NULL`,
          args: [JSON.stringify(slice)],
        },
      ],
      'background',
    )
}

/** Untouched parts of these series and seasons, and films, games and series where they are asked for, that are younger than an id. */
const listYoungerParts = (
  library: Library,
  { after, parents, isWithWholes }: { after: number; parents: readonly (number | null)[]; isWithWholes: boolean },
): Promise<TwinRow[]> =>
  listYounger(library, after, {
    sql: `CASE WHEN item_type IN (SELECT value FROM json_each(?6)) THEN ?4
      ELSE parent_id IN (SELECT value FROM json_each(?5)) AND item_type IN (SELECT value FROM json_each(?7)) END`,
    args: [Number(isWithWholes), JSON.stringify([...new Set(parents)]), JSON.stringify(WHOLE_TYPES), JSON.stringify(PART_TYPES)],
  })

/** Lost films, games, series, seasons, episodes and volumes, and the untouched younger ones that are the same. */
const findStandingSuccessors = async (library: Library, losses: readonly IndexRow[], { isStanding }: TwinSearch): Promise<TwinPair[]> => {
  const lost = losses.filter((row) => placeOf(row, row.parentId) !== null)
  if (lost.length === 0) return []
  const after = oldestOf(lost)
  const isWithWholes = lost.some(({ itemType }) => WHOLE_TYPES.includes(itemType))
  const parents = lost.map(({ parentId }) => parentId)
  const listStanding = async (within: typeof parents, isWithWholes: boolean): Promise<TwinRow[]> =>
    (await listYoungerParts(library, { after, parents: within, isWithWholes })).filter(isStanding)
  const standing = new Map((await listStanding(parents, isWithWholes)).map((row) => [row.id, row]))
  const pairs: TwinPair[] = []
  /** By the series or season that stands there, the one whose place it has. */
  const before = new Map<number | null, number>()
  for (const level of LEVELS) {
    const ofLevel = pairSuccessors(
      [...standing.values()]
        .filter(({ itemType }) => levelOf(itemType) === level)
        .map((row) => ({ row, part: row, place: placeOf(row, before.get(row.parentId) ?? row.parentId) })),
      lost.filter(({ itemType }) => levelOf(itemType) === level).map((row) => ({ row, part: row, place: placeOf(row, row.parentId) })),
      { isAtOnce: false },
    ).flatMap(([twin, gone]) => (gone.row.id < twin.row.id ? [{ lost: gone.row, twin: twin.row }] : []))
    pairs.push(...ofLevel)
    const containers = ofLevel.filter(({ lost: { itemType } }) => isContainer(itemType))
    for (const { lost: gone, twin } of containers) before.set(twin.id, gone.id)
    const within = containers.map(({ twin }) => twin.id)
    if (within.length > 0) for (const row of await listStanding(within, false)) standing.set(row.id, row)
  }
  return pairs
}

const severalOf = (losses: readonly IndexRow[], keyOf: (row: IndexRow) => string | null): IndexRow[][] => {
  const groups = Map.groupBy(losses, (row) => keyOf(row) ?? '')
  groups.delete('')
  return [...groups.values()].filter(({ length }) => length > 1)
}

/**
 * A file that went through several libraries has left an item in each that was scanned meanwhile, and a copy that was deleted
 * has left one too. It is the one on which somebody has put something, or of those with one inode else the first; where two
 * have something of their own, nothing is decided.
 */
const withoutStopovers = async (library: Library, losses: readonly IndexRow[]): Promise<IndexRow[]> => {
  const byInode = severalOf(losses, ({ itemType, identity }) => (identity === null ? null : `${itemType} ${identity}`))
  const byBytes = severalOf(losses, ({ itemType, size, contentHash }) =>
    contentHash === null ? null : `${itemType} ${size} ${contentHash}`,
  )
  const ofOneInode = new Set(byInode)
  const several = [...byInode, ...byBytes]
  const ids = new Set(several.flat().map(({ id }) => id))
  const bare = new Set((await listRows(library, [...ids], IS_BARE)).map(({ id }) => id))
  const left = new Set<number>()
  for (const group of several) {
    const isTouched = group.some(({ id }) => !bare.has(id))
    const first = oldestOf(group)
    for (const { id } of group) if (isTouched ? bare.has(id) : ofOneInode.has(group) && id !== first) left.add(id)
  }
  return losses.filter(({ id }) => !left.has(id))
}

/** Which of the lost items live on in which present ones, told by their bytes. */
export const findTwins = async (
  library: Library,
  losses: readonly IndexRow[],
  { isStanding }: TwinSearch,
  reach?: TwinReach,
): Promise<TwinPair[]> => {
  const files = recognisable(losses)
  if (files.length === 0) return []
  const younger = (await listAsLarge(library, files, reach)).filter(isStanding)
  if (younger.length === 0) return []
  const candidates = [...younger, ...(await listContainers(library, younger)).filter(isStanding)]
  const keyById = new Map(candidates.map(({ id, itemKey }) => [id, itemKey]))
  const twins = new Map<UnplacedItem, TwinRow>(
    candidates.map((row) => [
      { ...row, size: sizeOf(row), parentKey: row.parentId === null ? null : (keyById.get(row.parentId) ?? null) },
      row,
    ]),
  )
  const told = reach === undefined ? losses : await withoutStopovers(library, losses)
  const lost = told.map((row) => ({ ...row, size: sizeOf(row), isContested: false }))
  const pairs = [...matchMoved([...twins.keys()], lost)].flatMap(([to, from]) => {
    const twin = twins.get(to)
    if (twin === undefined) return []
    const isYounger = reach === undefined ? from.id < twin.id : isContainer(from.itemType) || reach.mayBe(from, twin)
    return isYounger ? [{ lost: from, twin }] : []
  })
  return withMostChildren(library, pairs)
}

/** In the same transaction: what is applied a second time, after a crash, must not mark them missing in their new places. */
const noLosses = (ids: readonly number[]): InStatement => ({
  sql: 'DELETE FROM scan_losses WHERE item_id IN (SELECT value FROM json_each(?))',
  args: [JSON.stringify(ids)],
})

const listKeys = async (library: Library, ids: number[], condition?: string): Promise<Map<number, string>> =>
  new Map((await listRows(library, ids, condition)).map(({ id, itemKey }) => [id, itemKey]))

/** Lets lost items take the places of their copies, containers before what is in them; answers which did. */
export const exchange = async (
  library: Library,
  pairs: readonly TwinPair[],
  { isLeftOut, checkpoint }: Pick<TwinSearch, 'isLeftOut' | 'checkpoint'>,
): Promise<TwinPair[]> => {
  const joined: TwinPair[] = []
  for (const level of LEVELS) {
    const ofLevel = pairs.filter((pair) => levelOf(pair.lost.itemType) === level)
    for (const part of slicesOf(ofLevel, BATCH_PAIRS)) {
      checkpoint()
      // Reading the files may have taken long: somebody may have touched one meanwhile, or forgotten it with its library.
      const untouched = await listKeys(
        library,
        part.map(({ twin }) => twin.id),
        UNTOUCHED,
      )
      const known = await listKeys(
        library,
        part.map(({ lost }) => lost.id),
      )
      const left = part.filter(
        ({ lost, twin }) =>
          untouched.get(twin.id) === twin.itemKey && known.get(lost.id) === lost.itemKey && !isLeftOut(lost) && !isLeftOut(twin),
      )
      if (left.length === 0) continue
      const changes = [
        ...changePlaces(left, Date.now()),
        noLosses(left.map(({ lost }) => lost.id)),
        ...dropCopies(left.map(({ lost }) => ({ from: lost }))),
      ]
      const [changed] = await library.write.batch(changes, 'background')
      const ids = new Set(changed?.rows.map(({ id }) => Number(id)))
      joined.push(...left.filter(({ lost }) => ids.has(lost.id)))
    }
  }
  return joined
}

/** Lets lost items live on in their copies, and in what came in their stead; answers which do. */
export const joinTwins = async (library: Library, losses: readonly IndexRow[], search: TwinSearch): Promise<Set<number>> => {
  const copies = await findTwins(library, losses, search)
  const settled = new Set(copies.flatMap(({ lost, twin }) => [lost.id, twin.id]))
  const successors = (await findStandingSuccessors(library, losses, search)).filter(
    ({ lost, twin }) => !settled.has(lost.id) && !settled.has(twin.id),
  )
  const joined = await exchange(library, [...copies, ...successors], search)
  return new Set(joined.map(({ lost }) => lost.id))
}
