import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createAdminIfFirst, listUsers } from '../../src/services/users.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ admin: false })
})
afterAll(() => app[Symbol.asyncDispose]())

test('the first administrator must have a usable name and password', async () => {
  for (const [username, password] of [
    ['', 'password1'],
    ['admin', 'short'],
    ['a\u0007b', 'password1'],
    ['admin', 'x'.repeat(257)],
  ] as const)
    await expect(createAdminIfFirst(app.deps, { username, password })).rejects.toMatchObject({ code: 'invalid_request' })
  expect(await listUsers(app.deps)).toEqual([])
})

test('the first administrator is made once, whoever asks how often', async () => {
  const credentials = { username: 'owner', password: 'password1' }
  const made = await Promise.all([
    createAdminIfFirst(app.deps, credentials),
    createAdminIfFirst(app.deps, { ...credentials, username: 'other' }),
  ])
  expect(made.filter((user) => user !== undefined)).toHaveLength(1)
  expect(await createAdminIfFirst(app.deps, credentials)).toBeUndefined()
  expect(await listUsers(app.deps)).toMatchObject([{ role: 'admin' }])
})

test('no password and no token gets into the log', async () => {
  const [{ username = '' } = {}] = await listUsers(app.deps)
  const client = await app.login(username, 'password1')
  await app.anonymous().post('/api/auth/login', { username, password: 'a secret guess' })
  // Whoever is one field ahead of themselves.
  await app.anonymous().post('/api/auth/login', { username: 'typed in the wrong field', password: username })
  const log = JSON.stringify(app.logged)
  const refused = app.logged.filter(({ event }) => event === 'sign_in_refused')
  expect(refused).toMatchObject([
    { username, address: expect.any(String) },
    { username: null, address: expect.any(String) },
  ])
  for (const secret of ['password1', 'a secret guess', 'typed in the wrong field', client.cookies().split('=')[1] ?? ''])
    expect(log).not.toContain(secret)
})

test('who signs in, is made, or makes a token is in the log, and so is a wrong password', async () => {
  const [{ username = '', id = 0 } = {}] = await listUsers(app.deps)
  const before = app.logged.length
  const client = await app.login(username, 'password1')
  expect((await client.put('/api/auth/password', { currentPassword: 'a guess', newPassword: 'password2' })).status).toBe(401)
  const made = (await client.post('/api/users', { username: 'logged', password: 'password of logged' })).body.user
  const token = (await client.post('/api/auth/tokens', { name: 'script' })).body
  const by = { address: expect.any(String) }
  expect(app.logged.slice(before)).toMatchObject([
    { event: 'signed_in', username, ...by },
    { event: 'password_refused', userId: id, ...by },
    { event: 'user_created', userId: made.id, username: 'logged', role: 'user' },
    { event: 'token_created', userId: id, tokenId: token.id },
  ])
  expect(JSON.stringify(app.logged)).not.toContain(token.token)
})
