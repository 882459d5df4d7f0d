/**
 * Items whose places in a library have been taken by what has come from another one, or that have gone to one: what stands there is
 * no newer version of them. Of files the inode tells; of folders what is in them. A folder is another series where none of what it
 * held is in its place, and most of what is there was another series elsewhere, by its title, or where the two have changed places.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { isContainer } from '../domain/item-type.ts'
import { listOthers, readSightings } from './scan-between.ts'
import type { UnplacedItem } from './scan-match.ts'
import { type Hashing, MAIN_SIZE, type Print } from './scan-prints.ts'
import type { IndexRow } from './scan-state.ts'
import { titleOfWhole } from './scan-successors.ts'
import { FOUND_AT, IS_BARE, type Library, type TwinRow } from './scan-twin-rows.ts'

const ROWS_A_QUERY = 10_000

interface KnownRow
  extends Pick<TwinRow, 'libraryId' | 'itemType' | 'identity' | 'path' | 'size' | 'contentHash' | 'mainFile' | 'missingSince' | 'foundAt'> {
  isTouched: 0 | 1
}

/** What a scan has found whose place is not settled, who had these places, and what else is not where it was. */
export interface Places {
  unplaced: readonly UnplacedItem[]
  /** By key. */
  occupants: ReadonlyMap<string, IndexRow>
  gone: Iterable<IndexRow>
}

/** Whether another file, with other bytes, stands where the index has this one. */
export const isReplaced = (file: Print, occupant: IndexRow | undefined): occupant is IndexRow =>
  occupant !== undefined &&
  file.identity !== null &&
  occupant.identity !== null &&
  file.identity !== occupant.identity &&
  (file.size !== occupant.size || file.modifiedAt !== occupant.modifiedAt)

/** The same file, or another one with its bytes, would be no replacement. */
const isOtherContent = (file: UnplacedItem, occupant: IndexRow | undefined): occupant is IndexRow =>
  isReplaced(file, occupant) && (file.contentHash === null || file.contentHash !== occupant.contentHash)

/** What libraries know under these inodes, or as large as these files. To ask one by one would read every row each time. */
const listKnown = async (
  { query }: Library,
  libraryIds: readonly number[],
  { identities, sizes }: { identities: readonly number[]; sizes: readonly number[] },
): Promise<KnownRow[]> => {
  const found: KnownRow[] = []
  const [last] = await query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM media_items', [])
  for (let start = 0; start < (last?.id ?? 0); start += ROWS_A_QUERY) {
    const rows = await query<KnownRow>(
      `SELECT library_id AS libraryId, item_type AS itemType, identity, path, ${MAIN_SIZE} AS size, content_hash AS contentHash, main_file AS mainFile,
          missing_since AS missingSince, ${FOUND_AT} AS foundAt, NOT (${IS_BARE}) AS isTouched
        FROM media_items AS item WHERE id > ? AND id <= ? AND library_id IN (SELECT value FROM json_each(?))
          AND (identity IN (SELECT value FROM json_each(?)) OR content_hash IS NOT NULL AND ${MAIN_SIZE} IN (SELECT value FROM json_each(?)))`,
      [start, start + ROWS_A_QUERY, JSON.stringify(libraryIds), JSON.stringify(identities), JSON.stringify(sizes)],
    )
    found.push(...rows)
    await nextTurn()
  }
  return found
}

