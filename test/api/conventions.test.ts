import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { Validator } from '@seriousme/openapi-schema-validator'
import { z } from 'zod'
import { ERRORS } from '../../src/errors.ts'
import type { Guard } from '../../src/http/guards.ts'
import { encodeCursor, fingerprint } from '../../src/services/cursor.ts'
import { ROUTE_TABLE, type RouteRow } from '../route-table.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, USER_PASSWORD, waitFor } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

/** API.md, 1. */

const REPOSITORY = join(import.meta.dir, '../..')
const FILES = 130

let folder: TemporaryFolder
let server: TestServer
let admin: HttpClient
let user: HttpClient
let mixedId: number
let gamesId: number
let brokenKey: string
let scanId: number

beforeAll(async () => {
  folder = await temporaryFolder('conventions')
  const dataDir = join(folder.path, 'data')
  const files = Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`file ${index}.txt`, `text ${index}`]))
  const mixed = makeTree(join(folder.path, 'mixed'), { ...files, sub: { 'inside.txt': 'x' } })
  const games = makeTree(join(folder.path, 'games'), {
    Broken: { 'Broken.zip': 5 },
    Series: { One: { 'One.zip': 5 } },
    Gone: { 'Gone.zip': 4 },
  })
  const libraries = [
    { type: 'mixed' as const, path: mixed, name: 'Mixed' },
    { type: 'games' as const, path: games, name: 'Games' },
  ]
  const first = await startServer({ dataDir, libraries })
  await first.waitForScans()
  await first.stop()
  // No file that is sent can break a row, so this one is broken behind the server's back: a fault of ours must look like one.
  const database = createClient({ url: `file:${join(dataDir, 'vitrine.db')}` })
  await database.execute("UPDATE media_items SET files = '{broken' WHERE title = 'Broken'")
  database.close()

  server = await startServer({ dataDir })
  await server.waitForScans()
  admin = await server.as('admin')
  user = await server.as('user')
  const list: Json[] = (await admin.get('/api/libraries')).body.libraries
  const idOf = (name: string): number => list.find((library) => library.name === name).id
  ;[mixedId, gamesId] = [idOf('Mixed'), idOf('Games')]
  brokenKey = `game:${gamesId}:Broken`
  scanId = (await admin.get('/api/scans', { libraryId: gamesId })).body.scans[0].id
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const jsonHeaders = { 'content-type': 'application/json' }
const sendText = (client: HttpClient, path: string, init: RequestInit): Promise<Response> => client.fetch(path, init)

interface Wrong {
  what: string
  status: number
  code: keyof typeof ERRORS
  send: () => Promise<Response>
  /** The fields that the answer names. */
  fields?: string[]
}

