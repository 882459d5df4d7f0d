import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type OpenedFolder, openFolderInside } from '../../src/media/inside.ts'
import { archiveOf, BundleChangedError } from '../../src/media/zip-stream.ts'
import { link, makeTree, type Tree } from '../support/library-tree.ts'
import { processorMs } from '../support/processor-time.ts'
import { runProgram } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
let root: string
beforeEach(async () => {
  folder = await temporaryFolder('zip')
  root = join(folder.path, 'library')
})
afterEach(() => folder.remove())

const openBundle = (): Promise<OpenedFolder> => openFolderInside(root, 'My.app')
const archiveNow = async () => archiveOf(await openBundle(), 'My.app')

/** What this process has open below the library. */
const openPaths = (): string[] =>
  readdirSync('/proc/self/fd')
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`)
      } catch {
        return ''
      }
    })
    .filter((path) => path.startsWith(root))

const outcomeOf = async (stream: ReadableStream<Uint8Array>): Promise<unknown> => {
  try {
    await Bun.readableStreamToBytes(stream)
    return 'whole'
  } catch (error) {
    return error
  }
}

const save = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  const file = join(folder.path, 'out.zip')
  await Bun.write(file, new Response(stream))
  return file
}

const unexpected = (error: unknown): never => {
  throw error
}

const MEGABYTE = 1024 * 1024
const BUNDLE: Tree = { 'library/My.app/Contents': { 'a.bin': 3 * MEGABYTE, 'b.bin': 3 * MEGABYTE, 'c.txt': 'c' } }

describe('an archive breaks off, and closes everything, when', () => {
  const at = (path: string): string => join(root, 'My.app/Contents', path)
  const changes: [what: string, change: () => void][] = [
    ['a file that comes later has grown', () => appendFileSync(at('b.bin'), 'x')],
    ['a file that comes later has shrunk', () => truncateSync(at('b.bin'), 5)],
    [
      'a file that comes later was written again with the same length',
      () => {
        writeFileSync(at('c.txt'), 'd')
        // Within the same tick of the disk's clock nothing would tell.
        utimesSync(at('c.txt'), 1, 1)
      },
    ],
    ['a file that comes later is gone', () => rmSync(at('c.txt'))],
    [
      'a file that comes later is a link to another',
      () => {
        rmSync(at('b.bin'))
        symlinkSync(at('a.bin'), at('b.bin'))
      },
    ],
    [
      'the folder of a file that comes later is a link out of the library',
      () => {
        makeTree(folder.path, { 'outside/Contents': { 'a.bin': 3 * MEGABYTE, 'b.bin': 3 * MEGABYTE, 'c.txt': 'c' } })
        renameSync(join(root, 'My.app/Contents'), join(root, 'Contents'))
        symlinkSync(join(folder.path, 'outside/Contents'), join(root, 'My.app/Contents'))
      },
    ],
    ['the file that is being read has grown', () => appendFileSync(at('a.bin'), 'x')],
    ['the file that is being read has shrunk', () => truncateSync(at('a.bin'), MEGABYTE + 5)],
    ['the file that is being read is written over', () => utimesSync(at('a.bin'), 1, 1)],
  ]
  for (const [what, change] of changes)
    test(what, async () => {
      makeTree(folder.path, BUNDLE)
      const errors: unknown[] = []
      const reader = (await archiveNow()).stream((error) => errors.push(error)).getReader()
      // The first file is under way.
      for (let bytes = 0; bytes <= MEGABYTE; ) bytes += (await reader.read()).value?.length ?? 0
      change()
      const rest = async (): Promise<void> => {
        while (!(await reader.read()).done);
      }
      const failure = await rest().then(
        () => 'whole',
        (error: unknown) => error,
      )
      expect(failure).toBeInstanceOf(Error)
      expect(errors).toEqual([failure])
      expect(openPaths()).toEqual([])
    })

  test('a file cannot be opened', async () => {
    makeTree(folder.path, BUNDLE)
    const archive = await archiveNow()
    rmSync(join(root, 'My.app/Contents/b.bin'))
    mkdirSync(join(root, 'My.app/Contents/b.bin'))
    expect(await outcomeOf(archive.stream(() => undefined))).toBeInstanceOf(BundleChangedError)
    expect(openPaths()).toEqual([])
  })
})

test('a file that has another inode by now is the same one, as on a disk that makes their numbers up', async () => {
  makeTree(folder.path, BUNDLE)
  const at = (name: string): string => join(root, 'My.app/Contents', name)
  utimesSync(at('c.txt'), 1, 1)
  const archive = await archiveNow()
  copyFileSync(at('c.txt'), at('again'))
  utimesSync(at('again'), 1, 1)
  renameSync(at('again'), at('c.txt'))
  expect(await outcomeOf(archive.stream(unexpected))).toBe('whole')
})

test('a name that is no UTF-8 is refused before anything is sent, as its file would be missing', async () => {
  makeTree(folder.path, BUNDLE)
  writeFileSync(Buffer.concat([Buffer.from(join(root, 'My.app/')), Buffer.from([0xff, 0xfe])]), 'x')
  const bundle = await openBundle()
  await expect(archiveOf(bundle, 'My.app')).rejects.toThrow('unreadable')
  await bundle.handle.close()
  expect(openPaths()).toEqual([])
})

test('nothing is read before somebody reads, and nothing after they stopped', async () => {
  makeTree(folder.path, BUNDLE)
  const archive = await archiveNow()
  const stream = archive.stream(unexpected)
  await Bun.sleep(20)
  expect(openPaths()).toEqual([join(root, 'My.app')])
  const reader = stream.getReader()
  for (let bytes = 0; bytes <= MEGABYTE; ) bytes += (await reader.read()).value?.length ?? 0
  expect(openPaths().toSorted()).toEqual([join(root, 'My.app'), join(root, 'My.app/Contents/a.bin')])
  await reader.cancel()
  expect(openPaths()).toEqual([])
})

/** A bundle as macOS knows them: a program, a framework with links to its versions, empty folders, odd names. */
const realBundle = (): void => {
  makeTree(join(root, 'My.app'), {
    'Contents/Info.plist': '<?xml version="1.0"?><plist/>',
    'Contents/Frameworks/Engine.framework': {
      'Versions/A/Resources': { 'de.lproj': { 'größe 日本.strings': '"a" = "b";' } },
      'Versions/Current': link('A'),
      Resources: link('Versions/Current/Resources'),
      Engine: link('Versions/Current/Engine'),
    },
    'Contents/Resources': { 'Icon\r': '', 'back\\slash.txt': 'a', "quote's.txt": 'b', 'empty folder': {}, '-rf': 'c', 'e\u0301': 'd' },
    'Contents/PlugIns': {},
    dangling: link('nowhere/at all'),
    out: link('/etc'),
  })
  const engine = join(root, 'My.app/Contents/Frameworks/Engine.framework/Versions/A/Engine')
  copyFileSync('/bin/sh', engine)
  chmodSync(engine, 0o755)
  mkdirSync(join(root, 'My.app/Contents/MacOS'))
  copyFileSync(process.execPath, join(root, 'My.app/Contents/MacOS/My'))
  chmodSync(join(root, 'My.app/Contents/MacOS/My'), 0o775)
  chmodSync(join(root, 'My.app/Contents/Resources/-rf'), 0o600)
  utimesSync(join(root, 'My.app/Contents/Info.plist'), 981_173_106, 981_173_106)
  utimesSync(join(root, 'My.app/Contents/Resources/-rf'), 1, 1)
}

const PYTHON = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
print(json.dumps({'bad': archive.testzip(), 'entries': [[i.filename, oct(i.external_attr >> 16), i.file_size] for i in archive.infolist()]}))`

