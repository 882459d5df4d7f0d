import { afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeAtomic, writeAtomic, writeUnderFreeName } from '../../src/media/atomic-write.ts'
import { openFolderInside } from '../../src/media/inside.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
let file: string
beforeEach(async () => {
  folder = await temporaryFolder('write')
  file = join(folder.path, 'cover.jpg')
})
afterEach(() => folder.remove())

const write = (path: string, content: Parameters<typeof writeAtomic>[1]): Promise<void> =>
  writeAtomic(path, content, () => Promise.resolve())
const NEW = Buffer.from('new picture')

test('a link in the place of the file is replaced, and what it leads to stays as it was', async () => {
  const outside = join(folder.path, 'outside.txt')
  writeFileSync(outside, 'precious')
  symlinkSync(outside, file)
  await write(file, NEW)
  expect(readFileSync(outside, 'utf8')).toBe('precious')
  expect(lstatSync(file).isSymbolicLink()).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe('new picture')
})

test('content that fails half way leaves the old file and nothing else', async () => {
  writeFileSync(file, 'old picture')
  const failing = async function* (): AsyncGenerator<Uint8Array> {
    yield NEW
    throw new Error('the upload broke off')
  }
  await expect(write(file, failing())).rejects.toThrow('the upload broke off')
  expect(readFileSync(file, 'utf8')).toBe('old picture')
  expect(readdirSync(folder.path)).toEqual(['cover.jpg'])
})

test('what a crash left behind goes with a write an hour later; what may still be written, or is an old file put aside, and what is not ours, stays', async () => {
  const ours = '.vitrine-0123456789abcdef0123456789abcdef.tmp'
  const others = ['.vitrine-notes.tmp', '.vitrine-trash-1-0123abcd', 'photo.tmp']
  for (const name of [ours, ...others]) writeFileSync(join(folder.path, name), 'half')
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  for (const name of [ours, ...others]) utimesSync(join(folder.path, name), longAgo, longAgo)
  await write(file, NEW)
  expect(readdirSync(folder.path).toSorted()).toEqual([ours, ...others, 'cover.jpg'].toSorted())
  setSystemTime(Date.now() + 2 * 3_600_000)
  try {
    await write(file, NEW)
  } finally {
    setSystemTime()
  }
  expect(readdirSync(folder.path).toSorted()).toEqual([...others, 'cover.jpg'].toSorted())
})

test('a folder in the place of the file, or no folder to write to, throws and leaves nothing', async () => {
  mkdirSync(file)
  await expect(write(file, NEW)).rejects.toThrow()
  await expect(write(join(folder.path, 'nowhere/cover.jpg'), NEW)).rejects.toThrow('ENOENT')
  expect(readdirSync(folder.path)).toEqual(['cover.jpg'])
})

