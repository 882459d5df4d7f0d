import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { type HranaServer, startHranaServer } from '../support/hrana-server.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { type IndexDatabase, openIndex } from '../support/index-database.ts'
import { makeTree } from '../support/library-tree.ts'
import { NOTHING_PLAYS } from '../support/scan-scene.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

/** Two servers on one database: one scans and has read of a film what it is about to write, and the other deletes the film. */

setDefaultTimeout(60_000)
const LIMIT_MS = 20_000
/** Longer than a deletion takes that nobody has to hear of, and than the scan takes to hear of one. */
const WAIT_MS = 2500
const UPSERT = 'INSERT INTO media_items'

let folder: TemporaryFolder
let root: string
let database: HranaServer
let proxy: DatabaseProxy
let servers: TestServer[]
let scanning: HttpClient
let deleting: HttpClient
let index: IndexDatabase
let libraryId: number
beforeAll(async () => {
  folder = await temporaryFolder('shared-scans')
  root = join(folder.path, 'films')
  makeTree(root, { 'Alien (1979)/a.mkv': 10, 'Brazil (1985)/b.mkv': 11, 'Charade (1963)/c.mkv': 12 })
  database = await startHranaServer(join(folder.path, 'remote.db'))
  proxy = startDatabaseProxy(database.url)
  const start = (name: string, url: string): Promise<TestServer> =>
    startServer({ dataDir: join(folder.path, name), args: ['--database', url], env: { ...NOTHING_PLAYS, SCAN_ON_START: '0' } })
  const first = await start('first', proxy.url)
  servers = [first, await start('second', database.url)]
  scanning = await first.as('admin')
  deleting = (await servers[1]?.as('admin')) ?? scanning
  index = openIndex(join(folder.path, 'remote.db'))
  libraryId = (await scanning.post('/api/libraries', { name: 'Films', type: 'movies', path: root })).body.library.id
  await first.scanAndWait(libraryId)
})
afterAll(async () => {
  index.close()
  for (const server of servers) await server.stop()
  await proxy[Symbol.asyncDispose]()
  await database.stop()
  await folder.remove()
})

const listed = async (): Promise<string[]> => {
  const { entries } = (await deleting.get('/api/browse', { libraryId })).body
  return entries.map(({ title }: Json) => title)
}

/** Has the first server scan what has changed, and calls `work` while what it has read is on its way to the database. */
const duringScan = async (work: () => Promise<number>): Promise<number> => {
  for (const file of ['Alien (1979)/a.mkv', 'Brazil (1985)/b.mkv', 'Charade (1963)/c.mkv'])
    if (existsSync(join(root, file))) writeFileSync(join(root, file), `another film ${Math.random()}`)
  const held = proxy.hold(UPSERT)
  const [scan] = (await scanning.post('/api/scans', { libraryId })).body.scans
  const [running] = await waitFor(
    async () => {
      const rows = await index.query<{ owner: string }>("SELECT owner FROM scans WHERE status = 'running'")
      return rows.length > 0 ? rows : undefined
    },
    LIMIT_MS,
    () => 'The scan never ran',
  )
  expect(running?.owner).toContain(`-${servers[0]?.pid}-`)
  const release = await held
  const status = work()
  await Promise.race([status, Bun.sleep(WAIT_MS)])
  release()
  await waitFor(
    async () => ((await scanning.get(`/api/scans/${scan.id}`)).body.scan.status === 'done' ? true : undefined),
    LIMIT_MS,
    () => 'The scan never ended',
  )
  return status
}

const remove = async (name: string): Promise<number> =>
  (await deleting.delete('/api/items', { itemKey: `movie:${libraryId}:${name}` })).status

test('what is deleted for good stays so', async () => {
  expect(await duringScan(() => remove('Alien (1979)'))).toBe(204)
  expect(await listed()).toEqual(['Brazil (1985)', 'Charade (1963)'])
  expect(await index.query("SELECT 1 FROM media_items WHERE path = 'Alien (1979)'")).toEqual([])
})

test('what goes into the trash is in it, and what comes back stays', async () => {
  await deleting.patch(`/api/libraries/${libraryId}`, { trashDays: 7 })
  expect(await duringScan(() => remove('Brazil (1985)'))).toBe(204)
  expect(await listed()).toEqual(['Charade (1963)'])
  const [entry] = (await deleting.get('/api/trash')).body.entries
  expect(entry.title).toBe('Brazil (1985)')
  expect(await duringScan(async () => (await deleting.post(`/api/trash/${entry.id}/restore`)).status)).toBe(200)
  expect(await listed()).toEqual(['Brazil (1985)', 'Charade (1963)'])
  expect(await index.query('SELECT 1 FROM scan_left_out')).toEqual([])
})
