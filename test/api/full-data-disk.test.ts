import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { multipart } from '../support/multipart.ts'
import { drawnPicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer } from '../support/test-server.ts'

/** The disk of the data folder is full, that of the library is not: a change that is refused leaves the files as they were. */

setDefaultTimeout(60_000)

let folder: TemporaryFolder
let games: string
let data: string
let server: TestServer
let admin: HttpClient
let libraryId: number
beforeAll(async () => {
  folder = await temporaryFolder('full-data-disk')
  games = makeTree(join(folder.path, 'games'), { 'Solo/solo.zip': 9, 'Bare/bare.zip': 9 })
  const dataDir = makeTree(join(folder.path, 'data'), {})
  const mount = ['unshare', '-Urm', 'sh', '-c', 'mount -t tmpfs -o size=24m tmpfs "$1" && shift && exec "$@"', 'sh', dataDir]
  server = await startServer({ dataDir, prefix: mount, libraries: [{ type: 'games', path: games }] })
  data = `/proc/${server.pid}/root${dataDir}`
  await server.waitForScans()
  admin = await server.as('admin')
  libraryId = (await admin.get('/api/libraries')).body.libraries[0].id
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const keyOf = (name: string): string => `game:${libraryId}:${name}`
/** What the answers say of the pictures. */
const picturesOf = async (name: string): Promise<Json> => {
  const { coverUrl, thumbnailUrl, screenshots } = (await admin.get('/api/items', { itemKey: keyOf(name) })).body.item
  return { coverUrl, thumbnailUrl, screenshots }
}
const picture = (seed: number): Promise<Buffer> => drawnPicture({ width: 300, height: 400, seed }).png().toBuffer()
const filesOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(games, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, String(Bun.hash(readFileSync(join(entry.parentPath, entry.name))))]),
  )

const putCover = async (name: string, bytes: Uint8Array): Promise<number> => {
  const fields = Object.entries({ itemKey: keyOf(name), kind: 'cover' }).map(([field, content]) => ({ name: field, content }))
  const form = multipart([...fields, { name: 'file', content: bytes, fileName: 'any.png' }])
  return (await admin.fetch('/api/game-cover', { method: 'POST', ...form })).status
}
const addScreenshot = async (name: string, bytes: Uint8Array): Promise<number> => {
  const form = multipart([
    { name: 'itemKey', content: keyOf(name) },
    { name: 'files', content: bytes, fileName: 'a.png' },
  ])
  return (await admin.fetch('/api/game-screenshots', { method: 'POST', ...form })).status
}
const removeScreenshot = async (name: string, screenshot: string): Promise<number> =>
  (await admin.delete('/api/game-screenshots', { itemKey: keyOf(name), name: screenshot })).status

/** Takes all the room there is, the last bytes of the database's own blocks included; answers how to give it back. */
const fillDataDisk = async (): Promise<() => void> => {
  const filler = join(data, 'filler')
  await Bun.spawn(['dd', 'if=/dev/zero', `of=${filler}`, 'bs=4k'], { stderr: 'ignore' }).exited
  // The log takes its next pages from the file that it has.
  for (let round = 0; (await admin.post('/api/tags/categories', { name: `Round ${round}` })).status !== 507; round += 1)
    if (round > 2000) throw new Error('The disk never became full')
  return () => rmSync(filler)
}

test('covers and screenshots stay as they are, on the disk and in every answer, until there is room', async () => {
  expect([await putCover('Solo', await picture(1)), await addScreenshot('Solo', await picture(2))]).toEqual([200, 201])
  const [before, bare] = [await picturesOf('Solo'), await picturesOf('Bare')]
  const [files, bareFiles] = [filesOf('Solo'), filesOf('Bare')]
  const [screenshot] = before.screenshots
  const giveRoom = await fillDataDisk()
  const refused = [
    await putCover('Solo', await picture(3)),
    await putCover('Bare', await picture(3)),
    await addScreenshot('Solo', await picture(4)),
    await removeScreenshot('Solo', screenshot.name),
  ]
  expect(refused).toEqual([507, 507, 507, 507])
  expect([filesOf('Solo'), filesOf('Bare')]).toEqual([files, bareFiles])
  expect([await picturesOf('Solo'), await picturesOf('Bare')]).toEqual([before, bare])
  giveRoom()
  expect(await server.scanAndWait(libraryId)).toMatchObject({ status: 'done', updated: 0, missing: 0 })
  expect([await picturesOf('Solo'), await picturesOf('Bare')]).toEqual([before, bare])
  expect([await putCover('Solo', await picture(3)), await removeScreenshot('Solo', screenshot.name)]).toEqual([200, 204])
  expect((await sharp(join(games, 'Solo/cover.jpg')).metadata()).format).toBe('jpeg')
  expect(Object.keys(filesOf('Solo')).toSorted()).toEqual(['cover.jpg', 'solo.zip'])
})

test('of covers that are refused at the same time none is left', async () => {
  const before = await picturesOf('Solo')
  const files = filesOf('Solo')
  const giveRoom = await fillDataDisk()
  const pictures = await Promise.all(Array.from({ length: 6 }, (_, seed) => picture(seed + 10)))
  expect(await Promise.all(pictures.map((bytes) => putCover('Solo', bytes)))).toEqual(Array(6).fill(507))
  expect([filesOf('Solo'), await picturesOf('Solo')]).toEqual([files, before])
  giveRoom()
  expect(await putCover('Solo', await picture(30))).toBe(200)
})
