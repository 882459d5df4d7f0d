import { expect, test } from 'bun:test'
import { createWorkerPool, ThreadError } from '../../src/jobs/worker-pool.ts'
import type { HashAnswer, HashRequest } from '../../src/workers/protocol.ts'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const TIMEOUT_MS = 3000

const threads = (size: number) =>
  createWorkerPool<HashRequest, HashAnswer>({
    url: new URL('../../src/workers/thumbnailer.ts', import.meta.url).href,
    size,
    timeoutMs: TIMEOUT_MS,
  })

test('a closed pool takes no request', async () => {
  const pool = threads(1)
  pool.close()
  await expect(pool.ask({ type: 'hash', root: '/', paths: [] })).rejects.toThrow('closed')
})

test.each([1, 2, 3])('requests of the same turn are all answered, each with its own answer (%d threads)', async (size) => {
  await using folder = await temporaryFolder('worker-pool')
  makeTree(folder.path, Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${i}.txt`, `content ${i}`])))
  const pool = threads(size)
  try {
    const ask = async (i: number): Promise<string | null | undefined> =>
      (await pool.ask({ type: 'hash', root: folder.path, paths: [`${i}.txt`] })).hashes[0]
    const all = Array.from({ length: 12 }, (_, i) => i)
    const one = new Map<number, string | null | undefined>()
    for (const i of all) one.set(i, await ask(i))
    expect(new Set(one.values()).size).toBe(12)
    // The threads are idle now, and two callers in one turn see the same idle ones.
    for (let round = 0; round < 3; round++) expect(await Promise.all(all.map(ask))).toEqual([...one.values()])
  } finally {
    pool.close()
  }
})

test('a request that its thread never answers fails in time, and the next one gets a new thread', async () => {
  const pool = createWorkerPool<HashRequest, HashAnswer>({
    url: `data:text/javascript,${encodeURIComponent('self.onmessage = () => undefined')}`,
    size: 1,
    timeoutMs: 200,
  })
  try {
    for (let round = 0; round < 2; round++) await expect(pool.ask({ type: 'hash', root: '/', paths: [] })).rejects.toThrow('too long')
  } finally {
    pool.close()
  }
})

test('closing fails what waits too, and opens no thread for it', async () => {
  const pool = createWorkerPool<HashRequest, HashAnswer>({
    url: `data:text/javascript,${encodeURIComponent('self.onmessage = () => undefined')}`,
    size: 1,
    timeoutMs: TIMEOUT_MS,
  })
  const asked = Promise.allSettled([1, 2, 3].map(() => pool.ask({ type: 'hash', root: '/', paths: [] })))
  await Bun.sleep(20)
  pool.close()
  // One that waited until its thread took too long would say so instead.
  expect((await asked).map((outcome) => String(outcome.status === 'rejected' && outcome.reason.message))).toEqual(
    Array<string>(3).fill('The threads are closed.'),
  )
})

test('an urgent request that waits gets a thread beyond the size, an ordinary one does not', async () => {
  const pool = createWorkerPool<HashRequest, HashAnswer>({
    url: `data:text/javascript,${encodeURIComponent("self.onmessage = ({ data }) => data.root === 'hang' || self.postMessage({ type: 'hashes', id: data.id, hashes: [data.root] })")}`,
    size: 1,
    timeoutMs: 60_000,
    urgentPatienceMs: 10,
  })
  const settled: string[] = []
  const ask = (root: string, isUrgent: boolean) =>
    pool.ask({ type: 'hash', root, paths: [] }, { isUrgent }).then(
      () => settled.push(root),
      () => undefined,
    )
  const hanging = ask('hang', false)
  const ordinary = ask('ordinary', false)
  await ask('urgent', true)
  await ask('urgent again', true)
  // The thread beyond the size is free now, and serves whoever waits.
  await ordinary
  expect(settled.slice(0, 1)).toEqual(['urgent'])
  expect(settled.sort()).toEqual(['ordinary', 'urgent', 'urgent again'])
  pool.close()
  await hanging
})

/** Answers what its function makes of the request, which says `post` for each answer. */
const poolOf = (body: string, size = 1) =>
  createWorkerPool<HashRequest, HashAnswer>({
    url: `data:text/javascript,${encodeURIComponent(`self.onmessage = ({ data }) => { const post = (hashes) => self.postMessage({ type: 'hashes', id: data.id, hashes }); ${body} }`)}`,
    size,
    timeoutMs: TIMEOUT_MS,
  })

const ask: Omit<HashRequest, 'id'> = { type: 'hash', root: '/', paths: [] }

test('a thread that ends fails its request with the very error that says so, and the next one gets a new thread', async () => {
  const pool = poolOf('if (data.id === 1) throw new Error("poison"); post([String(data.id)])')
  try {
    await expect(pool.ask(ask)).rejects.toBeInstanceOf(ThreadError)
    expect((await pool.ask(ask)).hashes).toEqual(['2'])
  } finally {
    pool.close()
  }
})

test('parts of an answer come one by one, and each gives the thread its time again', async () => {
  const pool = poolOf(
    'if (data.id === 1) return post([]); let n = 0; const timer = setInterval(() => { post([String(++n)]); if (n === 4) clearInterval(timer) }, 500)',
  )
  const parts: (string | null | undefined)[] = []
  try {
    // The thread has started, which the time of a request would count too.
    await pool.ask(ask)
    const onPart = ({ hashes: [text] }: HashAnswer): boolean => text !== '4' && parts.push(text) > 0
    expect((await pool.ask(ask, { onPart, timeoutMs: 1500 })).hashes).toEqual(['4'])
    expect(parts).toEqual(['1', '2', '3'])
    await expect(pool.ask(ask, { timeoutMs: 50 })).rejects.toThrow('too long')
  } finally {
    pool.close()
  }
})

test('a request that is not wanted any more ends its thread, also where it had not begun', async () => {
  const pool = poolOf('if (data.id > 1) post([])')
  try {
    const stopper = new AbortController()
    const asked = Promise.allSettled([1, 2].map(() => pool.ask(ask, { signal: stopper.signal })))
    await Bun.sleep(20)
    stopper.abort()
    expect((await asked).map((outcome) => String(outcome.status === 'rejected' && outcome.reason.message))).toEqual([
      expect.stringContaining('not wanted'),
      expect.stringContaining('not wanted'),
    ])
    expect((await pool.ask(ask)).hashes).toEqual([])
  } finally {
    pool.close()
  }
})

test('there are as many threads as the pool is told to have, from one request to the next', async () => {
  const pool = poolOf('post([self.name ||= crypto.randomUUID()])', 6)
  /** Each thread answers with a name of its own. A request has its thread in the turn that asks, and no answer comes in the same one. */
  const threadsOf = async (requests: number, resizedTo: number): Promise<number> => {
    const asked = Array.from({ length: requests }, () => pool.ask(ask))
    pool.resize(resizedTo)
    return new Set((await Promise.all(asked)).map(({ hashes: [name] }) => name)).size
  }
  try {
    expect(await threadsOf(6, 3)).toBe(6)
    expect(await threadsOf(6, 1)).toBe(3)
    expect(await threadsOf(6, 1)).toBe(1)
  } finally {
    pool.close()
  }
})
