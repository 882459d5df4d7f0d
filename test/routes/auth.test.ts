import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { ADMIN, USER_PASSWORD } from '../support/test-server.ts'

describe('setup', () => {
  const OWNER = { username: 'owner', password: 'a good password' }

  test('is refused from outside the local network, and slowed down', async () => {
    await using app = await startTestApp({ admin: false, trustProxy: ['127.0.0.1'] })
    const from = (address: string) =>
      app.anonymous().fetch('/api/auth/setup', {
        method: 'POST',
        body: JSON.stringify(OWNER),
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      })
    const answers = [await from('8.8.8.8'), await from('8.8.8.8'), await from('8.8.8.8'), await from('8.8.8.8')]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 429])
    expect(await answers[0]?.json()).toMatchObject({ code: 'setup_not_local' })
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
    // The last ones hide who it is: the address is that of the proxy, which is in the network itself.
    for (const address of ['2001:db8::1', '172.32.0.1', '192.169.0.1', '169.253.1.1', '100.64.0.1', 'fec0::1', '8.8.4.4,', 'unknown'])
      expect((await from(address)).status).toBe(403)
    expect((await app.anonymous().get('/api/auth/status')).body).toEqual({ setupRequired: true, user: null })
    expect((await from('192.168.1.20')).status).toBe(201)
  })

  test('refuses names and passwords that break the rules, and makes nobody', async () => {
    await using app = await startTestApp({ admin: false })
    const bodies = [
      {},
      { username: 'owner' },
      { ...OWNER, password: '1234567' },
      { ...OWNER, password: 'x'.repeat(257) },
      { ...OWNER, password: null },
      { ...OWNER, username: '   ' },
      { ...OWNER, username: 'x'.repeat(65) },
      { ...OWNER, username: 'a\u0000b' },
      { ...OWNER, username: 'a\u202eb' },
      { ...OWNER, username: ['owner'] },
      { ...OWNER, role: 'user' },
      [OWNER],
      'owner',
    ]
    for (const body of bodies) expect((await app.anonymous().post('/api/auth/setup', body)).status).toBe(400)
    const prototype = '{"username":"owner","password":"a good password","__proto__":{"role":"admin"}}'
    const answer = await app
      .anonymous()
      .fetch('/api/auth/setup', { method: 'POST', body: prototype, headers: { 'content-type': 'application/json' } })
    expect(answer.status).toBe(400)
    expect((await app.anonymous().get('/api/auth/status')).body.setupRequired).toBe(true)
  })

  test('makes one administrator out of twenty at once', async () => {
    await using app = await startTestApp({ admin: false })
    const statuses = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, n) => (await app.anonymous().post('/api/auth/setup', { ...OWNER, username: `owner ${n}` })).status,
      ),
    )
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    expect((await app.database.client.execute('SELECT count(*) FROM users')).rows[0]?.[0]).toBe(1)
  })

  test('signs the first administrator in, once', async () => {
    await using app = await startTestApp({ admin: false })
    const client = app.anonymous()
    for (const body of [{}, [], { ...OWNER, role: 'admin' }, { ...OWNER, password: 'short' }])
      expect([body, (await client.post('/api/auth/setup', body)).status]).toEqual([body, 400])
    const { status, body, headers } = await client.post('/api/auth/setup', { ...OWNER, username: '  Ünïcode 名前 👨‍👩‍👧 ' })
    expect(status).toBe(201)
    expect(body.user).toMatchObject({ username: 'Ünïcode 名前 👨‍👩‍👧', role: 'admin', libraryIds: null, disabled: false })
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await client.get('/api/auth/me')).body.user).toEqual(body.user)
    const again = await app.anonymous().post('/api/auth/setup', OWNER)
    expect([again.status, again.body.code]).toEqual([409, 'already_set_up'])
    for (const body of [{}, { ...OWNER, password: 'short' }, { username: '' }]) {
      const wrong = await app.anonymous().post('/api/auth/setup', body)
      expect([wrong.status, wrong.body.code]).toEqual([409, 'already_set_up'])
    }
  })
})

