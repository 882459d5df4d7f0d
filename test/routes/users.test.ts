import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DEFAULT_PERMISSIONS, PERMISSIONS } from '../../src/domain/permissions.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { USER_PASSWORD } from '../support/test-server.ts'

let app: TestApp
let admin: HttpClient
let libraryIds: number[]
beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as('admin')
  const insert = "INSERT INTO libraries (name, type, path) VALUES (?, 'movies', ?) RETURNING id"
  const results = await app.deps.write.batch(['One', 'Two', 'Three'].map((name) => ({ sql: insert, args: [name, `/media/${name}`] })))
  libraryIds = results.map(({ rows }) => Number(rows[0]?.id))
})
afterAll(() => app[Symbol.asyncDispose]())

const make = async (username: string, spec: Record<string, unknown> = {}): Promise<Json> => {
  const { status, body } = await admin.post('/api/users', { username, password: USER_PASSWORD, ...spec })
  expect(status).toBe(201)
  return body.user
}
const find = async (id: number): Promise<Json> => (await admin.get('/api/users')).body.users.find((user: Json) => user.id === id)

describe('who may', () => {
  test('nobody without signing in, and no ordinary user', async () => {
    const user = await app.as('ordinary')
    for (const [client, status] of [
      [app.anonymous(), 401],
      [user, 403],
    ] as const) {
      expect((await client.get('/api/users')).status).toBe(status)
      expect((await client.post('/api/users', { username: 'x', password: USER_PASSWORD })).status).toBe(status)
      expect((await client.patch('/api/users/1', { password: 'taken over' })).status).toBe(status)
      expect((await client.delete('/api/users/1')).status).toBe(status)
    }
    const { id } = (await user.get('/api/auth/me')).body.user
    expect((await user.patch(`/api/users/${id}`, { role: 'admin' })).status).toBe(403)
  })
})

