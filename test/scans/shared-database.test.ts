import { afterAll, beforeAll, expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { type HranaServer, startHranaServer } from '../support/hrana-server.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { type IndexDatabase, openIndex } from '../support/index-database.ts'
import { makeTree, type Tree } from '../support/library-tree.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

/** Two servers on one remote database: one scan of a library at a time, whoever asks, and nobody waits for the dead. */

const FILES = 8000
const FOLDERS = 80
const LIMIT_MS = 120_000
/** A lease is believed for 15 seconds, and looked at every 5. */
const INTERRUPTED_WITHIN_MS = 60_000
const CANCELLED_WITHIN_MS = 60_000
const MAX_TRIES = 5

let folder: TemporaryFolder
let database: HranaServer
let index: IndexDatabase
let servers: [TestServer, TestServer]
let admins: [HttpClient, HttpClient]
let libraryId: number
let names = 0

const start = (name: string): Promise<TestServer> =>
  startServer({
    dataDir: join(folder.path, name),
    args: ['--database', database.url],
    env: { DATABASE_AUTH_TOKEN: 'secret', SCAN_ON_START: '0' },
  })

beforeAll(async () => {
  folder = await temporaryFolder('shared-database')
  const tree: Tree = {}
  for (let i = 0; i < FILES; i++) tree[`0 ${i % FOLDERS}/file ${i}.txt`] = 1 + i
  makeTree(join(folder.path, 'media'), tree)
  database = await startHranaServer(join(folder.path, 'shared.db'), 'secret')
  const first = await start('first')
  servers = [first, await start('second')]
  admins = [await servers[0].as('admin'), await servers[1].as('admin')]
  index = openIndex(join(folder.path, 'shared.db'))
  const { body } = await admins[0].post('/api/libraries', { name: 'Media', type: 'mixed', path: join(folder.path, 'media') })
  libraryId = body.library.id
}, LIMIT_MS)

afterAll(async () => {
  index.close()
  for (const server of servers) await server.stop()
  await database.stop()
  await folder.remove()
}, LIMIT_MS)

const ask = async (admin: HttpClient): Promise<Json> => (await admin.post('/api/scans', { libraryId })).body.scans[0]
const getScan = async (id: number, admin = admins[1]): Promise<Json> => (await admin.get(`/api/scans/${id}`)).body.scan
const waitUntil = (id: number, isSo: (scan: Json) => boolean, limitMs = LIMIT_MS, admin = admins[1]): Promise<Json> =>
  waitFor(
    async () => {
      const scan = await getScan(id, admin)
      return isSo(scan) ? scan : undefined
    },
    limitMs,
    () => `Scan ${id} never came so far`,
  )
const isOver = ({ status }: Json): boolean => status !== 'queued' && status !== 'running'
/** A scan that has begun, and may be over by now. */
const hasBegun = ({ status }: Json): boolean => status !== 'queued'

/** Renames every folder, so that the next scan has every file to move. */
const renameAll = (): void => {
  for (let i = 0; i < FOLDERS; i++) renameSync(join(folder.path, 'media', `${names} ${i}`), join(folder.path, 'media', `${names + 1} ${i}`))
  names += 1
}

const expectWhole = async (): Promise<void> => {
  const rows = await index.query<{ path: string }>('SELECT path FROM media_items WHERE missing_since IS NULL')
  expect(rows.length).toBe(FILES)
  expect(new Set(rows.map(({ path }) => path)).size).toBe(FILES)
  expect(rows.every(({ path }) => path.startsWith(`${names} `))).toBe(true)
  expect(await index.query('SELECT count(*) AS n FROM media_items')).toEqual([{ n: FILES }])
  await index.check()
}

test(
  'two servers that are asked to scan one library at once run one scan',
  async () => {
    for (let round = 0; round < 2; round++) {
      if (round > 0) renameAll()
      const before = (await index.query('SELECT id FROM scans')).length
      const asked = await Promise.all([...admins, ...admins].map(ask))
      expect(new Set(asked.map(({ id }) => id)).size).toBe(1)
      const done = await waitUntil(asked[0].id, isOver)
      expect(done).toMatchObject({ status: 'done', found: FILES, added: round === 0 ? FILES : 0, moved: round === 0 ? 0 : FILES })
      expect((await index.query('SELECT id FROM scans')).length).toBe(before + 1)
      await expectWhole()
    }
    for (const admin of admins) {
      const { body } = await admin.get('/api/browse', { libraryId, limit: 2 })
      expect(body).toMatchObject({ total: FILES, entries: [{ libraryId }, { libraryId }] })
      const next = await admin.get('/api/browse', { libraryId, limit: 2, cursor: body.nextCursor })
      const back = await admin.get('/api/browse', { libraryId, limit: 2, cursor: next.body.prevCursor })
      expect(back.body.entries).toEqual(body.entries)
      expect(next.body.entries).not.toEqual(body.entries)
    }
  },
  LIMIT_MS,
)

test(
  'a scan that one server runs is cancelled through the other',
  async () => {
    const cancelOne = async (): Promise<Json> => {
      renameAll()
      const { id } = await ask(admins[0])
      await waitUntil(id, hasBegun)
      expect((await admins[1].delete(`/api/scans/${id}`)).status).toBe(204)
      return waitUntil(id, isOver, CANCELLED_WITHIN_MS)
    }
    // One that has walked to its end already is finished rather than cancelled.
    let over = await cancelOne()
    for (let tries = 1; over.status === 'done' && tries < MAX_TRIES; tries++) over = await cancelOne()
    expect(over).toMatchObject({ status: 'cancelled', missing: 0 })
    const again = await ask(admins[1])
    expect(again.id).not.toBe(over.id)
    expect(await waitUntil(again.id, isOver)).toMatchObject({ status: 'done', found: FILES })
    await expectWhole()
  },
  LIMIT_MS,
)

test(
  'who asks for a scan while the running one is being cancelled gets another one',
  async () => {
    const cancelAndAsk = async (): Promise<[cancelled: Json, asked: Json]> => {
      renameAll()
      const { id } = await ask(admins[0])
      await waitUntil(id, hasBegun)
      const [running] = await index.query<{ owner: string }>(`SELECT owner FROM scans WHERE id = ${id}`)
      // The server that does not run it only says that it is to end.
      const other = running?.owner.includes(`-${servers[0].pid}-`) ? admins[1] : admins[0]
      await other.delete(`/api/scans/${id}`)
      const asked = await ask(other)
      return [await waitUntil(id, isOver, CANCELLED_WITHIN_MS), asked]
    }
    let [cancelled, asked] = await cancelAndAsk()
    for (let tries = 1; cancelled.status === 'done' && tries < MAX_TRIES; tries++) [cancelled, asked] = await cancelAndAsk()
    expect(cancelled.status).toBe('cancelled')
    expect(await waitUntil(asked.id, isOver)).toMatchObject({ status: 'done', found: FILES })
    await expectWhole()
  },
  LIMIT_MS,
)

test(
  'the scan of a server that was killed is interrupted before long, and the other one finishes the work',
  async () => {
    const beginOne = async (): Promise<Json> => {
      renameAll()
      const { id } = await ask(admins[0])
      return waitUntil(id, hasBegun)
    }
    let begun = await beginOne()
    for (let tries = 1; isOver(begun) && tries < MAX_TRIES; tries++) begun = await beginOne()
    const { id } = begun
    // Whichever server came first has it, and not always the one that was asked.
    const [running] = await index.query<{ owner: string }>(`SELECT owner FROM scans WHERE id = ${id}`)
    const isFirst = running?.owner.includes(`-${servers[0].pid}-`) ?? false
    const [runner, other] = isFirst ? [servers[0], admins[1]] : [servers[1], admins[0]]
    await runner.kill()
    const killedAt = Date.now()
    // Until its lease is over nobody can know: the other server answers the scan that may still run.
    expect((await ask(other)).id).toBe(id)
    const over = await waitUntil(id, isOver, INTERRUPTED_WITHIN_MS, other)
    expect(over).toMatchObject({ status: 'interrupted', phase: null, finishedAt: expect.any(String) })
    expect(Date.now() - killedAt).toBeGreaterThan(5000)
    const again = await ask(other)
    expect(again.id).not.toBe(id)
    expect(await waitUntil(again.id, isOver, LIMIT_MS, other)).toMatchObject({ status: 'done', found: FILES })
    await expectWhole()
  },
  LIMIT_MS,
)
