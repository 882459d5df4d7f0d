import '../../support/solid-preload.ts'
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { waitFor } from '../../support/test-server.ts'

/** A real server with the progress of one volume, which can be gone behind its proxy. */
let isGone = false
let changes = 0
let page = 0
const told: number[] = []
const change = (next: number) => {
  page = next
  changes += 1
}
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    if (isGone) return new Response('Bad gateway', { status: 502 })
    if (request.method === 'PUT') {
      const { page: next } = JSON.parse(await request.text())
      told.push(next)
      change(next)
    }
    return Response.json({ page, updatedAt: `${changes}` })
  },
})
// The client's addresses are relative to its document.
const { document } = new Window({ url: `http://127.0.0.1:${server.port}/` })
Object.assign(globalThis, { document })
afterAll(async () => {
  Reflect.deleteProperty(globalThis, 'document')
  await server.stop(true)
})

const { readProgress, saveSurely, saveUntold } = await import('../../../client/src/primitives/saved-surely.ts')

const LIMIT_MS = 60_000
const VOLUME = 'manga_volume:1:Lanterns v01.cbz'
let late = 0
const save = (next: number) => saveSurely(VOLUME, { page: next }, () => late++)
const comeBack = async () => {
  isGone = false
  await readProgress('manga_volume:1:Another v01.cbz')
  await saveUntold(VOLUME)
}

beforeEach(async () => {
  change(0)
  await readProgress(VOLUME)
  told.length = 0
  late = 0
})

test('what is read while the server is gone is told when it is back', async () => {
  isGone = true
  for (const next of [1, 2]) await save(next)
  await comeBack()
  await waitFor(
    () => late === 1 || undefined,
    LIMIT_MS,
    () => 'It was not told',
  )
  expect(told).toEqual([2])
})

test('a place that finds the server back is told once', async () => {
  isGone = true
  await save(1)
  isGone = false
  await save(2)
  await saveUntold(VOLUME)
  expect(told).toEqual([2])
})

test('what another device has come to meanwhile stays', async () => {
  isGone = true
  await save(1)
  change(8)
  await comeBack()
  expect(page).toBe(8)
  expect(told).toEqual([])
  // Whoever reads on here is further here.
  await save(2)
  expect(page).toBe(2)
})
