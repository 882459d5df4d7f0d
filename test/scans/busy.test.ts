import { afterAll, beforeAll, expect, test } from 'bun:test'
import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, HttpClient, Json } from '../support/http-client.ts'
import { type IndexDatabase, openIndexOf } from '../support/index-database.ts'
import { makeTree } from '../support/library-tree.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

/** What is promised while a scan runs, on a folder large enough to be met in the middle of it. */

/** So many that a scan of them takes a second, and its figures are seen on the way. */
const FILES = 60_000
const FILES_A_FOLDER = 50
const SCAN_LIMIT_MS = 60_000
/** To make and to remove so many. */
const FOLDER_LIMIT_MS = 180_000

let folder: TemporaryFolder
let server: TestServer
let admin: HttpClient
let index: IndexDatabase
let small: number

/** Of holes alone, each of its own size: a quarter of a gigabyte to write would hold up a slow disk for minutes. */
const makeLarge = (root: string): void => {
  for (let i = 0; i < FILES; i++) {
    const inFolder = join(root, String(Math.floor(i / FILES_A_FOLDER)))
    if (i % FILES_A_FOLDER === 0) mkdirSync(inFolder, { recursive: true })
    const handle = openSync(join(inFolder, `${i}.bin`), 'w')
    ftruncateSync(handle, 1 + i)
    closeSync(handle)
  }
}

beforeAll(async () => {
  folder = await temporaryFolder('busy')
  makeLarge(join(folder.path, 'large'))
  makeTree(folder.path, { small: { 'hello.txt': 'hello', Series: { 'S01E01.mkv': 5 } } })
  server = await startServer({ libraries: [{ type: 'mixed', path: join(folder.path, 'small') }] })
  admin = await server.as('admin')
  await server.waitForScans()
  small = (await admin.get('/api/libraries')).body.libraries[0].id
  index = openIndexOf(server)
}, FOLDER_LIMIT_MS)
afterAll(async () => {
  index.close()
  await server.stop()
  await folder.remove()
}, FOLDER_LIMIT_MS)

const forget = (id: number) => admin.delete(`/api/libraries/${id}`)
/** A library of the large folder that is there for one test, not scanned yet. */
const withLarge = async (work: (id: number) => Promise<void>): Promise<void> => {
  const answer = await admin.post('/api/libraries', { name: 'Large', type: 'mixed', path: join(folder.path, 'large') })
  const { id } = answer.body.library
  await work(id).finally(() => forget(id))
}
const startScan = async (libraryId: number): Promise<Json> => (await admin.post('/api/scans', { libraryId })).body.scans[0]
const getScan = async (id: number): Promise<Json> => (await admin.get(`/api/scans/${id}`)).body.scan
const waitUntil = (id: number, isSo: (scan: Json) => boolean): Promise<Json> =>
  waitFor(
    async () => {
      const scan = await getScan(id)
      return isSo(scan) ? scan : undefined
    },
    SCAN_LIMIT_MS,
    () => `Scan ${id} never came so far`,
  )
const isOver = ({ status }: Json): boolean => status !== 'queued' && status !== 'running'
const countRows = async (libraryId: number): Promise<number> =>
  Number((await index.query('SELECT count(*) AS n FROM media_items WHERE library_id = ?', [libraryId]))[0]?.n)

