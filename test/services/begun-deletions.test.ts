import { expect, test } from 'bun:test'
import type { Deps } from '../../src/deps.ts'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { listBegunDeletions } from '../../src/services/begun-deletions.ts'
import { deleteLibrary } from '../../src/services/libraries.ts'
import { prepareService } from '../../src/services/startup.ts'
import { deleteTagCategory } from '../../src/services/tag-categories.ts'
import { SLICE_ROWS } from '../../src/services/tag-slices.ts'
import { deleteTag } from '../../src/services/tags.ts'
import { startTestApp } from '../support/test-app.ts'

const ADMIN: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }
const ITEMS = SLICE_ROWS + 500

const startScene = async () => {
  const app = await startTestApp()
  const { client } = app.database
  await client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Other', 'mixed', '/other')",
    `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${ITEMS})
      INSERT INTO media_items (id, item_key, library_id, item_type, path, title) SELECT i, 'mixed_file:1:' || i, 1, 'mixed_file', i, i FROM n`,
    "INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Mood', 'mood')",
    "INSERT INTO tags (id, category_id, name, name_key) VALUES (1, 1, 'Calm', 'calm')",
    'INSERT INTO item_tags (tag_id, item_id) SELECT 1, id FROM media_items',
  ])
  const deps: Deps = {
    ...app.deps,
    scans: { ...app.deps.scans, reschedule: async () => undefined },
    nfoJobs: { ...app.deps.nfoJobs, wake: () => undefined },
  }
  const countIn = async (table: string): Promise<number> =>
    Number((await client.execute(`SELECT count(*) AS total FROM ${table}`)).rows[0]?.total)
  return { deps, countIn, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** As a server that is killed once it has written so many times: what it is at never ends. */
const killedAfter = (deps: Deps, writes: number): { deps: Deps; killed: Promise<void> } => {
  const { promise: killed, resolve } = Promise.withResolvers<void>()
  let written = 0
  const unlessKilled = <T>(write: () => Promise<T>): Promise<T> => {
    if (written++ < writes) return write()
    resolve()
    return new Promise(() => undefined)
  }
  const { write } = deps
  return {
    deps: {
      ...deps,
      write: {
        ...write,
        batch: (...args) => unlessKilled(() => write.batch(...args)),
        transaction: (work, priority) => unlessKilled(() => write.transaction(work, priority)),
      },
    },
    killed,
  }
}

const DELETIONS: [string, (deps: Deps) => Promise<void>, string][] = [
  ['library', (deps) => deleteLibrary(deps, ADMIN, 1), 'libraries'],
  ['tag', (deps) => deleteTag(deps, 1), 'tags'],
  ['category of tags', (deps) => deleteTagCategory(deps, 1), 'tag_categories'],
]

test.each(DELETIONS)('of a %s that is cut off half way nothing is left after the next start', async (_, remove, table) => {
  await using scene = await startScene()
  const { deps, killed } = killedAfter(scene.deps, 2)
  void remove(deps)
  await killed
  const left = await scene.countIn('item_tags')
  expect([left > 0, left < ITEMS, await scene.countIn(table)]).toEqual([true, true, 1])

  await prepareService(scene.deps)
  expect([await scene.countIn('item_tags'), await scene.countIn(table)]).toEqual([0, 0])
  expect(await listBegunDeletions(scene.deps)).toEqual([])
})

test.each(DELETIONS)('that of a %s which fails is told, and does not go on later', async (_, remove, table) => {
  await using scene = await startScene()
  let written = 0
  const failing: Deps['write'] = {
    ...scene.deps.write,
    batch: (...args) => (written++ === 2 ? Promise.reject(new Error('The disk is full')) : scene.deps.write.batch(...args)),
    transaction: () => Promise.reject(new Error('The disk is full')),
  }
  await expect(remove({ ...scene.deps, write: failing })).rejects.toThrow('The disk is full')
  await prepareService(scene.deps)
  expect(await scene.countIn(table)).toBe(1)
})
