import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { countBatch } from '../../src/services/ai-batches.ts'
import { listMixedFolders } from '../../src/services/mixed-folders.ts'
import { exportTags } from '../../src/services/tag-export.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { countTurns } from '../support/turns.ts'

/** What goes through a whole library: nobody may have to wait until it is through. */

const ITEMS = 22_000
const ADMIN: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ITEMS})`
  await app.database.client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Pictures', 'mixed', '/pictures'), (2, 'Others', 'mixed', '/others')",
    `INSERT INTO media_items (id, item_key, library_id, item_type, path, unit, title, thumbnail_kind, missing_since) ${numbers}
      SELECT n, 'mixed_file:' || (1 + n % 2) || ':' || n, 1 + n % 2, 'mixed_file', n, CASE n % 8 WHEN 0 THEN '' WHEN 2 THEN '📷 2020/June' WHEN 4 THEN '📷 2020' ELSE 'Ünï' END,
        'x', 'image', CASE WHEN n <= 80 THEN 5 END FROM numbers`,
    "INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Kind', 'kind')",
    "INSERT INTO tags (id, category_id, name, name_key) VALUES (1, 1, 'Beach', 'beach')",
    `INSERT INTO item_tags (tag_id, item_id, source, created_at) ${numbers} SELECT 1, n, 'user', 1 FROM numbers`,
  ])
})
afterAll(() => app[Symbol.asyncDispose]())

/** How many queries the work takes, and the most of them without a turn for others in between. */
const queriesOf = async (work: (deps: TestApp['deps']) => Promise<void>): Promise<{ count: number; mostAtOnce: number }> => {
  const turns = countTurns(app.database)
  try {
    await work({ ...app.deps, db: turns.db })
  } finally {
    turns.stop()
  }
  return { count: turns.seen.length, mostAtOnce: turns.most() }
}

describe('others have their turn', () => {
  test('while the items of a batch are looked for', async () => {
    const queries = await queriesOf(async (deps) => {
      const { eligible } = await countBatch(deps, ADMIN, { libraryId: 1, activity: 'tagging', scope: 'all' })
      expect(eligible).toBe(ITEMS / 2 - 40)
    })
    expect(queries.count).toBeGreaterThan(ITEMS / 5000)
    expect(queries.mostAtOnce).toBeLessThan(4)
  })

  test('while tags are written to a file, also where there are no assignments of a kind', async () => {
    const queries = await queriesOf(async (deps) => {
      const text = await new Response((await exportTags(deps, ADMIN, {})).stream()).text()
      expect(JSON.parse(text).assignments.length).toBe(ITEMS)
    })
    expect(queries.mostAtOnce).toBeLessThan(6)
  })

  test('while one person has them written to many files, and those that nobody waits for are not written', async () => {
    const left = AbortSignal.abort(new Error('gone'))
    const queries = await queriesOf(async (deps) => {
      const texts = Array.from({ length: 10 }, async () => new Response((await exportTags(deps, ADMIN, {})).stream()).text())
      await expect(exportTags(deps, ADMIN, { signal: left })).rejects.toThrow('gone')
      expect(new Set(await Promise.all(texts)).size).toBe(1)
    })
    expect(queries.mostAtOnce).toBeLessThan(20)
  })

  test('while one person asks for the same large list many times at once', async () => {
    const [greedy, other] = [await app.as('admin'), await app.as('patient')]
    let answered = 0
    const all = Array.from({ length: 40 }, async () => {
      expect((await greedy.get('/api/browse', { libraryId: 1, q: 'e', limit: 1 })).status).toBe(200)
      answered += 1
    })
    expect((await other.get('/api/browse', { libraryId: 2, limit: 1 })).status).toBe(200)
    expect(answered).toBeLessThan(20)
    await Promise.all(all)
  })
})

test('folders are counted with all that is present below them', async () => {
  const folders = (path: string) => listMixedFolders(app.deps, ADMIN, { libraryId: 1, path })
  const present = ITEMS / 8 - 10
  expect(await folders('')).toEqual([
    { name: 'Ünï', path: 'Ünï', itemCount: present },
    { name: '📷 2020', path: '📷 2020', itemCount: 2 * present },
  ])
  expect(await folders('📷 2020')).toEqual([{ name: 'June', path: '📷 2020/June', itemCount: present }])
})
