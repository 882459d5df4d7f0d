import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { file, makeTree, type Tree } from '../support/library-tree.ts'
import { runProgram } from '../support/program.ts'
import { makePicture } from '../support/real-media.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'

/**
 * A file that is moved or renamed keeps its row, and with it tags, texts and progress. What cannot be told is a new item
 * and a missing one: a tag that waits can be found again, a tag on the wrong file cannot.
 */

let scene: ScanScene

beforeAll(async () => {
  scene = await startScene({ mixed: { 'always there.txt': 'here' } })
})
afterAll(() => scene[Symbol.asyncDispose]())

const root = (): string => scene.rootOf('mixed')
const at = (path: string): string => join(root(), path)
const key = (path: string): string => `mixed_file:${scene.idOf('mixed')}:${path}`
const scan = () => scene.scan('mixed')
const rename = (from: string, to: string): void => renameSync(at(from), at(to))

/** Writes a tree, has it scanned, and puts a mark on each of these paths, named as the path. */
const prepare = async (tree: Tree, marked: string[]): Promise<void> => {
  makeTree(root(), tree)
  await scan()
  await scene.index.mark(Object.fromEntries(marked.map((path) => [key(path), path])))
}

/** Where the marks are now: the path, or "missing" where no file carries the mark. */
const placesOf = async (...names: string[]): Promise<Record<string, string>> => {
  const marks = await scene.index.marks()
  return Object.fromEntries(
    names.map((name) => {
      const mark = marks[name]
      return [name, !mark ? 'torn apart' : mark.isMissing ? 'missing' : mark.itemKey.slice(key('').length)]
    }),
  )
}

const getTags = async (path: string): Promise<string[]> =>
  (await scene.admin.get('/api/items', { itemKey: key(path) })).body.item.tags.map(({ name }: { name: string }) => name)

test.each([
  ['renamed', 'one/a.txt', 'one/b.txt'],
  ['moved to another folder', 'one/c.txt', 'two/c.txt'],
  ['moved and renamed', 'one/d.txt', 'three/e.txt'],
  ['moved to the root', 'one/f.txt', 'f.txt'],
  ['renamed in its case alone', 'one/case.txt', 'one/CASE.txt'],
])('a file that is %s keeps its row', async (_, from, to) => {
  await prepare({ [from]: `${from} holds this` }, [from])
  const before = (await scene.index.marks())[from]
  mkdirSync(join(at(to), '..'), { recursive: true })
  rename(from, to)
  expect(await scan()).toMatchObject({ status: 'done', moved: 1 })
  expect((await scene.index.marks())[from]).toEqual({ id: before?.id ?? 0, itemKey: key(to), isMissing: false })
  expect(await getTags(to)).toEqual([from])
  expect(await (await scene.admin.fetch(`/api/files?${new URLSearchParams({ itemKey: key(to) })}`)).text()).toBe(`${from} holds this`)
  expect((await scene.admin.get('/api/items', { itemKey: key(from) })).status).toBe(404)
})

test('names that are swapped swap the rows, whatever the sizes', async () => {
  await prepare({ swap: { a: 'first', b: 'other', c: 'longer', d: 'the longest' } }, ['swap/a', 'swap/b', 'swap/c', 'swap/d'])
  for (const [from, to] of [
    ['a', 'b'],
    ['c', 'd'],
  ]) {
    rename(`swap/${from}`, 'swap/between')
    rename(`swap/${to}`, `swap/${from}`)
    rename('swap/between', `swap/${to}`)
  }
  expect(await scan()).toMatchObject({ moved: 4 })
  expect(await placesOf('swap/a', 'swap/b', 'swap/c', 'swap/d')).toEqual({
    'swap/a': 'swap/b',
    'swap/b': 'swap/a',
    'swap/c': 'swap/d',
    'swap/d': 'swap/c',
  })
})

