import { expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { folderContents } from '../support/folder-contents.ts'
import { makeTree } from '../support/library-tree.ts'
import { AS_ORDINARY_USER, giveToOrdinaryUser, letOrdinaryUserPass } from '../support/ordinary-user.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, waitFor } from '../support/test-server.ts'

setDefaultTimeout(60_000)
const REMOVAL_LIMIT_MS = 20_000

test('a library that may not be written says so and stays as it is; folders that may not be written inside of one go', async () => {
  await using folder = await temporaryFolder('read-only')
  const movies = makeTree(join(folder.path, 'movies'), {
    'Alien (1979)': { 'a.mkv': 1, extras: { 'deep/x.mkv': 2 } },
    'Brazil (1985)': { 'b.mkv': 1 },
    'Saga/One (1990)': { 'o.mkv': 1 },
  })
  letOrdinaryUserPass(folder.path)
  await giveToOrdinaryUser(folder.path)
  for (const path of ['Alien (1979)/extras/deep', 'Alien (1979)/extras', 'Saga', '.']) chmodSync(join(movies, path), 0o555)
  await using server = await startServer({
    libraries: [{ type: 'movies', path: movies }],
    dataDir: join(folder.path, 'data'),
    prefix: [...AS_ORDINARY_USER],
  })
  const admin = await server.as('admin')
  await server.waitForScans()
  const before = folderContents(movies)
  const remove = (path: string) => admin.delete('/api/items', { itemKey: `movie:1:${path}` })
  const plan = (path: string) => admin.get('/api/items/delete-plan', { itemKey: `movie:1:${path}` })

  for (const path of ['Alien (1979)', 'Saga/One (1990)']) {
    // Before the second click as well as after it.
    for (const { status, body } of [await plan(path), await remove(path)])
      expect({ status, code: body.code, detail: body.detail }).toEqual({
        status: 503,
        code: 'unavailable',
        detail: 'The library is read-only for this service.',
      })
    expect((await admin.get('/api/items', { itemKey: `movie:1:${path}` })).status).toBe(200)
  }
  expect(folderContents(movies)).toEqual(before)
  expect((await server.scanAndWait(1)).status).toBe('done')

  chmodSync(movies, 0o755)
  expect([(await plan('Saga/One (1990)')).status, (await remove('Saga/One (1990)')).status]).toEqual([503, 503])
  expect([(await plan('Alien (1979)')).status, (await remove('Alien (1979)')).status]).toEqual([200, 204])
  await waitFor(
    () => (readdirSync(movies).some((name) => name.startsWith('.vitrine')) ? undefined : true),
    REMOVAL_LIMIT_MS,
    () => 'The files were not removed',
  )
  expect([...folderContents(movies).keys()].sort()).toEqual([
    'Brazil (1985)',
    'Brazil (1985)/b.mkv',
    'Saga',
    'Saga/One (1990)',
    'Saga/One (1990)/o.mkv',
  ])
})
