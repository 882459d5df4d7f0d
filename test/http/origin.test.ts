import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { isOwnOrigin } from '../../src/http/origin.ts'
import type { HttpClient } from '../support/http-client.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { ADMIN } from '../support/test-server.ts'

const HOST = 'media.example:3000'

const cases: [name: string, headers: Record<string, string>, host: string, isOwn: boolean][] = [
  ['another site', { origin: 'https://evil.example' }, HOST, false],
  ['another port of the same machine', { origin: 'http://media.example:4000' }, HOST, false],
  ['the default port', { origin: 'http://media.example' }, HOST, false],
  ['a longer name', { origin: 'http://media.example:3000.evil.example' }, HOST, false],
  ['our name as a user name', { origin: 'http://media.example:3000@evil.example' }, HOST, false],
  ['a subdomain', { origin: 'http://a.media.example:3000' }, HOST, false],
  ['an opaque origin', { origin: 'null' }, HOST, false],
  ['an opaque origin of another site', { origin: 'null', 'sec-fetch-site': 'cross-site' }, HOST, false],
  ['no origin at all in the header', { origin: '' }, HOST, false],
  ['no URL', { origin: HOST }, HOST, false],
  ['a file', { origin: 'file://' }, HOST, false],
  ['a browser extension', { origin: 'chrome-extension://media.example' }, HOST, false],
  ['another site that the browser calls ours', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, HOST, false],
  ['our origin that the browser calls foreign', { origin: `http://${HOST}`, 'sec-fetch-site': 'cross-site' }, HOST, false],
  ['a neighbour without origin', { 'sec-fetch-site': 'same-site' }, HOST, false],
  ['a stranger without origin', { 'sec-fetch-site': 'cross-site' }, HOST, false],
  ['ours, while the host is unknown', { origin: `http://${HOST}` }, '', false],
  ['ours', { origin: `http://${HOST}` }, HOST, true],
  ['ours, as the browser says too', { origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' }, HOST, true],
  ['ours over https, which the proxy takes off', { origin: `https://${HOST}` }, HOST, true],
  ['ours with the default port left out', { origin: 'https://media.example' }, 'media.example:443', true],
  ['ours in IPv6', { origin: 'http://[::1]:3000' }, '[::1]:3000', true],
  ['a form of ours, which hides its origin', { origin: 'null', 'sec-fetch-site': 'same-origin' }, HOST, true],
  ['the address bar', { 'sec-fetch-site': 'none' }, HOST, true],
  ['a script', {}, HOST, true],
]
test.each(cases)('%s', (_, headers, host, isOwn) => expect(isOwnOrigin(new Headers(headers), host)).toBe(isOwn))

describe('over HTTP', () => {
  let app: TestApp
  let admin: HttpClient
  beforeAll(async () => {
    app = await startTestApp()
    admin = await app.as('admin')
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const json = { 'content-type': 'application/json' }
  const FOREIGN = { origin: 'https://evil.example' }

  test('a foreign page can change nothing with a cookie that is not its own', async () => {
    const requests: [string, string, unknown][] = [
      ['POST', '/api/auth/logout', undefined],
      ['PUT', '/api/auth/password', { currentPassword: ADMIN.password, newPassword: 'taken over' }],
      ['POST', '/api/auth/tokens', { name: 'stolen' }],
      ['POST', '/api/users', { username: 'mallory', password: 'password1', role: 'admin' }],
      ['PATCH', '/api/users/1', { password: 'taken over' }],
      ['DELETE', '/api/users/1', undefined],
      ['PATCH', '/api/user-settings', { theme: 'light' }],
    ]
    for (const [method, path, body] of requests)
      for (const headers of [FOREIGN, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
        const answer = await admin.fetch(path, {
          method,
          body: body === undefined ? undefined : JSON.stringify(body),
          headers: { ...json, ...headers },
        })
        expect([path, answer.status, (await answer.json()).code]).toEqual([path, 403, 'foreign_origin'])
      }
    expect((await admin.get('/api/auth/me')).body.settings.theme).toBe('dark')
    expect((await admin.get('/api/users')).body.users).toHaveLength(1)
  })

  test('nor sign somebody in', async () => {
    for (const path of ['/api/auth/login', '/api/auth/setup']) {
      const answer = await app.anonymous().fetch(path, { method: 'POST', body: JSON.stringify(ADMIN), headers: { ...json, ...FOREIGN } })
      expect(answer.status).toBe(403)
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
  })

  test('reading is not changing: the browser keeps the answer from a foreign page by itself', async () => {
    expect((await admin.fetch('/api/auth/me', { headers: FOREIGN })).status).toBe(200)
  })

  test('our own page may', async () => {
    const headers = { ...json, origin: new URL(app.url).origin, 'sec-fetch-site': 'same-origin' }
    expect((await admin.fetch('/api/user-settings', { method: 'PATCH', body: '{"theme":"dark"}', headers })).status).toBe(200)
  })
})
