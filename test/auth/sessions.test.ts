import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { HttpClient } from '../support/http-client.ts'
import { processorMs } from '../support/processor-time.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { ADMIN, USER_PASSWORD } from '../support/test-server.ts'

const DAY_SECONDS = 24 * 3600
const DAY_MS = DAY_SECONDS * 1000

let app: TestApp
let admin: HttpClient
beforeAll(async () => {
  app = await startTestApp({ trustProxy: ['127.0.0.1'] })
  admin = await app.as('admin')
})
afterAll(() => app[Symbol.asyncDispose]())

const idOf = async (client: HttpClient): Promise<number> => (await client.get('/api/auth/me')).body.user.id
const statusOf = async (client: HttpClient): Promise<number> => (await client.get('/api/auth/me')).status
const tokenOf = (client: HttpClient): string => client.cookies().split('=')[1] ?? ''
const storedId = (client: HttpClient): string => new Bun.CryptoHasher('sha256').update(tokenOf(client)).digest('hex')

/** Changes the stored session behind the service's back, and makes it look again. */
const setSession = async (client: HttpClient, columns: { expires_at?: number; created_at?: number; last_seen_at?: number }) => {
  const userId = await idOf(client)
  for (const [column, value] of Object.entries(columns))
    await app.database.client.execute({ sql: `UPDATE sessions SET ${column} = ? WHERE id = ?`, args: [value, storedId(client)] })
  await app.deps.write.idle()
  app.deps.auth.sessions.forgetUser(userId)
}
const readSession = async (client: HttpClient) =>
  (await app.database.client.execute({ sql: 'SELECT * FROM sessions WHERE id = ?', args: [storedId(client)] })).rows[0]
const now = (): number => Math.floor(Date.now() / 1000)

describe('a session that was in use a moment ago is 401 in the next request after', () => {
  const events: [name: string, act: (client: HttpClient, id: number) => Promise<{ status: number }>, status: number][] = [
    ['signing out', (client) => client.copy().post('/api/auth/logout'), 204],
    ['a new password set by an administrator', (_, id) => admin.patch(`/api/users/${id}`, { password: 'given by admin' }), 200],
    ['a new role', (_, id) => admin.patch(`/api/users/${id}`, { role: 'admin' }), 200],
    ['being disabled', (_, id) => admin.patch(`/api/users/${id}`, { disabled: true }), 200],
    ['being deleted', (_, id) => admin.delete(`/api/users/${id}`), 204],
    [
      'the end of the session from another device',
      async (client) => (await app.login(await nameOf(client), USER_PASSWORD)).delete(`/api/auth/sessions/${storedId(client)}`),
      204,
    ],
  ]
  const nameOf = async (client: HttpClient): Promise<string> => (await client.get('/api/auth/me')).body.user.username
  for (const [n, [name, act, status]] of events.entries())
    test(name, async () => {
      const client = await app.as(`person ${n}`)
      const id = await idOf(client)
      expect((await act(client, id)).status).toBe(status)
      expect(await statusOf(client)).toBe(401)
    })

  test('a new password, on every other device', async () => {
    const there = await app.as('two devices')
    const here = await app.login('two devices', USER_PASSWORD)
    await here.put('/api/auth/password', { currentPassword: USER_PASSWORD, newPassword: 'a new password' })
    expect(await statusOf(there)).toBe(401)
    expect(await statusOf(here)).toBe(200)
  })
})

test('who signs in with the old password while a new one is being set is not signed in afterwards', async () => {
  const id = await idOf(await app.as('taken over'))
  let password = USER_PASSWORD
  for (const delayMs of [0, 5, 10, 15, 20, 25, 30, 35]) {
    const next = `password number ${delayMs}`
    const changing = admin.patch(`/api/users/${id}`, { password: next })
    await Bun.sleep(delayMs)
    const intruder = app.anonymous()
    const signingIn = intruder.post('/api/auth/login', { username: 'taken over', password })
    expect((await changing).status).toBe(200)
    const { status } = await signingIn
    expect([200, 401]).toContain(status)
    expect([delayMs, await statusOf(intruder)]).toEqual([delayMs, 401])
    password = next
    await app.login('taken over', password)
  }
})

