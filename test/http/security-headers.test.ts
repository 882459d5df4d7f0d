import { expect, test } from 'bun:test'
import { Hono } from 'hono'
import type { AppEnv } from '../../src/http/app-env.ts'
import { securityHeaders } from '../../src/http/security-headers.ts'

const appOf = (isSecure: boolean, csp?: string) =>
  new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set('requestIsSecure', isSecure)
      await next()
    })
    .use(securityHeaders())
    .get('/', (c) => c.body('x', 200, csp === undefined ? {} : { 'Content-Security-Policy': csp }))
    .get('/file', async () => {
      await Bun.sleep(1)
      return new Response(Bun.file(import.meta.path))
    })

const answer = async (isSecure: boolean, csp?: string): Promise<Headers> => (await appOf(isSecure, csp).request('/')).headers

test('an answer over plain http never asks the browser for https, one over https does', async () => {
  expect((await answer(false)).get('Strict-Transport-Security')).toBeNull()
  expect((await answer(true)).get('Strict-Transport-Security')).toBe('max-age=31536000')
})

test('the stricter policy of a user file is kept', async () => {
  expect((await answer(false, "default-src 'none'")).get('Content-Security-Policy')).toBe("default-src 'none'")
  expect((await answer(false)).get('Content-Security-Policy')).toContain("default-src 'self'")
})

test.each(['/', '/file'])('%s says once when it was made', async (path) => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: appOf(false).fetch })
  try {
    const { headers } = await fetch(new URL(path, server.url))
    // Two of them would be read as one, joined by a comma.
    expect(headers.get('Date')).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
    expect(Math.abs(Date.parse(headers.get('Date') ?? '') - Date.now())).toBeLessThan(5000)
  } finally {
    await server.stop(true)
  }
})
