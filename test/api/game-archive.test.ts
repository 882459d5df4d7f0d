import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { appendFileSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import type { HttpClient, Json } from '../support/http-client.ts'
import { file, folder as folderOf, link, makeTree } from '../support/library-tree.ts'
import { runProgram } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

const UNTIL_MS = 60_000
setDefaultTimeout(2 * UNTIL_MS)

let folder: TemporaryFolder
let games: string
let server: TestServer
let admin: HttpClient
let libraryId: number

const MEGABYTE = 1024 * 1024
const APP = 'My Game “日本”.app'

beforeAll(async () => {
  folder = await temporaryFolder('archive')
  games = makeTree(join(folder.path, 'games'), {
    Mac: {
      [APP]: {
        'Contents/MacOS/run': file({ content: '#!/bin/sh\n', mode: 0o755 }),
        'Contents/Resources': { empty: {}, 'data.bin': 5 * MEGABYTE, link: link('../MacOS/run') },
        'Contents/locked': folderOf({ 'a.txt': 'a' }, { mode: 0o700 }),
      },
    },
    Both: { 'win.zip': 'windows bytes', 'Both.app/Contents/a': 'a', 'lin.tar.gz': 3 * MEGABYTE },
    'Series/One/one.zip': 9,
    Large: { 'Large.app/Contents/data.bin': 3 * 1024 * MEGABYTE },
    Rich: {
      'Rich.app/a': 'game',
      'Manual/a.pdf': 'manual',
      'readme.txt': 'beside',
      dlc: { 'more.zip': 'expansion', 'Editor.app/a': 'editor' },
      data: { a: 'a' },
    },
    Out: { 'Out.app/a': 'a', 'out.zip': 'inside' },
  })
  server = await startServer({ dataDir: join(folder.path, 'data'), libraries: [{ type: 'games', path: games }] })
  await server.waitForScans()
  admin = await server.as('admin')
  libraryId = (await admin.get('/api/libraries')).body.libraries[0].id
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const query = (game: string, name?: string): string =>
  `/api/game-archive?${new URLSearchParams({ itemKey: `game:${libraryId}:${game}`, ...(name ? { file: name } : {}) })}`
const ask = (game: string, name?: string, init?: RequestInit): Promise<Response> => admin.fetch(query(game, name), init)
const refusal = async (response: Promise<Response>): Promise<[number, string]> => {
  const { status, ...rest } = await response.then(async (answer) => ({ status: answer.status, body: (await answer.json()) as Json }))
  return [status, rest.body.code]
}

/** What the server has open below the library. */
const openPaths = (): string[] =>
  readdirSync(`/proc/${server.pid}/fd`).flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/${server.pid}/fd/${fd}`)
      return path.startsWith(games) ? [path] : []
    } catch {
      return []
    }
  })
const untilClosed = () =>
  waitFor(
    () => (openPaths().length === 0 ? true : undefined),
    UNTIL_MS,
    () => `Open still: ${openPaths()}`,
  )

describe('nothing is delivered', () => {
  test('to somebody who may not download, or who is nobody', async () => {
    const client = await server.as('looker', { permissions: { download: false } })
    for (const init of [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-1' } }])
      for (const game of ['Mac', 'Both']) {
        expect((await client.fetch(query(game), init)).status).toBe(403)
        expect((await server.anonymous.fetch(query(game), init)).status).toBe(401)
      }
  })

  test('under a name that the game does not list', async () => {
    for (const name of ['none.zip', '../Series/One/one.zip', 'Both.app/Contents/a', '/etc/passwd', 'win.zip/', '.', 'win.zip\0'])
      expect([name, await refusal(ask('Both', name))]).toEqual([name, [404, 'not_found']])
  })

  test('of its extras but what it lists', async () => {
    for (const name of ['data/a', 'readme.txt', 'dlc', 'dlc/Editor.app/a', 'dlc/../Manual/a.pdf', 'more.zip'])
      expect([name, await refusal(ask('Rich', name))]).toEqual([name, [404, 'not_found']])
  })

  test('of what is no game', async () => {
    expect((await admin.get('/api/game-archive', { itemKey: `game_series:${libraryId}:Series` })).status).toBe(400)
    expect((await admin.get('/api/game-archive')).status).toBe(400)
    expect(await refusal(ask('None'))).toEqual([404, 'not_found'])
  })

  test('from outside the library, by links in place of what the index knows', async () => {
    const outside = makeTree(join(folder.path, 'outside'), { 'Out.app/a': 'canary', 'out.zip': 'canary' })
    for (const name of ['Out.app', 'out.zip'])
      for (const target of [join(outside, name), name === 'Out.app' ? '../Both/Both.app' : join(outside, 'none')]) {
        renameSync(join(games, 'Out', name), join(games, 'Out', `kept-${name}`))
        symlinkSync(target, join(games, 'Out', name))
        expect([name, target, await refusal(ask('Out', name))]).toEqual([name, target, [404, 'not_found']])
        rmSync(join(games, 'Out', name))
        renameSync(join(games, 'Out', `kept-${name}`), join(games, 'Out', name))
      }
    await untilClosed()
  })

  test('of a bundle with a file whose name nobody can send', async () => {
    const odd = Buffer.concat([Buffer.from(join(games, 'Out/Out.app/')), Buffer.from([0xff])])
    await Bun.write(Bun.file(join(games, 'Out/Out.app/b')), 'b')
    renameSync(join(games, 'Out/Out.app/b'), odd)
    expect(await refusal(ask('Out', 'Out.app'))).toEqual([503, 'unavailable'])
    rmSync(odd)
    await untilClosed()
  })
})

describe('an archive that is a file', () => {
  test('comes as it is, to be saved', async () => {
    const response = await ask('Both')
    expect([response.status, await response.text()]).toEqual([200, 'windows bytes'])
    expect(response.headers.get('content-disposition')).toStartWith('attachment; filename="win.zip"')
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
  })

  test('goes on where it was broken off', async () => {
    const whole = readFileSync(join(games, 'Both/lin.tar.gz'))
    const first = await ask('Both', 'lin.tar.gz', { headers: { range: 'bytes=0-999999' } })
    const etag = first.headers.get('etag') ?? ''
    const rest = await ask('Both', 'lin.tar.gz', { headers: { range: 'bytes=1000000-', 'if-range': etag } })
    expect([first.status, rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      206,
      `bytes 1000000-${whole.length - 1}/${whole.length}`,
    ])
    expect(Buffer.concat([Buffer.from(await first.arrayBuffer()), Buffer.from(await rest.arrayBuffer())]).equals(whole)).toBe(true)
  })
})

test('a bundle comes as a zip of its folder, the same as on disk', async () => {
  const response = await ask('Mac')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="My Game ____.app.zip"; filename*=UTF-8''${encodeURIComponent(`${APP}.zip`)}`,
  )
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(bytes.length).toBe(Number(response.headers.get('x-estimated-length')))
  const saved = join(folder.path, 'saved.zip')
  await Bun.write(saved, bytes)
  const back = join(folder.path, 'back')
  await runProgram(['unzip', '-q', '-d', back, saved])
  await runProgram(['diff', '--recursive', '--no-dereference', join(games, 'Mac'), back])
  const modes = async (place: string): Promise<string> =>
    (await runProgram(['find', place, '-printf', '%P %M %l\n'])).toString().split('\n').toSorted().join('\n')
  expect(await modes(join(back, APP))).toBe(await modes(join(games, 'Mac', APP)))
  await untilClosed()
})

