import { expect, test } from 'bun:test'
import { folderOf } from '../../src/domain/relative-path.ts'
import type { ScannedItem, ScannedUnit } from '../../src/domain/scanned-item.ts'
import { byDepth, toColumnBatch } from '../../src/scan/column-batch.ts'
import { createScanApplier } from '../../src/services/scan-apply.ts'
import { type TestDatabase, testDatabase } from '../support/test-database.ts'

/** A file of the model: what a disk would tell of it. */
interface ModelFile {
  identity: number
  size: number
  modifiedAt: number
}

const LIBRARY = 1

const scanned = (path: string, file: ModelFile): ScannedItem => ({
  itemType: 'mixed_file',
  path,
  parentPath: null,
  title: path,
  sortTitle: path,
  searchTitle: path,
  sortNumber: null,
  seasonNumber: null,
  episodeNumber: null,
  episodeNumberEnd: null,
  volumeNumber: null,
  chapterNumber: null,
  year: null,
  airedAt: null,
  mediaKind: 'image',
  mimeType: 'image/jpeg',
  size: file.size,
  modifiedAt: file.modifiedAt,
  namedAt: null,
  identity: -file.identity,
  files: [],
  artwork: [],
  thumbnail: null,
  mainFile: path,
  nfo: null,
  pageCount: null,
})

const unitsOf = (disk: ReadonlyMap<string, ModelFile>): ScannedUnit[] => {
  const units = new Map<string, ScannedItem[]>([['', []]])
  for (const [path, file] of disk) units.set(folderOf(path), [...(units.get(folderOf(path)) ?? []), scanned(path, file)])
  return [...units].map(([path, items]) => ({ path, items, signature: String(Bun.hash(JSON.stringify(items))) }))
}

class Cancelled extends Error {}

/** Scans the model as the runner does: unchanged units are only named, the rest goes in small batches. */
const scanModel = async (
  database: TestDatabase,
  disk: ReadonlyMap<string, ModelFile>,
  { stopAfter = Number.POSITIVE_INFINITY, cancelAt = Number.POSITIVE_INFINITY } = {},
) => {
  const { rows } = await database.client.execute('SELECT path, signature FROM scan_units')
  const known = new Map(rows.map((row) => [String(row.path), String(row.signature)]))
  const { rows: scan } = await database.client.execute(
    `INSERT INTO scans (library_id, trigger, status, created_at) VALUES (1, 'manual', 'done', 0) RETURNING id`,
  )
  const applier = await createScanApplier(database, { libraryId: LIBRARY, scanId: Number(scan[0]?.id) })
  const units = unitsOf(disk)
  const changed = units.filter((unit) => known.get(unit.path) !== unit.signature)
  const unchanged = units.filter((unit) => known.get(unit.path) === unit.signature).map((unit) => unit.path)
  await applier.applyUnits([], unchanged)
  for (const [index, unit] of changed.entries()) {
    if (index >= stopAfter) return applier.counters
    const rows = unit.items.map((item) => ({ unit: unit.path, item }))
    if (applier.isFirstScan)
      await applier.applyFirst([{ units: [unit], batches: byDepth(rows).map((group) => toColumnBatch(LIBRARY, group)) }])
    else await applier.applyUnits([unit], [])
  }
  let checks = 0
  const checkpoint = (): void => {
    if (checks++ === cancelAt) throw new Cancelled()
  }
  try {
    const hashFiles = async (paths: string[]) => paths.map(() => null)
    await applier.finish({ paths: null, unreadable: [], ownData: [], hashFiles, hashElsewhere: (_, paths) => hashFiles(paths), checkpoint })
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
  }
  return applier.counters
}

const withLibrary = async () => {
  const database = await testDatabase()
  await database.client.execute(`INSERT INTO libraries (id, name, type, path) VALUES (1, 'Model', 'mixed', '/model')`)
  return database
}

const idsByKey = async (database: TestDatabase): Promise<Map<string, number>> => {
  const { rows } = await database.client.execute('SELECT id, item_key FROM media_items WHERE missing_since IS NULL')
  return new Map(rows.map((row) => [String(row.item_key), Number(row.id)]))
}

