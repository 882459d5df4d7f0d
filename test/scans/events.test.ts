import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

/** The live stream of `GET /api/events`: an addition, on which nothing depends, and which tells nobody of what they may not see. */

const LIMIT_MS = 60_000
setDefaultTimeout(2 * LIMIT_MS)

interface LiveStream extends AsyncDisposable {
  /** What has come so far, without the silence in between. */
  events: Json[]
  isOver: () => boolean
}

/** Opens the stream and collects what comes; resolves once the server has begun to answer. */
const listen = async (client: HttpClient): Promise<LiveStream> => {
  const stop = new AbortController()
  const response = await client.fetch('/api/events', { signal: stop.signal })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const events: Json[] = []
  let hasBegun = false
  let isOver = false
  const read = async (): Promise<void> => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      hasBegun = true
      text += decoder.decode(chunk, { stream: true })
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages) {
        const event = /^event: (.*)$/m.exec(message)?.[1]
        if (event !== 'ping') events.push({ event, ...JSON.parse(/^data: (.*)$/m.exec(message)?.[1] ?? '{}') })
      }
    }
  }
  const reading = read()
    .catch((error: unknown) => {
      // The server may end it in the middle: the connection is closed, not the answer finished.
      if (!stop.signal.aborted && !String(error).includes('ECONNRESET')) throw error
    })
    .finally(() => {
      isOver = true
    })
  await waitFor(
    () => (hasBegun ? true : undefined),
    LIMIT_MS,
    () => 'The stream never began',
  )
  return {
    events,
    isOver: () => isOver,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await reading
    },
  }
}

const withToken = (path: string, init: RequestInit, token: string): Promise<Response> =>
  server.anonymous.fetch(path, { ...init, headers: { authorization: `Bearer ${token}` } })

let folder: TemporaryFolder
let server: TestServer
let admin: HttpClient
let libraries: { seen: number; hidden: number }

beforeAll(async () => {
  folder = await temporaryFolder('events')
  makeTree(folder.path, { seen: { 'a.txt': 1 }, hidden: { 'b.txt': 1 } })
  server = await startServer()
  admin = await server.as('admin')
  const make = async (name: string): Promise<number> =>
    (await admin.post('/api/libraries', { name, type: 'mixed', path: join(folder.path, name) })).body.library.id
  libraries = { seen: await make('seen'), hidden: await make('hidden') }
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

test('nobody listens without a session', async () => {
  expect((await server.anonymous.get('/api/events')).status).toBe(401)
})

test('administrators hear how a scan goes, and that its library has changed', async () => {
  await using stream = await listen(admin)
  const scan = await server.scanAndWait(libraries.seen)
  const isTold = () => (stream.events.some(({ event }) => event === 'library') ? true : undefined)
  await waitFor(isTold, LIMIT_MS, () => `The stream said ${JSON.stringify(stream.events)}`)
  expect(stream.events).toContainEqual({ event: 'scan', type: 'scan', libraryId: libraries.seen, scanId: scan.id, status: 'done' })
  expect(stream.events.at(-1)).toEqual({ event: 'library', type: 'library', libraryId: libraries.seen })
  await admin.patch(`/api/libraries/${libraries.hidden}`, { name: 'Hidden' })
  const isChanged = () => (stream.events.some(({ libraryId }) => libraryId === libraries.hidden) ? true : undefined)
  await waitFor(isChanged, LIMIT_MS, () => `The stream said ${JSON.stringify(stream.events)}`)
})

test('others hear of the libraries that they may see, and nothing of scans', async () => {
  const member = await server.as('member', { libraryIds: [libraries.seen] })
  await using stream = await listen(member)
  await server.scanAndWait(libraries.hidden)
  await server.scanAndWait(libraries.seen)
  await waitFor(
    () => (stream.events.length > 0 ? true : undefined),
    LIMIT_MS,
    () => 'The stream said nothing',
  )
  expect(stream.events).toEqual([{ event: 'library', type: 'library', libraryId: libraries.seen }])
})

test.each<[what: string, take: (member: HttpClient, id: number) => Promise<unknown>]>([
  ['signs out', (member) => member.post('/api/auth/logout')],
  ['is disabled', (_, id) => admin.patch(`/api/users/${id}`, { disabled: true })],
  ['is deleted', (_, id) => admin.delete(`/api/users/${id}`)],
  ['loses a library', (_, id) => admin.patch(`/api/users/${id}`, { libraryIds: [] })],
])('whoever %s hears no more', async (what, take) => {
  const member = await server.as(`member who ${what}`)
  const { id } = (await member.get('/api/auth/me')).body.user
  await using stream = await listen(member)
  await take(member, id)
  await waitFor(
    () => (stream.isOver() ? true : undefined),
    LIMIT_MS,
    () => 'The stream was still open',
  )
  await server.scanAndWait(libraries.seen)
  expect(stream.events).toEqual([])
})

test('a token that has run out is not told any more', async () => {
  /** With a token that runs out soon after; where it has done so on the way, another one gets more time. */
  const fetch = async (path: string, init: RequestInit = {}, lastsMs = 2000): Promise<Response> => {
    const expiresAt = new Date(Date.now() + lastsMs).toISOString()
    const { token } = (await admin.post('/api/auth/tokens', { name: 'short', expiresAt })).body
    const response = await withToken(path, init, token)
    return response.status === 401 && lastsMs < LIMIT_MS / 4 ? fetch(path, init, 2 * lastsMs) : response
  }
  await using stream = await listen({ ...server.anonymous, fetch })
  await waitFor(
    () => (stream.isOver() ? true : undefined),
    LIMIT_MS,
    () => 'The stream was still open',
  )
})

test('a listener who goes away is forgotten', async () => {
  for (let i = 0; i < 20; i++) {
    await using stream = await listen(admin)
    expect(stream.isOver()).toBe(false)
  }
  expect(await server.scanAndWait(libraries.seen)).toMatchObject({ status: 'done' })
  expect(server.output()).not.toContain('"level":"error"')
})

test('a server that is stopped ends its streams and does not wait for their listeners', async () => {
  const other = await startServer()
  await using stream = await listen(await other.as('admin'))
  const start = Date.now()
  await other.stop()
  expect(await other.exited).toBe(0)
  // What is under way is waited for nine seconds.
  expect(Date.now() - start).toBeLessThan(9000)
  await waitFor(
    () => (stream.isOver() ? true : undefined),
    LIMIT_MS,
    () => 'The stream was still open',
  )
})
