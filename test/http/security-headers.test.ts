import { expect, test } from 'bun:test'
import { Hono } from 'hono'
import type { AppEnv } from '../../src/http/app-env.ts'
import { securityHeaders } from '../../src/http/security-headers.ts'

const answer = async (isSecure: boolean, csp?: string): Promise<Headers> => {
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set('requestIsSecure', isSecure)
      await next()
    })
    .use(securityHeaders())
    .get('/', (c) => c.body('x', 200, csp === undefined ? {} : { 'Content-Security-Policy': csp }))
  return (await app.request('/')).headers
}

test('an answer over plain http never asks the browser for https, one over https does', async () => {
  expect((await answer(false)).get('Strict-Transport-Security')).toBeNull()
  expect((await answer(true)).get('Strict-Transport-Security')).toBe('max-age=31536000')
})

test('the stricter policy of a user file is kept', async () => {
  expect((await answer(false, "default-src 'none'")).get('Content-Security-Policy')).toBe("default-src 'none'")
  expect((await answer(false)).get('Content-Security-Policy')).toContain("default-src 'self'")
})
