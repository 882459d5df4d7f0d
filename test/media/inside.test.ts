import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MediaError, openFolderInside, openInside } from '../../src/media/inside.ts'
import { runProgram } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

const CANARY = 'canary: outside of the library'
let folder: TemporaryFolder
let root: string

beforeAll(async () => {
  folder = await temporaryFolder('inside')
  root = join(folder.path, 'movies')
  for (const name of ['movies/Alien/extras', 'movies-private', 'elsewhere']) mkdirSync(join(folder.path, name), { recursive: true })
  writeFileSync(join(root, 'Alien/alien.mkv'), 'alien')
  writeFileSync(join(root, 'Alien/line\nbreak \u202e.txt'), 'odd')
  writeFileSync(join(root, 'Alien/x (deleted)'), 'there')
  for (const place of ['movies-private', 'elsewhere']) writeFileSync(join(folder.path, place, 'canary.txt'), CANARY)
  const links: [string, string][] = [
    ['../elsewhere/canary.txt', 'link-to-file'],
    ['../elsewhere', 'link-to-folder'],
    ['../movies-private', 'link-to-sibling'],
    ['nowhere', 'dangling'],
    ['loop', 'loop'],
    ['link-to-file', 'chain-1'],
    ['chain-1', 'chain-2'],
    ['Alien/alien.mkv', 'link-inside'],
    ['/dev/zero', 'device'],
  ]
  for (const [target, name] of links) symlinkSync(target, join(root, name))
  await runProgram(['mkfifo', join(root, 'pipe')])
})
afterAll(() => folder.remove())

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'opened',
    (error: unknown) => (error instanceof MediaError ? error.code : String(error)),
  )

describe('a path that leaves the root is refused', () => {
  const paths = [
    ...['..', '../elsewhere/canary.txt', 'Alien/../../elsewhere/canary.txt', '../movies-private/canary.txt', './Alien/alien.mkv'],
    ...['/etc/passwd', '', 'Alien//alien.mkv', 'Alien/alien.mkv/', 'Alien/alien.mkv\0.jpg', '\0', 'Alien/.', 'Alien/..'],
    ...['link-to-file', 'link-to-folder/canary.txt', 'link-to-sibling/canary.txt', 'chain-2', 'device'],
  ]
  test.each(paths)('%j', async (path) => {
    expect(await codeOf(openInside(root, path))).toBe('outside')
  })

  test('names that only look like escapes are names', async () => {
    for (const path of ['..%2felsewhere%2fcanary.txt', '..\\elsewhere\\canary.txt', '%2e%2e/elsewhere/canary.txt'])
      expect(await codeOf(openInside(root, path))).toBe('not_found')
  })
})

test('what is no regular file is refused, and nothing waits for a pipe', async () => {
  expect(await codeOf(openInside(root, 'Alien'))).toBe('not_a_file')
  expect(await codeOf(openInside(root, 'pipe'))).toBe('not_a_file')
})

test('what is not there is not found', async () => {
  for (const path of ['nothing', 'Alien/nothing', 'Alien/alien.mkv/nothing', 'dangling', 'loop', 'x'.repeat(300)])
    expect(await codeOf(openInside(root, path))).toBe('not_found')
})

test('a refusal leaves no descriptor open', async () => {
  const before = readdirSync('/proc/self/fd').length
  for (let round = 0; round < 50; round += 1) {
    for (const path of ['link-to-file', 'Alien', 'pipe', 'nothing']) await codeOf(openInside(root, path))
    await codeOf(openFolderInside(root, 'link-to-folder'))
  }
  expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before)
})

test('a file inside opens by its own name and through a link that stays inside', async () => {
  for (const path of ['Alien/alien.mkv', 'link-inside']) {
    const file = await openInside(root, path)
    expect(await file.handle.readFile('utf8')).toBe('alien')
    expect([file.size, file.path]).toEqual([5, join(root, 'Alien/alien.mkv')])
    await file.handle.close()
  }
})

