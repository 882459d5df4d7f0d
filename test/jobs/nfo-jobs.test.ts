import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, renameSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { LibsqlError } from '@libsql/client'
import type { Writer } from '../../src/db/writer.ts'
import type { Deps } from '../../src/deps.ts'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { createNfoJobs } from '../../src/jobs/nfo-jobs.ts'
import { deleteLibrary } from '../../src/services/libraries.ts'
import { makeTree } from '../support/library-tree.ts'
import { startTestApp } from '../support/test-app.ts'
import { waitFor } from '../support/test-server.ts'

const LIMIT_MS = 60_000
setDefaultTimeout(2 * LIMIT_MS)
const admin: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }
const NOTHING = { refreshed: 0, without: 0, failed: 0, failures: [] }

/** Two libraries with a film each, whose metadata is to be read. */
const open = async (write: (own: Writer) => Writer = (own) => own) => {
  const app = await startTestApp()
  const { client } = app.database
  const rootOf = (id: number): string => join(app.deps.config.dataDir, `library ${id}`)
  for (const id of [1, 2]) {
    const root = rootOf(id)
    makeTree(root, { Alien: { 'Alien.mkv': 9, 'movie.nfo': '<movie><title>Read</title></movie>' } })
    await client.batch([
      { sql: "INSERT INTO libraries (id, name, type, path, real_path) VALUES (?1, 'Films ' || ?1, 'movies', ?2, ?2)", args: [id, root] },
      {
        sql: `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, stored_main_file)
          VALUES (?1, 'movie:' || ?1 || ':Alien', ?1, 'movie', 'Alien', 'Alien', 'Alien/Alien.mkv')`,
        args: [id],
      },
      { sql: 'INSERT INTO nfo_jobs (item_id, requested_at) VALUES (?1, 1)', args: [id] },
    ])
  }
  const nfoJobs = createNfoJobs({ ...app.deps, write: write(app.deps.write) }, { retryMs: 20 })
  const deps: Deps = { ...app.deps, nfoJobs, scans: { ...app.deps.scans, reschedule: () => Promise.resolve() } }
  const told = (libraryId: number): number => {
    const { refreshed, without, failed } = nfoJobs.outcome(libraryId)
    return refreshed + without + failed
  }
  const until = (isSo: () => boolean | Promise<boolean>) =>
    waitFor(
      async () => (await isSo()) || undefined,
      LIMIT_MS,
      () => JSON.stringify([nfoJobs.outcome(1), nfoJobs.outcome(2)]),
    )
  const close = async (): Promise<void> => {
    await nfoJobs.stop()
    await app[Symbol.asyncDispose]()
  }
  const left = async (): Promise<number> => Number((await client.execute('SELECT count(*) AS total FROM nfo_jobs')).rows[0]?.total)
  /** Both films, as a scan does that finds them in other folders; others lie in their old ones. */
  const move = async (): Promise<void> => {
    for (const id of [1, 2])
      makeTree(join(rootOf(id), 'Aliens'), { 'Alien.mkv': 9, 'movie.nfo': '<movie><title>Read elsewhere</title></movie>' })
    await client.execute("UPDATE media_items SET path = 'Aliens', stored_main_file = 'Aliens/Alien.mkv'")
  }
  const titles = async () => (await client.execute('SELECT title FROM media_items ORDER BY id')).rows.map(({ title }) => title)
  return { deps, nfoJobs, rootOf, told, left, move, titles, until, [Symbol.asyncDispose]: close }
}

test('what became of a library that is gone is forgotten, and that of the others is not', async () => {
  await using scene = await open()
  scene.nfoJobs.wake()
  await scene.until(() => scene.told(1) === 1 && scene.told(2) === 1)
  await deleteLibrary(scene.deps, admin, 1)
  await scene.until(() => scene.told(1) === 0)
  expect([scene.nfoJobs.outcome(1), scene.told(2)]).toEqual([NOTHING, 1])
})

