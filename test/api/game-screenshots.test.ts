import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { multipart, type Part } from '../support/multipart.ts'
import { bombPng, gifOf } from '../support/picture-bombs.ts'
import { drawnPicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer } from '../support/test-server.ts'

let folder: TemporaryFolder
let games: string
let server: TestServer
let admin: HttpClient
let libraryId: number
let jpeg: Buffer
/** A fresh game for each test, in the index already. */
let game: { key: string; folder: string }
const GAMES = 40
let nextGame = 0

beforeAll(async () => {
  folder = await temporaryFolder('screenshots')
  jpeg = await drawnPicture({ width: 320, height: 180 }).jpeg().toBuffer()
  // Of two with the same bytes one would be taken for a copy of the other.
  const names = Array.from({ length: GAMES }, (_, number) => [`Game ${number}`, { 'game.zip': 9 + number }])
  games = makeTree(join(folder.path, 'games'), { ...Object.fromEntries(names), 'Series/One/one.zip': 9 })
  makeTree(folder.path, { 'mixed/a.txt': 'a' })
  server = await startServer({
    libraries: [
      { type: 'games', path: games },
      { type: 'mixed', path: join(folder.path, 'mixed') },
    ],
  })
  await server.waitForScans()
  admin = await server.as('admin')
  libraryId = (await admin.get('/api/libraries')).body.libraries.find(({ type }: Json) => type === 'games').id
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})
beforeEach(() => {
  const name = `Game ${nextGame++}`
  game = { key: `game:${libraryId}:${name}`, folder: join(games, name) }
})

const post = async (parts: readonly Part[], client = admin) => {
  const response = await client.fetch('/api/game-screenshots', { method: 'POST', ...multipart(parts) })
  const body: Json = await response.json()
  return { status: response.status, body }
}
const itemKey = (content = game.key): Part => ({ name: 'itemKey', content })
const image = (content: string | Uint8Array = jpeg, fileName = 'shot.jpg'): Part => ({ name: 'files', content, fileName })
const shotsIn = (path = game.folder): string[] =>
  existsSync(join(path, 'screenshots')) ? readdirSync(join(path, 'screenshots')).toSorted() : []
const list = async (): Promise<Json[]> => (await admin.get('/api/game-screenshots', { itemKey: game.key })).body.screenshots
const SHOT = /^shot-\d{13}\.jpg$/

