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
  const client = await app.login((await listUsers(app.deps))[0]?.username ?? '', 'password1')
  await app.anonymous().post('/api/auth/login', { username: 'owner\nforged line', password: 'a secret guess' })
  const log = JSON.stringify(app.logged)
  expect(log).toContain('sign_in_refused')
  for (const secret of ['password1', 'a secret guess', client.cookies().split('=')[1] ?? '']) expect(log).not.toContain(secret)
})
