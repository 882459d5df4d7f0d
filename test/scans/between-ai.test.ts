import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { type AiScene, LIMIT_MS, makeTag, startAiScene, titleIn } from '../support/ai-scene.ts'
import { says } from '../support/fake-model.ts'
import type { Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { waitFor } from '../support/test-server.ts'

/** What the AI queue has done, does or is to do of an item that moves to another library: it is done to the item, and undone there. */

const EVENTS_MS = 60_000

let ai: AiScene
let root: string
let otherId: number
beforeAll(async () => {
  ai = await startAiScene({ 'resident.txt': 'a resident' })
  root = join(ai.scene.folder, 'other')
  makeTree(root, { 'resident.txt': 'another resident' })
  otherId = (await ai.admin.post('/api/libraries', { name: 'Other', type: 'mixed', path: root })).body.library.id
  await ai.scene.server.waitForScans()
  for (const name of ['one', 'two', 'by hand']) await makeTag(ai.admin, name)
}, LIMIT_MS)
afterAll(() => ai[Symbol.asyncDispose]())
beforeEach(async () => {
  ai.model.answer(says('Fine.'))
  await pause(false)
  await ai.idle()
})

const pause = (paused: boolean): Promise<Json> => ai.admin.post('/api/ai-tagging/queue', { paused })
const otherKey = (path: string): string => `mixed_file:${otherId}:${path}`
const put = async (path: string): Promise<void> => {
  makeTree(ai.scene.rootOf('mixed'), { [path]: `the content of ${path}` })
  await scanOld()
  await ai.scene.index.waitForHashes()
}
const move = (path: string): void => renameSync(join(ai.scene.rootOf('mixed'), path), join(root, path))
const scanOld = (): Promise<Json> => ai.scene.scan('mixed')
const scanOther = (): Promise<Json> => ai.scene.server.scanAndWait(otherId)

/** Has the items of a library done that have not been done; answers the run. */
const batch = async (libraryId: number, activity = 'tagging'): Promise<number> =>
  (await ai.admin.post('/api/ai-tagging/batch', { libraryId, activity, scope: 'untagged' })).body.runId
const undo = async (run: number): Promise<Json> => (await ai.admin.post(`/api/ai-tagging/runs/${run}/undo`)).body
const itemOf = async (path: string): Promise<Json> => (await ai.admin.get('/api/items', { itemKey: otherKey(path) })).body.item
const tagsOf = async (path: string): Promise<string[]> => (await itemOf(path)).tags.map(({ name }: Json) => name).sort()

test('a run of before the move is undone where the item is now', async () => {
  await put('a.txt')
  ai.model.answer(says('["one"]'))
  const run = await batch(ai.libraryId)
  await ai.idle()
  move('a.txt')
  for (const scan of [scanOther, scanOld]) await scan()
  expect(await tagsOf('a.txt')).toEqual(['one'])
  const stop = new AbortController()
  const { body } = await ai.admin.fetch('/api/events', { signal: stop.signal })
  const reader = body?.getReader()
  let heard = ''
  const hear = async (): Promise<void> => {
    const { value, done } = (await reader?.read()) ?? { done: true }
    heard += new TextDecoder().decode(value)
    if (!done) await hear()
  }
  const hearing = hear().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  await waitFor(
    () => (heard === '' ? undefined : true),
    EVENTS_MS,
    () => 'The stream never began',
  )
  expect(await undo(run)).toMatchObject({ kept: 0 })
  expect(await tagsOf('a.txt')).toEqual([])
  // Pages of both libraries are to show it.
  const isHeard = (): boolean => [ai.libraryId, otherId].every((id) => heard.includes(`"libraryId":${id}`))
  await waitFor(
    () => (isHeard() ? true : undefined),
    EVENTS_MS,
    () => `Only this was told: ${heard}`,
  )
  stop.abort()
  await hearing
})

test('what the AI has tagged keeps those tags, and none of a run of the other library that tagged its copy', async () => {
  await put('b.txt')
  ai.model.answer(says('["one"]'))
  const before = await batch(ai.libraryId)
  await ai.idle()
  move('b.txt')
  await scanOther()
  ai.model.answer(says('["two"]'))
  const after = await batch(otherId)
  await ai.idle()
  await scanOld()
  expect(await tagsOf('b.txt')).toEqual(['one'])
  await undo(after)
  expect(await tagsOf('b.txt')).toEqual(['one'])
  await undo(before)
  expect(await tagsOf('b.txt')).toEqual([])
})

test('what is queued for both is done once, to the item', async () => {
  await put('c.txt')
  await pause(true)
  await batch(ai.libraryId)
  move('c.txt')
  await scanOther()
  const run = await batch(otherId)
  await scanOld()
  const asked: string[] = []
  ai.model.answer((request) => {
    asked.push(titleIn(request))
    return says('["one"]')
  })
  await pause(false)
  await ai.idle()
  expect(asked.filter((title) => title.startsWith('c'))).toHaveLength(1)
  expect(await tagsOf('c.txt')).toEqual(['one'])
  await undo(run)
  expect(await tagsOf('c.txt')).toEqual(['one'])
})

test('what is being done while the item moves is done to the item', async () => {
  await put('d.txt')
  const held: (() => void)[] = []
  ai.model.answer({ behave: (socket, request) => held.push(() => says('["one"]').behave(socket, request)) })
  const run = await batch(ai.libraryId)
  while (held.length === 0) await Bun.sleep(10)
  move('d.txt')
  for (const scan of [scanOther, scanOld]) await scan()
  const isOver = ai.idle().then(() => true)
  while (!(await Promise.race([isOver, Bun.sleep(20)]))) for (const go of held.splice(0)) go()
  expect(await tagsOf('d.txt')).toEqual(['one'])
  expect(await undo(run)).toMatchObject({ kept: 0 })
  expect(await tagsOf('d.txt')).toEqual([])
})