describe('a new person', () => {
  test('is refused when anything about them is wrong', async () => {
    const before = (await admin.get('/api/users')).body.users.length
    const good = { username: 'new', password: USER_PASSWORD }
    const bad: unknown[] = [
      ...[
        {},
        { username: 'new' },
        { password: USER_PASSWORD },
        { ...good, username: '' },
        { ...good, username: ' \t ' },
        { ...good, username: 5 },
      ],
      ...[
        { ...good, username: 'x'.repeat(65) },
        { ...good, username: 'new\nline' },
        { ...good, username: 'a\u200bb' },
        { ...good, username: '\u200d' },
      ],
      ...[
        { ...good, username: '\ud800' },
        { ...good, username: 'a\u2028b' },
        { ...good, password: 'seven77' },
        { ...good, password: 'x'.repeat(257) },
      ],
      ...[
        { ...good, role: 'root' },
        { ...good, permissions: { fly: true } },
        { ...good, permissions: { tag: 'yes' } },
        { ...good, permissions: [] },
      ],
      ...[
        { ...good, libraryIds: [99_999] },
        { ...good, libraryIds: ['1'] },
        { ...good, libraryIds: [1.5] },
        { ...good, libraryIds: [0] },
      ],
      ...[
        { ...good, libraryIds: [libraryIds[0], 99_999] },
        { ...good, libraryIds: 1 },
        { ...good, id: 5 },
        { ...good, disabled: true },
      ],
      ...[{ ...good, passwordHash: 'x' }, { ...good, allLibraries: true }, null, [good], 'new'],
    ]
    for (const body of bad) {
      const answer = await admin.post('/api/users', body)
      expect({ body, status: answer.status, code: answer.body.code }).toEqual({ body, status: 400, code: 'invalid_request' })
    }
    for (const extra of ['"__proto__":{"role":"admin"}', '"constructor":{}', '"permissions":{"__proto__":{"delete":true}}']) {
      const body = `{"username":"new","password":"${USER_PASSWORD}",${extra}}`
      expect((await admin.fetch('/api/users', { method: 'POST', body, headers: { 'content-type': 'application/json' } })).status).toBe(400)
    }
    expect((await admin.get('/api/users')).body.users).toHaveLength(before)
  })

  test('may not have a name that somebody has, in any case or form', async () => {
    await make('José Straße')
    for (const username of [
      'José Straße',
      'josé straße',
      'JOSÉ STRASSE',
      'Jose\u0301 Straße',
      ' José Straße ',
      'Ｊｏｓé Straße',
      'José\u200d Straße',
    ]) {
      const { status, body } = await admin.post('/api/users', { username, password: USER_PASSWORD })
      expect([username, status, body.code]).toEqual([username, 409, 'duplicate_name'])
    }
    await make('Jose Straße')
  })

  test('gets every permission but delete, and every library', async () => {
    const user = await make('Plain')
    expect(user).toEqual({
      id: expect.any(Number),
      username: 'Plain',
      role: 'user',
      permissions: DEFAULT_PERMISSIONS,
      libraryIds: null,
      disabled: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(await find(user.id)).toEqual(user)
    expect(JSON.stringify(user)).not.toContain('argon2')
  })

  test('keeps the defaults of the permissions that are not named, and gets the libraries that are', async () => {
    const [one, , three] = libraryIds
    const user = await make('Picky', { permissions: { upload: false, delete: true }, libraryIds: [three, one, one] })
    expect(user.permissions).toEqual({ ...DEFAULT_PERMISSIONS, upload: false, delete: true })
    expect(user.libraryIds).toEqual([one, three])
    expect((await make('Locked out', { libraryIds: [] })).libraryIds).toEqual([])
  })

  test('may be called anything that people are called', async () => {
    for (const username of [
      '名前',
      'Ørsted',
      'O’Neill',
      'علی‌رضا',
      '👩‍👩‍👧',
      "Robert'); DROP TABLE users;--",
      'a',
      'x'.repeat(64),
      '<img onerror=alert(1)>',
      '__proto__',
      'constructor',
    ]) {
      const user = await make(username)
      expect(user.username).toBe(username.normalize('NFC'))
      expect((await (await app.login(username, USER_PASSWORD)).get('/api/auth/me')).body.user).toEqual(user)
    }
  })
})

describe('changing a person', () => {
  test('is refused when anything is wrong, and then changes nothing', async () => {
    const user = await make('Unchanged', { libraryIds: [libraryIds[0]] })
    const bad: unknown[] = [
      { role: 'root' },
      { role: null },
      { permissions: { fly: true } },
      { libraryIds: [99_999] },
      { disabled: 'no' },
      { password: 'short' },
      { isAdmin: true },
      { passwordHash: 'x' },
      { settings: {} },
      { role: 'admin', libraryIds: [99_999] },
      [],
    ]
    for (const body of bad) expect((await admin.patch(`/api/users/${user.id}`, body)).status).toBe(400)
    expect(await find(user.id)).toEqual(user)
    for (const id of ['99999', '0', '-1', '1.5', 'abc', '1e3', '%00', '..', '9'.repeat(30)]) {
      const { status } = await admin.patch(`/api/users/${id}`, { disabled: true })
      expect([400, 404]).toContain(status)
      expect([400, 404]).toContain((await admin.delete(`/api/users/${id}`)).status)
    }
  })

  test('takes a whole person back as it was shown, and changes nothing by that', async () => {
    const user = await make('Round trip', { permissions: { tag: false }, libraryIds: [libraryIds[1]] })
    const client = await app.login('Round trip', USER_PASSWORD)
    const answer = await admin.patch(`/api/users/${user.id}`, user)
    expect([answer.status, answer.body.user]).toEqual([200, user])
    expect((await admin.patch(`/api/users/${user.id}`, {})).body.user).toEqual(user)
    const renumbered = await admin.patch(`/api/users/${user.id}`, { ...user, id: 1, createdAt: 'never' })
    expect([renumbered.status, renumbered.body.user]).toEqual([200, user])
    for (const username of ['Other', 'round trip']) {
      const renamed = await admin.patch(`/api/users/${user.id}`, { ...user, username, disabled: true, password: 'another one' })
      expect([renamed.status, renamed.body.code]).toEqual([422, 'username_fixed'])
    }
    expect(await find(user.id)).toEqual(user)
    expect((await client.get('/api/auth/me')).status).toBe(200)
  })

  test('merges permissions and replaces libraries', async () => {
    const user = await make('Merged', { permissions: { tag: false } })
    const patch = async (body: unknown): Promise<Json> => (await admin.patch(`/api/users/${user.id}`, body)).body.user
    expect((await patch({ permissions: { delete: true } })).permissions).toEqual({ ...DEFAULT_PERMISSIONS, tag: false, delete: true })
    expect((await patch({ libraryIds: [libraryIds[0]] })).libraryIds).toEqual([libraryIds[0]])
    expect((await patch({ libraryIds: [libraryIds[1]] })).libraryIds).toEqual([libraryIds[1]])
    expect((await patch({ disabled: false })).libraryIds).toEqual([libraryIds[1]])
    expect((await patch({ libraryIds: null })).libraryIds).toBeNull()
  })

  test('a library that is made later is not granted to those with a list', async () => {
    const user = await make('Listed', { libraryIds: [libraryIds[0]] })
    await app.deps.write.batch([{ sql: "INSERT INTO libraries (name, type, path) VALUES ('Later', 'tv', '/media/later')", args: [] }])
    expect((await find(user.id)).libraryIds).toEqual([libraryIds[0]])
  })

  test('an administrator has everything, and afterwards what they had before', async () => {
    const user = await make('Promoted', { permissions: { tag: false }, libraryIds: [libraryIds[0]] })
    const promoted = (await admin.patch(`/api/users/${user.id}`, { role: 'admin' })).body.user
    expect(promoted.permissions).toEqual(Object.fromEntries(PERMISSIONS.map((name) => [name, true])))
    expect(promoted.libraryIds).toBeNull()
    await admin.patch(`/api/users/${user.id}`, promoted)
    expect((await admin.patch(`/api/users/${user.id}`, { role: 'user' })).body.user).toEqual(user)
    await admin.patch(`/api/users/${user.id}`, { role: 'admin' })
    const { permissions } = (await admin.patch(`/api/users/${user.id}`, { role: 'user', permissions: { delete: true } })).body.user
    expect(permissions.delete).toBe(true)
  })

  test('a new password works and the old one does not', async () => {
    const user = await make('Forgetful')
    await admin.patch(`/api/users/${user.id}`, { password: 'remember this' })
    await expect(app.login('Forgetful', USER_PASSWORD)).rejects.toThrow('401')
    await app.login('Forgetful', 'remember this')
  })

  test('a new password given by an administrator ends the tokens too, one that somebody chooses leaves them', async () => {
    const [robbed, other] = [await app.as('Robbed'), await app.as('Not robbed')]
    const { user } = (await robbed.get('/api/auth/me')).body
    const makeToken = async (client: HttpClient): Promise<string> => (await client.post('/api/auth/tokens', { name: 'script' })).body.token
    const statusOf = async (token: string): Promise<number> =>
      (await app.anonymous().fetch('/api/auth/me', { headers: { authorization: `Bearer ${token}` } })).status
    const [token, others] = [await makeToken(robbed), await makeToken(other)]
    await robbed.put('/api/auth/password', { currentPassword: USER_PASSWORD, newPassword: 'chosen by oneself' })
    await admin.patch(`/api/users/${user.id}`, { permissions: { tag: false } })
    expect(await statusOf(token)).toBe(200)
    expect((await admin.patch(`/api/users/${user.id}`, { password: 'given by another' })).status).toBe(200)
    expect([await statusOf(token), await statusOf(others)]).toEqual([401, 200])
  })

  test('a disabled person cannot sign in, and is told nothing more than others', async () => {
    const user = await make('Disabled')
    await admin.patch(`/api/users/${user.id}`, { disabled: true })
    const right = await app.anonymous().post('/api/auth/login', { username: 'Disabled', password: USER_PASSWORD })
    const wrong = await app.anonymous().post('/api/auth/login', { username: 'Disabled', password: 'wrong password' })
    expect(right.status).toBe(401)
    expect(right.body).toEqual(wrong.body)
    await admin.patch(`/api/users/${user.id}`, { disabled: false })
    await app.login('Disabled', USER_PASSWORD)
  })
})

describe('the last administrator', () => {
  test('can be neither demoted, disabled nor deleted', async () => {
    await using house = await startTestApp()
    const owner = await house.as('admin')
    const { id } = (await owner.get('/api/auth/me')).body.user
    // A disabled administrator administers nothing.
    const { body } = await owner.post('/api/users', { username: 'away', password: USER_PASSWORD, role: 'admin' })
    await owner.patch(`/api/users/${body.user.id}`, { disabled: true })
    const refused = [
      await owner.patch(`/api/users/${id}`, { role: 'user' }),
      await owner.patch(`/api/users/${id}`, { disabled: true }),
      await owner.patch(`/api/users/${id}`, { role: 'user', password: 'another one' }),
      await owner.delete(`/api/users/${id}`),
    ]
    for (const answer of refused) expect([answer.status, answer.body.code]).toEqual([409, 'last_admin'])
    expect((await owner.get('/api/auth/me')).body.user).toMatchObject({ id, role: 'admin', disabled: false })
    await house.login('admin', 'password1')
    expect((await owner.delete(`/api/users/${body.user.id}`)).status).toBe(204)
  })

  test('stays when two administrators demote each other at once', async () => {
    await using house = await startTestApp()
    const first = await house.as('admin')
    const second = await house.as('second', { role: 'admin' })
    const idOf = async (client: HttpClient): Promise<number> => (await client.get('/api/auth/me')).body.user.id
    const [a, b] = [await idOf(first), await idOf(second)]
    const answers = await Promise.all([first.patch(`/api/users/${b}`, { role: 'user' }), second.delete(`/api/users/${a}`)])
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    const { rows } = await house.database.client.execute("SELECT count(*) FROM users WHERE role = 'admin' AND disabled = 0")
    expect(rows[0]?.[0]).toBe(1)
  })
})

test('a deleted person is gone with their sessions and tokens, and the name is free', async () => {
  const client = await app.as('Leaving')
  const { user } = (await client.get('/api/auth/me')).body
  const { token } = (await client.post('/api/auth/tokens', { name: 'script' })).body
  expect((await admin.delete(`/api/users/${user.id}`)).status).toBe(204)
  expect((await admin.delete(`/api/users/${user.id}`)).status).toBe(404)
  expect((await client.get('/api/auth/me')).status).toBe(401)
  expect((await app.anonymous().fetch('/api/auth/me', { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
  for (const table of ['sessions', 'api_tokens', 'user_libraries'] as const) {
    const { rows } = await app.database.client.execute({ sql: `SELECT count(*) FROM ${table} WHERE user_id = ?`, args: [user.id] })
    expect(rows[0]?.[0]).toBe(0)
  }
  expect((await make('Leaving')).id).not.toBe(user.id)
})
