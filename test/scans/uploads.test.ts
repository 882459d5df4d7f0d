import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { drawnPicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { openTestFile } from '../support/test-database.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

/** Pictures that are uploaded and deleted while a scan has read their folder already, and has not written it down yet, or between two scans. */

setDefaultTimeout(60_000)

/** More than a batch of the scanner, which reads one ahead of what is being written. */
const GAMES = 1200
/** In the second batch. */
const LATE = 'Game 0900'

let folder: TemporaryFolder
let server: TestServer
let admin: HttpClient
let jpeg: Uint8Array<ArrayBuffer>
let libraryId: number
let key: string
let isChanged = 0

beforeAll(async () => {
  folder = await temporaryFolder('uploads')
  const names = Array.from({ length: GAMES }, (_, number) => `Game ${String(number).padStart(4, '0')}`)
  makeTree(folder.path, Object.fromEntries(names.map((name) => [name, { 'game.zip': 9 }])))
  jpeg = new Uint8Array(await drawnPicture({ width: 320, height: 180 }).jpeg().toBuffer())
  server = await startServer({ libraries: [{ type: 'games', path: folder.path }] })
  await server.waitForScans()
  admin = await server.as('admin')
  libraryId = (await admin.get('/api/libraries')).body.libraries[0].id
  key = `game:${libraryId}:${LATE}`
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const upload = async (path: string, field: string, more: Record<string, string> = {}): Promise<number> => {
  const body = new FormData()
  for (const [name, value] of Object.entries({ itemKey: key, ...more })) body.set(name, value)
  body.set(field, new File([jpeg], 'a.jpg', { type: 'image/jpeg' }))
  return (await admin.fetch(path, { method: 'POST', body })).status
}

/** Every game has changed, and another process holds the database, so that the scan reads on and writes nothing. */
const duringScan = async (work: () => Promise<number>): Promise<number> => {
  isChanged++
  for (const name of readdirSync(folder.path)) writeFileSync(join(folder.path, name, `part ${isChanged}.zip`), 'part')
  const other = await openTestFile(join(server.dataDir, 'vitrine.db'))
  const [scan] = (await admin.post('/api/scans', { libraryId })).body.scans
  const isRunning = async (): Promise<true | undefined> =>
    (await other.client.execute({ sql: 'SELECT status FROM scans WHERE id = ?', args: [scan.id] })).rows[0]?.status === 'running'
      ? true
      : undefined
  await waitFor(isRunning, 10_000, () => 'The scan never ran')
  const held = await other.client.transaction('write')
  await Bun.sleep(1000)
  const working = work()
  await Bun.sleep(1000)
  held.close()
  const status = await working
  await server.waitForScans()
  await other.close()
  return status
}

const getItem = async (): Promise<Json> => (await admin.get('/api/items', { itemKey: key })).body.item
const listed = async (): Promise<string[]> =>
  (await admin.get('/api/game-screenshots', { itemKey: key })).body.screenshots.map(({ name }: Json) => name)
const onDisk = (): string[] => readdirSync(join(folder.path, LATE, 'screenshots')).toSorted()

test('what is uploaded stays listed, and what is deleted does not come back', async () => {
  expect(await duringScan(() => upload('/api/game-screenshots', 'files'))).toBe(201)
  expect(await listed()).toEqual(onDisk())
  expect(await listed()).toHaveLength(1)

  expect(await duringScan(() => upload('/api/game-cover', 'file', { kind: 'cover' }))).toBe(200)
  expect((await admin.fetch((await getItem()).coverUrl)).status).toBe(200)

  const [name] = await listed()
  expect(await duringScan(async () => (await admin.delete('/api/game-screenshots', { itemKey: key, name })).status)).toBe(204)
  expect(await listed()).toEqual([])

  // What the scans have left out is found by the next.
  await server.scanAndWait(libraryId)
  const { files, coverUrl } = await getItem()
  expect(files.map(({ name: file }: Json) => file)).toEqual(['game.zip', 'part 1.zip', 'part 2.zip', 'part 3.zip'])
  expect(coverUrl).not.toBeNull()
})

test('what is removed by hand before a scan has seen it is gone after the next one', async () => {
  expect(await upload('/api/game-screenshots', 'files')).toBe(201)
  await server.scanAndWait(libraryId)
  expect(await upload('/api/game-screenshots', 'files')).toBe(201)
  expect(await upload('/api/game-cover', 'file', { kind: 'widecover' })).toBe(200)
  const [first, second] = await listed()
  rmSync(join(folder.path, LATE, 'screenshots', second ?? ''))
  rmSync(join(folder.path, LATE, 'widecover.jpg'))
  await server.scanAndWait(libraryId)
  expect(await listed()).toEqual([first ?? ''])
  expect((await getItem()).wideCoverUrl).toBeNull()
})
