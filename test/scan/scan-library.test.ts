import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LibraryType } from '../../src/domain/item-type.ts'
import type { ScannedUnit, ScanWarning } from '../../src/domain/scanned-item.ts'
import { RootUnavailableError, scanLibrary } from '../../src/scan/scan-library.ts'
import { makeTree, type Tree } from '../support/library-tree.ts'

let base = ''
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'vitrine-scan-'))
  chmodSync(base, 0o755)
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

let count = 0
const makeRoot = (tree: Tree): string => makeTree(join(base, `root-${++count}`), tree)

interface Options {
  known?: Record<string, string>
  batchSize?: number
  paths?: string[]
  /** Called between two steps. */
  between?: () => void
}

const scan = (libraryType: LibraryType, root: string, { known = {}, batchSize = 100, paths, between }: Options = {}) => {
  const units: ScannedUnit[] = []
  const unchanged: string[] = []
  const warnings: ScanWarning[] = []
  const batchSizes: number[] = []
  const found: number[] = []
  const steps = scanLibrary({ libraryType, root, paths: paths ?? null, knownSignatures: known, batchSize })
  for (;;) {
    const step = steps.next()
    if (step.done) {
      const signatures = Object.fromEntries(units.flatMap(({ path, signature }) => (signature === null ? [] : [[path, signature]])))
      return { units, unchanged, warnings, batchSizes, found, signatures, items: units.flatMap((unit) => unit.items), ...step.value }
    }
    between?.()
    if (!step.value) continue
    units.push(...step.value.units)
    unchanged.push(...step.value.unchanged)
    warnings.push(...step.value.warnings)
    found.push(step.value.foundItems)
    batchSizes.push(step.value.units.reduce((sum, unit) => sum + unit.items.length, 0))
  }
}

test('a root that is gone, no folder, or unreadable ends the scan', () => {
  const root = makeRoot({ 'file.txt': 1 })
  expect(() => scan('mixed', join(root, 'nowhere'))).toThrow(RootUnavailableError)
  expect(() => scan('movies', join(root, 'file.txt'))).toThrow(RootUnavailableError)
  const isRoot = process.geteuid?.() === 0
  chmodSync(root, 0o000)
  if (isRoot) process.seteuid?.(65534)
  try {
    expect(() => scan('tv', root)).toThrow(RootUnavailableError)
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(root, 0o755)
  }
})

test('a root that is exchanged while the scan goes on ends it', () => {
  const root = makeRoot({ 'a/1.jpg': 1, 'b/2.jpg': 1, 'c/3.jpg': 1 })
  const exchange = (): void => {
    renameSync(root, `${root}-old`)
    mkdirSync(root)
  }
  let steps = 0
  expect(() => scan('mixed', root, { between: () => ++steps === 2 && exchange() })).toThrow(RootUnavailableError)
})

test('a root that holds nothing but ignored entries is empty', () => {
  expect(scan('movies', makeRoot({ '.DS_Store': 1, '@eaDir': { 'x.mkv': 1 }, '#recycle': {} })).rootIsEmpty).toBe(true)
  expect(scan('mixed', makeRoot({ '.ignore': '', 'a.jpg': 1 }))).toMatchObject({ rootIsEmpty: true, items: [] })
  expect(scan('movies', makeRoot({ 'notes.txt': 1 })).rootIsEmpty).toBe(false)
})