test('files that are copied with their times to the places of each other swap the rows, though nobody has read them yet', async () => {
  await prepare({ late: { a: 'first', b: 'the other' } }, ['late/a', 'late/b'])
  await scene.index.waitForHashes()
  await scene.index.query(`UPDATE media_items SET content_hash = NULL WHERE path LIKE 'late/%'`)
  const copy = (from: string, to: string): void => cpSync(at(`late/${from}`), at(`late/${to}`), { preserveTimestamps: true })
  // Each under another inode.
  for (const name of ['a', 'b']) rename(`late/${name}`, `late/old ${name}`)
  copy('old a', 'b')
  copy('old b', 'a')
  for (const name of ['a', 'b']) rmSync(at(`late/old ${name}`))
  expect(await scan()).toMatchObject({ moved: 2 })
  expect(await placesOf('late/a', 'late/b')).toEqual({ 'late/a': 'late/b', 'late/b': 'late/a' })
  rmSync(at('late'), { recursive: true })
  expect(await scan()).toMatchObject({ missing: 2 })
})

test('names that are passed on in a circle, over folders, pass the rows on', async () => {
  const paths = ['ring/1/x', 'ring/2/x', 'ring/3/x']
  await prepare(Object.fromEntries(paths.map((path) => [path, path])), paths)
  rename('ring/1/x', 'ring/between')
  rename('ring/3/x', 'ring/1/x')
  rename('ring/2/x', 'ring/3/x')
  rename('ring/between', 'ring/2/x')
  expect(await scan()).toMatchObject({ moved: 3 })
  expect(await placesOf(...paths)).toEqual({ 'ring/1/x': 'ring/2/x', 'ring/2/x': 'ring/3/x', 'ring/3/x': 'ring/1/x' })
})

test('names are passed on also where the inodes that the index knows are those of an older version', async () => {
  const paths = ['aged/1', 'aged/2', 'aged/3']
  const contents = ['a', 'bb', 'ccc']
  await prepare(Object.fromEntries(paths.map((path, index) => [path, contents[index] ?? ''])), paths)
  // What is read after the files have moved would be kept as that of others.
  await scene.index.waitForHashes()
  const staying = () => scene.index.query('SELECT id, updated_at FROM media_items WHERE item_key = ?', [key('always there.txt')])
  const before = await staying()
  await scene.index.query('UPDATE media_items SET identity = -identity')
  await scene.index.query("UPDATE scan_units SET signature = 'older'")
  rename('aged/3', 'aged/4')
  rename('aged/2', 'aged/3')
  rename('aged/1', 'aged/2')
  expect(await scan()).toEqual({ status: 'done', found: expect.any(Number), moved: 3, updated: expect.any(Number) })
  expect(await placesOf(...paths)).toEqual({ 'aged/1': 'aged/2', 'aged/2': 'aged/3', 'aged/3': 'aged/4' })
  // What has stayed where it was is not new to anybody.
  expect(await staying()).toEqual(before)
  expect(await scene.index.query('SELECT id FROM media_items WHERE identity > 0 AND missing_since IS NULL')).toEqual([])
})

test('folders whose names are swapped take their files along', async () => {
  await prepare({ left: { 'same.txt': 'of the left' }, right: { 'same.txt': 'of the right', 'own.txt': 'own' } }, [
    'left/same.txt',
    'right/same.txt',
    'right/own.txt',
  ])
  rename('left', 'between')
  rename('right', 'left')
  rename('between', 'right')
  expect(await scan()).toMatchObject({ moved: 3 })
  expect(await placesOf('left/same.txt', 'right/same.txt', 'right/own.txt')).toEqual({
    'left/same.txt': 'right/same.txt',
    'right/same.txt': 'left/same.txt',
    'right/own.txt': 'left/own.txt',
  })
})

test('a file that is moved over another one keeps its row; the other one is missing, not mixed up', async () => {
  await prepare({ over: { a: 'the winner', b: 'the loser' } }, ['over/a', 'over/b'])
  rename('over/a', 'over/b')
  expect(await scan()).toMatchObject({ moved: 1, missing: 1 })
  expect(await placesOf('over/a', 'over/b')).toEqual({ 'over/a': 'over/b', 'over/b': 'missing' })
  expect(await getTags('over/b')).toEqual(['over/a'])
})

