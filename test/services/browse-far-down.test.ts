import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { type BrowseQuery, browse } from '../../src/services/browse.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(120_000)

/** A bit further than anybody counts (API.md 5). */
const COUNTED = 100_000
const ITEMS = COUNTED + 1000

let app: TestApp
const viewer: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }

beforeAll(async () => {
  app = await startTestApp()
  await app.deps.write.batch([
    "INSERT INTO libraries (name, type, path, item_count) VALUES ('m', 'mixed', '/m', 0)",
    `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ITEMS - 1})
      INSERT INTO media_items (item_key, library_id, item_type, path, title, sort_title, search_title, added_at)
      SELECT 'mixed_file:1:' || n, 1, 'mixed_file', n, n, printf('%06d', n), n, n FROM numbers`,
  ])
})
afterAll(() => app[Symbol.asyncDispose]())

const QUERY: BrowseQuery = { libraryId: 1, tags: [], excludeTags: [], order: 'asc', seed: 0, limit: 300 }
const read = async (more: Partial<BrowseQuery>) => {
  const body = JSON.parse((await browse(app.deps, viewer, { ...QUERY, ...more })).json.toString())
  const numbers: number[] = body.entries.map(({ itemKey }: { itemKey: string }) => Number(itemKey.split(':')[2]))
  return { ...body, first: numbers[0], last: numbers.at(-1), count: numbers.length }
}

test.each([
  ['title', 'asc'],
  ['title', 'desc'],
  ['added', 'asc'],
  ['size', 'desc'],
] as const)('an item further down than anybody counts has its page too: %s %s', async (sort, order) => {
  const place = (number: number) => (order === 'desc' ? ITEMS - 1 - number : number)
  const query = { sort, order, around: `mixed_file:1:${place(COUNTED + 500)}` }
  const around = await read(query)
  expect([around.position, around.first, around.count]).toEqual([null, place(COUNTED + 500), 300])
  const next = await read({ ...query, cursor: around.nextCursor })
  expect([next.position, next.first, next.last, next.nextCursor]).toEqual([null, place(COUNTED + 800), place(ITEMS - 1), null])
  const before = await read({ ...query, cursor: around.prevCursor })
  expect([before.position, before.first, before.last]).toEqual([null, place(COUNTED + 200), place(COUNTED + 499)])
  // From here on there is a place again.
  const counted = await read({ ...query, cursor: before.prevCursor })
  expect([counted.position, counted.first]).toEqual([COUNTED - 100, place(COUNTED - 100)])
  const last = await read({ sort, order, around: `mixed_file:1:${place(COUNTED)}` })
  expect([last.position, last.first]).toEqual([99_900, place(99_900)])
})
