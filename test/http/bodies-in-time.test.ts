import { afterEach, expect, test } from 'bun:test'
import { Hono } from 'hono'
import { ALL_PERMISSIONS } from '../../src/domain/permissions.ts'
import type { AppEnv } from '../../src/http/app-env.ts'
import { bodiesInTime, bodiesInTurn } from '../../src/http/bodies-in-time.ts'
import { toAppError } from '../../src/http/problem.ts'
import { waitFor } from '../support/test-server.ts'

const MAX_MS = 300
const PIECE_MS = 20

const start = () => {
  let handled = 0
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      const username = c.req.header('x-user')
      if (username) c.set('viewer', { userId: 1, username, role: 'user', permissions: ALL_PERMISSIONS, libraryIds: null })
      await next()
    })
    .use(bodiesInTime({ maxBytes: 1000, maxMs: MAX_MS }))
    .post('/', async (c) => {
      handled += 1
      await Bun.sleep(c.req.query('slow') ? 2 * MAX_MS : 0)
      return c.json(await c.req.json())
    })
    .onError((error, c) => c.text(toAppError(error).code, 500))
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request) })
  return { server, handled: () => handled }
}

let running: ReturnType<typeof start>
afterEach(() => running.server.stop(true))

/** Sends `pieces` one after the other, also when there is an answer, until the connection is closed. */
const trickle = async (headers: string[], pieces: string[]): Promise<{ said: string; isClosed: boolean }> => {
  let isClosed = false
  const answer = Promise.withResolvers<string>()
  const { hostname = '', port = 0 } = running.server
  const socket = await Bun.connect({
    hostname,
    port,
    socket: {
      data: (_, bytes) => answer.resolve(bytes.toString().split('\r\n\r\n')[1] ?? ''),
      close: () => {
        isClosed = true
        answer.resolve('closed')
      },
    },
  })
  socket.write(['POST / HTTP/1.1', 'Host: media.example', ...headers, '', ''].join('\r\n'))
  for (const piece of pieces) {
    socket.write(piece)
    await Bun.sleep(PIECE_MS)
  }
  const said = await answer.promise
  const wasClosed = isClosed
  socket.end()
  return { said, isClosed: wasClosed }
}

const LATE = 3 * (MAX_MS / PIECE_MS)

test.each([
  ['of a known length', [`Content-Length: ${LATE + 2}`], [...Array(LATE).fill(' '), '{}']],
  ['in pieces', ['Transfer-Encoding: chunked'], [...Array(LATE).fill('1\r\n \r\n'), '2\r\n{}\r\n0\r\n\r\n']],
])('a body %s that arrives too slowly is not waited for, and nothing is done with it when it is whole', async (_, headers, pieces) => {
  running = start()
  expect(await trickle(headers, pieces)).toEqual({ said: 'unavailable', isClosed: true })
  expect(await trickle([...headers, 'X-User: anna'], pieces)).toEqual({ said: 'unavailable', isClosed: false })
  expect(running.handled()).toBe(0)
})

test('one that comes in pieces but in time is taken in', async () => {
  running = start()
  expect(await trickle(['Content-Length: 4'], ['{', ' ', ' ', '}'])).toEqual({ said: '{}', isClosed: false })
})

test('what is done with it takes as long as it takes', async () => {
  running = start()
  const answer = await fetch(`${running.server.url}?slow=1`, { method: 'POST', body: '{}' })
  expect(await answer.json()).toEqual({})
})

test('a larger one is refused', async () => {
  running = start()
  const answer = await fetch(running.server.url, { method: 'POST', body: ' '.repeat(1001) })
  expect(await answer.text()).toBe('too_large')
})

const LARGE = 20 * 1024

test('one person has few large bodies in memory at once: more are refused, and everything else is taken in meanwhile', async () => {
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      const userId = Number(c.req.header('x-user'))
      c.set('viewer', { userId, username: 'anna', role: 'user', permissions: ALL_PERMISSIONS, libraryIds: null })
      await next()
    })
    .use(bodiesInTurn({ maxBytes: 2 * LARGE, maxMs: 20_000 }))
    .post('/', async (c) => c.json((await c.req.arrayBuffer()).byteLength))
    .onError((error, c) => c.text(toAppError(error).code, 429))
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request) })
  running = { server, handled: () => 0 }
  const { hostname = '', port = 0 } = server
  let refused = 0
  const unfinished = await Promise.all(
    Array.from({ length: 70 }, async () => {
      const data = (_: unknown, bytes: Buffer): void => {
        if (bytes.toString().includes('rate_limited')) refused += 1
      }
      const socket = await Bun.connect({ hostname, port, socket: { data } })
      socket.write(`POST / HTTP/1.1\r\nHost: media.example\r\nX-User: 1\r\nContent-Length: ${LARGE}\r\n\r\n${' '.repeat(LARGE - 1)}`)
      return socket
    }),
  )
  const send = async (user: string, length: number): Promise<string> =>
    (await fetch(server.url, { method: 'POST', headers: { 'X-User': user }, body: ' '.repeat(length) })).text()
  await waitFor(
    () => (refused === 10 ? true : undefined),
    5000,
    () => `${refused} of them were refused`,
  )
  expect(await send('1', LARGE)).toBe('rate_limited')
  expect([await send('1', 100), await send('2', LARGE)]).toEqual(['100', String(LARGE)])
  for (const socket of unfinished) socket.terminate()
  // Whoever has gone has given the place back.
  const again = async (): Promise<true | undefined> => ((await send('1', LARGE)) === String(LARGE) ? true : undefined)
  await waitFor(again, 5000, () => 'Places were not given back')
})