/** Numbers from a seed, so that a failing sequence can be run again. */
const randomFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test.each([1, 2, 3, 4, 5])(
  'a file keeps its item through renames, swaps, moves, overwrites, rewrites, killed scans and scans cancelled while they match (seed %d)',
  async (seed) => {
    await using database = await withLibrary()
    const random = randomFrom(seed)
    const disk = new Map<string, ModelFile>()
    let nextIdentity = 1
    const newFile = (): ModelFile => ({ identity: nextIdentity++, size: 1 + random(5), modifiedAt: random(3) })
    for (let i = 0; i < 60; i++) disk.set(`${['', 'a/', 'b/', 'a/c/'][random(4)]}${i}.jpg`, newFile())
    await scanModel(database, disk)
    /** Which item each file is: what must never change while the file is there. */
    const itemOf = new Map<number, number>()
    const learn = async () => {
      const ids = await idsByKey(database)
      for (const [path, file] of disk) itemOf.set(file.identity, itemOf.get(file.identity) ?? ids.get(`mixed_file:1:${path}`) ?? -1)
    }
    await learn()

    for (let round = 0; round < 40; round++) {
      for (let step = random(8); step >= 0; step--) {
        const paths = [...disk.keys()]
        const path = paths[random(paths.length)] ?? ''
        const other = paths[random(paths.length)] ?? ''
        const [file, otherFile] = [disk.get(path), disk.get(other)]
        if (!file || !otherFile) continue
        const action = random(6)
        if (action === 0) {
          disk.delete(path)
          disk.set(`${['', 'a/', 'b/', 'd/', 'a/c/'][random(5)]}${round}-${step}.jpg`, file)
        } else if (action === 1) {
          disk.set(path, otherFile)
          disk.set(other, file)
        } else if (action === 2 && path !== other) {
          // `mv path other`: the file that was called `other` is gone for good.
          disk.delete(path)
          disk.set(other, file)
        } else if (action === 3) disk.set(`${round}-new-${step}.jpg`, newFile())
        else if (action === 4) disk.set(path, { ...file, size: 1 + random(5), modifiedAt: file.modifiedAt + 10 })
        else if (action === 5) {
          const moved = [...disk].filter(([each]) => each.startsWith('a/'))
          for (const [from, each] of moved) {
            disk.delete(from)
            disk.set(from.replace('a/', random(2) ? 'e/' : 'a/'), each)
          }
        }
      }
      if (random(3) === 0) await scanModel(database, disk, { stopAfter: random(3) })
      if (random(3) === 0) await scanModel(database, disk, { cancelAt: random(4) })
      await scanModel(database, disk)
      const ids = await idsByKey(database)
      expect([...ids.keys()].sort()).toEqual([...disk.keys()].map((path) => `mixed_file:1:${path}`).sort())
      for (const [path, file] of disk) {
        const expected = itemOf.get(file.identity)
        if (expected !== undefined) expect({ round, path, id: ids.get(`mixed_file:1:${path}`) }).toEqual({ round, path, id: expected })
      }
      await learn()
    }
    const { rows } = await database.client.execute('SELECT item_count FROM libraries')
    expect(rows[0]?.item_count).toBe(disk.size)
  },
)

/** A network drive that numbers its inodes in the order of their names, as one of a FAT disk may; all of these were born in the same moment. */
const numbered = (names: string): Map<string, ModelFile> =>
  new Map(
    names
      .split(' ')
      .map((name, place) => [`${name}.jpg`, { identity: place + 1, size: 100 + name.charCodeAt(0), modifiedAt: name.charCodeAt(0) }]),
  )

test.each([
  { what: 'one has come before them', now: 'A b c d e' },
  { what: 'one between them has gone', now: 'b d e' },
  { what: 'one is called otherwise, and the last one now', now: 'c d e f', from: 'b' },
])('files of a disk that numbers its inodes anew keep their items where $what', async ({ now, from = '' }) => {
  await using database = await withLibrary()
  await scanModel(database, numbered('b c d e'))
  const before = await idsByKey(database)
  const disk = numbered(now)
  const renamed = numbered('b').get('b.jpg')
  if (from && renamed) disk.set('f.jpg', { ...renamed, identity: 4 })
  await scanModel(database, disk)
  const after = await idsByKey(database)
  const idOf = (ids: Map<string, number>, name: string) => ids.get(`mixed_file:1:${name}.jpg`)
  for (const name of now.split(' '))
    if (name !== 'A') expect([name, idOf(after, name)]).toEqual([name, idOf(before, name === 'f' ? from : name)])
})