test('a scan is queued, runs with growing figures, and is done; a second request meanwhile answers the same scan', () =>
  withLarge(async (id) => {
    const asked = await admin.post('/api/scans', { libraryId: id })
    expect(asked.status).toBe(202)
    const [scan] = asked.body.scans
    expect(scan).toMatchObject({
      libraryId: id,
      trigger: 'manual',
      status: 'queued',
      found: 0,
      error: null,
      startedAt: null,
      finishedAt: null,
      warnings: [],
    })
    const running = await waitUntil(scan.id, ({ status, found }) => status === 'running' && found > 0)
    expect(running).toMatchObject({ phase: expect.any(String), startedAt: expect.any(String), finishedAt: null })
    const again = await admin.post('/api/scans', { libraryId: id })
    expect([again.status, again.body.scans.map(({ id: same }: Json) => same)]).toEqual([202, [scan.id]])
    const all = (await admin.post('/api/scans', {})).body.scans
    expect(all.find(({ libraryId }: Json) => libraryId === id).id).toBe(scan.id)
    expect(all.map(({ libraryId }: Json) => libraryId).sort()).toEqual([small, id].sort())
    expect(await waitUntil(scan.id, isOver)).toMatchObject({
      status: 'done',
      phase: null,
      found: FILES,
      added: FILES,
      finishedAt: expect.any(String),
    })
    const { scans } = (await admin.get('/api/scans', { libraryId: id })).body
    expect(scans.map((each: Json) => each.id)).toEqual([scan.id])
    expect((await admin.get('/api/scans', { limit: 1 })).body.scans.length).toBe(1)
  }))

test('a running scan can be cancelled; what it has applied stays, and the next one finishes the work', () =>
  withLarge(async (id) => {
    const scan = await startScan(id)
    await waitUntil(scan.id, ({ found }) => found > 0)
    expect((await admin.delete(`/api/scans/${scan.id}`)).status).toBe(204)
    const over = await getScan(scan.id)
    expect(over).toMatchObject({ status: 'cancelled', missing: 0, finishedAt: expect.any(String) })
    const rows = await countRows(id)
    expect(rows).toBeGreaterThan(0)
    expect(rows).toBeLessThan(FILES)
    expect(over.added).toBe(rows)
    expect(await countRows(id)).toBe(rows)
    expect(await server.scanAndWait(id)).toMatchObject({ status: 'done', found: FILES, added: FILES - rows, missing: 0, moved: 0 })
    // A scan that is over stays as it is.
    expect((await admin.delete(`/api/scans/${scan.id}`)).status).toBe(204)
    expect(await getScan(scan.id)).toEqual(over)
    expect((await admin.delete('/api/scans/99999')).status).toBe(404)
  }))

test('a library that is deleted while it is scanned is gone, and the scan brings nothing back', () =>
  withLarge(async (id) => {
    const scan = await startScan(id)
    await waitUntil(scan.id, ({ found }) => found > 0)
    expect((await forget(id)).status).toBe(204)
    expect((await admin.get(`/api/libraries/${id}`)).status).toBe(404)
    expect((await admin.get(`/api/scans/${scan.id}`)).status).toBe(404)
    await server.waitForScans()
    expect(await countRows(id)).toBe(0)
    expect(await index.query('SELECT count(*) AS n FROM scan_units WHERE library_id = ?', [id])).toEqual([{ n: 0 }])
    expect(server.output()).not.toContain('"level":"error"')
  }))

test('a root that disappears in the middle of a scan takes nothing with it', () =>
  withLarge(async (id) => {
    const root = join(folder.path, 'large')
    const scanWithoutRoot = async (isTime: (scan: Json) => boolean, delayMs: number): Promise<Json> => {
      const scan = await startScan(id)
      await waitUntil(scan.id, isTime)
      await Bun.sleep(delayMs)
      renameSync(root, `${root}-away`)
      try {
        return await waitUntil(scan.id, isOver)
      } finally {
        renameSync(`${root}-away`, root)
      }
    }
    const first = await scanWithoutRoot(({ found }) => found > 0, 0)
    expect(first).toMatchObject({ status: 'failed', error: 'root_unavailable', missing: 0 })
    expect(await server.scanAndWait(id)).toMatchObject({ status: 'done', found: FILES, missing: 0, moved: 0 })
    // Nothing has changed since, so such a scan is short: wherever it is met, it marks nothing as missing.
    for (const delayMs of [0, 5, 10, 20, 40, 80]) {
      const { status, missing } = await scanWithoutRoot(() => true, delayMs)
      expect(['failed', 'done']).toContain(status)
      expect(missing).toBe(0)
    }
    expect(await index.query('SELECT count(*) AS n FROM media_items WHERE library_id = ? AND missing_since IS NULL', [id])).toEqual([
      { n: FILES },
    ])
  }))