describe('signing in', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ trustProxy: ['127.0.0.1'] })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    app.anonymous().fetch('/api/auth/login', {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.9.8.7', ...headers },
    })

  test('refuses a wrong password, an unknown name and an empty one with the same answer', async () => {
    const wrong = await post({ username: 'admin', password: 'password2' })
    const unknown = await post({ username: 'nobody', password: 'password1' })
    const empty = await post({ username: 'nobody', password: '' })
    expect([wrong.status, unknown.status, empty.status]).toEqual([401, 401, 401])
    const text = await wrong.text()
    expect(await unknown.text()).toBe(text)
    expect(await empty.text()).toBe(text)
    expect(JSON.parse(text).code).toBe('invalid_credentials')
    expect(wrong.headers.get('set-cookie')).toBeNull()
    expect(wrong.headers.get('cache-control')).toBe('no-store')
    expect(wrong.headers.get('content-type')).toStartWith('application/problem+json')
  })

  test('refuses what is no pair of texts', async () => {
    const bodies = [
      '',
      'null',
      '[]',
      '{',
      '{"username":"admin"}',
      '{"username":null,"password":null}',
      '{"username":["admin"],"password":"password1"}',
      '{"username":{"$ne":""},"password":{"$ne":""}}',
      '{"username":"admin","password":"password1","remember":true}',
      '{"username":"admin","password":"password1","__proto__":{"role":"admin"}}',
      '{"username":"admin","password":"password1","constructor":{}}',
      JSON.stringify({ username: 'x'.repeat(2000), password: 'password1' }),
    ]
    for (const body of bodies) expect((await post(body)).status).toBe(400)
  })

  test('takes the name in any case and form', async () => {
    for (const username of ['admin', 'ADMIN', ' Admin ', 'ａｄｍｉｎ']) expect((await post({ ...ADMIN, username })).status).toBe(200)
  })

  test('gives a cookie that scripts and other sites cannot use', async () => {
    const plain = (await post(ADMIN)).headers.getSetCookie()
    expect(plain).toHaveLength(1)
    expect(plain[0]).toMatch(/^session=[a-z2-7]{56}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
    const secure = (await post(ADMIN, { 'x-forwarded-proto': 'https' })).headers.getSetCookie()
    expect(secure[0]).toMatch(/^__Host-session=[a-z2-7]{56}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  })

  test('keeps the cookie to its base path', async () => {
    await using below = await startTestApp({ basePath: '/media', trustProxy: ['127.0.0.1'] })
    const { headers } = await below.anonymous().post('/api/auth/login', ADMIN)
    expect(headers.getSetCookie()[0]).toMatch(/^session=[^;]+; Max-Age=\d+; Path=\/media; HttpOnly; SameSite=Lax$/)
    const secure = await below.anonymous().fetch('/api/auth/login', {
      method: 'POST',
      body: JSON.stringify(ADMIN),
      headers: { 'content-type': 'application/json', 'x-forwarded-proto': 'https' },
    })
    expect(secure.headers.getSetCookie()[0]).toMatch(/^session=[^;]+; Max-Age=\d+; Path=\/media; HttpOnly; Secure; SameSite=Lax$/)
  })

  test('ends the session that it replaces', async () => {
    const client = await app.as('admin')
    const before = client.copy()
    await client.post('/api/auth/login', ADMIN)
    expect(client.cookies()).not.toBe(before.cookies())
    expect((await before.get('/api/auth/me')).status).toBe(401)
    expect((await client.get('/api/auth/me')).status).toBe(200)
  })

  test('keeps no token in the database', async () => {
    const token = (await app.as('admin')).cookies().split('=')[1] ?? ''
    const { rows } = await app.database.client.execute('SELECT id FROM sessions')
    const ids = rows.map((row) => String(row.id))
    expect(ids.length).toBeGreaterThan(0)
    expect(ids).not.toContain(token)
    for (const id of ids) {
      const answer = await app.anonymous().fetch('/api/auth/me', { headers: { cookie: `session=${id}` } })
      expect(answer.status).toBe(401)
    }
  })

  test('takes as long for an unknown name as for a known one', async () => {
    // Straight at the check: over HTTP the throttle would stop such a series, as it should.
    const time = async (hash: string | undefined): Promise<number> => {
      // Processor time: what else the machine does is no part of it.
      const start = process.cpuUsage()
      expect(await app.deps.auth.passwords.verify(hash, 'wrong password')).toBe(false)
      const { user, system } = process.cpuUsage(start)
      return user + system
    }
    const { rows } = await app.database.client.execute('SELECT password_hash FROM users LIMIT 1')
    const known: number[] = []
    const unknown: number[] = []
    for (let n = 0; n < 15; n++) {
      known.push(await time(String(rows[0]?.password_hash)))
      unknown.push(await time(undefined))
    }
    const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
    expect(median(unknown) / median(known)).toBeGreaterThan(0.7)
    expect(median(unknown) / median(known)).toBeLessThan(1.4)
  })
})