test('a file that is moved away and a new one in its old place are two items', async () => {
  await prepare({ 'stand-in/a': 'the old one' }, ['stand-in/a'])
  rename('stand-in/a', 'stand-in/b')
  writeFileSync(at('stand-in/a'), 'the new one')
  expect(await scan()).toMatchObject({ moved: 1, added: 1 })
  expect(await placesOf('stand-in/a')).toEqual({ 'stand-in/a': 'stand-in/b' })
  expect(await getTags('stand-in/a')).toEqual([])
})

test('a file that is written anew in its place, as editors do, stays the item that it was', async () => {
  await prepare({ 'edited/a.txt': 'before' }, ['edited/a.txt'])
  writeFileSync(at('edited/.a.txt.tmp'), 'after it was edited')
  renameSync(at('edited/.a.txt.tmp'), at('edited/a.txt'))
  expect(await scan()).toMatchObject({ updated: 1 })
  expect(await placesOf('edited/a.txt')).toEqual({ 'edited/a.txt': 'edited/a.txt' })
})

test('a copy with its time, whose original is deleted, is the same item: what a move between disks is', async () => {
  await prepare(
    {
      'disk/a': file({ content: 'travels', modified: '2001-02-03T04:05:06Z' }),
      'disk/b': file({ content: 'travels', modified: '2002-01-01' }),
    },
    ['disk/a', 'disk/b'],
  )
  await runProgram(['cp', '--preserve=timestamps', at('disk/a'), at('disk/a2')])
  expect(statSync(at('disk/a2')).ino).not.toBe(statSync(at('disk/a')).ino)
  rmSync(at('disk/a'))
  expect(await scan()).toMatchObject({ moved: 1 })
  expect(await placesOf('disk/a', 'disk/b')).toEqual({ 'disk/a': 'disk/a2', 'disk/b': 'disk/b' })
})

test('a copy without its time is recognised by its content, once the background has read the original', async () => {
  await prepare({ 'copy/a': file({ content: 'the very same bytes', modified: '2001-02-03' }) }, ['copy/a'])
  await scene.index.waitForHashes()
  mkdirSync(at('elsewhere'))
  writeFileSync(at('elsewhere/another name'), readFileSync(at('copy/a')))
  rmSync(at('copy/a'))
  expect(await scan()).toMatchObject({ moved: 1 })
  expect(await placesOf('copy/a')).toEqual({ 'copy/a': 'elsewhere/another name' })
})

test('a picture that somebody looked at before the background came to it is recognised by its content too', async () => {
  const paths = Array.from({ length: 12 }, (_, i) => `album/${10 + i}.jpg`)
  for (const [i, path] of paths.entries()) await makePicture(at(path), { seed: i, width: 1600, height: 1200 })
  await scan()
  const looked = paths.slice(-4)
  const answers = await Promise.all(looked.map((path) => scene.admin.get('/api/thumbnails', { itemKey: key(path), size: 'small' })))
  expect(answers.map(({ status }) => status)).toEqual(looked.map(() => 200))
  await scene.index.waitForHashes()
  await scene.index.mark(Object.fromEntries(looked.map((path) => [key(path), path])))
  for (const path of looked) {
    writeFileSync(at(`${path}.copy.jpg`), readFileSync(at(path)))
    rmSync(at(path))
  }
  expect(await scan()).toMatchObject({ moved: 4 })
  expect(await placesOf(...looked)).toEqual(Object.fromEntries(looked.map((path) => [path, `${path}.copy.jpg`])))
})

test('a copy of which the original stays is an item of its own, without its tags', async () => {
  await prepare({ 'twin/a': file({ content: 'twins', modified: '2001-02-03' }) }, ['twin/a'])
  await runProgram(['cp', '--preserve=timestamps', at('twin/a'), at('twin/b')])
  expect(await scan()).toMatchObject({ added: 1 })
  expect(await getTags('twin/b')).toEqual([])
  // Then the original is renamed: its inode tells it from the twin.
  rename('twin/a', 'twin/c')
  expect(await scan()).toMatchObject({ moved: 1 })
  expect(await placesOf('twin/a')).toEqual({ 'twin/a': 'twin/c' })
})

