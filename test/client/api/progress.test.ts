import { afterAll, expect, test } from 'bun:test'
import { Window } from 'happy-dom'

/** A real server that marks what the first requests name, and then has no room for more. */
const MARKED_REQUESTS = 2
const HALF_MARKED = 'tv_series:1:Endless'
const asked: string[][] = []
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const { itemKeys } = await request.json()
    asked.push(itemKeys)
    if (itemKeys[0] === HALF_MARKED)
      return Response.json({ marks: [{ itemKey: HALF_MARKED }], problem: { status: 507, code: 'insufficient_storage', detail: 'Full' } })
    if (asked.length > MARKED_REQUESTS) return Response.json({ code: 'insufficient_storage', title: 'Full' }, { status: 507 })
    return Response.json({ marks: itemKeys.map((itemKey: string) => ({ itemKey })) })
  },
})
// The client's addresses are relative to its document.
const { document } = new Window({ url: `http://127.0.0.1:${server.port}/` })
Object.assign(globalThis, { document })

const { markProgress } = await import('../../../client/src/api/progress.ts')

afterAll(async () => {
  Reflect.deleteProperty(globalThis, 'document')
  await server.stop(true)
})

test('what is marked before a request fails can still be taken back', async () => {
  const itemKeys = Array.from({ length: 1600 }, (_, at) => `movie:1:Film ${at}`)
  const marked: string[] = []
  const mark = async () => {
    for await (const marks of markProgress(itemKeys, true)) marked.push(...marks.map(({ itemKey }) => itemKey))
  }
  await expect(mark()).rejects.toMatchObject({ code: 'insufficient_storage' })
  expect([asked.length, marked]).toEqual([MARKED_REQUESTS + 1, asked.slice(0, MARKED_REQUESTS).flat()])
  expect(marked.length).toBeGreaterThan(0)
})

test('of a request that broke off in the middle, what it marked can be taken back, and nothing more is asked for', async () => {
  asked.length = 0
  const marked: string[] = []
  const mark = async () => {
    for await (const marks of markProgress([HALF_MARKED, ...Array.from({ length: 600 }, (_, at) => `movie:1:Film ${at}`)], true))
      marked.push(...marks.map(({ itemKey }) => itemKey))
  }
  await expect(mark()).rejects.toMatchObject({ code: 'insufficient_storage', message: 'Full' })
  expect([asked.length, marked]).toEqual([1, [HALF_MARKED]])
})