describe('passwords, sessions and tokens', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test('a new password needs the present one and the rules', async () => {
    const client = await app.as('pat')
    const put = (body: unknown) => client.put('/api/auth/password', body)
    expect((await app.anonymous().put('/api/auth/password', {})).status).toBe(401)
    expect((await put({ currentPassword: 'wrong', newPassword: 'a new password' })).body.code).toBe('invalid_credentials')
    expect((await put({ currentPassword: USER_PASSWORD, newPassword: 'short' })).status).toBe(400)
    expect((await put({ newPassword: 'a new password' })).status).toBe(400)
    expect((await put({ currentPassword: USER_PASSWORD, newPassword: 'a new password', userId: 1 })).status).toBe(400)
    expect((await client.post('/api/auth/login', { username: 'pat', password: USER_PASSWORD })).status).toBe(200)
  })

  test('a new password ends every other session and keeps this one', async () => {
    const here = await app.as('quinn')
    const there = await app.login('quinn', USER_PASSWORD)
    expect((await there.get('/api/auth/me')).status).toBe(200)
    expect((await here.put('/api/auth/password', { currentPassword: USER_PASSWORD, newPassword: 'another password' })).status).toBe(204)
    expect((await there.get('/api/auth/me')).status).toBe(401)
    expect((await here.get('/api/auth/me')).status).toBe(200)
    expect((await app.anonymous().post('/api/auth/login', { username: 'quinn', password: USER_PASSWORD })).status).toBe(401)
    await app.login('quinn', 'another password')
  })

  test('the present password cannot be guessed without end', async () => {
    const client = await app.as('ray')
    const statuses: number[] = []
    for (let n = 0; n < 14; n++)
      statuses.push((await client.put('/api/auth/password', { currentPassword: `guess ${n}`, newPassword: 'a new password' })).status)
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10)
    expect(statuses.at(-1)).toBe(429)
  })

  test('sessions are listed and ended by their owner alone', async () => {
    // The test before has used up the tries of this address, as it would for anybody: this is about another house.
    await using house = await startTestApp()
    const sam = await house.as('sam')
    const other = await house.login('sam', USER_PASSWORD)
    const admin = await house.as('admin')
    const { sessions } = (await sam.get('/api/auth/sessions')).body
    expect(sessions.map(({ current }: { current: boolean }) => current).toSorted()).toEqual([false, true])
    for (const session of sessions)
      expect(Object.keys(session).toSorted()).toEqual(['createdAt', 'current', 'id', 'lastSeenAt', 'userAgent'])
    const theirs = sessions.find(({ current }: { current: boolean }) => !current).id
    expect((await admin.delete(`/api/auth/sessions/${theirs}`)).status).toBe(404)
    expect((await sam.delete('/api/auth/sessions/nothing')).status).toBe(404)
    expect((await other.get('/api/auth/me')).status).toBe(200)
    expect((await sam.delete(`/api/auth/sessions/${theirs}`)).status).toBe(204)
    expect((await other.get('/api/auth/me')).status).toBe(401)
    expect((await sam.get('/api/auth/sessions')).body.sessions).toHaveLength(1)
  })

  test('all sessions but the one that asks are ended at once, of nobody else', async () => {
    await using house = await startTestApp()
    const kim = await house.as('kim')
    const others = [await house.login('kim', USER_PASSWORD), await house.login('kim', USER_PASSWORD)]
    const admin = await house.as('admin')
    const { token } = (await kim.post('/api/auth/tokens', { name: 'script' })).body
    const script = (method: string, path: string) =>
      house.anonymous().fetch(path, { method, headers: { authorization: `Bearer ${token}` } })
    const statuses = () => Promise.all([kim, ...others, admin].map(async (client) => (await client.get('/api/auth/me')).status))
    expect(await statuses()).toEqual([200, 200, 200, 200])
    expect((await kim.delete('/api/auth/sessions')).status).toBe(204)
    expect(await statuses()).toEqual([200, 401, 401, 200])
    // There is nothing left to end, and a token is no session.
    expect((await kim.delete('/api/auth/sessions')).status).toBe(204)
    expect((await script('GET', '/api/auth/me')).status).toBe(200)
    expect((await script('DELETE', '/api/auth/sessions')).status).toBe(204)
    expect(await statuses()).toEqual([401, 401, 401, 200])
  })

  test('a token is refused when it is malformed, expired, deleted or of a disabled person', async () => {
    await using house = await startTestApp()
    const tess = await house.as('tess')
    const admin = await house.as('admin')
    const bearer = (token: string) => house.anonymous().fetch('/api/auth/me', { headers: { authorization: `Bearer ${token}` } })
    const { id, token } = (await tess.post('/api/auth/tokens', { name: 'script' })).body
    for (const bad of ['x', 'vt_', `${token}a`, token.slice(3), `vt_${'a'.repeat(56)}`, `${token} `.repeat(2)])
      expect((await bearer(bad)).status).toBe(401)
    expect((await bearer(token)).status).toBe(200)

    for (const expiresAt of ['2020-01-01T00:00:00Z', 'tomorrow', 5])
      expect((await tess.post('/api/auth/tokens', { name: 'old', expiresAt })).status).toBe(400)
    const short = (await tess.post('/api/auth/tokens', { name: 'short', expiresAt: new Date(Date.now() + 60_000).toISOString() })).body
    expect((await bearer(short.token)).status).toBe(200)
    await house.database.client.execute({ sql: 'UPDATE api_tokens SET expires_at = ? WHERE id = ?', args: [Date.now() - 1, short.id] })
    house.deps.auth.sessions.forgetUser((await tess.get('/api/auth/me')).body.user.id)
    expect((await bearer(short.token)).status).toBe(401)

    const { user } = (await tess.get('/api/auth/me')).body
    await admin.patch(`/api/users/${user.id}`, { disabled: true })
    expect((await bearer(token)).status).toBe(401)
    await admin.patch(`/api/users/${user.id}`, { disabled: false })
    expect((await bearer(token)).status).toBe(200)

    const again = await house.login('tess', USER_PASSWORD)
    expect((await admin.delete(`/api/auth/tokens/${id}`)).status).toBe(404)
    expect((await again.delete(`/api/auth/tokens/${id}`)).status).toBe(204)
    expect((await bearer(token)).status).toBe(401)
  })

  test('nobody fills the disk with tokens', async () => {
    await using house = await startTestApp()
    const vic = await house.as('vic')
    const make = async (n: number) => (await vic.post('/api/auth/tokens', { name: `script ${n}` })).status
    const statuses = await Promise.all(Array.from({ length: 110 }, (_, n) => make(n)))
    expect(statuses.filter((status) => status === 201)).toHaveLength(100)
    expect(statuses.filter((status) => status === 409)).toHaveLength(10)
    const { tokens } = (await vic.get('/api/auth/tokens')).body
    expect(tokens).toHaveLength(100)
    await vic.delete(`/api/auth/tokens/${tokens[0].id}`)
    expect([await make(111), await make(112)]).toEqual([201, 409])
  })

  test('a token acts for its owner, shows its secret once, and makes no tokens', async () => {
    await using house = await startTestApp()
    const uma = await house.as('uma')
    const { token, id } = (await uma.post('/api/auth/tokens', { name: '  backup script ' })).body
    expect(token).toMatch(/^vt_[a-z2-7]{56}$/)
    const script = (path: string, init: RequestInit = {}) =>
      house
        .anonymous()
        .fetch(path, { ...init, headers: { authorization: `bearer ${token}`, 'content-type': 'application/json', ...init.headers } })
    expect((await (await script('/api/auth/me')).json()).user.username).toBe('uma')
    expect((await script('/api/auth/tokens', { method: 'POST', body: '{"name":"more"}' })).status).toBe(403)
    expect((await script('/api/users')).status).toBe(403)
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
    expect((await script('/api/user-settings', { method: 'PATCH', body: '{"theme":"light"}', headers: foreign })).status).toBe(200)
    await house.deps.write.idle()
    const list = await uma.get('/api/auth/tokens')
    expect(list.body.tokens).toEqual([
      { id, name: 'backup script', createdAt: expect.any(String), expiresAt: null, lastUsedAt: expect.any(String) },
    ])
    expect(JSON.stringify((await house.database.client.execute('SELECT * FROM api_tokens')).rows)).not.toContain(token.slice(3))
  })
})

describe('whoever says from whom a request is to come', () => {
  test('is refused where that is somebody else, and nothing is changed; what is for anyone does not mind', async () => {
    await using app = await startTestApp()
    const bob = await app.as('bob')
    const { id } = (await bob.get('/api/auth/status')).body.user
    const send = (user: string, path = '/api/user-settings', init: RequestInit = {}) =>
      bob.fetch(path, { ...init, headers: { 'content-type': 'application/json', 'expected-user': user } })
    const light = { method: 'PATCH', body: JSON.stringify({ theme: 'light' }) }
    for (const user of [String(id + 1), '', `${id}.0`, 'bob']) {
      const answer = await send(user, undefined, light)
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ code: 'not_signed_in' })
    }
    expect((await bob.get('/api/user-settings')).body.theme).not.toBe('light')
    expect(await (await send(String(id + 1), '/api/auth/status')).json()).toMatchObject({ user: { id } })
    expect((await send(String(id), undefined, light)).status).toBe(200)
    expect((await bob.get('/api/user-settings')).body.theme).toBe('light')
  })
})
