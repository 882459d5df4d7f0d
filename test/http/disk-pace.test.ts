import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDiskPace } from '../../src/http/disk-pace.ts'
import { closingFiles, type SentFile } from '../../src/http/file-body.ts'
import { createFileSender } from '../../src/http/file-response.ts'
import { openInside } from '../../src/media/inside.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

/** Whether a file is handed over to Bun, which reads it where everybody waits for it, or read by other threads. */

const SIZE = 3_000_000
const SLOW_MS = 60
/** In two steps: where this thread gets no turn for so long, both ends of one would come at once, and it would seem in time. */
const slowly = (): Promise<void> => Bun.sleep(SLOW_MS / 2).then(() => Bun.sleep(SLOW_MS / 2))

let folder: TemporaryFolder
let server: ReturnType<typeof serve>
const sendFile = createFileSender()
/** Of each disk, what a read of it waits for first. */
const disks = new Map<string, () => Promise<unknown>>()
/** How many bytes were asked of each disk, by read. */
const asked = new Map<string, number[]>()
let closed = 0

const onDisk = async (disk: string): Promise<SentFile> => {
  const { handle, ...facts } = await openInside(folder.path, 'film.bin')
  const read: SentFile['handle']['read'] = async (target, offset, length, position) => {
    asked.set(disk, [...(asked.get(disk) ?? []), length])
    await disks.get(disk)?.()
    return handle.read(target, offset, length, position)
  }
  const close = async (): Promise<void> => {
    closed += 1
    await handle.close()
  }
  return { ...facts, device: disk, isRemote: disk.startsWith('remote'), handle: { read, close } }
}

const respond = async (request: Request): Promise<Response> => {
  const { pathname, searchParams } = new URL(request.url)
  const disk = pathname.slice(1)
  if (disk === 'health') return new Response('well')
  return sendFile(request, await onDisk(disk), { userId: 1, name: 'film.bin', inPieces: searchParams.has('pieces') }).catch(
    (error: unknown) => new Response(String(error), { status: 503 }),
  )
}

const serve = () => Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: closingFiles(respond) })

beforeAll(async () => {
  folder = await temporaryFolder('disk-pace')
  writeFileSync(join(folder.path, 'film.bin'), Buffer.alloc(SIZE, 'film'))
  server = serve()
})
afterAll(async () => {
  await server.stop(true)
  await folder.remove()
})

/** How the whole file comes from a disk. */
const get = async (disk: string): Promise<{ way: 'by Bun' | 'as a stream'; bytes: number }> => {
  const answer = await fetch(new URL(disk, server.url))
  const way = answer.headers.get('content-length') === null ? 'as a stream' : 'by Bun'
  return { way, bytes: (await answer.bytes()).length }
}

const bytesAsked = (disk: string): number => (asked.get(disk) ?? []).reduce((sum, length) => sum + length, 0)

test('what lies on a disk that answers at once is handed over to Bun, and is not asked about again at once', async () => {
  expect(await get('quick')).toEqual({ way: 'by Bun', bytes: SIZE })
  expect(bytesAsked('quick')).toBeLessThan(10)
  let [start, before] = [0, 0]
  // On a machine that took longer, what is known is not new any more.
  do {
    before = bytesAsked('quick')
    start = performance.now()
    for (let times = 0; times < 3; times += 1) await get('quick')
  } while (performance.now() - start > 90)
  expect(bytesAsked('quick') - before).toBeLessThanOrEqual(5)
})

/** What comes of a request for all that lies behind the second byte. */
const getRest = async (disk: string, more = ''): Promise<{ range: string | null; length: string | null; bytes: number }> => {
  const { headers, bytes } = await fetch(new URL(`${disk}${more}`, server.url), { headers: { Range: 'bytes=1-' } }).then(
    async (answer) => ({
      headers: answer.headers,
      bytes: (await answer.bytes()).length,
    }),
  )
  return { range: headers.get('content-range'), length: headers.get('content-length'), bytes }
}

test('a player gets what lies on a remote disk by pieces, which are read before; whoever else asks for a part, or another disk, gets all of it', async () => {
  const piece = 1024 * 1024
  expect(await getRest('remote', '?pieces')).toEqual({ range: `bytes 1-${piece}/${SIZE}`, length: `${piece}`, bytes: piece })
  expect(bytesAsked('remote')).toBe(piece)
  const all = { range: `bytes 1-${SIZE - 1}/${SIZE}`, length: `${SIZE - 1}`, bytes: SIZE - 1 }
  expect(await getRest('remote')).toEqual(all)
  expect(await getRest('local', '?pieces')).toEqual(all)
})

