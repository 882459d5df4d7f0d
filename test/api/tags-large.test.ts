import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

/**
 * Tags on very many items: their end takes long, holds nobody up, and a power cut in the middle leaves a state that is
 * right in itself. A machine that is busy with other tests takes its time.
 */
setDefaultTimeout(120_000)

const ITEMS = 60_000
/** A server may be through with its work before it is killed; then all is tried again. */
const MAX_TRIES = 5

let folder: TemporaryFolder
let server: TestServer

const dataDir = (): string => join(folder.path, 'data')
/** Of the running server's database, over a connection of the test's own. */
const query = async (sql: string): Promise<Record<string, unknown>[]> => {
  const client = createClient({ url: `file:${join(dataDir(), 'vitrine.db')}`, timeout: 10_000 })
  try {
    return (await client.execute(sql)).rows.map((row) => ({ ...row }))
  } finally {
    client.close()
  }
}
const count = async (sql: string): Promise<number> => Number((await query(`SELECT count(*) AS total FROM ${sql}`))[0]?.total)

const start = async (): Promise<void> => {
  server = await startServer({ dataDir: dataDir(), env: { SCAN_ON_START: '0' } })
}

/** Two tags, the first on every item and the second on every third. */
const makeTags = async (): Promise<{ all: number; some: number; categoryId: number }> => {
  const admin = await server.as('admin')
  const { category } = (await admin.post('/api/tags/categories', { name: `Large ${Date.now()}` })).body
  const [all, some] = await Promise.all(
    ['All', 'Some'].map(async (name) => (await admin.post('/api/tags/items', { name, categoryId: category.id })).body.tag.id),
  )
  await query(`INSERT INTO item_tags (tag_id, item_id, source) SELECT ${all}, id, 'ai' FROM media_items`)
  await query(`INSERT INTO item_tags (tag_id, item_id) SELECT ${some}, id FROM media_items WHERE id % 3 = 0`)
  return { all, some, categoryId: category.id }
}

/** What triggers keep by the assignments is what the assignments say. */
const assertCounted = async (): Promise<void> => {
  const kept = await query('SELECT library_id, tag_id, assigned, present FROM library_tags WHERE assigned > 0 ORDER BY 1, 2')
  const made = await query(`SELECT m.library_id, it.tag_id, count(*) AS assigned, sum(m.missing_since IS NULL) AS present
    FROM item_tags it JOIN media_items m ON m.id = it.item_id GROUP BY 1, 2 ORDER BY 1, 2`)
  expect(kept).toEqual(made)
  expect(await query('PRAGMA foreign_key_check')).toEqual([])
}

beforeAll(async () => {
  folder = await temporaryFolder('tags-large')
  await start()
  await query("INSERT INTO libraries (name, type, path) VALUES ('Films', 'movies', '/films')")
  await query(`INSERT INTO media_items (item_key, library_id, item_type, path, title)
    SELECT 'movie:1:' || value, 1, 'movie', value, value FROM generate_series(1, ${ITEMS})`)
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

/** Takes the tag off all items, and answers how many changes of somebody else were answered when only some had lost it. */
const changesDuring = async (tagId: number, work: () => Promise<unknown>): Promise<number> => {
  const other = await server.as('somebody else')
  let isOver = false
  const done = work().finally(() => {
    isOver = true
  })
  let changes = 0
  for (let autoplayNext = true; !isOver; autoplayNext = !autoplayNext) {
    expect((await other.patch('/api/user-settings', { autoplayNext })).status).toBe(200)
    const left = await count(`item_tags WHERE tag_id = ${tagId}`)
    if (left > 0 && left < ITEMS) changes++
  }
  await done
  return changes
}

describe('a tag on sixty thousand items', () => {
  test('is deleted while others go on writing', async () => {
    const { all, categoryId } = await makeTags()
    const admin = await server.as('admin')
    const changes = await changesDuring(all, async () => expect((await admin.delete(`/api/tags/items/${all}`)).status).toBe(204))
    expect(changes).toBeGreaterThan(0)
    expect(await count(`item_tags WHERE tag_id = ${all}`)).toBe(0)
    await assertCounted()
    await admin.delete(`/api/tags/categories/${categoryId}`)
  })

  test('is merged while others go on writing, and keeps the better source', async () => {
    const { all, some, categoryId } = await makeTags()
    const admin = await server.as('admin')
    const changes = await changesDuring(all, async () => {
      const { body } = await admin.post(`/api/tags/items/${all}/merge`, { intoTagId: some })
      expect([body.moved, body.merged]).toEqual([ITEMS - ITEMS / 3, ITEMS / 3])
    })
    expect(changes).toBeGreaterThan(0)
    expect(await query(`SELECT source, count(*) AS total FROM item_tags WHERE tag_id = ${some} GROUP BY 1 ORDER BY 1`)).toEqual([
      { source: 'ai', total: ITEMS - ITEMS / 3 },
      { source: 'user', total: ITEMS / 3 },
    ])
    await assertCounted()
    await admin.delete(`/api/tags/categories/${categoryId}`)
  })

  /** Cuts the power while the tag is taken off, checks what is left, and answers whether it was in the middle. */
  const cutDuring = async (what: 'delete' | 'merge'): Promise<boolean> => {
    const { all, some, categoryId } = await makeTags()
    const ask = async (): Promise<number> => {
      const admin = await server.as('admin')
      return what === 'delete'
        ? (await admin.delete(`/api/tags/items/${all}`)).status
        : (await admin.post(`/api/tags/items/${all}/merge`, { intoTagId: some })).status
    }
    const asked = ask().catch(() => 0)
    const left = (): Promise<number> => count(`item_tags WHERE tag_id = ${all}`)
    await waitFor(
      async () => ((await left()) < ITEMS ? true : undefined),
      60_000,
      () => 'Nothing is being changed',
    )
    await server.kill()
    await asked
    const wasCut = (await left()) > 0
    expect(await left()).toBeLessThan(ITEMS)
    if (what === 'merge') expect(await count(`media_items m WHERE EXISTS (SELECT 1 FROM item_tags WHERE item_id = m.id)`)).toBe(ITEMS)
    await start()
    if (what === 'merge') await assertCounted()
    // A delete is gone on with by itself.
    if (wasCut && what === 'merge') expect(await ask()).toBe(200)
    await waitFor(
      async () => ((await left()) === 0 && (await count(`tags WHERE id = ${all}`)) === 0 ? true : undefined),
      60_000,
      () => 'What was begun is not ended',
    )
    await assertCounted()
    if (what === 'delete') expect(await ask()).toBe(404)
    await (await server.as('admin')).delete(`/api/tags/categories/${categoryId}`)
    return wasCut
  }

  for (const what of ['delete', 'merge'] as const)
    test(`after a power cut in the middle of a ${what} ${what === 'delete' ? 'it is ended' : 'the state is right, and it can be asked for again'}`, async () => {
      let wasCut = await cutDuring(what)
      for (let tries = 1; !wasCut && tries < MAX_TRIES; tries++) wasCut = await cutDuring(what)
      expect(wasCut).toBe(true)
    })
})
