import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startFakeModel } from './support/fake-model.ts'
import { openIndex } from './support/index-database.ts'
import { makeTree } from './support/library-tree.ts'
import { type TemporaryFolder, temporaryFolder } from './support/temporary-folder.ts'
import { ADMIN, startServer, type TestServer, waitFor } from './support/test-server.ts'

/** A server that is started by mistake on the data of one that runs. */

setDefaultTimeout(60_000)
const LEASE_MS = 60_000

let folder: TemporaryFolder
let dataDir: string
let piece: string
beforeEach(async () => {
  folder = await temporaryFolder('second-server')
  dataDir = join(folder.path, 'data')
  piece = join(dataDir, 'tmp/hls/abc/seg-1.m4s')
})
afterEach(() => folder.remove())

const start = (more: { args?: string[]; dataDir?: string } = {}): Promise<TestServer> =>
  startServer({ dataDir, env: { SCAN_ON_START: '0' }, ...more })

/** As if the server that runs were in the middle of a scan and of a film. */
const keepBusy = async (server: TestServer): Promise<void> => {
  const path = makeTree(join(folder.path, 'films'), { 'Film (2000)/film.mkv': 9 })
  const admin = await server.as('admin')
  const { library } = (await admin.post('/api/libraries', { name: 'Films', type: 'movies', path })).body
  const index = openIndex(join(dataDir, 'vitrine.db'))
  await index.query(
    `INSERT INTO scans (library_id, "trigger", status, phase, owner, lease_until, created_at, started_at)
      VALUES (${library.id}, 'manual', 'running', 'walking', 'another-1-x', ${Date.now() + LEASE_MS}, 1, 1)`,
  )
  index.close()
  mkdirSync(join(piece, '..'), { recursive: true })
  writeFileSync(piece, 'a piece of a film')
}

const scanStatus = async (): Promise<unknown> => {
  const index = openIndex(join(dataDir, 'vitrine.db'))
  const [scan] = await index.query<{ status: string }>('SELECT status FROM scans')
  index.close()
  return scan?.status
}

test('the scan that runs and the files that are being written stay as they are, when it starts and when it stops', async () => {
  await using first = await start()
  await keepBusy(first)
  await using second = await start()
  expect([await scanStatus(), existsSync(piece)]).toEqual(['running', true])
  await second.stop()
  expect([await scanStatus(), existsSync(piece)]).toEqual(['running', true])
})

test('also where it has another data folder, and is told of the same database', async () => {
  await using first = await start()
  await keepBusy(first)
  await using _second = await start({ dataDir: join(folder.path, 'other'), args: ['--database', `file:${join(dataDir, 'vitrine.db')}`] })
  expect([await scanStatus(), existsSync(piece)]).toEqual(['running', true])
})

test('what a server was at that was killed is over at the next start, unless another one runs', async () => {
  await using first = await start()
  await keepBusy(first)
  await using second = await start()
  await first.kill()
  await using third = await start()
  expect([await scanStatus(), existsSync(piece)]).toEqual(['running', true])
  await second.kill()
  await third.kill()
  await using _fourth = await start()
  expect([await scanStatus(), existsSync(piece)]).toEqual(['interrupted', false])
})

test('the first one goes by what is set on one that was started later', async () => {
  await using before = await startFakeModel()
  await using after = await startFakeModel()
  await using first = await start()
  const path = makeTree(join(folder.path, 'files'), { 'a.txt': 'a', 'b.txt': 'b' })
  const admin = await first.as('admin')
  const { library } = (await admin.post('/api/libraries', { name: 'Files', type: 'mixed', path })).body
  await admin.post('/api/scans', { libraryId: library.id })
  await first.waitForScans()
  const settings = { model: 'fake', enabled: true }
  await admin.put('/api/ai-settings', { ...settings, endpoint: before.url, apiKey: 'key-before' })
  await using second = await start()
  const elsewhere = await second.login(ADMIN.username, ADMIN.password)
  const queue = async () => (await admin.get('/api/ai-tagging/queue')).body

  await elsewhere.post('/api/ai-tagging/queue', { paused: true })
  await waitFor(
    async () => ((await queue()).paused ? true : undefined),
    10_000,
    () => 'The first one has not paused',
  )
  await elsewhere.put('/api/ai-settings', { ...settings, endpoint: after.url, apiKey: 'key-after' })
  // The other one is to ask nothing: who claims a job would be a matter of chance.
  await second.stop()
  await Bun.sleep(2000)
  const asked = await admin.post('/api/ai-tagging/describe', { itemKey: `mixed_file:${library.id}:a.txt` })
  expect(asked.status).toBe(202)
  await Bun.sleep(500)
  expect([before.chats().length, after.chats().length]).toEqual([0, 0])
  await admin.post('/api/ai-tagging/queue', { paused: false })
  await waitFor(
    () => after.chats()[0] ?? before.chats()[0],
    10_000,
    () => 'Nothing was asked',
  )
  expect([before.chats().length, after.chats()[0]?.headers.authorization]).toEqual([0, 'Bearer key-after'])
})