test('mixed: every file is an item, titled with its whole name; each folder with files is a unit', () => {
  const { units, items } = scan(
    'mixed',
    makeRoot({ 'top.pdf': 5, '2020/beach.JPG': 7, '2020/trip/clip.mp4': 9, '2020/trip/noise': 1, empty: {}, 'none.jpg': 0 }),
  )
  expect(units.map(({ path, items: own }) => [path, own.length])).toEqual([
    ['', 2],
    ['2020', 1],
    ['2020/trip', 2],
  ])
  expect(
    items.map(({ itemType, path, title, mediaKind, mimeType, size, thumbnail }) => [
      itemType,
      path,
      title,
      mediaKind,
      mimeType,
      size,
      thumbnail?.kind,
    ]),
  ).toEqual([
    ['mixed_file', 'none.jpg', 'none.jpg', 'image', 'image/jpeg', 0, undefined],
    ['mixed_file', 'top.pdf', 'top.pdf', 'document', 'application/pdf', 5, undefined],
    ['mixed_file', '2020/beach.JPG', 'beach.JPG', 'image', 'image/jpeg', 7, 'image'],
    ['mixed_file', '2020/trip/clip.mp4', 'clip.mp4', 'video', 'video/mp4', 9, 'video'],
    ['mixed_file', '2020/trip/noise', 'noise', 'other', null, 1, undefined],
  ])
  expect(items[2]).toMatchObject({ parentPath: null, sortTitle: 'beach jpg', searchTitle: 'beach.jpg', mainFile: '2020/beach.JPG' })
  expect(Number.isInteger(items[2]?.modifiedAt) && Number.isSafeInteger(items[2]?.identity)).toBe(true)
})

test('a second scan of the same files finds nothing changed, and counts the same items', () => {
  const trees: [LibraryType, Tree][] = [
    ['mixed', { 'a.jpg': 1, 'sub/b.jpg': 1 }],
    ['movies', { 'Alien (1979)/alien.mkv': 1, 'Aliens (1986)/aliens.mkv': 1 }],
    ['tv', { 'Show/Season 1/S01E01.mkv': 1, 'Other/S01E01.mkv': 1 }],
    ['games', { 'Zelda/Ocarina/o.zip': 1, 'Doom/Doom.app/x': 1 }],
    ['manga', { 'S/v1.cbz': 1, 'T/v1/1.jpg': 1 }],
  ]
  for (const [type, tree] of trees) {
    const root = makeRoot(tree)
    const first = scan(type, root)
    const second = scan(type, root, { known: first.signatures })
    expect(second.units).toEqual([])
    expect(second.unchanged.toSorted()).toEqual(first.units.map((unit) => unit.path).toSorted())
    expect(second.foundItems).toBe(first.items.length)
  }
})

test('a unit is looked at again when a file in it is added, removed, renamed, rewritten in place or replaced', () => {
  const root = makeRoot({ 'Alien/alien.mkv': 5, 'Alien/extras/x.mkv': 1, 'Other/other.mkv': 1 })
  let { signatures } = scan('movies', root)
  const path = (name: string): string => join(root, 'Alien', name)
  const changes = [
    () => writeFileSync(path('poster.jpg'), 'p'),
    () => renameSync(path('poster.jpg'), path('folder.jpg')),
    () => writeFileSync(path('alien.mkv'), '12345'),
    () => utimesSync(path('extras/x.mkv'), 1, 1),
    () => {
      writeFileSync(path('new'), '12345')
      utimesSync(path('new'), 5, 5)
      utimesSync(path('alien.mkv'), 5, 5)
    },
    () => renameSync(path('new'), path('alien.mkv')),
    () => rmSync(path('folder.jpg')),
  ]
  for (const change of changes) {
    change()
    const next = scan('movies', root, { known: signatures })
    expect([next.units.map((unit) => unit.path), next.unchanged]).toEqual([['Alien'], ['Other']])
    signatures = { ...signatures, ...next.signatures }
  }
})

test('hidden files and the time of a folder change no unit', () => {
  const root = makeRoot({ 'Alien/alien.mkv': 5 })
  const { signatures } = scan('movies', root)
  writeFileSync(join(root, 'Alien/.cover.tmp'), 'x')
  utimesSync(join(root, 'Alien'), 1, 1)
  expect(scan('movies', root, { known: signatures }).unchanged).toEqual(['Alien'])
})

test('a folder of a mixed library changes alone', () => {
  const root = makeRoot({ 'a/1.jpg': 1, 'a/b/2.jpg': 1, 'c/3.jpg': 1 })
  const { signatures } = scan('mixed', root)
  writeFileSync(join(root, 'a/b/2.jpg'), 'rewritten')
  const next = scan('mixed', root, { known: signatures })
  expect([next.units.map((unit) => unit.path), next.unchanged]).toEqual([['a/b'], ['a', 'c']])
})