const asPythonSees = async (file: string): Promise<{ bad: string | null; entries: [name: string, mode: string, size: number][] }> =>
  JSON.parse((await runProgram(['python3', '-c', PYTHON, file])).toString())

test('a bundle comes back the same from unzip, with its links, empty folders, modes and times; Python agrees', async () => {
  realBundle()
  const archive = await archiveNow()
  const file = await save(archive.stream(unexpected))
  expect(Bun.file(file).size).toBe(archive.length)
  expect((await runProgram(['unzip', '-t', file])).toString()).toContain('No errors detected')

  const back = join(folder.path, 'back')
  // Without -^ unzip leaves the control characters out of names; macOS calls the icon of a folder "Icon\r".
  await runProgram(['unzip', '-q', '-^', '-d', back, file])
  // A backslash parts folders on Windows.
  renameSync(join(back, 'My.app/Contents/Resources/back_slash.txt'), join(back, 'My.app/Contents/Resources/back\\slash.txt'))
  await runProgram(['diff', '--recursive', '--no-dereference', join(root, 'My.app'), join(back, 'My.app')])
  const listing = async (place: string): Promise<string> =>
    (await runProgram(['find', place, '-type', 'f', '-printf', '%P %m %Ts\n', '-or', '-not', '-type', 'f', '-printf', '%P %m %l\n']))
      .toString()
      .split('\n')
      .toSorted()
      .join('\n')
  expect(await listing(join(back, 'My.app'))).toBe(await listing(join(root, 'My.app')))

  const { bad, entries } = await asPythonSees(file)
  expect(bad).toBeNull()
  expect(entries.filter(([name]) => !name.startsWith('My.app/'))).toEqual([])
  expect(entries).toContainEqual(['My.app/Contents/Resources/empty folder/', '0o40755', 0])
  expect(entries).toContainEqual(['My.app/out', '0o120777', 4])
  expect(entries).toContainEqual(['My.app/Contents/MacOS/My', '0o100775', Bun.file(process.execPath).size])
})

