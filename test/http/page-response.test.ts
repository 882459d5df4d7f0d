import { afterEach, beforeEach, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { createPageSender } from '../../src/http/page-response.ts'

/** More than any system takes for a connection whose client reads nothing. */
const LARGE = 16 * 1024 * 1024
const AT_ONCE = 8

const pictureOf = (length: number): Buffer => Buffer.alloc(length, 'picture')

let reads: number
let server: Bun.Server<undefined>
let sockets: Socket[]

beforeEach(() => {
  reads = 0
  sockets = []
  const sendPage = createPageSender()
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url)
      const read = async () => {
        reads += 1
        const length = Number(pathname.slice(1))
        if (pathname === '/other') return async () => new Response('other')
        if (Number.isNaN(length)) throw new Error('no page')
        return { bytes: pictureOf(length), mediaType: 'image/jpeg', version: `v${length}`, isImmutable: false }
      }
      return sendPage(request, Number(searchParams.get('user')), read).catch(() => new Response(null, { status: 500 }))
    },
  })
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await server.stop(true)
})

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(new URL(path, server.url), init)

/** Asks for a page and reads nothing. */
const stall = (path: string): void => {
  const socket = connect(server.port ?? 0, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: media.example\r\n\r\n`))
  socket.pause()
  socket.on('error', () => undefined)
  sockets.push(socket)
}

const readsReach = async (count: number): Promise<number> => {
  for (let times = 0; times < 200 && reads < count; times += 1) await Bun.sleep(10)
  await Bun.sleep(100)
  return reads
}

test.each([1000, 300_000, LARGE])('a page of %i bytes comes whole, and without them by HEAD and where it is known', async (length) => {
  const whole = await get(`/${length}?user=1`)
  expect(Buffer.from(await whole.arrayBuffer()).equals(pictureOf(length))).toBe(true)
  const known = await get(`/${length}?user=1`, { headers: { 'If-None-Match': whole.headers.get('etag') ?? '' } })
  const head = await get(`/${length}?user=1`, { method: 'HEAD' })
  expect([whole.status, known.status, head.status, head.headers.get('content-length')]).toEqual([200, 304, 200, String(length)])
})

test('of one who takes nothing of many pages few are in memory, and nobody else waits for that', async () => {
  for (let count = 0; count < AT_ONCE + 5; count += 1) stall(`/${LARGE}?user=1`)
  expect(await readsReach(AT_ONCE)).toBe(AT_ONCE)
  expect((await (await get(`/${LARGE}?user=2`)).arrayBuffer()).byteLength).toBe(LARGE)
  sockets[0]?.destroy()
  expect(await readsReach(AT_ONCE + 2)).toBe(AT_ONCE + 2)
})

test('whatever comes of a page, its place is given back', async () => {
  const etag = { headers: { 'If-None-Match': `"v${LARGE}"` } }
  for (let count = 0; count < AT_ONCE; count += 1) {
    await (await get(`/${LARGE}?user=1`)).arrayBuffer()
    await get(`/${LARGE}?user=1`, { method: 'HEAD' })
    await get(`/${LARGE}?user=1`, etag)
    await (await get('/1000?user=1')).arrayBuffer()
    expect((await get('/none?user=1')).status).toBe(500)
    expect(await (await get('/other?user=1')).text()).toBe('other')
    stall(`/${LARGE}?user=1`)
    await readsReach((count + 1) * 7)
    sockets[count]?.destroy()
  }
  expect((await (await get(`/${LARGE}?user=1`)).arrayBuffer()).byteLength).toBe(LARGE)
})
