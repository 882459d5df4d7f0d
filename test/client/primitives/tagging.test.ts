import '../../support/solid-preload.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import type { BrowseEntry, Tag } from '../../../client/src/api/types.ts'
import { MAX_BULK_ITEMS } from '../../../src/domain/tag-filter.ts'
import { waitFor } from '../../support/test-server.ts'

const RED: Tag = { id: 1, name: 'Red', categoryId: 1, categoryName: 'Colour', color: null }
const LIMIT_MS = 20_000

/** A real server: one item, and the tags that it carries. What it has read it may hold back. */
let carried: Tag[] = []
let reads = 0
let heldBack: Promise<void> | undefined
/** How many requests for many items at once it still takes. */
let room = Number.POSITIVE_INFINITY
const taken: string[][] = []
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const { method } = request
    if (new URL(request.url).pathname.endsWith('/bulk')) {
      if (room === 0) return Response.json({ code: 'insufficient_storage', title: 'Full' }, { status: 507 })
      room -= 1
      taken.push((await request.clone().json()).itemKeys)
    }
    if (method === 'GET') {
      reads += 1
      const tags = carried.map((tag) => ({ ...tag, source: 'user' }))
      await heldBack
      return Response.json({ tags })
    }
    if (method === 'PUT' || (await request.clone().text()).includes('"add":[1]')) carried = [RED]
    else carried = []
    return Response.json({})
  },
})
const { document } = new Window({ url: `http://127.0.0.1:${server.port}/` })
Object.assign(globalThis, { document })

const { createComponent, createRoot, createSignal } = await import('solid-js')
const { environmentManager, QueryClient, QueryClientProvider } = await import('@tanstack/solid-query')

/** As far as it is looked at here. By their addresses: what they show messages with is JSX, which is not compiled with the tests. */
interface TagTarget {
  assigned: () => readonly Tag[] | undefined
  stateOf: (tagId: number) => string
  toggle: (tag: Tag) => void
  finish: () => void
}
const PRIMITIVES = '../../../client/src/primitives'
const { createItemTags }: { createItemTags: (item: () => object, isAsked: () => boolean) => TagTarget } = await import(
  `${PRIMITIVES}/create-item-tags.ts`
)
type BulkTags = (entries: () => readonly Pick<BrowseEntry, 'tagIds'>[], options: object) => TagTarget
const { createBulkTags }: { createBulkTags: BulkTags } = await import(`${PRIMITIVES}/create-bulk-tags.ts`)
const CLOSED = { libraryId: () => 1, isAsked: () => false }

// Without a window the package takes itself for a server, where nothing is asked for.
beforeAll(() => environmentManager.setIsServer(() => false))
beforeEach(() => {
  carried = []
  reads = 0
  heldBack = undefined
  room = Number.POSITIVE_INFINITY
  taken.length = 0
})
let dispose = (): void => undefined
afterEach(() => dispose())
afterAll(async () => {
  environmentManager.setIsServer(() => true)
  Reflect.deleteProperty(globalThis, 'document')
  await server.stop(true)
})

const make = (create: () => TagTarget) =>
  createRoot((end) => {
    dispose = end
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    let made: TagTarget | undefined
    createComponent(QueryClientProvider, {
      client,
      get children() {
        made = create()
        return null
      },
    })
    if (!made) throw new Error('the provider drew no children')
    return { target: made, client }
  })
const seen = (holds: () => boolean, what: string) =>
  waitFor(
    async () => holds() || undefined,
    LIMIT_MS,
    () => what,
  )

const ITEM = { itemKey: 'mixed_file:1:a.png', libraryId: 1, title: 'a.png' }

test('an answer that was asked for before a tag was put on does not take it off again', async () => {
  const [isAsked, ask] = createSignal(true)
  const { target } = make(() => createItemTags(() => ITEM, isAsked))
  await seen(() => target.assigned() !== undefined, 'The tags were never known')
  ask(false)
  const { promise, resolve } = Promise.withResolvers<void>()
  heldBack = promise
  ask(true)
  await seen(() => reads === 2, 'The tags were not asked for again')
  target.toggle(RED)
  await seen(() => carried.length === 1 && target.assigned()?.length === 1, 'The tag was not put on')
  resolve()
  await seen(() => reads === 3, 'What is older than the change was taken for true')
  await Bun.sleep(100)
  expect(target.stateOf(RED.id)).toBe('on')
})

test('what is put on while the selector before is still being put away stays on', async () => {
  const { target, client } = make(() => createBulkTags(() => [{ ...ITEM, tagIds: [] }], CLOSED))
  const { promise, resolve } = Promise.withResolvers<void>()
  let isPutAway = false
  // Pages of a grid that are asked for again take their time.
  client.invalidateQueries = () => {
    isPutAway = true
    return promise
  }
  target.toggle(RED)
  target.finish()
  await seen(() => isPutAway, 'The tag was not put on')
  target.toggle(RED)
  await seen(() => carried.length === 0, 'The tag was not taken off')
  target.toggle(RED)
  resolve()
  await Bun.sleep(50)
  expect(target.stateOf(RED.id)).toBe('on')
})

test('of more items than one request takes, those before a refusal stay tagged', async () => {
  const items = Array.from({ length: MAX_BULK_ITEMS + 1 }, (_, at) => ({ ...ITEM, itemKey: `mixed_file:1:${at}.png`, tagIds: [] }))
  const { target, client } = make(() => createBulkTags(() => items, CLOSED))
  // What was changed here stands for what the server knows.
  client.invalidateQueries = () => new Promise(() => undefined)
  room = 1
  target.toggle(RED)
  await seen(() => target.stateOf(RED.id) === 'some', 'Some were not told apart')
  expect(taken.map(({ length }) => length)).toEqual([MAX_BULK_ITEMS])
})
