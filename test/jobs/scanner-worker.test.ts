import { afterEach, expect, spyOn, test } from 'bun:test'
import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { libraries } from '../../src/db/schema/libraries.ts'
import { createScanners, type Scanners } from '../../src/jobs/scanner-worker.ts'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestApp } from '../support/test-app.ts'

const FILES = 450
/** A thread that is alive has long answered. */
const ANSWER_LIMIT_MS = 5_000

let scanners: Scanners | undefined
afterEach(() => scanners?.close())

/** A folder of files called 0.txt, 1.txt and so on, its library, and what starts a scan of it. */
const startScene = async (files: number, { folders = 0 } = {}) => {
  const folder = await temporaryFolder('scanner-worker')
  const texts = Object.fromEntries(Array.from({ length: files }, (_, i) => [`${i}.txt`, `content ${i}`]))
  makeTree(folder.path, { ...texts, ...Object.fromEntries(Array.from({ length: folders }, (_, i) => [`folder ${i}`, texts])) })
  const app = await startTestApp()
  const [library] = await app.deps.db.insert(libraries).values({ name: 'Files', type: 'mixed', path: folder.path }).returning()
  if (!library) throw new Error('The library was not made')
  const made = createScanners(app.deps)
  scanners = made
  return {
    path: folder.path,
    start: (signal = new AbortController().signal) => made.start({ library, root: folder.path, paths: null, signal, asColumns: false }),
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('a scan that nobody wants any more before its thread is there is not begun', async () => {
  await using scene = await startScene(1)
  const scanner = await scene.start(AbortSignal.abort())
  try {
    await expect(scanner.walk(async () => undefined)).rejects.toThrow('aborted')
  } finally {
    scanner.close()
  }
})

test('hashes of more files than one question takes stand in the order asked, with none for a file that is gone', async () => {
  await using scene = await startScene(FILES)
  const scanner = await scene.start()
  try {
    const paths = Array.from({ length: FILES }, (_, i) => (i === 300 ? 'gone.txt' : `${i}.txt`))
    const hashes = await scanner.hashFiles(paths)
    expect(hashes.map((hash) => hash !== null)).toEqual(paths.map((path) => path !== 'gone.txt'))
    expect(new Set(hashes).size).toBe(FILES)
    expect(await scanner.hashFiles(['449.txt', '0.txt'])).toEqual([hashes[449] ?? null, hashes[0] ?? null])
  } finally {
    scanner.close()
  }
})

test('a thread whose scan came to its end does the next one, and one that did not is ended, with what waits when the server ends', async () => {
  await using scene = await startScene(FILES)
  const ended = spyOn(Worker.prototype, 'terminate')
  try {
    const found: number[] = []
    const walk = async (scanner: Awaited<ReturnType<typeof scene.start>>, stop?: () => void): Promise<void> => {
      let last = 0
      await scanner
        .walk(async (messages) => {
          stop?.()
          last = messages.at(-1)?.foundItems ?? 0
        })
        .finally(() => scanner.close())
      found.push(last)
    }
    for (let time = 0; time < 3; time++) await walk(await scene.start())
    expect(found).toEqual([FILES, FILES, FILES])
    expect(ended).toHaveBeenCalledTimes(0)
    const stopper = new AbortController()
    const stopped = await walk(await scene.start(stopper.signal), () => stopper.abort()).catch(String)
    expect(stopped).toContain('aborted')
    const [one, other] = await Promise.all([scene.start(), scene.start()])
    await Promise.all([walk(one), walk(other)])
    expect(ended).toHaveBeenCalledTimes(0)
    scanners?.close()
    // That of the cancelled scan may have ended itself by then.
    expect(new Set(ended.mock.contexts).size).toBeGreaterThanOrEqual(2)
  } finally {
    ended.mockRestore()
  }
})

test('a thread that has died is left to no scan after', async () => {
  await using scene = await startScene(1)
  const told = spyOn(Worker.prototype, 'postMessage')
  try {
    const scanner = await scene.start()
    await scanner.walk(async () => undefined)
    const thread = told.mock.contexts[0]
    if (!(thread instanceof Worker)) throw new Error('No thread was told anything')
    const gone = once(thread, 'close')
    thread.terminate()
    await gone
    scanner.close()
    const next = await scene.start()
    try {
      const walked = await Promise.race([next.walk(async () => undefined), Bun.sleep(ANSWER_LIMIT_MS)])
      expect(walked).toMatchObject({ foundItems: 1 })
    } finally {
      next.close()
    }
  } finally {
    told.mockRestore()
  }
})

test('a scan that is cancelled leaves no folder open: its disk can be unmounted', async () => {
  await using scene = await startScene(FILES, { folders: 20 })
  const openFolders = async (): Promise<string[]> => {
    const names = await readdir('/proc/self/fd')
    // That of this very list is none any more.
    const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
    return paths.filter((path) => path.startsWith(scene.path))
  }
  const closed: Promise<unknown>[] = []
  const told = spyOn(Worker.prototype, 'postMessage')
  try {
    for (let time = 0; time < 10; time++) {
      const stopper = new AbortController()
      const scanner = await scene.start(stopper.signal)
      // While one folder or another is being read.
      const walked = scanner.walk(() => Bun.sleep(time).then(() => stopper.abort())).finally(() => scanner.close())
      const thread = told.mock.contexts.at(-1)
      if (thread instanceof Worker) closed.push(once(thread, 'close'))
      await expect(walked).rejects.toThrow('aborted')
    }
    await Promise.all(closed)
    expect(await openFolders()).toEqual([])
  } finally {
    told.mockRestore()
  }
})