describe('no screenshot is kept', () => {
  const refusals: [why: string, parts: () => Part[]][] = [
    ['without a game', () => [image()]],
    ['without a picture', () => [itemKey()]],
    ['with text for a picture', () => [itemKey(), { name: 'files', content: 'text' }]],
    ['with a field that nobody knows', () => [itemKey(), image(), { name: 'path', content: '/etc' }]],
    ['with a picture in another field', () => [itemKey(), { ...image(), name: 'file' }]],
    ['of more than twenty', () => [itemKey(), ...Array.from({ length: 21 }, () => image())]],
    ['with two games', () => [itemKey(), itemKey(), image()]],
    ['of a series', () => [itemKey(`game_series:${libraryId}:Series`), image()]],
    ['that is no picture', () => [itemKey(), image('<svg xmlns="http://www.w3.org/2000/svg"/>')]],
    ['that is empty', () => [itemKey(), image('')]],
    ['that is no picture and has no name', () => [itemKey(), image('no picture', '')]],
    ['that ends too soon', () => [itemKey(), image(jpeg.subarray(0, 500))]],
  ]
  for (const [why, parts] of refusals)
    test(why, async () => {
      const { status, body } = await post(parts())
      expect([status, body.code]).toEqual([400, 'invalid_request'])
      expect([shotsIn(), shotsIn(join(games, 'Series')), await list()]).toEqual([[], [], []])
    })

  test('and the answer says which file is wrong, and how', async () => {
    const text: Part = { name: 'files', content: 'text' }
    const errorsOf = async (parts: Part[]) => (await post(parts)).body.errors
    expect(await errorsOf([itemKey()])).toEqual([{ path: 'files', message: 'must be one file or more' }])
    const tooMany = Array.from({ length: 21 }, () => image())
    expect(await errorsOf([itemKey(), ...tooMany])).toEqual([{ path: 'files', message: 'must be 20 files or fewer' }])
    expect(await errorsOf([itemKey(), text])).toEqual([{ path: 'files.0', message: 'must be a file' }])
    expect(await errorsOf([itemKey(), image(), text])).toEqual([{ path: 'files.1', message: 'must be a file' }])
  })

  test('of a file that is no game', async () => {
    const mixed = (await admin.get('/api/libraries')).body.libraries.find(({ type }: Json) => type === 'mixed').id
    expect((await post([itemKey(`mixed_file:${mixed}:a.txt`), image()])).body.code).toBe('invalid_request')
    expect((await admin.get('/api/game-screenshots', { itemKey: `mixed_file:${mixed}:a.txt` })).status).toBe(400)
    expect(readdirSync(join(folder.path, 'mixed'))).toEqual(['a.txt'])
  })

  test('of a game that there is not', async () => {
    const { status, body } = await post([itemKey(`game:${libraryId}:None`), image()])
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect(existsSync(join(games, 'None'))).toBe(false)
  })

  test('in another form than multipart', async () => {
    const { status, body } = await admin.post('/api/game-screenshots', { itemKey: game.key, files: ['x'] })
    expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
  })

  test('from somebody who may not upload', async () => {
    const client = await server.as('reader', { permissions: { upload: false } })
    expect((await post([itemKey(), image()], client)).status).toBe(403)
    expect((await client.delete('/api/game-screenshots', { itemKey: game.key, name: 'shot-1.jpg' })).status).toBe(403)
    expect((await client.get('/api/game-screenshots', { itemKey: game.key })).status).toBe(200)
    expect(shotsIn()).toEqual([])
  })

  test('where one picture of several is bad: the answer names it', async () => {
    const bad = image('no picture', 'holiday.png')
    const { status, body } = await post([itemKey(), image(), image(), bad, image()])
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_request', 'files.2'])
    expect(body.detail).toContain('holiday.png')
    expect([shotsIn(), await list()]).toEqual([[], []])
  })
})

test('pictures that would fill the memory are refused, one and all, and the next good one is taken', async () => {
  const bombs = [
    bombPng(16_000, 16_000),
    bombPng(65_535, 65_535),
    bombPng(10_000, 5001),
    gifOf(65_535, 65_535, 1),
    await sharp({ create: { width: 9000, height: 6000, channels: 3, background: '#123' } })
      .jpeg()
      .toBuffer(),
  ]
  const resident = (): number => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024
  // The decoders are loaded by then.
  expect((await post([itemKey(), image()])).status).toBe(201)
  const before = resident()
  for (const bomb of bombs) {
    const start = performance.now()
    expect((await post([itemKey(), image(), image(bomb)])).status).toBe(400)
    expect(performance.now() - start).toBeLessThan(5000)
    expect(resident() - before).toBeLessThan(100)
  }
  expect((await post([itemKey(), image()])).status).toBe(201)
  expect(shotsIn()).toHaveLength(2)
})

