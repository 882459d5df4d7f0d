import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openIndex } from './support/index-database.ts'
import { makeTree } from './support/library-tree.ts'
import { type TemporaryFolder, temporaryFolder } from './support/temporary-folder.ts'
import { startServer, type TestServer } from './support/test-server.ts'

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