test('HEAD tells the length and the name of a bundle, and leaves nothing open', async () => {
  const [head, whole] = [await ask('Mac', undefined, { method: 'HEAD' }), await ask('Mac')]
  for (const name of ['x-estimated-length', 'content-disposition', 'content-type', 'accept-ranges'])
    expect(head.headers.get(name)).toBe(whole.headers.get(name) ?? '')
  expect([head.status, await head.text()]).toEqual([200, ''])
  const { byteLength } = await whole.arrayBuffer()
  expect(head.headers.get('content-length')).toBe(String(byteLength))
  await untilClosed()
})

test('the first file stands for a game with several, a named one for itself', async () => {
  expect((await ask('Both', 'Both.app')).headers.get('content-type')).toBe('application/zip')
  expect((await ask('Both')).headers.get('content-disposition')).toContain('win.zip')
})

test('the archive of a row of the oldest schema is delivered', async () => {
  await server.stop()
  const database = createClient({ url: `file:${join(folder.path, 'data/vitrine.db')}` })
  await database.execute({
    sql: `UPDATE media_items SET files = NULL, data = '{"zipFiles":["win.zip"]}' WHERE item_key = ?`,
    args: [`game:${libraryId}:Both`],
  })
  database.close()
  server = await startServer({ dataDir: join(folder.path, 'data'), env: { SCAN_ON_START: '0' } })
  admin = await server.as('admin')
  expect(await (await ask('Both', 'win.zip')).text()).toBe('windows bytes')
  expect(await refusal(ask('Both', 'lin.tar.gz'))).toEqual([404, 'not_found'])
})