test('a library that goes while it is refreshed leaves nothing behind', async () => {
  await using scene = await open()
  scene.nfoJobs.wake()
  await deleteLibrary(scene.deps, admin, 1)
  await scene.until(() => scene.told(1) === 0 && scene.told(2) === 1)
  expect(scene.nfoJobs.outcome(1)).toEqual(NOTHING)
})

test.each<[string, boolean]>([
  ['gone', false],
  ['an empty folder, as that of a disk that is not mounted', true],
])('while the folder of a library is %s, its refreshes wait and those of others go on', async (_, isEmpty) => {
  await using scene = await open()
  const away = `${scene.rootOf(1)} elsewhere`
  renameSync(scene.rootOf(1), away)
  if (isEmpty) mkdirSync(scene.rootOf(1))
  scene.nfoJobs.wake()
  await scene.until(async () => (await scene.left()) < 2)
  expect([await scene.left(), scene.nfoJobs.outcome(1)]).toEqual([1, NOTHING])
  expect(scene.nfoJobs.outcome(2)).toEqual({ ...NOTHING, refreshed: 1 })
  if (isEmpty) rmdirSync(scene.rootOf(1))
  renameSync(away, scene.rootOf(1))
  await scene.until(() => scene.told(1) === 1)
  expect(scene.nfoJobs.outcome(1)).toEqual({ ...NOTHING, refreshed: 1 })
  await scene.nfoJobs.stop()
  expect(await scene.left()).toBe(0)
})

test('while the database is away the refreshes wait, and none of them counts as failed', async () => {
  let away = 2
  await using scene = await open((own) => ({
    ...own,
    transaction: async (...given) => {
      away -= 1
      if (away >= 0) throw new LibsqlError('Unable to connect', 'SERVER_ERROR')
      return own.transaction(...given)
    },
  }))
  scene.nfoJobs.wake()
  await scene.until(() => scene.told(1) === 1 && scene.told(2) === 1)
  expect([scene.nfoJobs.outcome(1), scene.nfoJobs.outcome(2)]).toEqual(Array(2).fill({ ...NOTHING, refreshed: 1 }))
  await scene.nfoJobs.stop()
  expect(await scene.left()).toBe(0)
})

test('for a film without an NFO file the library is not listed: its own folder is proof enough that it is there', async () => {
  await using scene = await open()
  const root = scene.rootOf(1)
  rmSync(join(root, 'Alien/movie.nfo'))
  // Where the file system keeps such a time, to list a folder ends one that lies before its last change.
  utimesSync(root, 1, statSync(root).mtime)
  scene.nfoJobs.wake()
  await scene.until(() => scene.told(1) === 1)
  expect(scene.nfoJobs.outcome(1)).toEqual({ ...NOTHING, without: 1 })
  expect(statSync(root).atimeMs).toBe(1000)
})

test('a library that is deleted while it is away is waited for no longer', async () => {
  await using scene = await open()
  renameSync(scene.rootOf(1), `${scene.rootOf(1)} elsewhere`)
  scene.nfoJobs.wake()
  await scene.until(async () => (await scene.left()) < 2)
  expect(await scene.left()).toBe(1)
  await deleteLibrary(scene.deps, admin, 1)
  expect(await scene.left()).toBe(0)
})

test('what a scan moves after the jobs were listed is read where it lies by then', async () => {
  await using scene = await open()
  // The first write is that of the first item: by then the jobs are listed.
  const { transaction } = scene.deps.write
  let isMoved = false
  const nfoJobs = createNfoJobs({
    ...scene.deps,
    write: {
      ...scene.deps.write,
      transaction: async (...given) => {
        if (!isMoved) await scene.move()
        isMoved = true
        return transaction(...given)
      },
    },
  })
  nfoJobs.wake()
  await scene.until(async () => (await scene.left()) === 0)
  await nfoJobs.stop()
  expect(await scene.titles()).toEqual(['Read elsewhere', 'Read elsewhere'])
})