test('a name that is taken is not taken again where the caller wants a new one', async () => {
  const names = await Promise.allSettled(
    Array.from({ length: 20 }, (_, number) => writeUnderFreeName(folder.path, ['cover.jpg'], Buffer.from([number]))),
  )
  expect(names.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refusals = names.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
  expect(refusals.every((reason) => reason.includes('All names are taken'))).toBe(true)
  expect(readdirSync(folder.path)).toEqual(['cover.jpg'])
  expect(lstatSync(file).size).toBe(1)
})

describe('what is to be entered elsewhere as well', () => {
  const fail = (): Promise<never> => Promise.reject(new Error('there is no room for the row'))
  const what = ({ ino, mode }: { ino: number; mode: number } = lstatSync(file)) => ({ ino, mode })

  test('and cannot be, leaves the file that was there, which the work has seen replaced', async () => {
    writeFileSync(file, 'old picture')
    const before = what()
    const seen: string[] = []
    const work = (): Promise<never> => {
      seen.push(readFileSync(file, 'utf8'))
      return fail()
    }
    await expect(writeAtomic(file, NEW, work)).rejects.toThrow('no room')
    expect([seen, readFileSync(file, 'utf8'), what(), readdirSync(folder.path)]).toEqual([
      ['new picture'],
      'old picture',
      before,
      ['cover.jpg'],
    ])
  })

  test('and cannot be, leaves nothing where nothing was, and a link where a link was', async () => {
    await expect(writeAtomic(file, NEW, fail)).rejects.toThrow('no room')
    expect(readdirSync(folder.path)).toEqual([])
    symlinkSync('elsewhere.jpg', file)
    await expect(writeAtomic(file, NEW, fail)).rejects.toThrow('no room')
    expect([readdirSync(folder.path), readlinkSync(file)]).toEqual([['cover.jpg'], 'elsewhere.jpg'])
  })

  test('is the new file alone once it is entered', async () => {
    writeFileSync(file, 'old picture')
    expect(await writeAtomic(file, NEW, () => Promise.resolve('entered'))).toBe('entered')
    expect([readFileSync(file, 'utf8'), readdirSync(folder.path)]).toEqual(['new picture', ['cover.jpg']])
  })

  test('takes no folder away', async () => {
    mkdirSync(join(file, 'inner'), { recursive: true })
    await expect(writeAtomic(file, NEW, fail)).rejects.toThrow('EISDIR')
    await expect(removeAtomic(file, () => Promise.resolve())).rejects.toThrow('folder')
    expect(readdirSync(folder.path, { recursive: true })).toEqual(['cover.jpg', 'cover.jpg/inner'])
  })

  test('a file that cannot be forgotten is there again, one that can is gone, and none is needed', async () => {
    writeFileSync(file, 'old picture')
    const before = what()
    await expect(removeAtomic(file, fail)).rejects.toThrow('no room')
    expect([what(), readdirSync(folder.path)]).toEqual([before, ['cover.jpg']])
    for (let round = 0; round < 2; round += 1) await removeAtomic(file, () => Promise.resolve())
    expect(readdirSync(folder.path)).toEqual([])
  })
})

/** Runs in a mount namespace of its own, on a disk of 64 KiB that already holds a cover. */
const ON_A_FULL_DISK = `
const { readFileSync, readdirSync, writeFileSync } = require('node:fs')
const { writeAtomic } = require(process.argv[1])
const file = process.argv[2] + '/cover.jpg'
writeFileSync(file, 'old picture')
const code = await writeAtomic(file, new Uint8Array(1_000_000), async () => undefined).then(() => 'written', (error) => error.code)
console.log(JSON.stringify({ code, old: readFileSync(file, 'utf8'), names: readdirSync(process.argv[2]) }))`

test('a full disk leaves the old file, no empty one and no temporary one', async () => {
  const module = join(import.meta.dir, '../../src/media/atomic-write.ts')
  const script = `mount -t tmpfs -o size=64k tmpfs "$4" && exec "$1" -e "$2" "$3" "$4"`
  const child = Bun.spawn(['unshare', '-Urm', 'sh', '-c', script, 'sh', process.execPath, ON_A_FULL_DISK, module, folder.path], {
    stderr: 'pipe',
  })
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect(errors).toBe('')
  expect(JSON.parse(output)).toEqual({ code: 'ENOSPC', old: 'old picture', names: ['cover.jpg'] })
})

/** Every rename happens, or does not, and then fails, as on a network disk that loses the answer and is asked again. */
const ON_A_DISK_THAT_FORGETS = `
const promises = require('node:fs/promises')
const { readFileSync, readdirSync, writeFileSync } = require('node:fs')
const [rename, lstat] = [promises.rename, promises.lstat]
const [happens, isBlind] = [process.argv[3] !== 'fails', process.argv[3] === 'happens unseen']
let isDown = false
promises.rename = async (from, to) => {
  if (happens) await rename(from, to)
  isDown = isBlind
  throw Object.assign(new Error('EIO'), { code: 'EIO' })
}
promises.lstat = (...args) => (isDown ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) : lstat(...args))
const { removeAtomic, writeAtomic } = await import(process.argv[1])
const [folder, how] = [process.argv[2], process.argv[4]]
const file = folder + '/cover.jpg'
writeFileSync(file, 'old picture')
const work = () => (how.endsWith('refused') ? Promise.reject(Object.assign(new Error(), { code: 'refused' })) : Promise.resolve('done'))
const writing = how.startsWith('write') ? writeAtomic(file, new TextEncoder().encode('new picture'), work) : removeAtomic(file, work)
const outcome = await writing.then(() => 'done', (error) => error.code)
console.log(JSON.stringify([outcome, readdirSync(folder).map((name) => readFileSync(folder + '/' + name, 'utf8')).toSorted()]))`

test.each([
  ['happens', 'write', ['done', ['new picture']]],
  ['happens', 'write, refused', ['refused', ['old picture']]],
  ['happens', 'remove', ['done', []]],
  ['happens', 'remove, refused', ['refused', ['old picture']]],
  ['fails', 'write', ['EIO', ['old picture']]],
  ['fails', 'remove', ['EIO', ['old picture']]],
  ['happens unseen', 'write', ['EIO', ['new picture', 'old picture']]],
])('a rename that %s and reports an error: %s', async (rename, how, outcome) => {
  const module = join(import.meta.dir, '../../src/media/atomic-write.ts')
  const child = Bun.spawn([process.execPath, '-e', ON_A_DISK_THAT_FORGETS, module, folder.path, rename, how], { stderr: 'pipe' })
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect(errors).toBe('')
  expect(JSON.parse(output)).toEqual(outcome)
})

test('readers see the old file or the new one, whole', async () => {
  const contents = [1, 2].map((number) => new Uint8Array(300_000).fill(number))
  await write(file, contents[0] ?? NEW)
  let isWriting = true
  const torn: number[] = []
  const read = async (): Promise<void> => {
    for (; isWriting; await Bun.sleep(0)) {
      const bytes = readFileSync(file)
      if (bytes.length !== 300_000 || bytes[0] !== bytes.at(-1)) torn.push(bytes.length)
    }
  }
  const reader = read()
  for (let round = 0; round < 40; round += 1) await write(file, contents[round % 2] ?? NEW)
  isWriting = false
  await reader
  expect(torn).toEqual([])
})

test('a stream is written whole, through the stable path of a folder too', async () => {
  const opened = await openFolderInside(folder.path, '')
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < 3_000_000; sent += 100_000) yield Buffer.alloc(100_000, 7)
  }
  await write(join(opened.stablePath, 'cover.jpg'), chunks())
  await opened.handle.close()
  expect(readFileSync(file).equals(Buffer.alloc(3_000_000, 7))).toBe(true)
  expect(readdirSync(folder.path)).toEqual(['cover.jpg'])
})
