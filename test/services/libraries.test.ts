import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Deps } from '../../src/deps.ts'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { beginDeletion, settleMoved } from '../../src/services/deletion-journal.ts'
import { deleteLibrary } from '../../src/services/libraries.ts'
import { FORGET_BATCH, purgeMissing } from '../../src/services/library-contents.ts'
import { checkLibraryFolder } from '../../src/services/library-paths.ts'
import { link, makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestApp } from '../support/test-app.ts'

const ADMIN: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }
const SERIES = 600
const EPISODES = 10

test.each([null, Date.now() + 1_000_000])(
  'a deletion whose library goes while its folder is being moved is refused, so that the folder goes back (in the trash until %p)',
  async (trashUntil) => {
    await using app = await startTestApp()
    await app.database.client.batch([
      "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '/films')",
      "INSERT INTO media_items (id, item_key, library_id, item_type, path, title) VALUES (7, 'movie:1:Alien', 1, 'movie', 'Alien', 'Alien')",
    ])
    const deps: Deps = {
      ...app.deps,
      scans: { ...app.deps.scans, reschedule: async () => undefined },
      nfoJobs: { ...app.deps.nfoJobs, wake: () => undefined },
    }
    const names = { itemKey: 'movie:1:Alien', itemType: 'movie', title: 'Alien', unit: 'Alien', folder: 'Alien' } as const
    const row = await beginDeletion(deps, {
      ...names,
      libraryId: 1,
      itemId: 7,
      files: 1,
      bytes: 1,
      trashUntil,
      createdBy: 'admin',
      at: 1,
    })
    await deleteLibrary(deps, ADMIN, 1)
    await expect(settleMoved(deps, row)).rejects.toMatchObject({ code: 'conflict' })
  },
)

test('a library of series is forgotten a few hundred items a transaction, and another one stays', async () => {
  await using app = await startTestApp()
  const { client } = app.database
  const numbers = (count: number): string => `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
  await client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Series', 'tv', '/series'), (2, 'Other', 'mixed', '/other')",
    `${numbers(SERIES)} INSERT INTO media_items (id, item_key, library_id, item_type, path, title)
      SELECT i, 'tv_series:1:' || i, 1, 'tv_series', i, i FROM n`,
    `${numbers(EPISODES)} INSERT INTO media_items (item_key, library_id, item_type, path, title, parent_id)
      SELECT 'tv_episode:1:' || s.path || '/' || n.i, 1, 'tv_episode', s.path || '/' || n.i, n.i, s.id FROM media_items s, n`,
    "INSERT INTO media_items (item_key, library_id, item_type, path, title) VALUES ('mixed_file:2:a', 2, 'mixed_file', 'a', 'a')",
  ])
  const countItems = async (): Promise<number> => Number((await client.execute('SELECT count(*) AS total FROM media_items')).rows[0]?.total)
  const forgotten: number[] = []
  const counting = async <T>(write: () => Promise<T>): Promise<T> => {
    const before = await countItems()
    const written = await write()
    forgotten.push(before - (await countItems()))
    return written
  }
  const { write } = app.deps
  const deps: Deps = {
    ...app.deps,
    write: {
      ...write,
      batch: (statements, priority) => counting(() => write.batch(statements, priority)),
      transaction: (work, priority) => counting(() => write.transaction(work, priority)),
    },
    scans: { ...app.deps.scans, reschedule: async () => undefined },
    nfoJobs: { ...app.deps.nfoJobs, wake: () => undefined },
  }

  await deleteLibrary(deps, ADMIN, 1)
  expect(await countItems()).toBe(1)
  expect(Math.max(...forgotten)).toBe(FORGET_BATCH)
  expect(forgotten.reduce((sum, count) => sum + count)).toBe(SERIES * (1 + EPISODES))
})

test('what goes missing while missing items are forgotten stays, and a scan that begins meanwhile ends it, which says how far it came', async () => {
  await using app = await startTestApp()
  const { client } = app.database
  const items = `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${FORGET_BATCH + 1})
    INSERT INTO media_items (item_key, library_id, item_type, path, title, modified_at, missing_since)
    SELECT 'mixed_file:1:' || i, 1, 'mixed_file', i, i, 1, 1 FROM n`
  await client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Files', 'mixed', '/files')",
    items,
    "INSERT INTO media_items (item_key, library_id, item_type, path, title) VALUES ('mixed_file:1:late', 1, 'mixed_file', 'late', 'late')",
  ])
  const listItems = async (): Promise<unknown[]> =>
    (await client.execute('SELECT path FROM media_items ORDER BY id')).rows.map(({ path }) => path)
  /** Does it between the first transaction and the second. */
  const purgeWith = (meanwhile: string): Promise<number> => {
    let transactions = 0
    const { write } = app.deps
    const transaction: typeof write.transaction = async (work, priority) => {
      if (transactions++ === 1) await client.execute(meanwhile)
      return write.transaction(work, priority)
    }
    return purgeMissing({ ...app.deps, write: { ...write, transaction } }, ADMIN, 1)
  }
  const scan = "INSERT INTO scans (library_id, trigger, status, created_at) VALUES (1, 'manual', 'queued', 0)"
  const told: unknown[] = []
  app.deps.events.subscribe((event) => told.push(event))
  expect(await purgeWith(scan)).toBe(FORGET_BATCH)
  expect(await listItems()).toEqual([String(FORGET_BATCH + 1), 'late'])
  expect(told).toEqual([{ type: 'library', libraryId: 1 }])
  await expect(purgeWith('')).rejects.toMatchObject({ code: 'conflict' })
  await client.execute('DELETE FROM scans')
  expect(await purgeWith(`UPDATE media_items SET missing_since = ${Date.now() + 1_000_000}`)).toBe(1)
  expect(await listItems()).toEqual(['late'])
})

test('the data of the service are no library, wherever a link to them is followed to, and the answer says so', async () => {
  await using folder = await temporaryFolder('linked-data')
  makeTree(folder.path, { real: { thumbnails: {} }, data: link('real'), films: { new: {} } })
  await using app = await startTestApp()
  const deps = { ...app.deps, config: { ...app.deps.config, dataDir: join(folder.path, 'data') } }
  const refusal = async (path: string, config = deps.config) => {
    const { code, message } = await checkLibraryFolder({ config }, path).then(
      () => ({ code: null, message: '' }),
      (error) => error,
    )
    return [code, message]
  }
  const ofTheService = ['path_not_allowed', expect.stringContaining('data of this service')]
  for (const path of ['real', 'real/thumbnails', 'data', 'data/thumbnails', '.'])
    expect([path, await refusal(join(folder.path, path))]).toEqual([path, ofTheService])
  const database = { ...deps.config, databaseUrl: pathToFileURL(join(folder.path, 'films/vitrine.db')).href }
  for (const path of ['films', '.']) expect([path, await refusal(join(folder.path, path), database)]).toEqual([path, ofTheService])
  expect(await refusal(join(folder.path, 'films/new'), database)).toEqual([null, ''])
  expect(await refusal('/proc')).toEqual(['path_not_allowed', '/proc belongs to the system.'])
  expect(await refusal(join(folder.path, 'films'))).toEqual([null, ''])
})