const wrongs: Wrong[] = [
  { what: 'a missing field', status: 400, code: 'invalid_request', send: () => user.fetch('/api/items'), fields: ['itemKey'] },
  {
    what: 'two wrong fields',
    status: 400,
    code: 'invalid_request',
    send: () => user.fetch('/api/browse?libraryId=x&limit=0'),
    fields: ['libraryId', 'limit'],
  },
  {
    what: 'an unknown member of a body',
    status: 400,
    code: 'invalid_request',
    send: () => sendText(admin, '/api/scans', { method: 'POST', headers: jsonHeaders, body: '{"everything":true}' }),
    fields: [''],
  },
  {
    what: 'a body that is no JSON',
    status: 400,
    code: 'invalid_request',
    send: () => sendText(admin, '/api/scans', { method: 'POST', headers: jsonHeaders, body: '{"libraryId":' }),
  },
  { what: 'nobody', status: 401, code: 'not_signed_in', send: () => server.anonymous.fetch('/api/libraries') },
  {
    what: 'a wrong password',
    status: 401,
    code: 'invalid_credentials',
    send: () =>
      sendText(server.anonymous, '/api/auth/login', {
        method: 'POST',
        headers: jsonHeaders,
        body: '{"username":"nobody here","password":"wrong"}',
      }),
  },
  { what: 'a missing permission', status: 403, code: 'forbidden', send: () => user.fetch('/api/users') },
  {
    what: 'a foreign page',
    status: 403,
    code: 'foreign_origin',
    send: () => admin.fetch('/api/scans', { method: 'POST', headers: { origin: 'https://evil.example' } }),
  },
  { what: 'an unknown address', status: 404, code: 'not_found', send: () => user.fetch('/api/nothing/here') },
  { what: 'an unknown address, for nobody', status: 404, code: 'not_found', send: () => server.anonymous.fetch('/api/nothing/here') },
  {
    what: 'a method that a route does not know',
    status: 404,
    code: 'not_found',
    send: () => user.fetch('/api/browse', { method: 'PATCH' }),
  },
  {
    what: 'a present password that is wrong',
    status: 401,
    code: 'invalid_credentials',
    send: () =>
      sendText(user, '/api/auth/password', {
        method: 'PUT',
        headers: jsonHeaders,
        body: JSON.stringify({ currentPassword: 'another one', newPassword: USER_PASSWORD }),
      }),
  },
  ...['/api/scans', '/api/ai-tagging/jobs', '/api/ai-tagging/runs', '/api/tags/items'].map(
    (path): Wrong => ({
      what: `an unknown library, of ${path}`,
      status: 404,
      code: 'not_found',
      send: () => admin.fetch(`${path}?libraryId=999`),
    }),
  ),
  ...['retry', 'clear'].map(
    (what): Wrong => ({
      what: `an unknown library, whose jobs are to be told to ${what}`,
      status: 404,
      code: 'not_found',
      send: () =>
        sendText(admin, `/api/ai-tagging/jobs/${what}`, {
          method: 'POST',
          headers: jsonHeaders,
          body: JSON.stringify({ libraryId: 999, ...(what === 'clear' && { status: 'failed' }) }),
        }),
    }),
  ),
  { what: 'an unknown item', status: 404, code: 'not_found', send: () => user.fetch('/api/items?itemKey=movie:1:None') },
  {
    what: 'a name that is taken',
    status: 409,
    code: 'duplicate_name',
    send: () =>
      sendText(admin, '/api/users', {
        method: 'POST',
        headers: jsonHeaders,
        body: JSON.stringify({ username: 'USER', password: USER_PASSWORD }),
      }),
  },
  {
    what: 'too much JSON',
    status: 413,
    code: 'too_large',
    send: () => sendText(admin, '/api/scans', { method: 'POST', headers: jsonHeaders, body: `{"x":"${'x'.repeat(1024 * 1024)}"}` }),
  },
  {
    what: 'more than a name and a password, from somebody who is not signed in',
    status: 413,
    code: 'too_large',
    send: () => sendText(admin, '/api/auth/login', { method: 'POST', headers: jsonHeaders, body: '['.repeat(20_000) }),
  },
  {
    what: 'a password that is too long, and all of it escaped',
    status: 400,
    code: 'invalid_request',
    send: () =>
      sendText(admin, '/api/auth/login', {
        method: 'POST',
        headers: jsonHeaders,
        body: JSON.stringify({ username: '\u0001'.repeat(1024), password: '\u0001'.repeat(1025) }),
      }),
    fields: ['password'],
  },
  {
    what: 'too much JSON in pieces of unknown length',
    status: 413,
    code: 'too_large',
    send: () => {
      const piece = new TextEncoder().encode(' '.repeat(64 * 1024))
      let sent = 0
      const body = new ReadableStream<Uint8Array>({ pull: (controller) => (sent++ < 40 ? controller.enqueue(piece) : controller.close()) })
      return sendText(admin, '/api/scans', { method: 'POST', headers: jsonHeaders, body })
    },
  },
  ...['/api/tags/import', '/api/scans', '/api/auth/login'].map(
    (path): Wrong => ({
      what: `a body beyond every limit, to ${path}`,
      status: 413,
      code: 'too_large',
      send: () => sendText(admin, path, { method: 'POST', headers: jsonHeaders, body: ' '.repeat(48 * 1024 * 1024) }),
    }),
  ),
  ...['/api/game-cover', '/api/game-screenshots'].map(
    (path): Wrong => ({
      what: `a form that can hold no file, to ${path}`,
      status: 415,
      code: 'unsupported_media_type',
      send: () => sendText(admin, path, { method: 'POST', body: new URLSearchParams({ itemKey: brokenKey, kind: 'cover' }) }),
    }),
  ),
  ...['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'application/jsonp'].map(
    (type): Wrong => ({
      what: `a body of type ${type}`,
      status: 415,
      code: 'unsupported_media_type',
      send: () => sendText(admin, '/api/scans', { method: 'POST', headers: { 'content-type': type }, body: '{}' }),
    }),
  ),
  {
    what: 'a fault of our own',
    status: 500,
    code: 'internal_error',
    send: () => admin.fetch(`/api/items?itemKey=${encodeURIComponent(brokenKey)}`),
  },
]