describe('too large a body is refused, and nothing of it is kept', () => {
  const large = Buffer.alloc(33 * 1024 * 1024, 7)

  test('by the length that it announces', async () => {
    const { status, body } = await post([itemKey(), image(large)])
    expect([status, body.code]).toEqual([413, 'too_large'])
  })

  test('in chunks', async () => {
    const { body, headers } = multipart([itemKey(), image(large)])
    const stream = new ReadableStream({
      start: (controller) => {
        controller.enqueue(body)
        controller.close()
      },
    })
    const response = await admin.fetch('/api/game-screenshots', { method: 'POST', headers, body: stream })
    expect(response.status).toBe(413)
  })

  test('with a length that is a lie', async () => {
    const { body, headers } = multipart([itemKey(), image()])
    const { hostname, port } = new URL(server.url)
    const say = async (length: number): Promise<string> => {
      const socket = connect(Number(port), hostname)
      const head = `POST /api/game-screenshots HTTP/1.1\r\nHost: x\r\nCookie: ${admin.cookies()}\r\nContent-Type: ${headers['content-type']}\r\n`
      socket.write(`${head}Content-Length: ${length}\r\nConnection: close\r\n\r\n`)
      socket.end(body)
      let answer = ''
      for await (const chunk of socket) answer += chunk
      return answer.split('\r\n')[0] ?? ''
    }
    // Less than there is: the form is cut off. More: the body never ends.
    expect(await say(body.length - 100)).toContain(' 400 ')
    expect(await say(body.length + 100)).not.toContain(' 201 ')
  })

  test('of somebody who may not upload at all, without being read', async () => {
    const client = await server.as('reader')
    expect((await post([itemKey(), image(large)], client)).status).toBe(403)
    expect((await post([itemKey(), image(large)], server.anonymous)).status).toBe(401)
  })
})

describe('a link is never followed', () => {
  test('in place of the folder for screenshots, wherever it leads', async () => {
    const outside = join(folder.path, 'outside')
    mkdirSync(outside, { recursive: true })
    for (const target of [outside, '../Series', 'nowhere']) {
      rmSync(join(game.folder, 'screenshots'), { force: true })
      symlinkSync(target, join(game.folder, 'screenshots'))
      const { status, body } = await post([itemKey(), image()])
      expect([target, status, body.code]).toEqual([target, 409, 'conflict'])
    }
    expect([readdirSync(outside), readdirSync(join(games, 'Series')), existsSync(join(game.folder, 'nowhere'))]).toEqual([
      [],
      ['One'],
      false,
    ])
  })

  test('in place of the game itself', async () => {
    const outside = makeTree(join(folder.path, 'elsewhere'), { 'game.zip': 9 })
    rmSync(game.folder, { recursive: true })
    symlinkSync(outside, game.folder)
    expect((await post([itemKey(), image()])).status).toBe(503)
    expect(readdirSync(outside)).toEqual(['game.zip'])
    rmSync(game.folder)
    makeTree(game.folder, { 'game.zip': 9 })
  })
})

test('a file in place of the folder, or no folder of the game at all, is said so', async () => {
  writeFileSync(join(game.folder, 'screenshots'), 'a file')
  expect((await post([itemKey(), image()])).status).toBe(409)
  expect(readFileSync(join(game.folder, 'screenshots'), 'utf8')).toBe('a file')
  rmSync(game.folder, { recursive: true })
  const { status, body } = await post([itemKey(), image()])
  expect([status, body.code]).toEqual([503, 'unavailable'])
  expect(existsSync(game.folder)).toBe(false)
  makeTree(game.folder, { 'game.zip': 9 })
})

/** Ten ways to leave a folder, end a name or run a program, with eight names each. */
const BAD_NAMES = [
  '../../',
  '..\\\\..\\\\',
  '/etc/',
  'C:\\\\',
  '%2e%2e%2f',
  '....//',
  './',
  '\u202e',
  '\ud83d\ude00\u0000',
  '-rf ',
].flatMap((start) =>
  ['x.jpg', 'cover.jpg\0.php', 'shot-1.jpg', 'CON', '.htaccess', '日本.png', '<img onerror=x>.gif', 'n'.repeat(5000)].map(
    (end) => start + end,
  ),
)