/** By container, what lies in it at any depth: `above` answers the container of something, and `keyOf` names one. */
const contentsOf = <Item, Key>(
  files: Iterable<Item>,
  above: (item: Item) => Item | undefined,
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> => {
  const contents = new Map<Key, Item[]>()
  for (const file of files)
    for (let folder = above(file); folder; folder = above(folder)) contents.getOrInsertComputed(keyOf(folder), () => []).push(file)
  return contents
}

/** What tells a file wherever it is. */
const printsOf = ({ itemType, identity, size, contentHash }: UnplacedItem | IndexRow): string[] => [
  ...(identity === null ? [] : [`${itemType} ${identity}`]),
  ...(size === null || contentHash === null ? [] : [`${itemType} ${size} ${contentHash}`]),
]

const wordsOfSeries = (path: string): string => titleOfWhole({ itemType: 'tv_series', path: path.split('/', 1)[0] ?? '' }) ?? ''

/** `Show` and `Show S01 1080p` may be one. */
const areOthers = (path: string, other: string): boolean => {
  const [title, before] = [wordsOfSeries(path), wordsOfSeries(other)]
  return !`${title} `.startsWith(`${before} `) && !`${before} `.startsWith(`${title} `)
}

interface Replacement {
  file: UnplacedItem
  occupant: IndexRow
}

interface ReplacedFolder {
  occupant: IndexRow
  /** What lies in it now, at any depth, and what did that is elsewhere, or in whose place something else is. */
  files: readonly UnplacedItem[]
  before: readonly IndexRow[]
}

/** Folders in the places of other ones, of which no file is where it was. */
const listReplacedFolders = ({ unplaced, occupants, gone }: Places): ReplacedFolder[] => {
  const found = new Map(unplaced.map((item) => [item.itemKey, item]))
  const rows = new Map([...gone, ...occupants.values()].map((row) => [row.id, row]))
  const foundIn = contentsOf(
    unplaced.filter(({ itemType }) => !isContainer(itemType)),
    ({ parentKey }) => (parentKey === null ? undefined : found.get(parentKey)),
    ({ itemKey }) => itemKey,
  )
  const wereIn = contentsOf(
    [...rows.values()].filter(({ itemType }) => !isContainer(itemType)),
    ({ parentId }) => (parentId === null ? undefined : rows.get(parentId)),
    ({ id }) => id,
  )
  const stands = (file: UnplacedItem): boolean => occupants.has(file.itemKey) && !isOtherContent(file, occupants.get(file.itemKey))
  return unplaced.flatMap((folder) => {
    const occupant = isContainer(folder.itemType) ? occupants.get(folder.itemKey) : undefined
    const files = foundIn.get(folder.itemKey) ?? []
    if (!occupant || files.some(stands) || (folder.identity !== null && folder.identity === occupant.identity)) return []
    return [{ occupant, files, before: wereIn.get(occupant.id) ?? [] }]
  })
}

interface Traces {
  /** What other libraries know as the same inode, and as the same bytes. */
  inodeOf: (item: UnplacedItem | IndexRow) => readonly KnownRow[]
  copiesOf: (row: IndexRow) => readonly KnownRow[]
  /** Where a file was before; nothing where it may be a link, or a copy, of what is still there. */
  cameFrom: (file: UnplacedItem) => readonly KnownRow[]
  /** The content that stands now where a file came from. */
  standingAt: (from: KnownRow) => string | null
}

/** What other libraries know of these files, and of what has lost its place to them; undefined where that is nothing. */
const trace = async (
  library: Library,
  { libraryIds, files, lost }: { libraryIds: readonly number[]; files: ReadonlySet<UnplacedItem>; lost: ReadonlySet<IndexRow> },
  { hashFiles, hashElsewhere }: Hashing,
): Promise<Traces | undefined> => {
  const known = await listKnown(library, libraryIds, {
    identities: [...files, ...lost].flatMap(({ identity }) => identity ?? []),
    sizes: [...new Set([...files, ...lost].flatMap(({ size }) => size ?? []))],
  })
  if (known.length === 0) return undefined
  const byInode = Map.groupBy(known, ({ itemType, identity }) => `${itemType} ${identity}`)
  const byContent = Map.groupBy(known, ({ itemType, size, contentHash }) => `${itemType} ${size} ${contentHash}`)
  const inodeOf: Traces['inodeOf'] = ({ itemType, identity }) => byInode.get(`${itemType} ${identity}`) ?? []
  const contentOf = ({ itemType, size }: UnplacedItem | IndexRow, hash: string | null) =>
    hash === null ? [] : (byContent.get(`${itemType} ${size} ${hash}`) ?? [])

  const sizes = new Set(known.flatMap(({ contentHash, size }) => (contentHash === null ? [] : (size ?? []))))
  const asked = [...files].filter((file) => inodeOf(file).length > 0 || (file.size !== null && sizes.has(file.size)))
  const hashes = asked.length === 0 ? [] : await hashFiles(asked.map(({ mainFile }) => mainFile ?? ''))
  const hashOf = new Map(asked.map((file, place) => [file, hashes[place] ?? null]))
  const origins = new Map(asked.map((file) => [file, [...new Set([...inodeOf(file), ...contentOf(file, hashOf.get(file) ?? null)])]]))
  const standing = new Map<KnownRow, string | null>()
  for (const [libraryId, rows] of Map.groupBy(new Set([...origins.values()].flat()), (row) => row.libraryId)) {
    const paths = rows.map(({ mainFile }) => mainFile ?? '')
    const there = await hashElsewhere(libraryId, paths).catch(() => [])
    for (const [place, row] of rows.entries()) standing.set(row, there[place] ?? null)
  }
  const standingAt: Traces['standingAt'] = (from) => standing.get(from) ?? null
  return {
    inodeOf,
    copiesOf: (row) => [...inodeOf(row), ...contentOf(row, row.contentHash)],
    cameFrom: (file) => {
      const hash = hashOf.get(file) ?? null
      const from = origins.get(file) ?? []
      return hash === null || from.some((row) => standingAt(row) === hash) ? [] : from
    },
    standingAt,
  }
}

export const listOusted = async (library: Library, places: Places, hashing: Hashing): Promise<Set<number>> => {
  const { unplaced, occupants } = places
  const ousted = new Set<number>()
  const replaced = unplaced.flatMap((file): Replacement[] => {
    const occupant = occupants.get(file.itemKey)
    return !isContainer(file.itemType) && isOtherContent(file, occupant) ? [{ file, occupant }] : []
  })
  const folders = listReplacedFolders(places)
  const libraryIds = replaced.length + folders.length === 0 ? [] : await listOthers(library)
  if (libraryIds.length === 0) return ousted
  const files = replaced.flatMap(({ file }) => (file.mainFile === null ? [] : file))
  const traces = await trace(
    library,
    {
      libraryIds,
      files: new Set([...files, ...folders.flatMap((folder) => folder.files)]),
      lost: new Set([...replaced.map(({ occupant }) => occupant), ...folders.flatMap(({ occupant, before }) => [occupant, ...before])]),
    },
    hashing,
  )
  if (traces === undefined) return ousted
  const { inodeOf, copiesOf, cameFrom, standingAt } = traces
  const lastSeenAt = await readSightings(library)
  const isThere = (row: IndexRow, known: readonly KnownRow[]): boolean =>
    known.some(({ missingSince, foundAt }) => missingSince === null && foundAt >= lastSeenAt(row))
  const placeNow = new Map(unplaced.flatMap((item) => printsOf(item).map((print) => [print, item.itemKey] as const)))
  /** Whether any of them lives on in another place, so that what stands in its own is another one. */
  const hasLeft = async (before: readonly IndexRow[], from: readonly KnownRow[]): Promise<boolean> => {
    const hashes = new Set(before.flatMap(({ contentHash }) => contentHash ?? []))
    if (from.some((row) => hashes.has(standingAt(row) ?? ''))) return true
    if (before.some((row) => printsOf(row).some((print) => (placeNow.get(print) ?? row.itemKey) !== row.itemKey))) return true
    if (before.some((row) => isThere(row, copiesOf(row)))) return true
    // Where nobody has looked yet: by the same name. What has been there all the time is a copy.
    const unknown = before.filter((row) => row.contentHash !== null && copiesOf(row).length === 0)
    const paths = unknown.flatMap(({ mainFile }) => mainFile ?? [])
    const there = await Promise.all(libraryIds.map((id) => (paths.length === 0 ? [] : hashing.hashElsewhere(id, paths).catch(() => []))))
    return there.flat().some((hash) => hash !== null && hashes.has(hash))
  }

  for (const { file, occupant } of replaced) {
    const from = cameFrom(file)
    // On which nobody has put anything is a newer version where the name is the same, however it came.
    const isItself = ({ isTouched, path }: KnownRow): boolean =>
      isTouched === 1 || occupant.contentHash === null || areOthers(path, occupant.path)
    const isOther = inodeOf(file).some(isItself) || (occupant.parentId !== null && from.every(({ path }) => areOthers(path, occupant.path)))
    const isTaken = from.length > 0 && (isOther || (await hasLeft([occupant], from)))
    if (isTaken || isThere(occupant, inodeOf(occupant))) ousted.add(occupant.id)
  }
  for (const { occupant, files: inFolder, before } of folders) {
    const arrived = inFolder.map(cameFrom).filter(({ length }) => length > 0)
    const others = arrived.filter((from) => from.every(({ path }) => areOthers(path, occupant.path)))
    const [isMost, areMostOthers] = [arrived, others].map(({ length }) => length * 2 > inFolder.length)
    const isTaken = isMost && (areMostOthers || (await hasLeft(before, arrived.flat())))
    if (isTaken || isThere(occupant, inodeOf(occupant))) ousted.add(occupant.id)
  }
  return ousted
}
