import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, readdirSync, readlinkSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MediaError } from '../../src/media/inside.ts'
import { type KeptFile, openKept } from '../../src/media/kept-files.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

const KEPT_MS = 1000

let folder: TemporaryFolder
let root: string

beforeAll(async () => {
  folder = await temporaryFolder('kept-files')
  root = join(folder.path, 'films')
  mkdirSync(root)
})
afterAll(() => folder.remove())

/** What this process has open below the folder, by its path there; "… (deleted)" for what is gone. */
const openPaths = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`)
      return target.startsWith(`${folder.path}/`) ? [target.slice(folder.path.length + 1)] : []
    } catch {
      return []
    }
  })

const isOpen = (path: string): boolean => openPaths().some((open) => open === path || open === `${path} (deleted)`)

const untilClosed = async (path: string): Promise<boolean> => {
  for (let wait = 0; wait < 1000 && isOpen(path); wait += 1) await Bun.sleep(20)
  return !isOpen(path)
}

const textOf = async ({ handle, size }: KeptFile): Promise<string> => {
  const bytes = Buffer.alloc(size)
  await handle.read(bytes, 0, size, 0)
  return bytes.toString()
}

/** Opens, reads and closes, as a request does. */
const readOnce = async (path: string): Promise<string> => {
  const file = await openKept(root, path)
  try {
    return await textOf(file)
  } finally {
    await file.handle.close()
  }
}

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'opened',
    (error: unknown) => (error instanceof MediaError ? error.code : String(error)),
  )

const write = (path: string, text: string): void => writeFileSync(join(root, path), text)

test('one descriptor serves all who read within a second, and is closed then', async () => {
  write('film', 'film')
  let [start, open] = [0, 0]
  // On a machine that took longer, the second was over meanwhile.
  do {
    expect(await untilClosed('films/film')).toBe(true)
    start = performance.now()
    for (let piece = 0; piece < 20; piece += 1) expect(await readOnce('film')).toBe('film')
    open = openPaths().filter((path) => path === 'films/film').length
  } while (performance.now() - start > KEPT_MS)
  expect(open).toBe(1)
  expect(await untilClosed('films/film')).toBe(true)
  expect(await readOnce('film')).toBe('film')
})

test('who reads for longer keeps the file, and closes it; to say twice that one is done takes it from nobody', async () => {
  write('long', 'a long film')
  const [long, short] = [await openKept(root, 'long'), await openKept(root, 'long')]
  for (let times = 0; times < 3; times += 1) await short.handle.close()
  await Bun.sleep(KEPT_MS + 200)
  expect(await textOf(long)).toBe('a long film')
  const later = await openKept(root, 'long')
  await long.handle.close()
  expect(await textOf(later)).toBe('a long film')
  await later.handle.close()
  expect(await untilClosed('films/long')).toBe(true)
})

test('what has just become of a file is seen at once', async () => {
  write('changing', 'first')
  expect(await readOnce('changing')).toBe('first')
  appendFileSync(join(root, 'changing'), ' and more')
  expect(await readOnce('changing')).toBe('first and more')
  write('changing.new', 'another')
  renameSync(join(root, 'changing.new'), join(root, 'changing'))
  expect(await readOnce('changing')).toBe('another')
  renameSync(join(root, 'changing'), join(root, 'moved'))
  expect(await codeOf(openKept(root, 'changing'))).toBe('not_found')
  expect(await readOnce('moved')).toBe('another')
  unlinkSync(join(root, 'moved'))
  expect(await codeOf(openKept(root, 'moved'))).toBe('not_found')
})

test('what has just become of a link is seen at once', async () => {
  for (const name of ['cut-1', 'cut-2']) write(name, name)
  symlinkSync('cut-1', join(root, 'cut'))
  expect(await readOnce('cut')).toBe('cut-1')
  unlinkSync(join(root, 'cut'))
  expect(await codeOf(openKept(root, 'cut'))).toBe('not_found')
  symlinkSync('cut-2', join(root, 'cut'))
  expect(await readOnce('cut')).toBe('cut-2')
  expect(await untilClosed('films/cut-2')).toBe(true)
})

test('a file that is deleted while it is opened is not found afterwards', async () => {
  for (let times = 0; times < 100; times += 1) {
    const name = `going-${times}`
    write(name, name)
    const opening = readOnce(name).catch(() => null)
    await new Promise((resolve) => setImmediate(resolve))
    unlinkSync(join(root, name))
    await opening
    expect(await codeOf(openKept(root, name))).toBe('not_found')
  }
})

test('a folder that is exchanged for a link leads nowhere, be its file open or not', async () => {
  for (const place of ['films/series', 'private']) {
    mkdirSync(join(folder.path, place))
    writeFileSync(join(folder.path, place, 'episode'), place)
  }
  expect(await readOnce('series/episode')).toBe('films/series')
  renameSync(join(root, 'series'), join(root, 'old'))
  symlinkSync('../private', join(root, 'series'))
  expect(await codeOf(openKept(root, 'series/episode'))).toBe('outside')
  expect(await readOnce('old/episode')).toBe('films/series')
})

test('what is asked for at the same time is closed too, and no more files stay open than a few', async () => {
  write('popular', 'popular')
  const same = await Promise.all(Array.from({ length: 8 }, () => openKept(root, 'popular')))
  await Promise.all(same.map(({ handle }) => handle.close()))
  const names = Array.from({ length: 60 }, (_, number) => `many-${number}`)
  for (const name of names) {
    write(name, name)
    expect(await readOnce(name)).toBe(name)
  }
  expect(names.filter((name) => isOpen(`films/${name}`)).length).toBeLessThan(40)
  for (const name of [...names, 'popular']) expect(await untilClosed(`films/${name}`)).toBe(true)
})
