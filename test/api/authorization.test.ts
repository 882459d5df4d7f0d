import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { PERMISSIONS, type Permission, type Permissions } from '../../src/domain/permissions.ts'
import { type Naming, type Place, ROUTE_TABLE, type RouteRow } from '../route-table.ts'
import { type HttpClient, httpClient, type Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { makePicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, USER_PASSWORD, waitFor } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(120_000)

/** What somebody without the hidden libraries must never read, under whatever name. */
const CANARY = 'Quokka'
const REFUSED = [401, 403]

let folder: TemporaryFolder
let server: TestServer
let hidden: Place
let open: Place
/** By what a request is sent with: nothing, a cookie, or a token. */
let people: Record<'nobody' | 'ended' | 'expired' | 'badToken' | 'expiredToken' | 'user' | 'admin' | 'userToken' | 'adminToken', HttpClient>
const without = {} as Record<Permission, HttpClient>
const withOnly = {} as Record<Permission, HttpClient>

const makeLibraries = async (name: string): Promise<{ games: string; mixed: string }> => {
  const games = makeTree(join(folder.path, `${name} games`), {
    [`${name} Series/${name} One/${name}.zip`]: `${name} bytes`,
    [`${name} Series/${name} Two/${name}.zip`]: 10,
  })
  const mixed = makeTree(join(folder.path, `${name} mixed`), {
    [`${name} folder/${name}.srt`]: `1\n00:00:01,000 --> 00:00:02,000\n${name}\n`,
  })
  for (const picture of ['cover.jpg', 'screenshots/shot-1.jpg']) await makePicture(join(games, `${name} Series/${name} One/${picture}`))
  await makePicture(join(mixed, `${name} folder/${name}.jpg`))
  return { games, mixed }
}

const placeOf = (name: string, { games, mixed }: { games: number; mixed: number }): Place => ({
  libraryId: games,
  seriesKey: `game_series:${games}:${name} Series`,
  itemKey: `game:${games}:${name} Series/${name} One`,
  mixedLibraryId: mixed,
  fileKey: `mixed_file:${mixed}:${name} folder/${name}.jpg`,
})

const withToken = (token: string): HttpClient => {
  const client = httpClient(server.url)
  return {
    ...client,
    fetch: (path, init = {}) => {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${token}`)
      return client.fetch(path, { ...init, headers })
    },
  }
}

const newToken = async (client: HttpClient, name: string): Promise<string> => {
  const { status, body } = await client.post('/api/auth/tokens', { name })
  expect(status).toBe(201)
  return body.token
}

/** Ends a stored session or token by its clock, while no server looks. */
const expire = async (dataDir: string): Promise<void> => {
  const database = createClient({ url: `file:${join(dataDir, 'vitrine.db')}` })
  await database.batch(
    [
      "UPDATE sessions SET expires_at = unixepoch() - 1 WHERE user_id = (SELECT id FROM users WHERE username = 'expiring')",
      "UPDATE api_tokens SET expires_at = unixepoch() * 1000 - 1000 WHERE name = 'expiring'",
    ],
    'write',
  )
  database.close()
}

beforeAll(async () => {
  folder = await temporaryFolder('authorization')
  const dataDir = join(folder.path, 'data')
  const secret = await makeLibraries(CANARY)
  const shared = await makeLibraries('Shared')
  const libraries = [secret, shared].flatMap(({ games, mixed }) => [
    { type: 'games' as const, path: games },
    { type: 'mixed' as const, path: mixed },
  ])
  const first = await startServer({ dataDir, libraries })
  await first.waitForScans()
  const admin = await first.as('admin')
  const ids = new Map((await admin.get('/api/libraries')).body.libraries.map((library: Json) => [library.path, library.id]))
  const idOf = (path: string): number => Number(ids.get(path))
  hidden = placeOf(CANARY, { games: idOf(secret.games), mixed: idOf(secret.mixed) })
  open = placeOf('Shared', { games: idOf(shared.games), mixed: idOf(shared.mixed) })
  const libraryIds = [open.libraryId, open.mixedLibraryId]
  const expiring = await first.as('expiring', { libraryIds })
  const expiredToken = await newToken(expiring, 'expiring')
  const expiredJar = expiring.cookies()
  // What the requests of the table that name a tag or a category mean by 1.
  const { category } = (await admin.post('/api/tags/categories', { name: 'Shared' })).body
  expect((await admin.post('/api/tags/items', { name: 'Shared', categoryId: category.id })).body.tag.id).toBe(1)
  await first.stop()
  await expire(dataDir)

  server = await startServer({ dataDir, env: { SCAN_ON_START: '0' } })
  // Everything but what this file is about: whoever may delete may also be told that there is nothing to delete.
  const user = await server.as('user', { libraryIds, permissions: { delete: true } })
  const ended = await server.login('user', USER_PASSWORD)
  const endedCopy = ended.copy()
  expect((await endedCopy.post('/api/auth/logout')).status).toBe(204)
  const [name = '', value = ''] = expiredJar.split('=')
  people = {
    nobody: httpClient(server.url),
    ended,
    expired: httpClient(server.url, new Map([[name, value]])),
    badToken: withToken(`${expiredToken.slice(0, -4)}aaaa`),
    expiredToken: withToken(expiredToken),
    user,
    admin: await server.as('admin'),
    userToken: withToken(await newToken(user, 'script')),
    adminToken: withToken(await newToken(await server.as('admin'), 'script')),
  }
  for (const permission of PERMISSIONS) {
    const only = (value: boolean): Partial<Permissions> =>
      Object.fromEntries(PERMISSIONS.map((other) => [other, (other === permission) === value])) as Permissions
    without[permission] = await server.as(`without ${permission}`, { libraryIds, permissions: only(false) })
    withOnly[permission] = await server.as(`with ${permission} alone`, { libraryIds, permissions: only(true) })
  }
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

interface Seen {
  status: number
  code: string | undefined
  text: string
}

const send = async (
  client: HttpClient,
  row: RouteRow,
  { path, query, body, form }: Naming = {},
  headers?: Record<string, string>,
): Promise<Seen> => {
  const own = path ?? row.path.replace(':id', '999999')
  const search = query ? `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}` : ''
  const stop = new AbortController()
  const response = await client.fetch(own + search, {
    method: row.method,
    signal: stop.signal,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(form ? { body: form } : body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // A stream of events has no end; what has been said by then is enough.
  if (response.headers.get('content-type') === 'text/event-stream') {
    stop.abort()
    return { status: response.status, code: undefined, text: '' }
  }
  const text = await response.text()
  const isProblem = response.headers.get('content-type') === 'application/problem+json'
  return { status: response.status, code: isProblem ? JSON.parse(text).code : undefined, text }
}

type Walker = 'user' | 'admin' | 'userToken' | 'adminToken'

/** Signing out would end what the following rows need, and so would signing out all others: whoever does that is somebody else. */
const clientFor = async ({ method, path }: RouteRow, name: Walker): Promise<HttpClient> => {
  const role = name.startsWith('admin') ? 'admin' : 'user'
  const isToken = name !== role
  if (method === 'DELETE' && path === '/api/auth/sessions') {
    const other = await server.as(`other ${role}`, { role })
    return isToken ? withToken(await newToken(other, 'script')) : other
  }
  if (path !== '/api/auth/logout' || isToken) return people[name]
  return role === 'admin' ? server.login('admin', 'password1') : server.login('user', USER_PASSWORD)
}

/** May: anything but a refusal, since a bare request is wrong for many routes. */
const mayCall = ({ status, code }: Seen): boolean => !REFUSED.includes(status) || code === 'invalid_credentials'

describe('a request without any parameter', () => {
  for (const row of ROUTE_TABLE) {
    const { method, path, guard } = row
    test(`${method} ${path} is for: ${guard}`, async () => {
      for (const name of ['nobody', 'ended', 'expired'] as const) {
        const seen = await send(people[name], row)
        if (guard === 'anyone') expect(mayCall(seen), name).toBe(true)
        else expect([name, seen.status, seen.code]).toEqual([name, 401, 'not_signed_in'])
      }
      for (const name of ['badToken', 'expiredToken'] as const)
        expect([name, (await send(people[name], row)).code]).toEqual([name, 'not_signed_in'])

      const asUser = await send(await clientFor(row, 'user'), row)
      if (guard === 'admin') expect([asUser.status, asUser.code]).toEqual([403, 'forbidden'])
      else expect(mayCall(asUser), `user: ${asUser.text}`).toBe(true)
      expect(mayCall(await send(await clientFor(row, 'admin'), row)), 'admin').toBe(true)

      const isForUserToken = guard !== 'admin' && !row.isCookieOnly
      expect(mayCall(await send(await clientFor(row, 'userToken'), row)), 'token of a user').toBe(isForUserToken)
      expect(mayCall(await send(await clientFor(row, 'adminToken'), row)), 'token of an administrator').toBe(!row.isCookieOnly)

      for (const permission of PERMISSIONS.filter((name) => name === guard)) {
        expect((await send(without[permission], row)).code).toBe('forbidden')
        expect(mayCall(await send(withOnly[permission], row))).toBe(true)
      }
    })
  }
})

describe('a request from the page of another site', () => {
  const unsafe = ROUTE_TABLE.filter(({ method }) => method !== 'GET')
  for (const row of unsafe)
    test(`${row.method} ${row.path} is refused with a cookie`, async () => {
      const foreign: Record<string, string>[] = [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ]
      for (const headers of foreign) {
        const seen = await send(people.admin, row, {}, headers)
        expect([headers, seen.status, seen.code]).toEqual([headers, 403, 'foreign_origin'])
      }
      const own = await send(await clientFor(row, 'admin'), row, {}, { origin: server.url, 'sec-fetch-site': 'same-origin' })
      expect(own.code).not.toBe('foreign_origin')
    })
})

/** The same request for a library, and for items, that nobody has. */
const nowhere: Place = {
  libraryId: 987_654,
  seriesKey: 'game_series:987654:None',
  itemKey: 'game:987654:None/None',
  mixedLibraryId: 987_655,
  fileKey: 'mixed_file:987655:none.jpg',
}

describe('a library that somebody may not see does not exist for them', () => {
  const named = ROUTE_TABLE.flatMap((row) =>
    (row.naming ?? []).map((naming, index) => ({ row, naming, name: `${row.method} ${row.path} (${index + 1})` })),
  )
  for (const { row, naming, name } of named)
    test(name, async () => {
      const client = people.user
      const unknown = await send(client, row, naming(nowhere))
      expect([unknown.status, unknown.code]).toEqual([404, 'not_found'])
      for (const seen of [await send(client, row, naming(hidden)), await send(people.userToken, row, naming(hidden))]) {
        expect([seen.status, seen.code]).toEqual([404, 'not_found'])
        expect(seen.text).toBe(unknown.text)
      }
      // Their own library, and the same one for an administrator: so the request itself is right.
      expect((await send(client, row, naming(open))).code).not.toBe('not_found')
      expect((await send(people.admin, row, naming(hidden))).code).not.toBe('not_found')
    })

  test('an item of theirs is no way into it', async () => {
    const browse = (query: Record<string, string | number>) => people.user.get('/api/browse', query)
    expect((await browse({ libraryId: open.libraryId, parentKey: hidden.seriesKey })).status).toBe(404)
    expect((await browse({ libraryId: hidden.libraryId, parentKey: open.seriesKey })).status).toBe(404)
    expect((await browse({ libraryId: open.libraryId, around: hidden.itemKey })).status).toBe(404)
    // The key of a visible library with the path of the other one.
    const mixedUp = hidden.itemKey.replace(`:${hidden.libraryId}:`, `:${open.libraryId}:`)
    expect((await people.user.get('/api/items', { itemKey: mixedUp })).status).toBe(404)
    expect(
      (
        await people.user.get('/api/files', {
          itemKey: open.itemKey,
          file: `../../../${CANARY} games/${CANARY} Series/${CANARY} One/${CANARY}.zip`,
        })
      ).status,
    ).toBe(404)
  })

  test('no answer says a word of it', async () => {
    const params: Record<string, string | number> = {
      libraryId: open.libraryId,
      itemKey: open.itemKey,
      q: CANARY,
      kind: 'cover',
      limit: 500,
    }
    const justSearching: typeof params = { q: CANARY }
    for (const row of ROUTE_TABLE.filter(({ method, guard }) => method === 'GET' && guard !== 'admin'))
      for (const query of [params, { ...params, libraryId: open.mixedLibraryId, itemKey: open.fileKey }, justSearching])
        expect([row.path, (await send(people.user, row, { query })).text]).toEqual([row.path, expect.not.stringContaining(CANARY)])
    const { libraries } = (await people.user.get('/api/libraries')).body
    expect(libraries.map(({ id, itemCount }: Json) => [id, itemCount])).toEqual([
      [open.libraryId, 1],
      [open.mixedLibraryId, 2],
    ])
  })

  test('it is there from the request after it is granted, and gone after it is taken back', async () => {
    const client = await server.as('granted later', { libraryIds: [] })
    const { user } = (await client.get('/api/auth/me')).body
    const statuses = async (): Promise<number[]> =>
      Promise.all(
        [client.get('/api/items', { itemKey: hidden.itemKey }), client.get('/api/browse', { libraryId: hidden.libraryId })].map(
          async (answer) => (await answer).status,
        ),
      )
    expect(await statuses()).toEqual([404, 404])
    expect((await people.admin.patch(`/api/users/${user.id}`, { libraryIds: [hidden.libraryId] })).status).toBe(200)
    expect(await statuses()).toEqual([200, 200])
    expect((await people.admin.patch(`/api/users/${user.id}`, { libraryIds: [] })).status).toBe(200)
    expect(await statuses()).toEqual([404, 404])
  })

  test('its events reach nobody else, and events of scans reach administrators alone', async () => {
    const listen = async (client: HttpClient) => {
      const stop = new AbortController()
      const response = await client.fetch('/api/events', { signal: stop.signal })
      let text = ''
      const reading = (async () => {
        const decoder = new TextDecoder()
        for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
      })().catch(() => undefined)
      await waitFor(
        () => (text.includes('ping') ? true : undefined),
        60_000,
        () => 'No stream of events',
      )
      const end = async (): Promise<void> => {
        stop.abort()
        await reading
      }
      return { text: () => text, stop: end }
    }
    const [forUser, forAdmin] = [await listen(people.user), await listen(people.admin)]
    const patch = async (id: number) => expect((await people.admin.patch(`/api/libraries/${id}`, { trashDays: 0 })).status).toBe(200)
    await patch(hidden.libraryId)
    await server.scanAndWait(hidden.libraryId)
    await patch(open.libraryId)
    const saysLibrary = (id: number, stream: { text: () => string }) => (stream.text().includes(`"libraryId":${id}`) ? true : undefined)
    await waitFor(() => saysLibrary(open.libraryId, forUser), 60_000, forUser.text)
    await waitFor(() => saysLibrary(open.libraryId, forAdmin), 60_000, forAdmin.text)
    expect(saysLibrary(hidden.libraryId, forAdmin)).toBe(true)
    expect(forAdmin.text()).toContain('event: scan')
    expect(forUser.text()).not.toContain(`"libraryId":${hidden.libraryId}`)
    expect(forUser.text()).not.toContain('event: scan')
    await Promise.all([forUser.stop(), forAdmin.stop()])
  })
})

describe('what only some may do with what they see', () => {
  test('downloading needs the permission, for games always, and also in part and by HEAD', async () => {
    const may = people.user
    const mayNot = without.download
    const status = async (client: HttpClient, query: Record<string, string>, init: RequestInit = {}): Promise<number> =>
      (await client.fetch(`/api/files?${new URLSearchParams(query)}`, init)).status
    const game = { itemKey: open.itemKey }
    const file = { itemKey: open.fileKey }
    const ways: RequestInit[] = [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-1' } }, { headers: { 'if-none-match': '*' } }]
    for (const init of ways) {
      expect(await status(mayNot, game, init)).toBe(403)
      expect(await status(mayNot, { ...game, download: '1' }, init)).toBe(403)
      expect(await status(mayNot, { ...file, download: '1' }, init)).toBe(403)
      expect(await status(mayNot, file, init)).toBeLessThan(400)
      expect(await status(may, { ...file, download: '1' }, init)).toBeLessThan(400)
      expect(await status(may, game, init)).toBeLessThan(400)
    }
  })

  test('missing items are listed for administrators alone', async () => {
    expect((await people.user.get('/api/browse', { libraryId: open.libraryId, missing: 1 })).status).toBe(403)
    expect((await people.admin.get('/api/browse', { libraryId: open.libraryId, missing: 1 })).body).toMatchObject({ entries: [], total: 0 })
  })

  test('where a library lies and when it is scanned is for administrators alone', async () => {
    const [seenByUser, seenByAdmin] = await Promise.all(
      [people.user, people.admin].map(async (client) => (await client.get(`/api/libraries/${open.libraryId}`)).body.library),
    )
    expect(seenByAdmin).toMatchObject({ path: join(folder.path, 'Shared games'), scanSchedule: null })
    for (const field of ['path', 'scanSchedule', 'trashDays', 'aiOnScan']) expect(seenByUser).not.toHaveProperty(field)
  })
})