test('the same bundle gives the same bytes', async () => {
  realBundle()
  const hash = async (): Promise<string> => {
    const hasher = new Bun.CryptoHasher('sha256')
    for await (const chunk of (await archiveNow()).stream(unexpected)) hasher.update(chunk)
    return hasher.digest('hex')
  }
  expect(await hash()).toBe(await hash())
})

test('set-user-id bits are left out, and so are pipes; names that would become one stay two', async () => {
  makeTree(root, { 'My.app': { a_b: '1', 'a\\b': '22', tool: 'x' } })
  chmodSync(join(root, 'My.app/tool'), 0o4755)
  await runProgram(['mkfifo', join(root, 'My.app/pipe')])
  const { entries } = await asPythonSees(await save((await archiveNow()).stream(unexpected)))
  expect(entries.map(([name, mode]) => `${name} ${mode}`)).toEqual([
    'My.app/ 0o40755',
    'My.app/a_b 0o100644',
    'My.app/a_b 2 0o100644',
    'My.app/tool 0o100755',
  ])
  expect(entries.map(([, , size]) => size).toSorted()).toEqual([0, 1, 1, 2])
})

test('thousands of names that would become one are told apart at once', async () => {
  const named = (number: number): string => number.toString(2).padStart(12, '0').replaceAll('0', '_').replaceAll('1', '\\')
  makeTree(root, { 'My.app': Object.fromEntries(Array.from({ length: 4096 }, (_, number) => [named(number), ''])) })
  const startedAt = processorMs()
  const { close } = await archiveNow()
  await close()
  expect(processorMs() - startedAt).toBeLessThan(2000)
})

test('other work gets its turn while a large bundle is looked through and read', async () => {
  const files = Object.fromEntries(Array.from({ length: 1500 }, (_, number) => [`${number % 30}/${number}.txt`, String(number)]))
  makeTree(root, { 'My.app': { ...files, 'big.bin': 64 * MEGABYTE } })
  let turns = 0
  /** Milliseconds of processor time between two turns: a busy machine may give this process none for long. */
  let longest = 0
  let last = process.cpuUsage()
  const timer = setInterval(() => {
    turns += 1
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
  }, 1)
  const archive = await archiveNow()
  await save(archive.stream(unexpected))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(10)
  expect(longest).toBeLessThan(250)
})

test('whoever goes while the folder is being closed closes it no second time, and is no error', async () => {
  makeTree(root, { 'My.app': { a: 'a' } })
  const bundle = await openBundle()
  const closing = Promise.withResolvers<void>()
  const isClosing = Promise.withResolvers<void>()
  const [errors, times]: [unknown[], string[]] = [[], []]
  const handle = Object.assign(Object.create(bundle.handle), {
    close: async () => {
      isClosing.resolve()
      await closing.promise
      await bundle.handle.close()
    },
  })
  const { stream } = await archiveOf({ ...bundle, handle }, 'My.app', () => void times.push('closed'))
  const reader = stream((error) => errors.push(error)).getReader()
  while (await Promise.race([isClosing.promise.then(() => false), reader.read().then(() => true)]));
  const gone = reader.cancel()
  closing.resolve()
  await gone
  // Whatever else would be done of it is done by now.
  await Bun.sleep(50)
  expect([times, errors]).toEqual([['closed'], []])
})