test('who is deleted while they sign in is told what everybody is told whom nobody knows', async () => {
  const id = await idOf(await app.as('going'))
  // As a deletion that comes between the look at the password and the session.
  await app.database.client.execute(
    `CREATE TRIGGER gone BEFORE INSERT ON sessions WHEN NEW.user_id = ${id} BEGIN DELETE FROM users WHERE id = ${id}; END`,
  )
  const { status, body } = await app.anonymous().post('/api/auth/login', { username: 'going', password: USER_PASSWORD })
  await app.database.client.execute('DROP TRIGGER gone')
  expect([status, body.code]).toEqual([401, 'invalid_credentials'])
})

test('of new passwords that are set at once one is kept, and the others are told so', async () => {
  const client = await app.as('in two minds')
  const wanted = ['password one', 'password two', 'password three']
  const answers = await Promise.all(
    wanted.map((newPassword) => client.put('/api/auth/password', { currentPassword: USER_PASSWORD, newPassword })),
  )
  const [kept = '', ...others] = wanted.filter((_, place) => answers[place]?.status === 204)
  expect(others).toEqual([])
  expect(await statusOf(await app.login('in two minds', kept))).toBe(200)
})

test('a demoted administrator is an ordinary user at once', async () => {
  const second = await app.as('second', { role: 'admin' })
  expect((await second.get('/api/users')).status).toBe(200)
  await admin.patch(`/api/users/${await idOf(second)}`, { role: 'user' })
  expect((await second.get('/api/users')).status).toBe(401)
  expect((await (await app.login('second', USER_PASSWORD)).get('/api/users')).status).toBe(403)
})

test('a changed permission holds from the next request on, and the session stays', async () => {
  const client = await app.as('permitted')
  const id = await idOf(client)
  await admin.patch(`/api/users/${id}`, { permissions: { delete: true, tag: false } })
  const { status, body } = await client.get('/api/auth/me')
  expect(status).toBe(200)
  expect(body.user.permissions).toMatchObject({ delete: true, tag: false, upload: true })
})

describe('the end of a session', () => {
  test('an expired one is nobody, and its row goes', async () => {
    const client = await app.as('expired')
    await setSession(client, { expires_at: now() - 1 })
    expect(await statusOf(client)).toBe(401)
    expect((await client.get('/api/auth/status')).body.user).toBeNull()
    await app.deps.write.idle()
    expect(await readSession(client)).toBeUndefined()
  })

  test('comes 90 days after sign-in, however much it was used', async () => {
    const client = await app.as('long ago')
    await setSession(client, { created_at: Date.now() - 89 * DAY_MS, expires_at: now() + 2 * DAY_SECONDS })
    const answer = await client.get('/api/auth/me')
    expect(answer.status).toBe(200)
    const maxAge = Number(/Max-Age=(\d+)/.exec(answer.headers.getSetCookie()[0] ?? '')?.[1])
    expect(maxAge).toBeLessThanOrEqual(DAY_SECONDS)
    await setSession(client, { created_at: Date.now() - 90 * DAY_MS - 1, expires_at: now() + 20 * DAY_SECONDS })
    expect(await statusOf(client)).toBe(401)
  })

  test('moves on while it is used: half its time later the cookie is set anew', async () => {
    const client = await app.as('regular')
    expect((await client.get('/api/auth/me')).headers.getSetCookie()).toEqual([])
    await setSession(client, { expires_at: now() + 10 * DAY_SECONDS })
    const cookie = (await client.get('/api/auth/me')).headers.getSetCookie()[0] ?? ''
    expect(cookie).toStartWith(`session=${tokenOf(client)}; `)
    expect(Number(/Max-Age=(\d+)/.exec(cookie)?.[1])).toBeGreaterThan(29 * DAY_SECONDS)
    await app.deps.write.idle()
    expect(Number((await readSession(client))?.expires_at)).toBeGreaterThan(now() + 29 * DAY_SECONDS)
  })
})

