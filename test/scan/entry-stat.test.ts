import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EntryStat, entriesOf } from '../../src/scan/entry-stat.ts'
import { link, makeTree } from '../support/library-tree.ts'
import { makeOddFiles } from '../support/odd-names.ts'

let base = ''
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'vitrine-stat-'))
  chmodSync(base, 0o755)
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const FIELDS = ['mode', 'size', 'mtimeMs', 'birthtimeMs', 'ino', 'dev'] as const

/** The one entry of this name. */
const lookAt = (folder: string, name: string): EntryStat | undefined => {
  using entries = entriesOf(folder)
  return entries.lookAt(name)
}

/** That every entry is what the runtime says of it, and how many there are. */
const expectSame = (folder: string): number => {
  using entries = entriesOf(`${folder}/`)
  const names = readdirSync(folder)
  for (const name of names) {
    const expected = lstatSync(join(folder, name), { throwIfNoEntry: false })
    const seen = entries.lookAt(name)
    for (const field of FIELDS) expect([name, field, seen?.[field]]).toEqual([name, field, expected?.[field]])
  }
  return names.length
}

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

test('what is gone is undefined, also below what is no folder any more', () => {
  makeTree(join(base, 'gone'), { 'a.jpg': 1 })
  expect(lookAt(`${base}/gone/`, 'b.jpg')).toBeUndefined()
  expect(lookAt(`${base}/never/`, 'a.jpg')).toBeUndefined()
})

test('what may not be looked at, and what is too long for the system, throws its error, and the next is right again', () => {
  const folder = join(base, 'refused')
  makeTree(folder, { 'closed/a.jpg': 1, 'b.jpg': 3 })
  chmodSync(join(folder, 'closed'), 0o444)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65534)
  try {
    expect(thrownBy(() => lookAt(`${folder}/closed/`, 'a.jpg'))).toMatchObject({ code: 'EACCES' })
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(join(folder, 'closed'), 0o755)
  }
  const long = 'd'.repeat(250)
  expect(thrownBy(() => lookAt(`${folder}/`, `${long}${long}`))).toMatchObject({ code: 'ENAMETOOLONG' })
  const tooLong = `${folder}/${`${long}/`.repeat(20)}`
  expect(thrownBy(() => lookAt(tooLong, 'a.jpg'))).toMatchObject({ code: 'ENAMETOOLONG' })
  const nearlyTooLong = `${folder}/${`${long}/`.repeat(20)}`.slice(0, 4090)
  expect(thrownBy(() => lookAt(nearlyTooLong, 'éééé.jpg'))).toMatchObject({ code: 'ENAMETOOLONG' })
  expect(lookAt(`${folder}/`, 'b.jpg')).toMatchObject({ size: 3 })
})

test('what nobody can name by its whole path is refused, though its folder can be opened', async () => {
  const above = `${base}/${`${'d'.repeat(199)}/`.repeat(19)}`
  const folder = `${above}${'d'.repeat(3900 - above.length - 1)}/`
  mkdirSync(folder, { recursive: true })
  const [longest, tooLong] = ['f'.repeat(195), 'f'.repeat(196)]
  await Bun.spawn(['touch', longest, tooLong], { cwd: folder }).exited
  expect(lookAt(folder, longest)).toMatchObject({ ino: lstatSync(folder + longest).ino })
  expect(thrownBy(() => lookAt(folder, tooLong))).toMatchObject({ code: 'ENAMETOOLONG' })
})

test('no folder stays open', () => {
  makeTree(join(base, 'open'), { 'a.jpg': 1 })
  const folder = realpathSync(join(base, 'open'))
  for (let turn = 0; turn < 50; turn += 1) lookAt(`${base}/open/`, 'a.jpg')
  const isIt = (name: string): boolean => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === folder
    } catch {
      // Whatever else this process had open, it has closed since.
      return false
    }
  }
  expect(readdirSync('/proc/self/fd').filter(isIt)).toEqual([])
})

test('files, folders, links and pipes of any name are what the runtime says, links as links', async () => {
  const folder = join(base, 'kinds')
  makeTree(folder, { 'a.jpg': 7, sub: { 'b.jpg': 1 }, 'to-file': link('a.jpg'), 'to-folder': link('sub'), nowhere: link('no') })
  await Bun.spawn(['mkfifo', join(folder, 'pipe')]).exited
  expect(expectSame(folder)).toBe(6)
  makeOddFiles(join(base, 'odd'), '.jpg')
  expect(expectSame(join(base, 'odd'))).toBeGreaterThan(30)
})

test('two folders that are looked at by turns are not mixed up', () => {
  makeTree(join(base, 'turns'), { 'one/a.jpg': 1, 'one/b.jpg': 2, 'another one/a.jpg': 3, 'another one/b.jpg': 4 })
  using one = entriesOf(`${base}/turns/one/`)
  using other = entriesOf(`${base}/turns/another one/`)
  expect([one.lookAt('a.jpg'), other.lookAt('a.jpg'), one.lookAt('b.jpg'), other.lookAt('b.jpg')].map((stat) => stat?.size)).toEqual([
    1, 3, 2, 4,
  ])
})

test('times before 1970, with fractions, and none of birth', async () => {
  const folder = mkdtempSync('/dev/shm/vitrine-stat-')
  try {
    for (const [index, time] of [
      '1969-12-31T23:59:58.499999999Z',
      '1901-01-01T00:00:00.000000001Z',
      '2038-02-01T12:00:00.123456789Z',
    ].entries()) {
      const path = join(folder, `${index}.jpg`)
      writeFileSync(path, '')
      await Bun.spawn(['touch', '-d', time, path]).exited
    }
    mkdirSync(join(folder, 'sub'))
    expect(expectSame(folder)).toBe(4)
    expect(lookAt(`${folder}/`, '0.jpg')?.mtimeMs).toBeCloseTo(-1500, 2)
  } finally {
    rmSync(folder, { recursive: true })
  }
  expect(expectSame('/proc/sys')).toBeGreaterThan(0)
  expect(lookAt('/proc/sys/', 'kernel')?.birthtimeMs).toBe(0)
})
