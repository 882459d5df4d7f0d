import { afterAll, expect, test } from 'bun:test'
import { Window } from 'happy-dom'

/** As a proxy with a sign-in of its own answers, once that has run out. */
const server = Bun.serve({
  port: 0,
  fetch: () => new Response('<title>Sign in</title>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
})
// The client's addresses are relative to its document.
const { document } = new Window({ url: `http://127.0.0.1:${server.port}/` })
Object.assign(globalThis, { document })

const { getAuthStatus } = await import('../../../client/src/api/auth.ts')
const { isServerReachable } = await import('../../../client/src/api/http.ts')

afterAll(async () => {
  Reflect.deleteProperty(globalThis, 'document')
  await server.stop(true)
})

test('a page where an answer is expected is no answer: the server cannot be reached', async () => {
  await expect(getAuthStatus()).rejects.toMatchObject({ status: 0, code: 'unreachable' })
  expect(isServerReachable()).toBe(false)
})
