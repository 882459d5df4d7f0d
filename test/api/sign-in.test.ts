import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { PERMISSIONS } from '../../src/domain/permissions.ts'
import { type HttpClient, httpClient, type Json } from '../support/http-client.ts'
import { ADMIN, startServer, type TestServer, USER_PASSWORD } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

/** API.md, 3, with everything in front of it that the whole service has; each rule by itself is in test/routes and test/auth. */

const JSON_HEADERS = { 'content-type': 'application/json' }

const post = (client: HttpClient, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  client.fetch(path, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) })
const cookieOf = (response: Response): string[] => (response.headers.getSetCookie()[0] ?? '').split('; ')
const codeOf = async (response: Response): Promise<string> => (await response.json()).code

/** What a peer that nobody trusts may say about itself: thirty ways, none of which counts. */
const SPOOFS: Record<string, string>[] = [
  ...['1.2.3.4', '127.0.0.1', '::1', '10.0.0.1, 8.8.8.8', '8.8.8.8, 127.0.0.1', 'unknown', '_hidden', '', ',', '"[2001:db8::1]:47"'].map(
    (value) => ({ 'x-forwarded-for': value }),
  ),
  ...['https', 'HTTPS', 'https, http', 'wss', 'on'].map((value) => ({ 'x-forwarded-proto': value })),
  ...['for=8.8.8.8;proto=https', 'for="[::1]";proto=https;host=evil.example', 'proto=https', 'by=127.0.0.1;for=127.0.0.1'].map((value) => ({
    forwarded: value,
  })),
  ...[
    'x-real-ip',
    'x-client-ip',
    'x-cluster-client-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'fastly-client-ip',
    'x-originating-ip',
    'x-remote-addr',
  ].map((name) => ({ [name]: '8.8.8.8' })),
  ...[{ 'x-forwarded-ssl': 'on' }, { 'front-end-https': 'on' }, { 'x-url-scheme': 'https' }],
]

let server: TestServer
beforeAll(async () => {
  server = await startServer({ admin: null })
})
afterAll(() => server.stop())

describe('before anybody is there', () => {
  test('no name and no password get in', async () => {
    expect((await server.anonymous.get('/api/auth/status')).body).toEqual({ setupRequired: true, user: null })
    for (const { username, password } of [
      ADMIN,
      { username: 'admin', password: 'admin' },
      { username: '', password: '' },
      { username: 'root', password: 'root' },
    ])
      expect([username, await codeOf(await post(server.anonymous, '/api/auth/login', { username, password }))]).toEqual([
        username,
        'invalid_credentials',
      ])
    for (const path of ['/api/libraries', '/api/auth/me', '/metrics', '/api/system'])
      expect((await server.anonymous.get(path)).status).toBe(401)
  })

  test('twenty who set the service up at once make one administrator', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        httpClient(server.url).post('/api/auth/setup', { ...ADMIN, username: n === 0 ? 'admin' : `admin${n}` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['409 already_set_up']),
    )
    const winner = answers.find(({ status }) => status === 201)
    const { username } = winner?.body.user ?? {}
    expect(winner?.body.user).toEqual({
      ...{
        id: expect.any(Number),
        username: expect.any(String),
        role: 'admin',
        libraryIds: null,
        disabled: false,
        createdAt: expect.any(String),
      },
      permissions: Object.fromEntries(PERMISSIONS.map((name) => [name, true])),
    })
    const admin = await server.login(username, ADMIN.password)
    expect((await admin.get('/api/users')).body.users).toHaveLength(1)
    if (username !== ADMIN.username) await admin.post('/api/users', { ...ADMIN, role: 'admin' })
    expect((await server.anonymous.get('/api/auth/status')).body).toEqual({ setupRequired: false, user: null })
    expect((await admin.get('/api/auth/status')).body).toMatchObject({ setupRequired: false, user: { username } })
  })
})