test('twins that change at once are not guessed at', async () => {
  const twin = () => file({ content: 'alike', modified: '2001-02-03' })
  await prepare({ pair: { a: twin(), b: twin() } }, ['pair/a', 'pair/b'])
  // Both are copied under new names and deleted: nothing tells which is which.
  for (const [from, to] of [
    ['a', 'x'],
    ['b', 'y'],
  ])
    await runProgram(['cp', '--preserve=timestamps', at(`pair/${from}`), at(`pair/${to}`)])
  rmSync(at('pair/a'))
  rmSync(at('pair/b'))
  expect(await scan()).toMatchObject({ added: 2, missing: 2 })
  expect(await placesOf('pair/a', 'pair/b')).toEqual({ 'pair/a': 'missing', 'pair/b': 'missing' })
})

test('a new file that gets the inode of a deleted one inherits nothing', async () => {
  let isReused = false
  for (let round = 0; round < 20 && !isReused; round++) {
    const [old, young] = [`inode/old ${round}`, `inode/young ${round}`]
    // What has the content of a missing file is that file, wherever it lies now.
    await prepare({ [old]: `the old content ${round}` }, [old])
    const { ino } = statSync(at(old))
    rmSync(at(old))
    writeFileSync(at(young), `the new content ${round}`)
    isReused = statSync(at(young)).ino === ino
    expect(await scan()).toMatchObject({ added: 1, missing: 1 })
    expect(await placesOf(old)).toEqual({ [old]: 'missing' })
    expect(await getTags(young)).toEqual([])
  }
  // Elsewhere a file system may never use an inode again; ext4 does so at once.
  const isExt4 = (await runProgram(['stat', '--file-system', '--format=%T', root()])).toString().includes('ext')
  expect(isReused || !isExt4).toBe(true)
})

test('hard links are items of their own, and each keeps its tags through a rename of one or a move of both', async () => {
  await prepare({ 'links/a': 'linked', others: { 'x.txt': 'x' } }, [])
  linkSync(at('links/a'), at('links/b'))
  await prepare({}, [])
  await scene.index.mark({ [key('links/a')]: 'links/a', [key('links/b')]: 'links/b' })
  rename('links/a', 'links/c')
  expect(await scan()).toMatchObject({ moved: 1 })
  expect(await placesOf('links/a', 'links/b')).toEqual({ 'links/a': 'links/c', 'links/b': 'links/b' })
  for (const name of ['b', 'c']) rename(`links/${name}`, `others/${name}`)
  expect(await scan()).toMatchObject({ moved: 2 })
  expect(await placesOf('links/a', 'links/b')).toEqual({ 'links/a': 'others/c', 'links/b': 'others/b' })
})

test('files that are renamed while the server is stopped, or after it was killed, keep their rows', async () => {
  await prepare({ 'night/a': 'one', 'night/b': 'two' }, ['night/a', 'night/b'])
  await scene.restart({ meanwhile: () => rename('night/a', 'day a') })
  expect(await placesOf('night/a', 'night/b')).toEqual({ 'night/a': 'day a', 'night/b': 'night/b' })
  await scene.restart({ isKilled: true, meanwhile: () => rename('night', 'evening') })
  expect(await placesOf('night/a', 'night/b')).toEqual({ 'night/a': 'day a', 'night/b': 'evening/b' })
})

test('a library that was copied to another disk keeps every row', async () => {
  const marks = await scene.index.marks()
  const keys = await scene.keys('mixed')
  await scene.restart({
    meanwhile: () => {
      cpSync(root(), `${root()}-copied`, { recursive: true, preserveTimestamps: true })
      rmSync(root(), { recursive: true })
      renameSync(`${root()}-copied`, root())
    },
  })
  const [{ status, added, moved, missing }] = (await scene.admin.get('/api/scans', { limit: 1 })).body.scans
  expect({ status, added, moved, missing }).toEqual({ status: 'done', added: 0, moved: 0, missing: 0 })
  expect(await scene.keys('mixed')).toEqual(keys)
  expect(await scene.index.marks()).toEqual(marks)
})