describe('an error is a problem body with a stable code', () => {
  for (const { what, status, code, send, fields } of wrongs)
    test(`${what}: ${status} ${code}`, async () => {
      const response = await send()
      expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
      expect(response.headers.get('cache-control')).toBe('no-store')
      const body = await response.json()
      const expected = { type: 'about:blank', title: ERRORS[code].title, status, code, detail: expect.stringMatching(/\S/) }
      const errors = fields?.map((path) => ({ path, message: expect.stringMatching(/\S/) }))
      const instance = code === 'internal_error' ? expect.stringMatching(/^urn:uuid:[\da-f-]{36}$/) : undefined
      expect(body).toEqual({ ...expected, ...(errors && { errors }), ...(instance && { instance }) })
    })

  test('a fault of our own says which line of the log is its own', async () => {
    const { instance } = (await admin.get('/api/items', { itemKey: brokenKey })).body
    const id = instance.slice('urn:uuid:'.length)
    const linesOf = (): string[] =>
      server
        .output()
        .split('\n')
        .filter((line) => line.includes('request_failed') && line.includes(id))
    // What the server writes comes through a pipe.
    await waitFor(
      async () => (linesOf().length > 0 ? true : undefined),
      10_000,
      () => 'The log says nothing of it',
    )
    expect(linesOf()).toHaveLength(1)
  })

  test('whatever is wrong, the answer is short', async () => {
    const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, number) => [`unknown${number}`, 0]))
    for (const path of ['/api/tags/import', '/api/tags/categories', '/api/ai-settings']) {
      const response = await admin.fetch(path, {
        method: path.endsWith('settings') ? 'PUT' : 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(names),
      })
      const text = await response.text()
      expect([path, response.status, JSON.parse(text).code]).toEqual([path, 400, 'invalid_request'])
      expect(text.length).toBeLessThan(10_000)
    }
  })

  test('in the body of a HEAD request there is none', async () => {
    const response = await user.fetch('/api/items?itemKey=movie:1:None', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([404, ''])
  })

  test('a HEAD request is told the length that a GET request gets', async () => {
    const inJson = ['/api/health', '/api/libraries', '/api/openapi.json', '/api/items?itemKey=movie:1:None']
    for (const path of [...inJson, '/', '/some/page', '/api/docs', '/api/docs/swagger-ui.css']) {
      const whole = await admin.fetch(path, { headers: { 'accept-encoding': 'identity' } })
      const head = await admin.fetch(path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })
      const bytes = (await whole.arrayBuffer()).byteLength
      expect([path, head.status, head.headers.get('content-length')]).toEqual([path, whole.status, String(bytes)])
    }
    // It says something else every time.
    const { headers } = await admin.fetch('/metrics', { method: 'HEAD' })
    expect(Number(headers.get('content-length'))).toBeGreaterThan(0)
    // It has no end.
    expect((await admin.fetch('/api/events', { method: 'HEAD' })).headers.get('content-length')).toBeNull()
  })
})

/** What an answer to somebody who is no administrator must not contain. */
const innards = (): string[] => [
  ...[folder.path, REPOSITORY, 'node_modules', '/src/', '.ts:', '.js:', 'SELECT ', 'media_items', 'SQLITE', 'Error:', '    at ', '{broken'],
]