/** A reader that takes so many bytes a second, until it is destroyed. */
const slowReader = (path: string, bytesPerSecond: number): { socket: Socket; received: () => number; failed: Promise<boolean> } => {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ port: Number(port), host: hostname })
  let received = 0
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${admin.cookies()}\r\n\r\n`)
  socket.on('data', (chunk) => {
    received += chunk.length
    socket.pause()
    setTimeout(() => socket.resume(), (chunk.length / bytesPerSecond) * 1000)
  })
  let tail = ''
  socket.on('data', (chunk) => {
    tail = (tail + chunk.toString('latin1')).slice(-5)
  })
  const failed = new Promise<boolean>((resolve) => socket.on('close', () => resolve(tail !== '0\r\n\r\n')).on('error', () => resolve(true)))
  return { socket, received: () => received, failed }
}

const residentMegabytes = (): number => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024

test('four slow readers take little memory, hold up nobody, and leave nothing open when they go', async () => {
  await (await ask('Mac')).arrayBuffer()
  const before = residentMegabytes()
  const readers = Array.from({ length: 4 }, () => slowReader(query('Large'), 100_000))
  let highest = before
  const end = Date.now() + 6000
  while (Date.now() < end) {
    await Bun.sleep(250)
    highest = Math.max(highest, residentMegabytes())
  }
  const start = performance.now()
  expect((await admin.get('/api/health')).status).toBe(200)
  // Whoever waited for them would wait for hours.
  expect(performance.now() - start).toBeLessThan(5000)
  expect(highest - before).toBeLessThan(60)
  for (const { received } of readers) expect(received()).toBeGreaterThan(100_000)
  expect(openPaths().filter((path) => path.endsWith('data.bin'))).toHaveLength(4)
  for (const { socket } of readers) socket.destroy()
  await untilClosed()
})

test('a file that changes while it is sent breaks the connection, so that nobody takes the part for the whole', async () => {
  const reader = slowReader(query('Large'), 50_000_000)
  await waitFor(
    () => (reader.received() > 0 ? true : undefined),
    UNTIL_MS,
    () => 'Nothing came',
  )
  appendFileSync(join(games, 'Large/Large.app/Contents/data.bin'), 'x')
  // The change is noticed at the end of the file; shortened, it ends at once.
  await runProgram(['truncate', '--size=1M', join(games, 'Large/Large.app/Contents/data.bin')])
  expect(await reader.failed).toBe(true)
  await untilClosed()
  await waitFor(
    () => (server.output().includes('archive_broken_off') ? true : undefined),
    UNTIL_MS,
    () => `The log does not tell of it: ${server.output()}`,
  )
  expect((await admin.get('/api/health')).status).toBe(200)
})

test('what came with a game is downloaded by its name, and never in the place of the game', async () => {
  const manual = await ask('Rich', 'Manual/a.pdf')
  expect([manual.headers.get('content-disposition'), await manual.text()]).toEqual([
    expect.stringContaining('attachment; filename="a.pdf"'),
    'manual',
  ])
  expect(await (await ask('Rich', 'dlc/more.zip')).text()).toBe('expansion')
  expect((await ask('Rich', 'dlc/Editor.app')).headers.get('content-disposition')).toContain('Editor.app.zip')
  expect((await ask('Rich')).headers.get('content-disposition')).toContain('Rich.app.zip')
  const rich = { itemKey: `game:${libraryId}:Rich` }
  expect((await admin.get('/api/files', rich)).body.code).toBe('not_a_file')
  const looker = await server.as('looks only', { permissions: { download: false } })
  expect((await looker.get('/api/files', { ...rich, file: 'Manual/a.pdf' })).status).toBe(403)
})
