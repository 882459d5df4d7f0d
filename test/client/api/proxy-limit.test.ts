import { afterAll, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { replaceGlobals } from '../../support/replaced-globals.ts'

/** As nginx answers what is larger than its `client_max_body_size`. */
const server = Bun.serve({
  port: 0,
  fetch: () => new Response('<title>413 Request Entity Too Large</title>', { status: 413, headers: { 'Content-Type': 'text/html' } }),
})
// The client's addresses are relative to its document.
const { document, XMLHttpRequest, FormData } = new Window({ url: `http://127.0.0.1:${server.port}/` })
const realFetch = fetch
const fetchFromDocument = (path: string, init: RequestInit) => realFetch(new URL(path, document.baseURI), init)
const putBack = replaceGlobals({ document, XMLHttpRequest, FormData, fetch: fetchFromDocument })

const { importTags } = await import('../../../client/src/api/tag-import.ts')
const { upload } = await import('../../../client/src/api/upload.ts')

afterAll(async () => {
  putBack()
  await server.stop(true)
})

const PROBLEM = { status: 413, code: 'too_large', message: expect.stringMatching(/too large.*proxy/) }

test('a file of tags that a proxy finds too large is called that, and not a number', async () => {
  await expect(importTags(new File(['{}'], 'tags.json'), { dryRun: true })).rejects.toMatchObject(PROBLEM)
})

test('so is a picture', async () => {
  await expect(upload('game-cover', { kind: 'cover' })).rejects.toMatchObject(PROBLEM)
})