describe('our innards stay ours', () => {
  test('a fault of ours is told to nobody, and logged with its request', async () => {
    for (const client of [user, admin])
      for (const path of ['/api/items', '/api/files', '/api/artwork?kind=cover'].map(
        (route) => `${route}${route.includes('?') ? '&' : '?'}itemKey=${brokenKey}`,
      )) {
        const response = await client.fetch(path)
        expect([path, response.status]).toEqual([path, 500])
        const text = await response.text()
        for (const word of innards()) expect(text).not.toContain(word)
      }
    const line = server
      .output()
      .split('\n')
      .findLast((text) => text.includes('"request_failed"'))
    const logged = JSON.parse(line ?? '{}')
    expect(logged).toMatchObject({ level: 'error', method: 'GET', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(JSON.stringify(logged.error)).toContain('JSON')
  })

  test('where files lie on the server is told to nobody but administrators, on any route', async () => {
    const item = `game:${gamesId}:Gone`
    await Bun.$`rm -rf ${join(folder.path, 'games/Gone')}`.quiet()
    const odd = ["'", '"', '\\', '../../../etc/passwd', join(folder.path, 'mixed'), '%', '\u0001', '[]', '{}']
    const queries: Record<string, string>[] = [
      { libraryId: String(mixedId), itemKey: item, kind: 'cover' },
      { libraryId: String(gamesId), itemKey: brokenKey, kind: 'screenshot', name: 'x' },
      ...odd.map((text) => ({
        libraryId: text,
        itemKey: text,
        parentKey: text,
        path: text,
        q: text,
        cursor: text,
        around: text,
        kind: text,
        file: text,
        name: text,
      })),
      ...odd.map((text) => ({
        libraryId: String(mixedId),
        itemKey: `mixed_file:${mixedId}:${text}`,
        path: text,
        q: text,
        kind: 'cover',
        name: text,
      })),
    ]
    for (const { method, path } of ROUTE_TABLE.filter(({ method, path }) => method === 'GET' && path !== '/api/events'))
      for (const query of queries) {
        const response = await user.fetch(`${path.replace(':id', String(mixedId))}?${new URLSearchParams(query)}`)
        const text = (await response.text()) + JSON.stringify([...response.headers])
        // Swagger UI and the description are no answers made from data.
        if (/docs|openapi/.test(path)) continue
        for (const word of innards()) expect([method, path, query, text]).toEqual([method, path, query, expect.not.stringContaining(word)])
      }
  })

  test('the name of no program is told', async () => {
    const { headers } = await server.anonymous.fetch('/api/health')
    for (const name of ['server', 'x-powered-by']) expect(headers.get(name)).toBeNull()
  })
})

describe('a query and a body are taken at their word', () => {
  test('a parameter that comes twice is refused', async () => {
    for (const path of [
      `/api/browse?libraryId=${mixedId}&libraryId=${mixedId}`,
      `/api/browse?libraryId=${mixedId}&q=a&q=b`,
      `/api/browse?libraryId=${mixedId}&limit=1&limit=2`,
      '/api/items?itemKey=a&itemKey=b',
      `/api/mixed/folders?libraryId=${mixedId}&path=a&path=b`,
      '/api/files?itemKey=a&file=b&file=c',
    ]) {
      const { status, body } = await user.get(path)
      expect([path, status, body.code]).toEqual([path, 400, 'invalid_request'])
    }
  })

  test('a body that is not UTF-8 is no JSON, on every route that takes one; a byte order mark before it is passed over', async () => {
    const { body: description } = await admin.get('/api/openapi.json')
    const taking = ROUTE_TABLE.filter((row) => operationOf(description, row)?.requestBody?.content['application/json'])
    const latin1 = Buffer.from('{"name":"é"}', 'latin1')
    for (const { method, path } of taking) {
      const response = await admin.fetch(path.replace(/:\w+/, '999999'), { method, headers: jsonHeaders, body: latin1 })
      const { status, code, detail } = await response.json()
      if (path === '/api/auth/setup') expect(status).toBe(409)
      else expect([method, path, status, code, detail]).toEqual([method, path, 400, 'invalid_request', expect.stringMatching(/JSON|UTF-8/)])
    }
    const create = (bytes: string) =>
      admin.fetch('/api/tags/categories', { method: 'POST', headers: jsonHeaders, body: Buffer.from(bytes, 'latin1') })
    const [alone, overlong, surrogate, cutOff, mark] = ['\xe9', '\xc0\xaf', '\xed\xa0\x80', '\xe2\x82', '\xef\xbb\xbf']
    for (const wrong of [alone, overlong, surrogate, cutOff])
      expect([wrong, (await create(`{"name":"Bytes ${wrong}"}`)).status]).toEqual([wrong, 400])
    const made = await create(`${mark}{"name":"Bytes \xc3\xa9"}`)
    expect([made.status, (await made.json()).category.name]).toEqual([201, 'Bytes é'])
    expect((await create(`${mark}${mark}{"name":"Bytes \xc3\xa8"}`)).status).toBe(400)
  })

  test('a member that nobody asked for is refused, on every route that takes a body', async () => {
    const { body: description } = await admin.get('/api/openapi.json')
    const taking = ROUTE_TABLE.filter((row) => operationOf(description, row)?.requestBody?.content['application/json'])
    expect(taking.length).toBeGreaterThan(5)
    for (const { method, path } of taking)
      for (const body of [
        '{"nobody":1}',
        '{"__proto__":{"role":"admin"}}',
        '{"constructor":{"prototype":{"role":"admin"}}}',
        '[]',
        '"text"',
        'null',
        '7',
      ]) {
        const response = await admin.fetch(path.replace(':id', '999999'), { method, headers: jsonHeaders, body })
        // The set-up is over, whatever is sent; what it refuses before stands in test/routes/auth.test.ts.
        expect([method, path, body, response.status]).toEqual([method, path, body, path === '/api/auth/setup' ? 409 : 400])
      }
  })
})

describe('a list comes in pages', () => {
  const lists = (): [path: string, client: HttpClient][] => [
    [`/api/browse?libraryId=${mixedId}`, user],
    [`/api/scans/${scanId}/losses?`, admin],
    ['/api/scans?', admin],
    ['/api/tags/items?', user],
  ]

  test('of 1 to 500 entries, 100 where nothing else is asked for', async () => {
    for (const [path, client] of lists()) {
      for (const limit of ['0', '-1', '501', '1.5', 'all', '', '1e9', '1e2', '0x10', '%2B5', '%205', '5.0', '٥', '99999999999999999999']) {
        const { status, body } = await client.get(`${path}&limit=${limit}`)
        expect([path, limit, status, body.errors?.[0]?.path]).toEqual([path, limit, 400, 'limit'])
      }
      const messageOf = async (limit: string) => (await client.get(`${path}&limit=${limit}`)).body.errors[0].message
      expect([await messageOf('0'), await messageOf('501')]).toEqual(['must be 1 or more', 'must be 500 or less'])
      expect(await messageOf('1e2')).toBe('must be a whole number, in decimal digits')
      for (const limit of [1, 100, 500]) expect((await client.get(`${path}&limit=${limit}`)).status).toBe(200)
    }
    const sizes = [undefined, 1, 99, 129, 130, 131, 500].map(async (limit) => {
      const { body } = await user.get('/api/browse', { libraryId: mixedId, limit })
      return [body.entries.length, body.nextCursor === null, body.total]
    })
    const all = FILES + 1
    expect(await Promise.all(sizes)).toEqual([
      [100, false, all],
      [1, false, all],
      [99, false, all],
      [129, false, all],
      [130, false, all],
      [131, true, all],
      [131, true, all],
    ])
  })

  test('and every other number in an address is written in decimal digits too', async () => {
    const volume = encodeURIComponent(`manga_volume:${mixedId}:x`)
    const ids = ['1e0', '0x1', '+1', ' 1', '1.0', ''].map(encodeURIComponent)
    const refused = async (path: string) => expect([path, (await admin.get(path)).status]).toEqual([path, 400])
    for (const id of ids) {
      await refused(`/api/browse?libraryId=${id}`)
      await refused(`/api/browse?libraryId=${mixedId}&sort=random&seed=${id}`)
      await refused(`/api/tags/library-assignments?libraryId=${id}`)
      await refused(`/api/manga/page?itemKey=${volume}&index=${id}`)
      await refused(`/api/progress/continue?limit=${id}`)
      if (id !== '') await refused(`/api/libraries/${id}`)
    }
    expect((await admin.get(`/api/browse?libraryId=${mixedId}&sort=random&seed=0`)).status).toBe(200)
    expect((await admin.get(`/api/libraries/${mixedId}`)).status).toBe(200)
  })

  test('and a cursor that the list has not given out is refused', async () => {
    const page = (query: Record<string, string | number>) => user.get('/api/browse', { libraryId: mixedId, limit: 10, ...query })
    const cursor: string = (await page({})).body.nextCursor
    expect((await page({ cursor })).status).toBe(200)
    const values: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const forged = (change: (parts: unknown[]) => unknown): string => Buffer.from(JSON.stringify(change([...values]))).toString('base64url')
    const bad = [
      ...[
        'x',
        '!',
        '????',
        'W10',
        'bnVsbA',
        'e30',
        '"',
        "' OR 1=1 --",
        '\u0000',
        cursor.slice(1),
        `${cursor.slice(0, -8)}AAAAAAAA`,
        'a'.repeat(8192),
      ],
      ...[forged(() => null), forged(() => ({})), forged((parts) => parts.slice(0, -1)), forged((parts) => [...parts, 1])],
      ...[
        forged((parts) => [...parts.slice(0, -1), {}]),
        forged((parts) => [...parts.slice(0, -1), ['x']]),
        forged((parts) => ['x', ...parts.slice(1)]),
      ],
      Buffer.from(JSON.stringify(values).replace(/(\d+)\]$/, '1e999]')).toString('base64url'),
    ]
    const around = `mixed_file:${mixedId}:file 50.txt`
    for (const text of bad)
      for (const more of [[], [['around', around]]]) {
        const { status, body } = await page({ cursor: text, ...Object.fromEntries(more) })
        expect([text, status, body.code, body.errors?.[0]?.path]).toEqual([text, 400, 'invalid_request', 'cursor'])
      }
    const elsewhere: Record<string, string | number>[] = [
      ...[{ sort: 'size' }, { order: 'desc' }, { q: 'file' }, { path: 'sub' }, { libraryId: gamesId }, { sort: 'random', seed: 5 }],
    ]
    for (const query of elsewhere) expect([query, (await page({ cursor, ...query })).status]).toEqual([query, 400])
    expect((await admin.get(`/api/scans/${scanId}/losses`, { cursor })).status).toBe(400)
    const byId: [path: string, print: string, ...before: number[]][] = [
      [`/api/scans/${scanId}/losses`, fingerprint('losses', [scanId])],
      ['/api/trash', fingerprint('trash')],
      ['/api/ai-tagging/jobs', fingerprint('ai-jobs', [null, null, null, null]), 0],
      ['/api/ai-tagging/runs', fingerprint('ai-runs', [null])],
    ]
    for (const [path, print, ...before] of byId) {
      const answers = [5, 'x', '5', null].map((id) => admin.get(path, { cursor: encodeCursor(print, [...before, id]) }))
      expect([path, (await Promise.all(answers)).map(({ status }) => status)]).toEqual([path, [200, 400, 400, 400]])
    }
  })
})

const polled = (): string[] => [
  `/api/browse?libraryId=${mixedId}`,
  `/api/items?itemKey=${encodeURIComponent(`mixed_file:${mixedId}:file 1.txt`)}`,
  ...['/api/libraries', `/api/libraries/${mixedId}`, `/api/mixed/folders?libraryId=${mixedId}`, '/api/openapi.json'],
  ...['/api/scans', `/api/scans/${scanId}`, `/api/scans/${scanId}/losses`],
  ...['/api/trash', '/api/filesystem', '/api/health', '/api/users', '/api/user-settings'],
  ...['/api/tags/categories', '/api/tags/items', '/api/tags/mappings', `/api/tags/library-assignments?libraryId=${mixedId}`],
  '/api/tags/export',
]

test('a body of no bytes is none, also where its type is named', async () => {
  const scans = await sendText(admin, '/api/scans', { method: 'POST', headers: jsonHeaders })
  expect(scans.status).toBe(202)
  expect((await scans.json()).scans.length).toBeGreaterThan(1)
  await server.waitForScans()
  const needed = await sendText(admin, '/api/nfo-refresh', { method: 'POST', headers: jsonHeaders, body: '' })
  expect([needed.status, (await needed.json()).errors.map(({ path }: { path: string }) => path)]).toEqual([400, ['itemKey']])
})

describe('what may be kept, and for how long', () => {
  test('an answer that is polled or large has a validator, and is not sent twice', async () => {
    for (const path of polled()) {
      const first = await admin.fetch(path)
      const etag = first.headers.get('etag') ?? ''
      expect([path, first.status, first.headers.get('cache-control')]).toEqual([path, 200, 'private, no-cache'])
      expect([path, etag]).toEqual([path, expect.stringMatching(/^(W\/)?"[^"]+"$/)])
      for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
        const again = await admin.fetch(path, { headers: { 'if-none-match': known } })
        expect([path, again.status, await again.text(), again.headers.get('etag')]).toEqual([path, 304, '', etag])
      }
      const changed = await admin.fetch(path, { headers: { 'if-none-match': '"other"' } })
      expect([path, changed.status]).toEqual([path, 200])
    }
  })

  test('a change gives another validator, and nobody gets the answer that was made for somebody else', async () => {
    const etags = async (client: HttpClient) => (await client.fetch('/api/libraries')).headers.get('etag')
    const [before, forUser] = [await etags(admin), await etags(user)]
    expect(forUser).not.toBe(before)
    await admin.patch(`/api/libraries/${gamesId}`, { name: 'Renamed' })
    expect(await etags(admin)).not.toBe(before)
    await admin.patch(`/api/libraries/${gamesId}`, { name: 'Games' })
  })

  test('every answer says so: nothing about a sign-in is kept, all else is private and asked for again', async () => {
    for (const { method, path, guard } of ROUTE_TABLE) {
      const stop = new AbortController()
      const client = guard === 'admin' ? admin : user
      if (path === '/api/auth/logout') continue
      const response = await client.fetch(path.replace(':id', '999999'), { method, signal: stop.signal })
      const cacheControl = response.headers.get('cache-control') ?? ''
      if (path === '/api/events') {
        // A proxy that buffers would pass nothing on.
        expect(response.headers.get('x-accel-buffering')).toBe('no')
        stop.abort()
      } else await response.body?.cancel()
      const expected = path.startsWith('/api/auth/') ? /^no-store$/ : /^no-store$|^private, no-cache$|^no-cache$|^private, max-age=86400$/
      expect([method, path, cacheControl]).toEqual([method, path, expect.stringMatching(expected)])
    }
  })

  test('a compressed answer is the same answer', async () => {
    const path = `/api/browse?libraryId=${mixedId}`
    const [plain, packed] = await Promise.all(
      ['identity', 'gzip'].map((encoding) => {
        const init = { headers: { 'accept-encoding': encoding }, decompress: false }
        return admin.fetch(path, init)
      }),
    )
    expect(plain?.headers.get('content-encoding')).toBeNull()
    expect(packed?.headers.get('content-encoding')).toBe('gzip')
    expect(packed?.headers.get('vary')).toContain('Accept-Encoding')
    const bytes = new Uint8Array((await packed?.arrayBuffer()) ?? new ArrayBuffer())
    expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe((await plain?.text()) ?? '')
  })
})

describe('every answer, right or wrong, page or data', () => {
  const HEADERS: Record<string, string | RegExp> = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    'content-security-policy': /default-src '(self|none)'/,
  }
  test('has the headers that keep a browser in bounds, and none that opens it to other sites', async () => {
    const requests: [string, RequestInit?][] = [
      ...['/', '/some/page', '/assets/none.js', '/api/health', '/api/none', '/api/items', '/metrics', '/api/auth/me', '/api/docs'].map(
        (path): [string] => [path],
      ),
      [`/api/files?itemKey=${encodeURIComponent(`mixed_file:${mixedId}:file 1.txt`)}`],
      [`/api/files?itemKey=${encodeURIComponent(`mixed_file:${mixedId}:file 1.txt`)}`, { headers: { range: 'bytes=900-' } }],
      [`/api/items?itemKey=${encodeURIComponent(brokenKey)}`],
      ['/api/libraries', { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } }],
    ]
    for (const [path, init] of requests) {
      const response = await user.fetch(path, { ...init, headers: { origin: 'https://evil.example', ...init?.headers } })
      for (const [name, value] of Object.entries(HEADERS))
        expect([path, name, response.headers.get(name)]).toEqual([
          path,
          name,
          value instanceof RegExp ? expect.stringMatching(value) : value,
        ])
      expect([path, [...response.headers.keys()].filter((name) => name.startsWith('access-control'))]).toEqual([path, []])
    }
  })

  test('runs no script but those of files', async () => {
    const policy = (await server.anonymous.fetch('/')).headers.get('content-security-policy') ?? ''
    const directives = Object.fromEntries(policy.split('; ').map((part) => [part.split(' ')[0], part.split(' ').slice(1)]))
    expect(directives['script-src'] ?? directives['default-src']).toEqual(["'self'"])
    expect(directives['object-src']).toEqual(["'none'"])
    expect(directives['frame-ancestors']).toEqual(["'none'"])
  })
})

