import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { ORDERS, SORTS } from '../../src/services/browse-sort.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { processorMsOf } from '../support/processor-time.ts'
import { sqlCorpus } from '../support/sql-corpus.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

/** SECURITY.md, C: what a client writes is a value and never a piece of a query, however odd or long it is. */

/** Titles that hold pieces of SQL themselves, so that a search for one of them has something to find. */
const TITLES = [
  ...[
    'plain',
    "it's",
    "O'Reilly OR 1=1",
    '100% OR',
    "x' OR '1'='1",
    "'; DROP TABLE media_items; --",
    '1 UNION SELECT NULL',
    '"quoted" OR',
    '-- comment #',
    '`tick`',
  ],
  ...['a]b[c', 'back\\slash', 'under_score', 'null', 'rowid', 'title;', '?', '*', '$a', ':a @a', "'' || (SELECT 'x')"],
]
const payloads = sqlCorpus()

let folder: TemporaryFolder
let server: TestServer
let user: HttpClient
let admin: HttpClient
const ids = { movies: 0, games: 0, mixed: 0 }

beforeAll(async () => {
  folder = await temporaryFolder('injection')
  makeTree(folder.path, {
    movies: Object.fromEntries(TITLES.map((title) => [title, { 'film.mkv': 3 }])),
    games: { Series: { One: { 'one.zip': 3 } } },
    mixed: { 'a.txt': 'a', sub: { 'b.txt': 'b' } },
  })
  server = await startServer({
    libraries: (Object.keys(ids) as (keyof typeof ids)[]).map((type) => ({ type, name: type, path: join(folder.path, type) })),
  })
  await server.waitForScans()
  user = await server.as('user')
  admin = await server.as('admin')
  for (const { name, id } of (await user.get('/api/libraries')).body.libraries) Object.assign(ids, { [name]: id })
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

/** Everything that a payload could have changed. */
const everything = async (): Promise<Json> => {
  const answers = await Promise.all([
    ...Object.values(ids).map((libraryId) => admin.get('/api/browse', { libraryId, limit: 500 })),
    ...['/api/libraries', '/api/users', '/api/scans'].map((path) => admin.get(path)),
  ])
  // The background may find out meanwhile that a picture cannot be made.
  return answers.map(({ status, body }) => [
    status,
    body.entries ? { ...body, entries: body.entries.map((entry: Json) => ({ ...entry, thumbnailUrl: null })) } : body,
  ])
}

describe('a piece of SQL', () => {
  test('in a search finds the titles that have it, as any other text does', async () => {
    expect(payloads.length).toBe(200)
    const before = await everything()
    for (const q of payloads) {
      const { status, body } = await user.get('/api/browse', { libraryId: ids.movies, q, limit: 500 })
      if (q.includes('\0')) {
        expect([q, status]).toEqual([q, 400])
        continue
      }
      const expected = TITLES.filter((title) => title.toLowerCase().includes(q.toLowerCase()))
      expect([q, status, body.entries?.map(({ title }: Json) => title).toSorted(), body.total]).toEqual([
        q,
        200,
        expected.toSorted(),
        expected.length,
      ])
    }
    expect(await everything()).toEqual(before)
  })

  test('in any other parameter is refused or finds nothing, and changes nothing', async () => {
    const before = await everything()
    const parameters: [name: string, path: (text: string) => string, statuses: number[]][] = [
      ...['libraryId', 'sort', 'order', 'seed', 'limit', 'cursor', 'missing'].map((name): [string, (text: string) => string, number[]] => [
        `browse ${name}`,
        (text) => `/api/browse?${name === 'libraryId' ? '' : `libraryId=${ids.movies}&`}${name}=${text}`,
        // Numbers may be written in more ways than one: what is one is taken as one.
        /libraryId|seed|limit/.test(name) ? [400, 200, 404] : name === 'missing' ? [400, 403] : [400],
      ]),
      ['browse parentKey', (text) => `/api/browse?libraryId=${ids.games}&parentKey=game_series:${ids.games}:Series${text}`, [404]],
      ['browse around', (text) => `/api/browse?libraryId=${ids.games}&around=game_series:${ids.games}:Series${text}`, [404]],
      ['browse path', (text) => `/api/browse?libraryId=${ids.mixed}&path=sub${text}`, [200]],
      ['mixed folders', (text) => `/api/mixed/folders?libraryId=${ids.mixed}&path=sub${text}`, [200]],
      ['items itemKey', (text) => `/api/items?itemKey=movie:${ids.movies}:plain${text}`, [404]],
      ['files file', (text) => `/api/files?itemKey=movie:${ids.movies}:plain&file=film.mkv${text}`, [404]],
      ['artwork name', (text) => `/api/artwork?itemKey=movie:${ids.movies}:plain&kind=poster&name=${text}`, [404]],
      ['a library', (text) => `/api/libraries/${text}`, [400, 404, 200]],
      ['a scan', (text) => `/api/scans/${text}`, [400, 403, 404]],
    ]
    for (const [name, path, statuses] of parameters)
      for (const text of payloads.filter((payload) => !/^\s*$|^title$/.test(payload))) {
        const response = await user.fetch(path(encodeURIComponent(text)))
        const answer = await response.text()
        expect([name, text, statuses.includes(response.status), response.status]).toEqual([name, text, true, response.status])
        if (response.status === 200 && /path|folders/.test(name))
          expect([name, text, answer]).toEqual([name, text, expect.stringMatching(/"(?:entries|folders)":\[\]/)])
        expect([name, text, /password_hash|argon2|sqlite_master|CREATE TABLE/.test(answer.replaceAll(text, ''))]).toEqual([
          name,
          text,
          false,
        ])
      }
    expect(await everything()).toEqual(before)
  })

  test('in a body is text', async () => {
    const before = await everything()
    for (const text of payloads.slice(0, 60)) {
      const token = await user.post('/api/auth/tokens', { name: text })
      expect([text, token.status]).toEqual([text, text.trim() === '' ? 400 : 201])
      if (token.status === 201) {
        const { tokens } = (await user.get('/api/auth/tokens')).body
        expect(tokens.map(({ name }: Json) => name)).toEqual([text.trim()])
        expect((await user.delete(`/api/auth/tokens/${token.body.id}`)).status).toBe(204)
      }
      expect((await user.patch('/api/user-settings', { theme: text })).status).toBe(400)
      expect((await admin.post('/api/scans', { libraryId: text })).status).toBe(400)
    }
    expect(await everything()).toEqual(before)
  })
})

test('ten thousand characters anywhere are refused or find nothing, quickly', async () => {
  const paths = [
    ...['libraryId', 'parentKey', 'path', 'q', 'sort', 'order', 'seed', 'limit', 'cursor', 'around', 'missing'].map(
      (name) => `/api/browse?${name === 'libraryId' ? '' : `libraryId=${ids.mixed}&`}${name}=`,
    ),
    `/api/browse?libraryId=${ids.mixed}&around=mixed_file:${ids.mixed}:`,
    ...[
      '/api/items?itemKey=',
      `/api/items?itemKey=movie:${ids.movies}:`,
      '/api/files?itemKey=',
      `/api/files?itemKey=movie:${ids.movies}:plain&file=`,
    ],
    ...[
      '/api/thumbnails?itemKey=',
      '/api/thumbnails?itemKey=a&size=',
      '/api/artwork?kind=cover&itemKey=',
      `/api/artwork?itemKey=movie:${ids.movies}:plain&kind=poster&name=`,
    ],
    ...[`/api/mixed/folders?libraryId=${ids.mixed}&path=`, '/api/mixed/folders?libraryId=', '/api/libraries/', '/api/none/'],
  ]
  for (const path of paths)
    for (const unit of ['x', '9', '/', '../', '%', "'", '漢', '(', ',', 'a%', '\u0000']) {
      const text = encodeURIComponent(unit.repeat(Math.floor(10_000 / unit.length)))
      // A request line has an end too: what is longer is refused by the server in front of us all.
      if (text.length > 14_000) continue
      const start = processorMsOf(server.pid)
      const { status } = await user.fetch(path + text)
      expect([path, unit, status >= 400 && status < 500, status]).toEqual([path, unit, true, status])
      expect(processorMsOf(server.pid) - start).toBeLessThan(1000)
    }
})

test('no list of parameters makes a list fail, and what it answers is a page', async () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({ maxLength: 10 }),
    fc.integer().map(String),
    fc.double().map(String),
    fc.constantFrom(...payloads),
  )
  const mostly = <Value>(good: fc.Arbitrary<Value>): fc.Arbitrary<Value | string | undefined> =>
    fc.oneof({ weight: 30, arbitrary: good }, { weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: anything })
  const seldom = <Value>(some: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
    fc.oneof({ weight: 1, arbitrary: some }, { weight: 4, arbitrary: fc.constant(undefined) })
  const keys = fc.constantFrom(
    `game_series:${ids.games}:Series`,
    `game:${ids.games}:Series/One`,
    `movie:${ids.movies}:plain`,
    `mixed_file:${ids.mixed}:sub/b.txt`,
  )
  const queries = fc.record({
    libraryId: mostly(fc.constantFrom(...Object.values(ids)).map(String)),
    parentKey: seldom(mostly(keys)),
    path: seldom(mostly(fc.constantFrom('', 'sub', 'sub/deeper'))),
    q: mostly(fc.string({ unit: 'binary', maxLength: 5 })),
    sort: mostly(fc.constantFrom(...SORTS)),
    order: mostly(fc.constantFrom(...ORDERS)),
    seed: mostly(fc.nat().map(String)),
    limit: mostly(fc.integer({ min: 1, max: 500 }).map(String)),
    around: seldom(mostly(keys)),
    cursor: seldom(anything),
    missing: seldom(fc.constantFrom('0', '1', 'true', 'x')),
  })
  let pages = 0
  await fc.assert(
    fc.asyncProperty(queries, fc.boolean(), async (query, isAdmin) => {
      const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value.toWellFormed()]]))
      const response = await (isAdmin ? admin : user).fetch(`/api/browse?${new URLSearchParams(given)}`)
      const body = await response.json()
      expect([200, 400, 403, 404]).toContain(response.status)
      if (response.status !== 200) return
      pages += 1
      const found: string[] = body.entries.map(({ itemKey }: Json) => itemKey)
      expect(new Set(found).size).toBe(found.length)
      expect(found.length).toBeLessThanOrEqual(Number(query.limit ?? 100))
      if (body.total !== null) expect(found.length).toBeLessThanOrEqual(body.total)
      if (body.nextCursor !== null) expect(found.length).toBe(Number(query.limit))
    }),
    { numRuns: 2000 },
  )
  expect(pages).toBeGreaterThan(500)
}, 120_000)