test('eighty names that a client may think of leave nothing but shots with names of ours', async () => {
  expect(BAD_NAMES).toHaveLength(80)
  const before = readdirSync(folder.path, { recursive: true }).length
  for (const name of BAD_NAMES) {
    const { status } = await post([itemKey(), image(jpeg, name)])
    expect([201, 400]).toContain(status)
  }
  const shots = shotsIn()
  expect(shots.filter((name) => !SHOT.test(name))).toEqual([])
  expect(readdirSync(game.folder).toSorted()).toEqual(['game.zip', 'screenshots'])
  expect(readdirSync(folder.path, { recursive: true })).toHaveLength(before + 1 + shots.length)
  expect((await list()).map(({ name }) => name)).toEqual(shots)
  expect(shots.length).toBeGreaterThan(70)
}, 60_000)

test('ten pictures in one request are ten files, JPEG and in their order, at once in the index', async () => {
  const pictures = await Promise.all(
    Array.from({ length: 10 }, (_, number) =>
      drawnPicture({ width: 100 + number, height: 60 })
        .png()
        .toBuffer(),
    ),
  )
  const before = Date.now()
  const { status, body } = await post([itemKey(), ...pictures.map((bytes) => image(bytes, 'same name.png'))])
  expect(status).toBe(201)
  const names: string[] = body.screenshots.map(({ name }: Json) => name)
  expect(new Set(names).size).toBe(10)
  expect(shotsIn()).toEqual(names)
  for (const [index, { name, url, takenAt }] of body.screenshots.entries()) {
    const { format, width, exif } = await sharp(join(game.folder, 'screenshots', name)).metadata()
    expect([format, width, exif]).toEqual(['jpeg', 100 + index, undefined])
    expect(Date.parse(takenAt)).toBeWithin(before, Date.now() + 100)
    const served = await admin.fetch(url)
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(Buffer.from(await served.arrayBuffer()).equals(readFileSync(join(game.folder, 'screenshots', name)))).toBe(true)
  }
  expect(await list()).toEqual(body.screenshots)
  expect((await admin.get('/api/items', { itemKey: game.key })).body.item.screenshots).toEqual(body.screenshots)
})

test('twenty requests at a time lose nothing', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => post([itemKey(), image(), image()])))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
  expect(shotsIn().filter((name) => SHOT.test(name))).toHaveLength(40)
  expect((await list()).map(({ name }) => name)).toEqual(shotsIn())
})

test('the next scan finds nothing to change, and adds to what lies there by hand', async () => {
  makeTree(join(game.folder, 'screenshots'), { 'Title 10.png': jpeg, 'a.jpg': jpeg, 'Title 9.png': jpeg })
  await server.scanAndWait(libraryId)
  expect((await post([itemKey(), image(), image()])).status).toBe(201)
  const before = (await admin.get('/api/items', { itemKey: game.key })).body
  expect(await server.scanAndWait(libraryId)).toMatchObject({ status: 'done', added: 0, updated: 0, moved: 0, missing: 0 })
  expect((await admin.get('/api/items', { itemKey: game.key })).body).toEqual(before)
  const names: string[] = before.item.screenshots.map(({ name }: Json) => name)
  expect(names.slice(0, 3)).toEqual(['a.jpg', 'Title 9.png', 'Title 10.png'])
  expect(names.slice(3).every((name) => SHOT.test(name))).toBe(true)
  expect(before.item.screenshots[0].takenAt).toBeNull()
  expect(before.item.thumbnailUrl).toBeNull()
})

test('of very many the newest are listed, as the next scan lists them', async () => {
  makeTree(join(game.folder, 'screenshots'), Object.fromEntries(Array.from({ length: 510 }, (_, place) => [`shot-${place}.jpg`, jpeg])))
  await server.scanAndWait(libraryId)
  const { body } = await post([itemKey(), image(), image()])
  expect([body.screenshots.length, body.screenshots[0].name]).toEqual([500, 'shot-12.jpg'])
  expect(await server.scanAndWait(libraryId)).toMatchObject({ status: 'done', added: 0, updated: 0, moved: 0, missing: 0 })
  expect(await list()).toEqual(body.screenshots)
})

