import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { type HranaServer, startHranaServer } from '../support/hrana-server.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { type IndexDatabase, openIndex } from '../support/index-database.ts'
import { makeTree } from '../support/library-tree.ts'
import { NOTHING_PLAYS } from '../support/scan-scene.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

/** The database lies on a server, and its answer is lost after it has written: film and index must be of one mind. */

setDefaultTimeout(60_000)
const LIMIT_MS = 20_000
const FILMS = ['Alien (1979)', 'Brazil (1985)', 'Charade (1963)', 'Dune (1984)', 'Eraserhead (1977)', 'Fargo (1996)']

let folder: TemporaryFolder
let root: string
let database: HranaServer
let proxy: DatabaseProxy
let server: TestServer
let admin: HttpClient
let index: IndexDatabase
let libraryId: number
beforeAll(async () => {
  folder = await temporaryFolder('lost-answers')
  root = join(folder.path, 'films')
  makeTree(root, Object.fromEntries(FILMS.map((name, i) => [name, { 'film.mkv': 10 + i }])))
  database = await startHranaServer(join(folder.path, 'remote.db'))
  proxy = startDatabaseProxy(database.url)
  server = await startServer({ dataDir: join(folder.path, 'data'), args: ['--database', proxy.url], env: NOTHING_PLAYS })
  admin = await server.as('admin')
  index = openIndex(join(folder.path, 'remote.db'))
  libraryId = (await admin.post('/api/libraries', { name: 'Films', type: 'movies', path: root })).body.library.id
  await server.scanAndWait(libraryId)
  await index.mark(Object.fromEntries(FILMS.map((name) => [`movie:${libraryId}:${name}`, name])))
})
afterAll(async () => {
  index.close()
  await server.stop()
  await proxy[Symbol.asyncDispose]()
  await database.stop()
  await folder.remove()
})

const keepFor = (trashDays: number) => admin.patch(`/api/libraries/${libraryId}`, { trashDays })
const remove = async (name: string): Promise<number> => (await admin.delete('/api/items', { itemKey: `movie:${libraryId}:${name}` })).status
const trash = async (): Promise<Json[]> => (await admin.get('/api/trash')).body.entries
const restore = async (name: string): Promise<number> => {
  const entry = (await trash()).find(({ title }) => title === name)
  return (await admin.post(`/api/trash/${entry.id}/restore`)).status
}
const isInPlace = (name: string): boolean => existsSync(join(root, name, 'film.mkv'))
const isListed = async (name: string): Promise<boolean> => {
  const { entries } = (await admin.get('/api/browse', { libraryId })).body
  return entries.some(({ title }: Json) => title === name)
}
const isMarked = async (name: string): Promise<boolean> => (await index.marks())[name]?.isMissing === false
const look = async (name: string) => ({ isInPlace: isInPlace(name), isListed: await isListed(name), isMarked: await isMarked(name) })
const waitForJournal = (states: string[]): Promise<true> =>
  waitFor(
    async () => {
      const rows = await index.query<{ state: string }>('SELECT state FROM deletions ORDER BY id')
      return String(rows.map(({ state }) => state)) === String(states) ? true : undefined
    },
    LIMIT_MS,
    () => 'The journal never came so far',
  )

const WHOLE = { isInPlace: true, isListed: true, isMarked: true }
const GONE = { isInPlace: false, isListed: false, isMarked: false }

test('a deletion that was written is one, also where the answer to it is lost', async () => {
  await keepFor(0)
  const [name = ''] = FILMS
  proxy.lose('UPDATE deletions SET state')
  expect(await remove(name)).toBe(204)
  expect(await look(name)).toEqual(GONE)
  await waitForJournal([])
})

test('a film that goes into the trash is in it', async () => {
  await keepFor(7)
  const [, name = ''] = FILMS
  proxy.lose('UPDATE deletions SET state')
  expect(await remove(name)).toBe(204)
  expect(await look(name)).toEqual(GONE)
  expect((await trash()).map(({ title }) => title)).toEqual([name])
})

test('a film that is restored is back', async () => {
  const [, name = ''] = FILMS
  proxy.lose('DELETE FROM deletions WHERE id')
  expect(await restore(name)).toBe(200)
  expect(await look(name)).toEqual(WHOLE)
  expect(await trash()).toEqual([])
})

test('where the database says nothing for a while either, the folder stays where the deletion has put it', async () => {
  await keepFor(0)
  const [, , name = ''] = FILMS
  proxy.lose('UPDATE deletions SET state', true)
  expect(await remove(name)).toBeGreaterThanOrEqual(500)
  expect(isInPlace(name)).toBe(false)
  proxy.hear()
  await waitForJournal([])
  expect(await look(name)).toEqual(GONE)
})

test('and where the restoring has put it', async () => {
  await keepFor(7)
  const [, , , name = ''] = FILMS
  expect(await remove(name)).toBe(204)
  proxy.lose('DELETE FROM deletions WHERE id', true)
  expect(await restore(name)).toBe(503)
  expect(isInPlace(name)).toBe(true)
  proxy.hear()
  await waitForJournal([])
  expect(await look(name)).toEqual(WHOLE)
})

test('a restoring that was begun, and of which nobody heard, is taken back', async () => {
  await keepFor(7)
  const [, , , , name = ''] = FILMS
  expect(await remove(name)).toBe(204)
  proxy.lose('"restoring"},{')
  expect(await restore(name)).toBe(503)
  await waitForJournal(['trashed'])
  expect(await restore(name)).toBe(200)
  expect(await look(name)).toEqual(WHOLE)
})