test('missing items are not purged while a scan decides about them', () =>
  withLarge(async (id) => {
    const scan = await startScan(id)
    await waitUntil(scan.id, ({ found }) => found > 0)
    expect((await admin.post(`/api/libraries/${id}/purge-missing`)).body).toMatchObject({ status: 409, code: 'conflict' })
    await waitUntil(scan.id, isOver)
    expect((await admin.post(`/api/libraries/${id}/purge-missing`)).body).toEqual({ purged: 0 })
  }))

test('while a large scan runs no request fails, and none waits for it', () =>
  withLarge(async (id) => {
    const user = await server.as('reader')
    const hello = `mixed_file:${small}:hello.txt`
    const requests: [string, () => Promise<Pick<Answer, 'status'>>][] = [
      ['browse the small library', () => user.get('/api/browse', { libraryId: small })],
      ['browse what is being scanned', () => user.get('/api/browse', { libraryId: id, limit: 50 })],
      ['folders of what is being scanned', () => user.get('/api/mixed/folders', { libraryId: id })],
      ['an item', () => user.get('/api/items', { itemKey: hello })],
      ['a file', () => user.fetch(`/api/files?itemKey=${encodeURIComponent(hello)}`)],
      ['libraries', () => admin.get('/api/libraries')],
      ['settings, written', () => user.patch('/api/user-settings', { theme: 'dark' })],
      ['a library, written', () => admin.patch(`/api/libraries/${small}`, { name: 'Small' })],
      ['health', () => server.anonymous.get('/api/health')],
    ]
    const scan = await startScan(id)
    await waitUntil(scan.id, ({ found }) => found > 0)
    const begun = performance.now()
    let rounds = 0
    const answers: { name: string; took: number }[] = []
    const failed: string[] = []
    const ask = async ([name, request]: (typeof requests)[number]): Promise<void> => {
      const start = performance.now()
      const { status } = await request()
      answers.push({ name, took: performance.now() - start })
      if (status !== 200) failed.push(`${name}: ${status}`)
    }
    for (let isRunning = true; isRunning; rounds++) {
      await Promise.all(requests.map(ask))
      isRunning = !isOver(await getScan(scan.id))
    }
    // Measured by the scan, as no machine is as fast as another. The benchmarks hold the real figures.
    const half = (performance.now() - begun) / 2
    expect({ failed, slow: answers.filter(({ took }) => took > half) }).toEqual({ failed: [], slow: [] })
    // In all but the last of them everything was answered while the scan still ran.
    expect(rounds).toBeGreaterThan(3)
    expect(await getScan(scan.id)).toMatchObject({ status: 'done', found: FILES })
  }))

test('scans are for administrators, and a bad request names its field', async () => {
  const user = await server.as('reader')
  const paths = ['/api/scans', '/api/scans/1', '/api/scans/1/losses']
  for (const path of paths) {
    expect((await user.get(path)).status).toBe(403)
    expect((await server.anonymous.get(path)).status).toBe(401)
  }
  expect((await user.post('/api/scans', {})).status).toBe(403)
  expect((await user.delete('/api/scans/1')).status).toBe(403)
  expect((await user.post('/api/scans/1/apply')).status).toBe(403)
  for (const [field, query] of [
    ['limit', { limit: 0 }],
    ['limit', { limit: 501 }],
    ['libraryId', { libraryId: 'x' }],
  ] as const)
    expect((await admin.get('/api/scans', query)).body).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ path: field }] })
  expect((await admin.post('/api/scans', { libraryId: 'one' })).body).toMatchObject({ status: 400, errors: [{ path: 'libraryId' }] })
  expect((await admin.get('/api/scans/99999')).body).toMatchObject({ status: 404, code: 'not_found' })
})
