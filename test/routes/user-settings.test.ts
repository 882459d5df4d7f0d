import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DEFAULT_USER_SETTINGS } from '../../src/domain/user-settings.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test('nobody has settings without signing in', async () => {
  expect((await app.anonymous().get('/api/user-settings')).status).toBe(401)
  expect((await app.anonymous().patch('/api/user-settings', { theme: 'light' })).status).toBe(401)
})

test('unknown settings and values are refused, and change nothing', async () => {
  const client = await app.as('strict')
  const bad: unknown[] = [
    ...[
      { theme: 'pink' },
      { theme: null },
      { autoplayNext: 'yes' },
      { language: '' },
      { language: '../../etc' },
      { language: 'x'.repeat(100) },
    ],
    ...[
      { subtitleLanguage: 5 },
      { audioLanguage: 5 },
      { audioLanguage: '' },
      { audioLanguage: 'de,en' },
      { readerMode: 'diagonal' },
      { gridSize: 'giant' },
      { defaultSort: '1; DROP TABLE users' },
      { scrollMuted: 1 },
      { seekShort: 7 },
      { seekLong: '10' },
      { seekLong: 0 },
    ],
    ...[
      { translationTarget: '' },
      { translationTarget: 'x'.repeat(65) },
      { role: 'admin' },
      { userId: 1 },
      { theme: 'light', unknown: 1 },
      [],
      null,
      'theme',
    ],
  ]
  for (const body of bad) expect((await client.patch('/api/user-settings', body)).status).toBe(400)
  for (const body of ['{"__proto__":{"theme":"light"}}', '{"constructor":1}', '{"theme":"light","__proto__":null}', '{']) {
    const answer = await client.fetch('/api/user-settings', { method: 'PATCH', body, headers: { 'content-type': 'application/json' } })
    expect(answer.status).toBe(400)
  }
  expect((await client.get('/api/user-settings')).body).toEqual({ ...DEFAULT_USER_SETTINGS })
})

test('what is set is kept for that person alone, and the rest stays as it was', async () => {
  const client = await app.as('someone')
  const changed = await client.patch('/api/user-settings', { theme: 'light', subtitleLanguage: 'pt-BR' })
  expect([changed.status, changed.body]).toEqual([200, { ...DEFAULT_USER_SETTINGS, theme: 'light', subtitleLanguage: 'pt-BR' }])
  const again = await client.patch('/api/user-settings', { subtitleLanguage: null, audioLanguage: 'de', gridSize: 'large' })
  expect(again.body).toEqual({ ...DEFAULT_USER_SETTINGS, theme: 'light', audioLanguage: 'de', gridSize: 'large' })
  expect((await client.get('/api/auth/me')).body.settings).toEqual(again.body)
  expect((await client.patch('/api/user-settings', again.body)).body).toEqual(again.body)
  expect((await (await app.as('admin')).get('/api/user-settings')).body).toEqual({ ...DEFAULT_USER_SETTINGS })
})

test('fifty changes at once are all kept', async () => {
  const client = await app.as('busy')
  const changes = [{ theme: 'light' }, { gridSize: 'small' }, { scrollMuted: false }, { language: 'de' }, { autoplayNext: false }]
  await Promise.all(Array.from({ length: 50 }, (_, n) => client.patch('/api/user-settings', changes[n % changes.length])))
  expect((await client.get('/api/user-settings')).body).toEqual({ ...DEFAULT_USER_SETTINGS, ...Object.assign({}, ...changes) })
})

test('a stored value that this version does not know falls back to the default', async () => {
  const client = await app.as('from the future')
  await app.database.client.execute({
    sql: 'UPDATE users SET settings = ? WHERE username = ?',
    args: ['{"theme":"sepia","gridSize":"small","flying":true}', 'from the future'],
  })
  expect((await client.get('/api/user-settings')).body).toEqual({ ...DEFAULT_USER_SETTINGS, gridSize: 'small' })
})

/** In the form that the pattern wants, and no language: whoever asks for its name gets an exception. */
const NO_LANGUAGES = ['abcd', 'en-x', 'root', 'de-de-de', 'de-u-co-phonebk']

test.each(['language', 'audioLanguage', 'subtitleLanguage'])('%s is a tag whose name can be asked for', async (field) => {
  const client = await app.as(`speaker of ${field}`)
  const answers = await Promise.all(NO_LANGUAGES.map((tag) => client.patch('/api/user-settings', { [field]: tag })))
  const errors = [{ path: field, message: 'A language tag such as en or pt-BR' }]
  expect(answers.map(({ status, body }) => [status, body.errors])).toEqual(NO_LANGUAGES.map(() => [400, errors]))
  for (const tag of ['en', 'pt-BR', 'zh-Hant-TW', 'de-1996', 'ain'])
    expect((await client.patch('/api/user-settings', { [field]: tag })).body[field]).toBe(tag)
})

test('a language that was kept although it is none falls back to the default', async () => {
  const client = await app.as('from the past')
  for (const tag of NO_LANGUAGES) {
    await app.database.client.execute({
      sql: 'UPDATE users SET settings = ? WHERE username = ?',
      args: [JSON.stringify({ language: tag, audioLanguage: tag, subtitleLanguage: tag, gridSize: 'small' }), 'from the past'],
    })
    expect((await client.get('/api/user-settings')).body).toEqual({ ...DEFAULT_USER_SETTINGS, gridSize: 'small' })
  }
})