test('a game that is missing is not there to write to, though its folder may have come back', async () => {
  expect((await post([itemKey(), image()])).status).toBe(201)
  const [name = ''] = shotsIn()
  renameSync(game.folder, join(folder.path, 'away'))
  expect(await server.scanAndWait(libraryId)).toMatchObject({ missing: 1 })
  renameSync(join(folder.path, 'away'), game.folder)
  expect(await post([itemKey(), image()])).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await admin.delete('/api/game-screenshots', { itemKey: game.key, name })).status).toBe(404)
  const cover = [itemKey(), { name: 'kind', content: 'cover' }, { ...image(), name: 'file' }]
  expect((await admin.fetch('/api/game-cover', { method: 'POST', ...multipart(cover) })).status).toBe(404)
  expect(readdirSync(game.folder, { recursive: true }).toSorted()).toEqual(['game.zip', 'screenshots', `screenshots/${name}`])
  await server.scanAndWait(libraryId)
  expect((await post([itemKey(), image()])).status).toBe(201)
})

test('a folder that is spelled in another way is the folder', async () => {
  mkdirSync(join(game.folder, 'Screenshots'))
  expect((await post([itemKey(), image()])).status).toBe(201)
  expect(readdirSync(game.folder).toSorted()).toEqual(['Screenshots', 'game.zip'])
  expect(await server.scanAndWait(libraryId)).toMatchObject({ updated: 0 })
  expect(await list()).toHaveLength(1)
})

describe('removing', () => {
  test('takes away nothing but a listed screenshot', async () => {
    makeTree(game.folder, { 'cover.jpg': jpeg, 'screenshots/notes.txt': 'mine' })
    expect((await post([itemKey(), image()])).status).toBe(201)
    await server.scanAndWait(libraryId)
    const before = readdirSync(game.folder, { recursive: true }).toSorted()
    for (const name of ['notes.txt', '../cover.jpg', 'cover.jpg', '../game.zip', 'shot-1.jpg', '.', '..', '*', 'screenshots'])
      expect([name, (await admin.delete('/api/game-screenshots', { itemKey: game.key, name })).status]).toEqual([name, 404])
    expect((await admin.delete('/api/game-screenshots', { itemKey: game.key })).status).toBe(400)
    expect(readdirSync(game.folder, { recursive: true }).toSorted()).toEqual(before)
  })

  test('takes one and leaves the others, also in the index and after the next scan', async () => {
    const { body } = await post([itemKey(), image(), image(), image()])
    const [first, second, third] = body.screenshots
    expect((await admin.delete('/api/game-screenshots', { itemKey: game.key, name: second.name })).status).toBe(204)
    expect((await admin.delete('/api/game-screenshots', { itemKey: game.key, name: second.name })).status).toBe(404)
    expect(await list()).toEqual([first, third])
    expect(shotsIn()).toEqual([first.name, third.name])
    expect((await admin.fetch(second.url)).status).toBe(404)
    expect(await server.scanAndWait(libraryId)).toMatchObject({ updated: 0 })
    expect(await list()).toEqual([first, third])
  })

  test('removes a link, and not what it leads to', async () => {
    const outside = join(folder.path, 'precious.jpg')
    writeFileSync(outside, jpeg)
    const { body } = await post([itemKey(), image()])
    const [{ name }] = body.screenshots
    rmSync(join(game.folder, 'screenshots', name))
    symlinkSync(outside, join(game.folder, 'screenshots', name))
    expect((await admin.delete('/api/game-screenshots', { itemKey: game.key, name })).status).toBe(204)
    expect([existsSync(outside), shotsIn()]).toEqual([true, []])
  })

  test('forgets one that is gone from the disk already', async () => {
    const { body } = await post([itemKey(), image()])
    rmSync(join(game.folder, 'screenshots'), { recursive: true })
    expect((await admin.delete('/api/game-screenshots', { itemKey: game.key, name: body.screenshots[0].name })).status).toBe(204)
    expect(await list()).toEqual([])
  })
})
