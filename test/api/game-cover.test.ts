import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { multipart, type Part } from '../support/multipart.ts'
import { drawnPicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

let folder: TemporaryFolder
let games: string
let server: TestServer
let admin: HttpClient
let libraryId: number

const picture = (seed: number): Promise<Buffer> => drawnPicture({ width: 300, height: 400, seed }).png().toBuffer()

beforeAll(async () => {
  folder = await temporaryFolder('cover')
  games = makeTree(join(folder.path, 'games'), {
    'Solo/solo.zip': 9,
    'Alone/alone.zip': 9,
    'Series/Alpha/alpha.zip': 9,
    'Series/Beta/beta.zip': 9,
    'Other/Gamma/gamma.zip': 9,
  })
  server = await startServer({ libraries: [{ type: 'games', path: games }] })
  await server.waitForScans()
  admin = await server.as('admin')
  libraryId = (await admin.get('/api/libraries')).body.libraries[0].id
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const game = (path: string): string => `game:${libraryId}:${path}`
const series = (path: string): string => `game_series:${libraryId}:${path}`

interface Upload {
  itemKey: string
  kind?: string
  bytes: Uint8Array | string
  fileName?: string
  more?: Part[]
}

const put = async ({ itemKey, kind = 'cover', bytes, fileName = 'any.png', more = [] }: Upload, client = admin) => {
  const fields = Object.entries({ itemKey, kind }).map(([name, content]) => ({ name, content }))
  const form = multipart([...fields, { name: 'file', content: bytes, fileName }, ...more])
  const response = await client.fetch('/api/game-cover', { method: 'POST', ...form })
  const body: Json = await response.json()
  return { status: response.status, body }
}
const item = async (itemKey: string): Promise<Json> => (await admin.get('/api/items', { itemKey })).body.item
const entry = async (itemKey: string): Promise<Json> =>
  (await admin.get('/api/browse', { libraryId })).body.entries.find((found: Json) => found.itemKey === itemKey)
const bytesAt = async (url: string): Promise<Buffer> => Buffer.from(await (await admin.fetch(url)).arrayBuffer())

describe('no cover is taken', () => {
  test('of another kind, of nothing, of two files, of no picture, or with more than is asked for', async () => {
    const good = await picture(1)
    const bad: Upload[] = [
      { itemKey: game('Solo'), kind: 'poster', bytes: good },
      { itemKey: game('Solo'), kind: '../cover', bytes: good },
      { itemKey: game('Solo'), bytes: 'no picture' },
      { itemKey: game('Solo'), bytes: '' },
      { itemKey: game('Solo'), bytes: 'no picture', fileName: '' },
      { itemKey: game('Solo'), bytes: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
      { itemKey: game('Solo'), bytes: good, more: [{ name: 'file', content: good, fileName: 'b.png' }] },
      { itemKey: game('Solo'), bytes: good, more: [{ name: 'name', content: 'x.jpg' }] },
    ]
    for (const upload of bad) {
      const { status, body } = await put(upload)
      expect([status, body.code]).toEqual([400, 'invalid_request'])
    }
    expect(readdirSync(join(games, 'Solo'))).toEqual(['solo.zip'])
  })

  test('from somebody who may not upload, or for an item that there is not', async () => {
    const client = await server.as('reader', { permissions: { upload: false } })
    expect((await put({ itemKey: game('Solo'), bytes: await picture(1) }, client)).status).toBe(403)
    expect((await put({ itemKey: game('None'), bytes: await picture(1) })).status).toBe(404)
    expect(readdirSync(join(games, 'Solo'))).toEqual(['solo.zip'])
  })

  test('in place of a folder', async () => {
    mkdirSync(join(games, 'Alone/cover.jpg/inner'), { recursive: true })
    const { status, body } = await put({ itemKey: game('Alone'), bytes: await picture(1) })
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect(readdirSync(join(games, 'Alone'), { recursive: true }).toSorted()).toEqual(['alone.zip', 'cover.jpg', 'cover.jpg/inner'])
    rmSync(join(games, 'Alone/cover.jpg'), { recursive: true })
  })
})

test('a bad picture leaves the old cover', async () => {
  expect((await put({ itemKey: game('Alone'), bytes: await picture(1) })).status).toBe(200)
  const before = readFileSync(join(games, 'Alone/cover.jpg'))
  const { coverUrl } = await item(game('Alone'))
  expect((await put({ itemKey: game('Alone'), bytes: (await picture(2)).subarray(0, 900) })).status).toBe(400)
  expect(readFileSync(join(games, 'Alone/cover.jpg')).equals(before)).toBe(true)
  expect((await item(game('Alone'))).coverUrl).toBe(coverUrl)
})

test('a link in place of the cover is replaced, and what it leads to stays as it was', async () => {
  const outside = join(folder.path, 'outside.jpg')
  await Bun.write(outside, 'precious')
  rmSync(join(games, 'Alone/cover.jpg'), { force: true })
  symlinkSync(outside, join(games, 'Alone/cover.jpg'))
  expect((await put({ itemKey: game('Alone'), bytes: await picture(3) })).status).toBe(200)
  expect(readFileSync(outside, 'utf8')).toBe('precious')
  expect(lstatSync(join(games, 'Alone/cover.jpg')).isSymbolicLink()).toBe(false)
})

test('a cover is a JPEG in the folder and in every answer at once, and the next scan changes nothing', async () => {
  for (const kind of ['cover', 'widecover'] as const) {
    const { status, body } = await put({ itemKey: game('Solo'), kind, bytes: await picture(4) })
    expect(status).toBe(200)
    const file = join(games, `Solo/${kind}.jpg`)
    const { format, width, height } = await sharp(file).metadata()
    expect([format, width, height]).toEqual(['jpeg', 300, 400])
    const seen = await item(game('Solo'))
    expect(kind === 'cover' ? seen.coverUrl : seen.wideCoverUrl).toBe(body.coverUrl)
    expect((await bytesAt(body.coverUrl)).equals(readFileSync(file))).toBe(true)
  }
  expect(readdirSync(join(games, 'Solo')).toSorted()).toEqual(['cover.jpg', 'solo.zip', 'widecover.jpg'])
  const thumbnail = await bytesAt((await item(game('Solo'))).thumbnailUrl)
  expect((await sharp(thumbnail).metadata()).format).toBe('webp')
  expect((await entry(game('Solo'))).coverUrl).toBe((await item(game('Solo'))).coverUrl)

  const urls = async () => {
    const { coverUrl, wideCoverUrl, thumbnailUrl } = await item(game('Solo'))
    return { coverUrl, wideCoverUrl, thumbnailUrl }
  }
  const before = await urls()
  expect(await server.scanAndWait(libraryId)).toMatchObject({ added: 0, updated: 0, missing: 0 })
  expect(await urls()).toEqual(before)
})

test('another cover has another address, and another thumbnail', async () => {
  const first = (await put({ itemKey: game('Solo'), bytes: await picture(5) })).body.coverUrl
  const firstThumbnail = await bytesAt((await item(game('Solo'))).thumbnailUrl)
  const second = (await put({ itemKey: game('Solo'), bytes: await picture(9) })).body.coverUrl
  expect(second).not.toBe(first)
  expect((await bytesAt((await item(game('Solo'))).thumbnailUrl)).equals(firstThumbnail)).toBe(false)
  const hash = async (): Promise<string | undefined> => (await item(game('Solo'))).thumbhash ?? undefined
  expect(await waitFor(hash, 10_000, () => 'The background made no placeholder')).toBeString()
})

test('a cover that was put there under another spelling gives way to the uploaded one, for good', async () => {
  makeTree(games, { 'Alone/Cover.JPG': await picture(6).then((bytes) => sharp(bytes).jpeg().toBuffer()) })
  await server.scanAndWait(libraryId)
  const { body } = await put({ itemKey: game('Alone'), bytes: await picture(7) })
  expect(await server.scanAndWait(libraryId)).toMatchObject({ updated: 0 })
  expect((await item(game('Alone'))).coverUrl).toBe(body.coverUrl)
  expect(existsSync(join(games, 'Alone/Cover.JPG'))).toBe(true)
  expect((await bytesAt(body.coverUrl)).equals(readFileSync(join(games, 'Alone/cover.jpg')))).toBe(true)
})

test('a series shows its own cover, else that of its first game with one, and notices at once', async () => {
  const cover = async () => (await entry(series('Series'))).coverUrl
  expect(await cover()).toBeNull()
  const beta = (await put({ itemKey: game('Series/Beta'), bytes: await picture(1) })).body.coverUrl
  expect(await cover()).toBe(beta)
  const alpha = (await put({ itemKey: game('Series/Alpha'), bytes: await picture(2) })).body.coverUrl
  expect(await cover()).toBe(alpha)
  const again = (await put({ itemKey: game('Series/Alpha'), bytes: await picture(3) })).body.coverUrl
  expect([await cover(), (await item(series('Series'))).coverUrl]).toEqual([again, again])
  const bytesOf = async (kind: string) => {
    const response = await admin.fetch(`/api/artwork?${new URLSearchParams({ itemKey: series('Series'), kind })}`)
    return [response.status, Buffer.from(await response.arrayBuffer()).equals(await bytesAt(again))]
  }
  expect([await bytesOf('cover'), await bytesOf('widecover')]).toEqual([
    [200, true],
    [404, false],
  ])
  expect((await admin.fetch(`/api/thumbnails?${new URLSearchParams({ itemKey: series('Series'), size: 'small' })}`)).status).toBe(200)
  const own = (await put({ itemKey: series('Series'), bytes: await picture(4) })).body.coverUrl
  expect(await cover()).toBe(own)
  expect(await server.scanAndWait(libraryId)).toMatchObject({ added: 0, updated: 0, missing: 0 })
  expect([await cover(), (await item(series('Series'))).coverUrl]).toEqual([own, own])
  expect((await put({ itemKey: series('Series'), kind: 'widecover', bytes: await picture(5) })).status).toBe(200)
  expect(await server.scanAndWait(libraryId)).toMatchObject({ updated: 0 })
})

test('a screenshot of the first game is no cover of the series', async () => {
  makeTree(games, { 'Other/Delta/delta.zip': 9 })
  await server.scanAndWait(libraryId)
  const delta = (await put({ itemKey: game('Other/Gamma'), bytes: await picture(1) })).body.coverUrl
  const form = multipart([
    { name: 'itemKey', content: game('Other/Delta') },
    { name: 'files', content: await picture(2), fileName: 'a.png' },
  ])
  expect((await admin.fetch('/api/game-screenshots', { method: 'POST', ...form })).status).toBe(201)
  expect((await entry(series('Other'))).coverUrl).toBe(delta)
})

test('covers that are uploaded at the same time leave one of them, whole and entered', async () => {
  const pictures = await Promise.all(Array.from({ length: 8 }, (_, seed) => picture(seed + 1)))
  const answers = await Promise.all(pictures.map((bytes) => put({ itemKey: game('Solo'), bytes })))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect((await sharp(join(games, 'Solo/cover.jpg')).stats()).isOpaque).toBe(true)
  expect(await server.scanAndWait(libraryId)).toMatchObject({ updated: 0 })
  expect(readdirSync(join(games, 'Solo')).toSorted()).toEqual(['cover.jpg', 'solo.zip', 'widecover.jpg'])
})

/** What the server sees of the library, in a mount namespace of its own. */
const inItsOwnMounts = (script: string, path: string): string[] => [
  'unshare',
  '-Urm',
  'sh',
  '-c',
  `${script} && shift && exec "$@"`,
  'sh',
  path,
]

test('a library below a base path says so in the address', async () => {
  await using other = await startServer({ libraries: [{ type: 'games', path: games }], args: ['--base-path', '/media'] })
  await other.waitForScans()
  const client = await other.as('admin')
  const { id } = (await client.get('/api/libraries')).body.libraries[0]
  const { body } = await put({ itemKey: `game:${id}:Solo`, bytes: await picture(8) }, client)
  expect(body.coverUrl).toStartWith('/media/api/artwork?')
  expect((await fetch(new URL(body.coverUrl, other.url), { headers: { cookie: client.cookies() } })).status).toBe(200)
  const { screenshots } = (await client.get('/api/game-screenshots', { itemKey: `game:${id}:Other/Delta` })).body
  expect(screenshots[0].url).toStartWith('/media/api/artwork?')
})

test('a read-only library keeps what it has, and the answer says why', async () => {
  const path = makeTree(join(folder.path, 'read-only'), { 'Solo/solo.zip': 9, 'Solo/cover.jpg': await picture(1) })
  const prefix = inItsOwnMounts('mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"', path)
  await using other = await startServer({ libraries: [{ type: 'games', path }], prefix })
  await other.waitForScans()
  const client = await other.as('admin')
  const { id } = (await client.get('/api/libraries')).body.libraries[0]
  const { status, body } = await put({ itemKey: `game:${id}:Solo`, bytes: await picture(2) }, client)
  expect([status, body.code]).toEqual([503, 'unavailable'])
  expect(body.detail).toContain('read-only')
  expect(body.detail).not.toContain(path)
  expect(readFileSync(join(path, 'Solo/cover.jpg')).equals(await picture(1))).toBe(true)
})

test('a full disk keeps the old cover, leaves no temporary file, and takes pictures again when it has room', async () => {
  const path = makeTree(join(folder.path, 'full'), {})
  const script =
    'mount -t tmpfs -o size=300k tmpfs "$1" && mkdir "$1/Solo" && echo 1 > "$1/Solo/solo.zip" && echo old > "$1/Solo/cover.jpg" && head -c 280000 /dev/zero > "$1/filler"'
  await using other = await startServer({ libraries: [{ type: 'games', path }], prefix: inItsOwnMounts(script, path) })
  await other.waitForScans()
  const client = await other.as('admin')
  const { id } = (await client.get('/api/libraries')).body.libraries[0]
  const itemKey = `game:${id}:Solo`
  const noise = await sharp({
    create: { width: 300, height: 300, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 }, background: '#000' },
  })
    .png()
    .toBuffer()
  const upload = () => put({ itemKey, bytes: noise }, client)
  const { status, body } = await upload()
  expect([status, body.code]).toEqual([507, 'insufficient_storage'])
  const form = multipart([
    { name: 'itemKey', content: itemKey },
    { name: 'files', content: noise, fileName: 'a.png' },
  ])
  expect((await client.fetch('/api/game-screenshots', { method: 'POST', ...form })).status).toBe(507)
  const seen = `/proc/${other.pid}/root${path}`
  expect(readdirSync(join(seen, 'Solo'), { recursive: true }).toSorted()).toEqual(['cover.jpg', 'screenshots', 'solo.zip'])
  expect(readFileSync(join(seen, 'Solo/cover.jpg'), 'utf8')).toBe('old\n')
  rmSync(join(seen, 'filler'))
  expect((await upload()).status).toBe(200)
})