interface Operation {
  tags?: string[]
  description?: string
  security?: unknown[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, { content?: Record<string, { schema?: unknown }> }>
}

const operationOf = (description: Json, { method, path }: Pick<RouteRow, 'method' | 'path'>): Operation | undefined =>
  description.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]

const WHOM: Partial<Record<Guard, string>> = { anyone: 'without a sign-in', user: 'anyone signed in', admin: 'For administrators.' }

describe('the description', () => {
  test('is OpenAPI 3.1 and lists every route, what it takes and what it answers', async () => {
    const { body: description } = await user.get('/api/openapi.json')
    expect(description.openapi).toMatch(/^3\.1\./)
    expect(await new Validator().validate(description)).toEqual({ valid: true })
    for (const row of ROUTE_TABLE) {
      const name = `${row.method} ${row.path}`
      const operation = operationOf(description, row)
      expect([name, operation?.responses]).toEqual([name, expect.anything()])
      const [status = '', answer] = Object.entries(operation?.responses ?? {}).find(([code]) => code.startsWith('2')) ?? []
      if (status === '204') continue
      const [content] = Object.values(answer?.content ?? {})
      expect([name, content?.schema]).toEqual([name, expect.objectContaining({})])
      if (answer?.content?.['application/json'])
        expect([name, content?.schema]).toEqual([name, expect.objectContaining({ type: 'object' })])
      expect([name, operation?.responses.default?.content]).toEqual([name, { 'application/problem+json': expect.anything() }])
    }
    const pointers = [...JSON.stringify(description).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer = '']) => pointer.split('/'))
    for (const keys of pointers) expect([keys, keys.reduce((value, key) => value?.[key], description)]).toEqual([keys, expect.anything()])
  })

  test('says that a body is needed where something in it is, or its type', async () => {
    const { body: description } = await user.get('/api/openapi.json')
    const isNeeded = (path: string, method: string) => description.paths[path][method].requestBody.required
    expect([isNeeded('/api/scans', 'post'), isNeeded('/api/ai-settings/test', 'post')]).toEqual([false, false])
    expect([isNeeded('/api/auth/login', 'post'), isNeeded('/api/tags/import', 'post')]).toEqual([true, true])
    expect(isNeeded('/api/game-screenshots', 'post')).toBe(true)
  })

  test('says what may be sent, and what may be left out', async () => {
    const { body: description } = await user.get('/api/openapi.json')
    const parameters: Json[] = description.paths['/api/playback'].get.parameters
    const { schema } = parameters.find(({ name }) => name === 'quality')
    expect(schema.enum).toEqual([1080, 720, 480, 360])
    const file = { categories: [], sources: { default: 'user' } }
    const taken = await sendText(admin, '/api/tags/import?dryRun=1', { method: 'POST', headers: jsonHeaders, body: JSON.stringify(file) })
    expect(taken.status).toBe(200)
    const { sources } = description.paths['/api/tags/import'].post.requestBody.content['application/json'].schema.properties
    expect(sources.required ?? []).toEqual([])
  })

  test('is what the answers really look like', async () => {
    const { body: description } = await user.get('/api/openapi.json')
    const series = `game_series:${gamesId}:Series`
    const samples: [row: Pick<RouteRow, 'method' | 'path'>, path: string][] = [
      ...['/api/auth/status', '/api/auth/me', '/api/auth/sessions', '/api/auth/tokens', '/api/user-settings', '/api/users'].map(asSample),
      ...['/api/libraries', '/api/filesystem', '/api/scans', '/api/health', '/api/system', '/api/tags/export'].map(asSample),
      [{ method: 'GET', path: '/api/libraries/:id' }, `/api/libraries/${mixedId}`],
      [{ method: 'GET', path: '/api/scans/:id' }, `/api/scans/${scanId}`],
      [{ method: 'GET', path: '/api/scans/:id/losses' }, `/api/scans/${scanId}/losses`],
      [{ method: 'GET', path: '/api/browse' }, `/api/browse?libraryId=${mixedId}`],
      [{ method: 'GET', path: '/api/browse' }, `/api/browse?libraryId=${gamesId}&parentKey=${series}`],
      [{ method: 'GET', path: '/api/items' }, `/api/items?itemKey=${series}/One`.replace('game_series', 'game')],
      [{ method: 'GET', path: '/api/items' }, `/api/items?itemKey=${series}`],
      [{ method: 'GET', path: '/api/mixed/folders' }, `/api/mixed/folders?libraryId=${mixedId}`],
    ]
    for (const [row, path] of samples) {
      const schema = operationOf(description, row)?.responses['200']?.content?.['application/json']?.schema
      const { status, body } = await admin.get(path)
      expect([path, status]).toEqual([path, 200])
      const parsed = z.fromJSONSchema(z.record(z.string(), z.json()).parse(schema)).safeParse(body)
      expect([path, parsed.error?.issues]).toEqual([path, undefined])
      expect([path, oddNames(body)]).toEqual([path, []])
    }
  })

  test('says of files what they are sent as: any type, whole, in part or not again', async () => {
    const { body: description } = await user.get('/api/openapi.json')
    const responsesOf = (path: string) => operationOf(description, { method: 'GET', path })?.responses ?? {}
    const path = `/api/files?itemKey=mixed_file:${mixedId}:file 1.txt`
    const whole = await user.fetch(path)
    const asked: Record<string, string>[] = [
      {},
      { range: 'bytes=0-1' },
      { 'if-none-match': whole.headers.get('etag') ?? '' },
      { 'if-match': '"other"' },
    ]
    const statuses = await Promise.all(asked.map(async (headers) => String((await user.fetch(path, { headers })).status)))
    expect([statuses, whole.headers.get('content-type')]).toEqual([['200', '206', '304', '412'], 'text/plain; charset=utf-8'])
    for (const route of ['/api/files', '/api/game-archive', '/api/artwork'])
      expect([route, Object.keys(responsesOf(route))]).toEqual([route, [...statuses, 'default']])
    const typesOf = (route: string) => ['200', '206'].map((status) => Object.keys(responsesOf(route)[status]?.content ?? {}))
    expect(['/api/files', '/api/game-archive', '/api/artwork'].map(typesOf)).toEqual([
      [['*/*'], ['*/*']],
      [['*/*'], ['*/*']],
      [['image/*'], ['image/*']],
    ])
  })

  test('takes the colours that the route takes, in small letters and in capitals', async () => {
    const { body: description } = await user.get('/api/openapi.json')
    const { color } = description.paths['/api/tags/categories'].post.requestBody.content['application/json'].schema.properties
    const schema = z.fromJSONSchema(color)
    for (const [name, status] of Object.entries({ '#FFF': 201, '#a0B1c2': 201, '#FFFF': 400, red: 400 })) {
      expect([name, schema.safeParse(name).success]).toEqual([name, status === 201])
      expect([name, (await admin.post('/api/tags/categories', { name: `Colour ${name}`, color: name })).status]).toEqual([name, status])
    }
  })

  test('says how long a password may be, in characters, as the routes do', async () => {
    const { body: description } = await user.get('/api/openapi.json')
    const bodyOf = (method: RouteRow['method'], path: string) =>
      Object(operationOf(description, { method, path })?.requestBody?.content['application/json']).schema.properties
    const described = [bodyOf('POST', '/api/users').password, bodyOf('PATCH', '/api/users/:id').password]
    described.push(bodyOf('POST', '/api/auth/setup').password, bodyOf('PUT', '/api/auth/password').newPassword)
    for (const schema of described) expect(schema).toEqual({ type: 'string', minLength: 8, maxLength: 256 })
    for (const [length, status] of [
      [7, 400],
      [256, 201],
      [257, 400],
    ] as const)
      expect([length, (await admin.post('/api/users', { username: `Of ${length}`, password: '🎲'.repeat(length) })).status]).toEqual([
        length,
        status,
      ])
  })

  test('says what a list answers without a limit, and what a caller gets who has the answer already', async () => {
    const { body: description } = await user.get('/api/openapi.json')
    const limits = Object.values<Json>(description.paths).flatMap(
      ({ get }) => get?.parameters?.filter(({ name }: Json) => name === 'limit') ?? [],
    )
    expect(limits.length).toBeGreaterThan(5)
    for (const limit of limits) expect(limit.description).toContain('100')
    expect(description.info.description).toContain('If-None-Match')
    expect(description.components.securitySchemes.session.description).toContain('__Host-session')
  })

  test('names what a batch answers, and what its dry run answers', async () => {
    const { body: description } = await user.get('/api/openapi.json')
    const { responses } = operationOf(description, { method: 'POST', path: '/api/ai-tagging/batch' }) ?? {}
    const members = (status: string) => Object.keys(Object(responses?.[status]?.content?.['application/json']?.schema).properties)
    expect([members('200'), members('202')]).toEqual([['eligible'], ['queued', 'left', 'runId']])
  })

  test('asks for a sign-in where the route does, and nowhere else', async () => {
    const { body: description } = await user.get('/api/openapi.json')
    const described = ROUTE_TABLE.filter(({ path }) => !path.startsWith('/api/docs/'))
    const open = described.filter((row) => (operationOf(description, row)?.security ?? description.security).length === 0)
    expect(open).toEqual(described.filter(({ guard }) => guard === 'anyone'))
    for (const { path } of open.filter(({ method }) => method === 'GET')) expect((await server.anonymous.fetch(path)).status).toBe(200)
  })

  test('says of each operation whom it is for and to what it belongs, and of all what the licence is', async () => {
    const { body: description } = await user.get('/api/openapi.json')
    const operation = (row: Pick<RouteRow, 'method' | 'path'>) => operationOf(description, row)
    for (const row of ROUTE_TABLE.filter(({ path }) => !path.startsWith('/api/docs/'))) {
      const area = row.path.replace('/api/', '').split(/[/.]/).find(Boolean) ?? ''
      expect([row.path, operation(row)?.tags]).toEqual([row.path, [area]])
      expect([row.path, operation(row)?.description]).toEqual([row.path, expect.stringContaining(WHOM[row.guard] ?? `\`${row.guard}\``)])
    }
    expect(description.info.license.identifier).toBe((await Bun.file(join(REPOSITORY, 'package.json')).json()).license)
  })

  test('is shown by a page that asks no other host', async () => {
    const page = await user.fetch('/api/docs')
    expect(page.headers.get('content-type')).toContain('text/html')
    const html = await page.text()
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => new URL(address, `${server.url}/api/docs`))
    expect(addresses.length).toBe(3)
    for (const { origin, pathname } of addresses) {
      expect(origin).toBe(server.url)
      expect([pathname, (await user.fetch(pathname)).status]).toEqual([pathname, 200])
    }
    expect(html).not.toMatch(/<script(?![^>]*src=)/)
    expect(html).not.toContain('//')
  })
})

const asSample = (path: string): [Pick<RouteRow, 'method' | 'path'>, string] => [{ method: 'GET', path }, path]

/** Member names that are not camelCase, anywhere in an answer. */
const oddNames = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(oddNames)
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => [...(/^[a-z][A-Za-z0-9]*$/.test(name) ? [] : [name]), ...oddNames(inner)])
}
