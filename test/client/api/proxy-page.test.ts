import { afterAll, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { replaceGlobals } from '../../support/replaced-globals.ts'

/** As a proxy with a sign-in of its own answers, once that has run out. */
const server = Bun.serve({
  port: 0,
  fetch: () => new Response('<title>Sign in</title>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
})
// The client's addresses are relative to its document.
const { document, XMLHttpRequest, FormData } = new Window({ url: `http://127.0.0.1:${server.port}/` })
const putBack = replaceGlobals({ document, XMLHttpRequest, FormData })

const { authStatusQuery } = await import('../../../client/src/api/auth.ts')
const { upload } = await import('../../../client/src/api/upload.ts')
const { isServerReachable } = await import('../../../client/src/api/http.ts')

afterAll(async () => {
  putBack()
  await server.stop(true)
})

test('a page where an answer is expected is no answer: the server cannot be reached', async () => {
  await expect(authStatusQuery.queryFn()).rejects.toMatchObject({ status: 0, code: 'unreachable' })
  expect(isServerReachable()).toBe(false)
})

test('nor is it one to a picture that was sent', async () => {
  await expect(upload('game-cover', { kind: 'cover' })).rejects.toMatchObject({ status: 0, code: 'unreachable' })
})