test('use is noted at most once a minute', async () => {
  const client = await app.as('seen')
  const first = Number((await readSession(client))?.last_seen_at)
  await statusOf(client)
  await app.deps.write.idle()
  expect((await readSession(client))?.last_seen_at).toBe(first)
  await setSession(client, { last_seen_at: Date.now() - 61_000 })
  await Promise.all(Array.from({ length: 20 }, () => statusOf(client)))
  await app.deps.write.idle()
  expect(Number((await readSession(client))?.last_seen_at)).toBeGreaterThan(Date.now() - 5000)
})

test('a check that is remembered costs microseconds', async () => {
  const token = tokenOf(admin)
  await app.deps.auth.sessions.findSession(token)
  const start = processorMs()
  for (let n = 0; n < 2000; n++) expect((await app.deps.auth.sessions.findSession(token))?.userId).toBe(1)
  expect((processorMs() - start) / 2000).toBeLessThan(0.1)
})

describe('a cookie of any shape', () => {
  const shapes = (token: string): string[] => [
    ...[
      '',
      '=',
      ';',
      ';;;',
      'session',
      'session=',
      '=session',
      'session=;',
      'session==',
      'session=""',
      'session=null',
      'session=undefined',
    ],
    ...['session=%', 'session=%00', 'session=%zz', 'session=%ff%fe', 'session=../../etc/passwd', "session=' OR 1=1 --", 'session={"a":1}'],
    ...[`session=${'a'.repeat(56)}`, `session=${'a'.repeat(5000)}`, `session=${'é'.repeat(10)}`, 'session=\t', 'session= ', 'session=a b'],
    ...[`session=${token}a`, `session=${token.slice(1)}`, `session=${token.toUpperCase()}`, `session="${token}"`, `session=a${token}`],
    ...[`Session=${token}`, `SESSION=${token}`, `session.=${token}`, `session[]=${token}`, `session%3D${token}`, `session:${token}`],
    ...[`x=${token}`, `xsession=${token}`, `__Host-Session=${token}`, `__Secure-session=${token}`, `auth_session=${token}`, token],
    ...[`${'session=a; '.repeat(300)}`, `${'a=b; '.repeat(300)}`, `$Version=1; session=a; $Path=/`, 'session=a, session=b', 'session=a,b'],
    ...['__proto__=x', 'constructor=x', 'toString=x', 'session=__proto__', 'session=constructor', 'session=[object Object]', 'session=NaN'],
    ...[
      'session=1e999',
      'session=-1',
      'session=true',
      'session=\u00a0',
      `session=${Array.from({ length: 56 }, (_, n) => 'a234567'[n % 7]).join('')}`,
    ],
    ...[`session=${token.split('').toReversed().join('')}`, `session=${storedId(admin)}`, 'path=/; httponly; session', `; = ; session = `],
  ]

  test('is nobody, never an error of ours', async () => {
    const all = shapes(tokenOf(admin))
    expect(all.length).toBeGreaterThanOrEqual(60)
    for (const cookie of all) {
      const answer = await app.anonymous().fetch('/api/auth/me', { headers: { cookie } })
      expect({ cookie, status: answer.status }).toEqual({ cookie, status: 401 })
    }
  })

  test('does not hide ours beside it', async () => {
    const token = tokenOf(admin)
    for (const cookie of [`session=theirs; session=${token}`, `a=b;session=${token}`, ` session = ${token} ;c`, `__Host-session=${token}`])
      expect((await app.anonymous().fetch('/api/auth/me', { headers: { cookie } })).status).toBe(200)
  })

  test('without the prefix does not count over https, where a neighbour could have planted it', async () => {
    const https = (cookie: string) =>
      app.anonymous().fetch('/api/auth/me', { headers: { cookie, 'x-forwarded-for': '10.0.0.9', 'x-forwarded-proto': 'https' } })
    expect((await https(`session=${tokenOf(admin)}`)).status).toBe(401)
    expect((await https(`__Host-session=${tokenOf(admin)}`)).status).toBe(200)
  })
})

test('signing out takes the cookie away', async () => {
  const client = await app.login(ADMIN.username, ADMIN.password)
  const answer = await client.post('/api/auth/logout')
  expect(answer.headers.getSetCookie()[0]).toMatch(/^session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(client.cookies()).toBe('')
  expect((await client.post('/api/auth/logout')).status).toBe(401)
})