test('what is moved out of the library while it is opened is not there, as it is from then on', async () => {
  mkdirSync(join(root, 'Moved'))
  writeFileSync(join(root, 'Moved/film.mkv'), 'film')
  const opening = codeOf(openInside(root, 'Moved/film.mkv'))
  // It is open by then, and nobody has looked yet where it lies.
  Bun.sleepSync(200)
  renameSync(join(root, 'Moved'), join(folder.path, 'elsewhere/Moved'))
  expect(await opening).toBe('not_found')
})

test('odd names are names', async () => {
  for (const name of ['line\nbreak \u202e.txt', 'x (deleted)']) {
    const file = await openInside(root, `Alien/${name}`)
    expect(file.path).toBe(join(root, 'Alien', name))
    await file.handle.close()
  }
})

test('a root that is itself a link, or the whole disk, is a root', async () => {
  symlinkSync('movies', join(folder.path, 'linked-root'))
  for (const [place, path] of [
    [join(folder.path, 'linked-root'), 'Alien/alien.mkv'],
    ['/', join(root, 'Alien/alien.mkv').slice(1)],
  ] as const) {
    const file = await openInside(place, path)
    expect(file.path).toBe(join(root, 'Alien/alien.mkv'))
    await file.handle.close()
  }
})

test('the stable path leads to the opened file after its name leads elsewhere', async () => {
  const path = join(root, 'Alien/swapped.txt')
  writeFileSync(path, 'first')
  const file = await openInside(root, 'Alien/swapped.txt')
  unlinkSync(path)
  symlinkSync('../../elsewhere/canary.txt', path)
  expect(readFileSync(file.stablePath, 'utf8')).toBe('first')
  await file.handle.close()
  rmSync(path)
})

test('a folder inside opens, one outside does not, and a file is no folder', async () => {
  for (const path of ['', 'Alien', 'Alien/extras']) {
    const opened = await openFolderInside(root, path)
    expect(opened.path).toBe(join(root, path))
    expect(readdirSync(opened.stablePath)).toEqual(readdirSync(join(root, path)))
    await opened.handle.close()
  }
  expect(await codeOf(openFolderInside(root, 'link-to-folder'))).toBe('outside')
  expect(await codeOf(openFolderInside(root, '..'))).toBe('outside')
  expect(await codeOf(openFolderInside(root, 'Alien/alien.mkv'))).toBe('not_found')
})

/** Exchanges the folder and the link as fast as it can, in a process of its own. */
const FLIPPER = `
const { renameSync } = require('node:fs')
const [place, count] = [process.argv[1], Number(process.argv[2])]
for (let round = 0; round < count; round += 1) {
  renameSync(place, place + '.folder'); renameSync(place + '.link', place)
  renameSync(place, place + '.link'); renameSync(place + '.folder', place)
}`

test('a folder that is exchanged for a link while eight readers open its file never gives the file behind the link', async () => {
  const place = join(root, 'flipping')
  mkdirSync(place)
  writeFileSync(join(place, 'canary.txt'), 'safe')
  symlinkSync('../elsewhere', `${place}.link`)
  const flipper = Bun.spawn([process.execPath, '-e', FLIPPER, place, '25000'], { stdout: 'inherit', stderr: 'inherit' })
  const seen = new Map<string, number>()
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1)
  let isFlipping = true
  const read = async (): Promise<void> => {
    while (isFlipping) {
      const file = await openInside(root, 'flipping/canary.txt').catch((error: unknown) =>
        count(error instanceof MediaError ? error.code : 'threw'),
      )
      if (!file) continue
      count(readFileSync(file.stablePath, 'utf8'))
      count(await file.handle.readFile('utf8'))
      await file.handle.close()
    }
  }
  const readers = Array.from({ length: 8 }, read)
  expect(await flipper.exited).toBe(0)
  isFlipping = false
  await Promise.all(readers)
  expect(seen.get(CANARY)).toBeUndefined()
  expect(seen.get('threw')).toBeUndefined()
  // Both sides of the exchange were met, so the test has seen what it is about.
  expect(seen.get('safe')).toBeGreaterThan(0)
  expect(seen.get('outside')).toBeGreaterThan(0)
}, 60_000)
