import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LibraryType } from '../../src/domain/item-type.ts'
import { identityOf, UnitHash, versionOf } from '../../src/scan/entry-hash.ts'
import { filesBelow } from '../../src/scan/folder-tree.ts'
import { keepsInodeNumbers } from '../../src/scan/inode-numbers.ts'
import { createWalker, MAX_DEPTH } from '../../src/scan/walk.ts'
import { file, folder, link, makeTree, type Tree } from '../support/library-tree.ts'
import { makeOddFiles } from '../support/odd-names.ts'

let base = ''
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'vitrine-walk-'))
  // Tests that drop their rights must still get to their folders.
  chmodSync(base, 0o755)
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

let count = 0
const makeRoot = (tree: Tree): string => makeTree(join(base, `root-${++count}`), tree)

const walk = (root: string, libraryType: LibraryType = 'mixed') => {
  const warnings: string[] = []
  const unreadable: string[] = []
  const walker = createWalker(root, libraryType, {
    warn: (path, code) => warnings.push(`${code} ${path}`),
    unreadable: (path) => unreadable.push(path),
  })
  const tree = walker.readTree(walker.rootPlace())
  return { tree, paths: tree ? filesBelow(tree).map((file) => file.path) : undefined, warnings, unreadable }
}

/** Root may read everything, so what is refused is refused to somebody else. */
const asOrdinaryUser = <Result>(run: () => Result): Result => {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65534)
  try {
    return run()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

test('a folder that cannot be read is one warning and one unreadable path; the rest is read', () => {
  const root = makeRoot({ locked: folder({ 'a.jpg': 1 }, { mode: 0o000 }), open: { 'b.jpg': 1 } })
  const { paths, warnings, unreadable } = asOrdinaryUser(() => walk(root))
  chmodSync(join(root, 'locked'), 0o755)
  expect({ paths, warnings, unreadable }).toEqual({ paths: ['open/b.jpg'], warnings: ['unreadable_folder locked'], unreadable: ['locked'] })
})

test('a folder whose names can be listed but not looked at is unreadable as a whole, not file by file', () => {
  const root = makeRoot({ unsearchable: folder({ 'a.jpg': 1, 'b.jpg': 1 }, { mode: 0o444 }), 'c.jpg': 1 })
  const { paths, warnings, unreadable } = asOrdinaryUser(() => walk(root))
  chmodSync(join(root, 'unsearchable'), 0o755)
  expect({ paths, warnings, unreadable }).toEqual({
    paths: ['c.jpg'],
    warnings: ['unreadable_folder unsearchable'],
    unreadable: ['unsearchable'],
  })
})

test('undecodable names are warnings, every other odd name is read exactly once and as it is spelled', () => {
  const root = join(base, 'odd')
  const odd = makeOddFiles(root, '.jpg')
  const { paths, warnings, unreadable } = walk(root)
  const indexed = odd.filter(({ fate }) => fate === 'indexed').map(({ name }) => name ?? '')
  expect(paths?.toSorted()).toEqual(indexed.toSorted())
  expect(warnings).toHaveLength(odd.filter(({ fate }) => fate === 'undecodable').length)
  expect(warnings.every((warning) => warning.startsWith('undecodable_name raw ') && warning.includes('\uFFFD'))).toBe(true)
  expect(unreadable).toEqual([])
})

test('a name that truly holds the replacement character is read', () => {
  const root = makeRoot({ 'sub/truly \uFFFD.jpg': 1 })
  expect(walk(root)).toMatchObject({ paths: ['sub/truly \uFFFD.jpg'], warnings: [] })
})

test('the data of a server is left out with a warning, wherever it lies; a file with the name of its lock is one like any other', () => {
  const data = { 'server.lock': 1, 'vitrine.db': 1, 'backups/vitrine-2026-11-24.db': 1 }
  const root = makeRoot({ 'a/data': data, 'b/data': { 'server.lock': 1, 'thumbnails/01/1-a-small.webp': 1 }, game: { 'server.lock': 1 } })
  makeTree(root, { c: { 'server.lock': 1, 'mine.db': 1, 'mine.db-wal': 1 }, 'game/scores.db': 1 })
  expect(walk(root)).toMatchObject({
    paths: ['game/scores.db', 'game/server.lock'],
    warnings: ['own_data a/data', 'own_data b/data', 'own_data c'],
    unreadable: [],
  })
})

test('what a deletion has hidden in the root is left out with a warning; the runner of the scan knows which of them is known', () => {
  const root = makeRoot({ '.vitrine-trash-7-0a1b2c3d/film.jpg': 1, 'a/.vitrine-trash-7-0a1b2c3d/film.jpg': 1, 'a/b.jpg': 1 })
  expect(walk(root)).toMatchObject({ paths: ['a/b.jpg'], warnings: ['unknown_trash .vitrine-trash-7-0a1b2c3d'], unreadable: [] })
})

test('links: to files inside they count as files, to the outside they are warnings, to folders they are not followed', () => {
  const outside = makeRoot({ 'secret.jpg': 1, folder: { 'b.jpg': 1 } })
  const sibling = `${outside}x`
  const root = makeTree(sibling, {
    'a/real.jpg': 7,
    'inside.jpg': link('a/real.jpg'),
    'chain.jpg': link('inside.jpg'),
    'absolute.jpg': link(join(sibling, 'a/real.jpg')),
    'outside.jpg': link(join(outside, 'secret.jpg')),
    'climbing.jpg': link(`../${outside.slice(base.length + 1)}/secret.jpg`),
    'outside-folder': link(join(outside, 'folder')),
    'inside-folder': link('a'),
    'dangling.jpg': link('nowhere.jpg'),
  })
  const { paths, warnings, tree } = walk(root)
  expect(paths).toEqual(['absolute.jpg', 'chain.jpg', 'inside.jpg', 'a/real.jpg'])
  expect(tree?.files.map((file) => file.size)).toEqual([7, 7, 7])
  expect(new Set(tree?.files.map((file) => file.ino)).size).toBe(3)
  expect(warnings).toEqual([
    'link_outside climbing.jpg',
    'unreadable_file dangling.jpg',
    'link_outside outside-folder',
    'link_outside outside.jpg',
  ])
})

test('five shapes of link loops end, and their siblings are read', () => {
  const root = makeRoot({
    'a/b/c/deep.jpg': 1,
    'z.jpg': 1,
    self: link('self'),
    here: link('.'),
    'a/up': link('..'),
    ping: link('pong'),
    pong: link('ping'),
  })
  symlinkSync(root, join(root, 'a/b/root'))
  const { paths, warnings, unreadable } = walk(root)
  expect(paths).toEqual(['z.jpg', 'a/b/c/deep.jpg'])
  expect(warnings.toSorted()).toEqual(['unreadable_file ping', 'unreadable_file pong', 'unreadable_file self'])
  expect(unreadable).toEqual([])
})

test('hidden and system entries are left out, at every level', () => {
  const root = makeRoot({
    '.hidden': { 'a.jpg': 1 },
    '@eaDir': { 'b.jpg': 1 },
    'sub/#recycle/c.jpg': 1,
    'sub/Thumbs.db': 1,
    'sub/.d.jpg': 1,
    'sub/e.jpg': 1,
  })
  expect(walk(root).paths).toEqual(['sub/e.jpg'])
})

test('folders of other media servers are left out below the top level of movies and tv alone', () => {
  const tree = { Subs: { 'a.mkv': 1, Subs: { 'b.mkv': 1 }, 'x.trickplay': { 'c.mkv': 1 } } }
  expect(walk(makeRoot(tree), 'movies').paths).toEqual(['Subs/a.mkv'])
  expect(walk(makeRoot(tree), 'tv').paths).toEqual(['Subs/a.mkv'])
  expect(walk(makeRoot(tree), 'mixed').paths).toEqual(['Subs/a.mkv', 'Subs/Subs/b.mkv', 'Subs/x.trickplay/c.mkv'])
})

test('an empty .ignore hides its folder', () => {
  const root = makeRoot({ 'a/.ignore': '', 'a/b.jpg': 1, 'c/.ignore': ' \n\t\n', 'c/d.jpg': 1, 'e/f.jpg': 1 })
  expect(walk(root).paths).toEqual(['e/f.jpg'])
  expect(walk(makeRoot({ '.ignore': '', 'a.jpg': 1 })).paths).toBeUndefined()
})

test('.ignore patterns are relative to their folder, add up, and the innermost decides', () => {
  const root = makeRoot({
    '.ignore': '# all of these\n*.tmp\n/top.jpg\nprivate/\n',
    'top.jpg': 1,
    'x.tmp': 1,
    'sub/.ignore': '!kept.tmp\n*.raw',
    'sub/top.jpg': 1,
    'sub/kept.tmp': 1,
    'sub/lost.tmp': 1,
    'sub/y.raw': 1,
    'sub/private/z.jpg': 1,
    'other/y.raw': 1,
    'private.jpg': 1,
  })
  expect(walk(root).paths).toEqual(['private.jpg', 'other/y.raw', 'sub/kept.tmp', 'sub/top.jpg'])
})

test('a file of ignore rules that cannot be used is a warning, and hides nothing', () => {
  const outside = makeRoot({ rules: '*.jpg' })
  const root = makeRoot({
    'a/.ignore': link(join(outside, 'rules')),
    'a/b.jpg': 1,
    'c/.ignore': { 'd.txt': 1 },
    'c/e.jpg': 1,
    'f/.ignore': 'x'.repeat(70_000),
    'f/g.jpg': 1,
    'h/.ignore': `${'**/a/'.repeat(10)}b`,
    [`h/${'a/'.repeat(40)}i.jpg`]: 1,
    'j/.ignore': `${'*a'.repeat(10)}b`,
    [`j/${'a'.repeat(200)}.jpg`]: 1,
    'k/.ignore': '# **** what nobody wants ****\n**/l/**/*m*n*',
    'k/l/o.jpg': 1,
    'k/l/p/m-n.jpg': 1,
  })
  const { paths, warnings } = walk(root)
  expect(paths).toEqual(['a/b.jpg', 'c/e.jpg', 'f/g.jpg', `h/${'a/'.repeat(40)}i.jpg`, `j/${'a'.repeat(200)}.jpg`, 'k/l/o.jpg'])
  expect(warnings).toEqual(['a', 'c', 'f', 'h', 'j'].map((name) => `bad_ignore_file ${name}/.ignore`))
})

test(`folders are read ${MAX_DEPTH} levels deep, deeper ones are one warning`, () => {
  const deepest = Array.from({ length: MAX_DEPTH }, () => 'd').join('/')
  const root = makeRoot({ [`${deepest}/in.jpg`]: 1, [`${deepest}/d/d/out.jpg`]: 1 })
  expect(walk(root)).toMatchObject({ paths: [`${deepest}/in.jpg`], warnings: [`too_deep ${deepest}/d`] })
})

test('a path that fits no item key is a warning', () => {
  const root = makeRoot({ 'a.jpg': 1 })
  const half = Array.from({ length: 9 }, () => 'ü'.repeat(120)).join('/')
  // Two halves, since the system takes no path that is as long as the whole.
  const tail = makeRoot({ [`${half}/b.jpg`]: 1 })
  mkdirSync(join(root, half), { recursive: true })
  renameSync(tail, join(root, half, 'tail'))
  const { paths, warnings } = walk(root)
  expect(paths).toEqual(['a.jpg'])
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toStartWith('name_too_long ')
  renameSync(join(root, half, 'tail'), tail)
})

test('an application folder is one entry with all its bytes in a games library, a folder in any other', () => {
  const app = { Contents: { 'Info.plist': 3, '.hidden': 4, MacOS: { game: 40, run: link('game') } }, out: link('/etc/hostname') }
  const root = makeRoot({ 'Game/Game.app': app, 'Game/g.zip': 1 })
  const games = walk(root, 'games')
  expect(games.tree?.folders[0]?.bundles).toMatchObject([
    { name: 'Game.app', path: 'Game/Game.app', size: 47, largestFile: 'Game/Game.app/Contents/MacOS/game' },
  ])
  expect(games.warnings).toEqual([])
  expect(walk(root).paths).toContain('Game/Game.app/Contents/Info.plist')
})

test('sockets, pipes and devices are no files', async () => {
  const root = makeRoot({ 'a.jpg': 1 })
  await Bun.spawn(['mkfifo', join(root, 'pipe.jpg')]).exited
  expect(walk(root)).toMatchObject({ paths: ['a.jpg'], warnings: [] })
})

test('a time that is no date becomes the last one that is', () => {
  // Unlike other file systems, one in memory keeps any time.
  const root = mkdtempSync('/dev/shm/vitrine-walk-')
  try {
    makeTree(root, { 'a.txt': 1, folder: {}, 'A.app': { inside: 1 } })
    for (const path of ['', 'a.txt', 'folder', 'A.app/inside']) utimesSync(join(root, path), 99_999_999_999_999, 99_999_999_999_999)
    const { tree } = walk(root, 'games')
    const times = [tree, ...(tree?.files ?? []), ...(tree?.folders ?? []), ...(tree?.bundles ?? [])].map((entry) => entry?.mtimeMs)
    expect(times).toEqual([8.64e15, 8.64e15, 8.64e15, 8.64e15])
  } finally {
    rmSync(root, { recursive: true })
  }
})

test('on a disk with FAT or exFAT, which numbers its inodes anew, files go by their names, sizes and times alone', () => {
  const born = file({ bytes: 1, modified: '2020-01-01' })
  const root = makeRoot({ 'a.jpg': born, sub: { 'b.jpg': born, 'link.jpg': link('b.jpg') }, 'Game.app': { data: born } })
  const again = join(base, `root-${++count}`)
  cpSync(root, again, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  // Of a folder a copy may be another one in its last digits.
  for (const path of [root, again]) utimesSync(join(path, 'Game.app'), 1, 1)
  const look = (path: string, type?: number) => {
    const report = { warn: () => undefined, unreadable: () => undefined }
    const walker = createWalker(path, 'games', report, ...(type === undefined ? [] : [() => type]))
    const tree = walker.readTree(walker.rootPlace())
    if (!tree) throw new Error('Nothing was read')
    const entries = [...filesBelow(tree), ...tree.bundles]
    const hash = new UnitHash()
    hash.addFolder(tree)
    return { versions: entries.map(versionOf), identities: [...entries, ...tree.folders, tree].map(identityOf), hash: hash.take() }
  }
  for (const type of [0x4d44, 0x2011bab0]) {
    expect(look(root, type)).toEqual(look(again, type))
    // Which one file may have after another one.
    expect(new Set(look(root, type).identities)).toEqual(new Set([null]))
  }
  const [kept, keptAgain] = [look(root), look(again)]
  for (const [place, version] of kept.versions.entries()) expect(keptAgain.versions[place]).not.toBe(version)
  expect([kept.hash === keptAgain.hash, kept.identities.includes(null)]).toEqual([false, false])
})

test('a program that is a file system keeps the numbers of its inodes where it tells births', () => {
  const [fuse, fat, ext4] = [0x65735546, 0x4d44, 0xef53]
  const kept = [fuse, fat, ext4].map((type) => [0, 1].map((birthtimeMs) => keepsInodeNumbers(type, birthtimeMs)))
  expect(kept).toEqual([
    [false, true],
    [false, false],
    [true, true],
  ])
})

test('a link to another disk says nothing of the one that it lies on itself', () => {
  const root = makeRoot({ usb: { 'far.jpg': 1 }, 'a.jpg': link('usb/far.jpg'), 'b.jpg': 1 })
  const walker = createWalker(root, 'mixed', { warn: () => undefined, unreadable: () => undefined }, (path) =>
    realpathSync(path).includes('/usb') ? 0x4d44 : 0xef53,
  )
  expect(walker.list(walker.rootPlace())?.files.map(({ name, hasMadeUpIno }) => [name, hasMadeUpIno])).toEqual([
    ['a.jpg', undefined],
    ['b.jpg', undefined],
  ])
})

test('what is gone by the time that its disk is asked for says nothing of that either', () => {
  const root = makeRoot({ 'a.jpg': 1, 'b.jpg': 1 })
  const walker = createWalker(root, 'mixed', { warn: () => undefined, unreadable: () => undefined }, (path) =>
    path.endsWith('a.jpg') ? undefined : 0x4d44,
  )
  expect(walker.list(walker.rootPlace())?.files.at(-1)).toMatchObject({ name: 'b.jpg', hasMadeUpIno: true })
})