test('a disk that hangs keeps few threads, however many players wait for it', async () => {
  const woken = Promise.withResolvers<void>()
  disks.set('remote-hanging', () => woken.promise)
  const answers = Array.from({ length: 20 }, () => getRest('remote-hanging', '?pieces'))
  while ((asked.get('remote-hanging') ?? []).length === 0) await Bun.sleep(10)
  await Bun.sleep(200)
  expect(asked.get('remote-hanging')).toHaveLength(16)
  woken.resolve()
  expect((await Promise.all(answers)).map(({ bytes }) => bytes)).toEqual(Array(20).fill(1024 * 1024))
})

test('what lies on a slow disk is sent as a stream, after the second time without asking', async () => {
  disks.set('slow', slowly)
  for (let times = 0; times < 4; times += 1) {
    const before = bytesAsked('slow')
    expect(await get('slow')).toEqual({ way: 'as a stream', bytes: SIZE })
    expect(bytesAsked('slow') - before).toBeWithin(SIZE, SIZE + (times < 2 ? 10 : 1))
  }
})

test('a disk that was late once is asked again before the next answer, and is quick where that is no luck', async () => {
  let quickReads = 0
  const soon = async (): Promise<void> => {
    quickReads -= 1
    if (quickReads < 0) await slowly()
  }
  disks.set('busy', soon)
  expect(await get('busy')).toEqual({ way: 'as a stream', bytes: SIZE })
  // As many as lie in memory.
  quickReads = 3
  expect(await get('busy')).toEqual({ way: 'as a stream', bytes: SIZE })

  disks.set('free', soon)
  expect(await get('free')).toEqual({ way: 'as a stream', bytes: SIZE })
  quickReads = SIZE
  expect(await get('free')).toEqual({ way: 'by Bun', bytes: SIZE })
})

test('a disk that wakes up is waited for, and quick then', async () => {
  let isAsleep = true
  disks.set('asleep', async () => {
    if (isAsleep) await Bun.sleep(300)
    isAsleep = false
  })
  expect(await get('asleep')).toEqual({ way: 'by Bun', bytes: SIZE })
  expect(bytesAsked('asleep')).toBeLessThan(10)
})

test('a disk that sleeps is noticed by any place of a file, where the beginning lies in memory', async () => {
  const handle = { read: () => slowly().then(() => ({ bytesRead: 1 })), close: async () => undefined }
  const read: SentFile['handle']['read'] = (...[, , , position]) => (position === 0 ? Promise.resolve({ bytesRead: 1 }) : handle.read())
  expect(
    await createDiskPace()(
      { handle: { read }, version: 'v', device: 'in memory' },
      { start: 0, end: SIZE - 1 },
      new AbortController().signal,
    ),
  ).toBe(false)
})

test('a disk that hangs takes up two threads, and nobody else waits', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  disks.set('hung', () => promise)
  const first = get('hung')
  await Bun.sleep(500)
  const others = Array.from({ length: 10 }, () => get('hung'))
  for (let times = 0; times < 5; times += 1) {
    expect(await (await fetch(new URL('health', server.url))).text()).toBe('well')
    await Bun.sleep(20)
  }
  expect(asked.get('hung')).toHaveLength(2)
  resolve()
  for (const { bytes } of await Promise.all([first, ...others])) expect(bytes).toBe(SIZE)
})

test('a disk that cannot be read is said to be so before anything is sent, and the file is closed', async () => {
  disks.set('broken', () => Promise.reject(new Error('EIO: i/o error, read')))
  const before = closed
  const answer = await fetch(new URL('broken', server.url))
  expect([answer.status, closed]).toEqual([503, before + 1])
})

test('whoever goes while a disk hangs leaves no file open', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  disks.set('stuck', () => promise)
  const first = get('stuck')
  await Bun.sleep(500)
  const before = closed
  const gone = new AbortController()
  const others = Array.from({ length: 10 }, () => fetch(new URL('stuck', server.url), { signal: gone.signal }))
  await Bun.sleep(100)
  gone.abort()
  await Promise.allSettled(others)
  for (let times = 0; times < 100 && closed < before + 10; times += 1) await Bun.sleep(20)
  expect(closed).toBe(before + 10)
  resolve()
  expect((await first).bytes).toBe(SIZE)
})