describe('who asks, and how', () => {
  test('is taken from the socket, whatever a peer says that nobody trusts', async () => {
    expect(SPOOFS).toHaveLength(30)
    const plain = cookieOf(await post(server.anonymous, '/api/auth/login', ADMIN))
    expect(plain[0]).toMatch(/^session=\w+$/)
    expect(plain.slice(1).toSorted()).toEqual(['HttpOnly', expect.stringMatching(/^Max-Age=\d+$/), 'Path=/', 'SameSite=Lax'])
    for (const spoof of SPOOFS) {
      const spoofed = cookieOf(await post(httpClient(server.url), '/api/auth/login', ADMIN, spoof))
      expect([spoof, spoofed[0]?.split('=')[0], spoofed.includes('Secure')]).toEqual([spoof, 'session', false])
      // From the loopback address it is too late; from elsewhere it would be forbidden.
      expect([
        spoof,
        await codeOf(await post(httpClient(server.url), '/api/auth/setup', { username: 'x', password: USER_PASSWORD }, spoof)),
      ]).toEqual([spoof, 'already_set_up'])
    }
  })

  test('is taken from a proxy that is trusted: the cookie is bound to https, and setting up is for the house', async () => {
    await using behind = await startServer({ admin: null, args: ['--trust-proxy', '127.0.0.1'] })
    const from = (address: string, proto = 'https') => ({ 'x-forwarded-for': address, 'x-forwarded-proto': proto })
    const foreign = await post(behind.anonymous, '/api/auth/setup', ADMIN, from('203.0.113.7'))
    expect([foreign.status, await codeOf(foreign)]).toEqual([403, 'setup_not_local'])
    expect((await behind.anonymous.get('/api/auth/status')).body.setupRequired).toBe(true)
    expect((await post(behind.anonymous, '/api/auth/setup', ADMIN, from('192.168.1.20'))).status).toBe(201)
    const secure = cookieOf(await post(httpClient(behind.url), '/api/auth/login', ADMIN, from('203.0.113.7')))
    expect(secure[0]).toStartWith('__Host-session=')
    expect(secure.slice(1)).toEqual(expect.arrayContaining(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']))
    expect(secure.filter((part) => part.startsWith('Domain'))).toEqual([])
    const me = await fetch(`${behind.url}/api/auth/me`, { headers: { cookie: secure[0] ?? '', ...from('203.0.113.7') } })
    expect(me.status).toBe(200)
    expect(cookieOf(await post(httpClient(behind.url), '/api/auth/login', ADMIN, from('203.0.113.7', 'http')))[0]).toStartWith('session=')
  })
})

test('people, their sessions, tokens and settings are what the contract says', async () => {
  const admin = await server.login(ADMIN.username, ADMIN.password)
  const made = await admin.post('/api/users', { username: 'Zoë', password: USER_PASSWORD, permissions: { tag: false }, libraryIds: [] })
  const permissions = { ...Object.fromEntries(PERMISSIONS.map((name) => [name, name !== 'delete'])), tag: false }
  expect([made.status, made.body]).toEqual([
    201,
    {
      user: {
        id: expect.any(Number),
        username: 'Zoë',
        role: 'user',
        permissions,
        libraryIds: [],
        disabled: false,
        createdAt: expect.any(String),
      },
    },
  ])

  const here = await server.login('zoë', USER_PASSWORD)
  const there = await server.login('ZOË', USER_PASSWORD)
  const { sessions } = (await here.get('/api/auth/sessions')).body
  expect(sessions).toHaveLength(2)
  expect(sessions.filter(({ current }: Json) => current)).toHaveLength(1)
  expect(Object.keys(sessions[0]).toSorted()).toEqual(['createdAt', 'current', 'id', 'lastSeenAt', 'userAgent'])
  expect((await here.get('/api/auth/me')).body).toEqual({ user: made.body.user, settings: (await here.get('/api/user-settings')).body })
  const SETTINGS = [
    'theme',
    'language',
    'autoplayNext',
    'audioLanguage',
    'subtitleLanguage',
    'readerMode',
    'gridSize',
    'defaultSort',
    'scrollMuted',
    'translationTarget',
  ]
  expect(Object.keys((await here.get('/api/user-settings')).body)).toEqual(expect.arrayContaining(SETTINGS))

  const { id, token } = (await here.post('/api/auth/tokens', { name: 'script', expiresAt: new Date(Date.now() + 3_600_000).toISOString() }))
    .body
  expect(JSON.stringify((await here.get('/api/auth/tokens')).body)).not.toContain(token)
  const byToken = { headers: { authorization: `Bearer ${token}` } }
  expect((await fetch(`${server.url}/api/auth/me`, byToken)).status).toBe(200)

  expect((await here.put('/api/auth/password', { currentPassword: 'wrong', newPassword: 'another password' })).body.code).toBe(
    'invalid_credentials',
  )
  expect((await here.put('/api/auth/password', { currentPassword: USER_PASSWORD, newPassword: 'another password' })).status).toBe(204)
  expect([(await here.get('/api/auth/me')).status, (await there.get('/api/auth/me')).status]).toEqual([200, 401])
  // No script stands still for that (README.md, "Users").
  expect((await fetch(`${server.url}/api/auth/me`, byToken)).status).toBe(200)
  expect((await here.delete(`/api/auth/tokens/${id}`)).status).toBe(204)
  expect((await fetch(`${server.url}/api/auth/me`, byToken)).status).toBe(401)
  expect((await here.post('/api/auth/logout')).status).toBe(204)
  expect((await here.get('/api/auth/me')).status).toBe(401)
})

test('after many failures one has to wait, and is told how long', async () => {
  await using own = await startServer()
  const wrong = () => post(own.anonymous, '/api/auth/login', { username: 'somebody', password: 'wrong password' })
  let last = await wrong()
  for (let tries = 0; tries < 25 && last.status === 401; tries += 1) last = await wrong()
  expect([last.status, last.headers.get('content-type'), await codeOf(last)]).toEqual([429, 'application/problem+json', 'rate_limited'])
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
})
