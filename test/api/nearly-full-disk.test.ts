import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type FakeModel, says, startFakeModel } from '../support/fake-model.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { runProgram } from '../support/program.ts'
import { drawnPages, makePicture, makeZip } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

/** Little is left of the disk of the data folder: what people do goes on, and what nobody waits for waits for room. */

setDefaultTimeout(60_000)
const LIMIT_MS = 30_000
const PICTURES = ['a.jpg', 'b.jpg', 'c.jpg']

let folder: TemporaryFolder
let dataDir: string
let server: TestServer
let admin: HttpClient
let model: FakeModel
let libraryId: number
let volume: string
beforeAll(async () => {
  folder = await temporaryFolder('nearly-full-disk')
  const pictures = join(folder.path, 'pictures')
  for (const [seed, name] of PICTURES.entries()) await makePicture(join(pictures, name), { seed })
  const manga = makeTree(join(folder.path, 'manga'), { Book: {} })
  await makeZip(join(manga, 'Book/Book v01.cbz'), await drawnPages(1, { width: 2000, height: 3000 }))
  dataDir = makeTree(join(folder.path, 'data'), {})
  const mount = ['unshare', '-Urm', 'sh', '-c', 'mount -t tmpfs -o size=64m tmpfs "$1" && shift && exec "$@"', 'sh', dataDir]
  server = await startServer({
    dataDir,
    prefix: mount,
    libraries: [
      { type: 'mixed', path: pictures },
      { type: 'manga', path: manga },
    ],
  })
  await server.waitForScans()
  admin = await server.as('admin')
  model = await startFakeModel()
  model.answer(says('Seen by the model.'))
  const { libraries } = (await admin.get('/api/libraries')).body
  const idOf = (type: string): number => libraries.find((library: Json) => library.type === type).id
  libraryId = idOf('mixed')
  volume = `manga_volume:${idOf('manga')}:Book/Book v01.cbz`
})
afterAll(async () => {
  await server.stop()
  await model[Symbol.asyncDispose]()
  await folder.remove()
})

const keyOf = (name: string): string => `mixed_file:${libraryId}:${name}`
const isPictured = async (name: string): Promise<boolean> =>
  (await admin.get('/api/items', { itemKey: keyOf(name) })).body.item.thumbhash !== null
/** Reads a page and answers how many are kept. */
const readPage = async (): Promise<number> => {
  expect((await admin.get('/api/manga/page', { itemKey: volume, index: 0, width: 320 })).status).toBe(200)
  return readdirSync(`/proc/${server.pid}/root${dataDir}/pages`).length
}
const getDisk = async (): Promise<Json> => (await admin.get('/api/system')).body.disk
const getJobs = async (): Promise<Json> => (await admin.get('/api/ai-tagging/jobs', { limit: 5 })).body

test('pictures that somebody wants are made, pages are read, tags are kept, and AI jobs are taken; the rest waits until there is room', async () => {
  expect(await getDisk()).toMatchObject({ nearlyFull: true })
  expect(server.output()).toContain('"disk_nearly_full"')
  expect((await admin.put('/api/ai-settings', { endpoint: model.url, model: 'fake', enabled: true })).status).toBe(200)
  expect((await admin.get('/api/thumbnails', { itemKey: keyOf('a.jpg'), size: 'small' })).status).toBe(200)
  expect((await admin.post('/api/tags/categories', { name: 'Kept' })).status).toBe(201)
  expect((await admin.post('/api/ai-tagging/describe', { itemKey: keyOf('b.jpg') })).status).toBe(202)
  const reason = 'The disk of the data folder is nearly full.'
  expect(await getJobs()).toMatchObject({ queue: { paused: false, waiting: reason }, jobs: [{ status: 'queued', error: reason }] })
  expect([await isPictured('b.jpg'), await isPictured('c.jpg')]).toEqual([false, false])
  expect(model.chats()).toEqual([])
  expect(await readPage()).toBe(0)

  await runProgram([
    ...['nsenter', '--target', String(server.pid), '--user', '--mount', '--preserve-credentials'],
    ...['mount', '-o', 'remount,size=2g', dataDir],
  ])
  await waitFor(
    async () => ((await getJobs()).jobs[0].status === 'done' && (await isPictured('b.jpg')) && (await isPictured('c.jpg'))) || undefined,
    LIMIT_MS,
    () => `The rest still waits: ${server.output()}`,
  )
  expect(await getDisk()).toMatchObject({ nearlyFull: false })
  expect(await readPage()).toBe(1)
})