test('of some folders alone the others are not read', () => {
  const root = makeRoot({ 'a.jpg': 1, 'b/1.jpg': 1, 'b/c/2.jpg': 1, 'bc/3.jpg': 1, 'd/e/4.jpg': 1, 'f.jpg/5.jpg': 1 })
  const read = (type: LibraryType, paths: string[]) => scan(type, root, { paths }).units.map((unit) => unit.path)
  expect(read('mixed', ['b', 'd/e', 'f.jpg'])).toEqual(['b', 'b/c', 'd/e', 'f.jpg'])
  expect(read('mixed', ['a.jpg', 'b/1.jpg', 'nothing', 'b/nothing/c', '..', 'b/../d'])).toEqual([])
  expect(read('manga', ['bc'])).toEqual(['bc'])
})

test('a signature of another unit, of nonsense, or of a prototype is none', () => {
  const root = makeRoot({ '__proto__/a.mkv': 1, 'constructor/b.mkv': 1, 'C/c.mkv': 1 })
  expect(scan('movies', root, { known: { C: '', D: 'x.1' } }).units.map((unit) => unit.path)).toEqual(['C', '__proto__', 'constructor'])
})

test('a unit of which a part cannot be read has no signature, and says where', () => {
  const root = makeRoot({ 'Show/Season 1/S01E01.mkv': 1, 'Show/Season 2/S02E01.mkv': 1 })
  const isRoot = process.geteuid?.() === 0
  chmodSync(join(root, 'Show/Season 2'), 0o000)
  if (isRoot) process.seteuid?.(65534)
  try {
    const { units, unreadable, warnings } = scan('tv', root)
    expect(units).toMatchObject([{ path: 'Show', signature: null }])
    expect(unreadable).toEqual(['Show/Season 2'])
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([['Show/Season 2', 'unreadable_folder']])
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(join(root, 'Show/Season 2'), 0o755)
  }
})

test("loose files in the root are warnings where the type's items need a folder", () => {
  const codesOf = (type: LibraryType, tree: Tree) => scan(type, makeRoot(tree)).warnings.map(({ path, code }) => `${code} ${path}`)
  expect(codesOf('games', { 'a.zip': 1, 'B.app/x': 1, 'c.txt': 1 })).toEqual(['loose_file a.zip', 'loose_file B.app'])
  expect(codesOf('movies', { 'a.mkv': 1, 'b.jpg': 1 })).toEqual(['loose_file a.mkv'])
  expect(codesOf('tv', { 'a.mkv': 1 })).toEqual(['loose_file a.mkv'])
  expect(codesOf('manga', { 'a.cbz': 1, 'b.pdf': 1 })).toEqual(['loose_file a.cbz'])
  expect(codesOf('mixed', { 'a.zip': 1 })).toEqual([])
})

test('warnings of an unchanged unit are given again', () => {
  const root = makeRoot({ 'Papers/a.pdf': 1, 'Alien/a.mkv': 1 })
  const first = scan('movies', root)
  const second = scan('movies', root, { known: first.signatures })
  expect(second.unchanged).toEqual(['Alien', 'Papers'])
  expect(second.warnings).toEqual(first.warnings)
  expect(second.warnings.map(({ path, code }) => [path, code])).toEqual([['Papers', 'no_video']])
})

test('batches are full or the last one, units stay whole, and the count runs on', () => {
  const files = (folder: string, many: number): Tree =>
    Object.fromEntries(Array.from({ length: many }, (_, index) => [`${folder}/${index}.jpg`, 1]))
  const root = makeRoot({ ...files('a', 3), ...files('b', 9), ...files('c', 2), ...files('d', 1) })
  const { batchSizes, found, foundItems } = scan('mixed', root, { batchSize: 4 })
  expect([batchSizes, found, foundItems]).toEqual([[12, 3], [12, 15], 15])
})

test('a series folder named like a season without a folder does not make two items of one key', () => {
  const { items } = scan('tv', makeRoot({ 'Show/#season-1/S01E01.mkv': 1, 'Show/S01E02.mkv': 1, 'Show/S02E01.mkv': 1 }))
  const keys = items.map(({ itemType, path }) => `${itemType}:${path}`)
  expect(new Set(keys).size).toBe(keys.length)
})
