import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, waitFor } from '../support/test-server.ts'

setDefaultTimeout(60_000)
const LIMIT_MS = 20_000
const DAY_MS = 24 * 3_600_000
const YEAR_MS = 365 * DAY_MS

/** What a server has in its environment whose clock is ahead. */
const shifted = (ms: number) => ({
  BUN_OPTIONS: `--preload ${join(import.meta.dir, '../support/shifted-clock.ts')}`,
  CLOCK_OFFSET_MS: String(ms),
})

test('a start with a clock that is a year ahead empties no trash', async () => {
  await using folder = await temporaryFolder('clock')
  const films = makeTree(join(folder.path, 'films'), { 'Kept (2000)/k.mkv': 'kept' })
  const shows = makeTree(join(folder.path, 'shows'), { 'Final/Final S01E01.mkv': 'final' })
  const options = {
    dataDir: join(folder.path, 'data'),
    libraries: [
      { type: 'movies' as const, path: films, name: 'Films' },
      { type: 'tv' as const, path: shows, name: 'Shows' },
    ],
  }
  {
    await using server = await startServer(options)
    await server.waitForScans()
    const admin = await server.as('admin')
    await admin.patch('/api/libraries/1', { trashDays: 7 })
    expect((await admin.delete('/api/items', { itemKey: 'movie:1:Kept (2000)' })).status).toBe(204)
  }
  {
    await using server = await startServer({ ...options, env: shifted(YEAR_MS) })
    await server.waitForScans()
    const admin = await server.as('admin')
    // Whoever removes the files of this has looked through the trash before.
    expect((await admin.delete('/api/items', { itemKey: 'tv_series:2:Final' })).status).toBe(204)
    await waitFor(
      () => (readdirSync(shows).length === 0 ? true : undefined),
      LIMIT_MS,
      () => 'The files were not removed',
    )
    expect((await admin.get('/api/trash')).body.entries).toHaveLength(1)
  }
  await using server = await startServer(options)
  const admin = await server.as('admin')
  const [{ id }] = (await admin.get('/api/trash')).body.entries
  expect((await admin.post(`/api/trash/${id}/restore`)).status).toBe(200)
  expect(readdirSync(join(films, 'Kept (2000)'))).toEqual(['k.mkv'])
})

test('what is deleted while the clock is behind lies in the trash for as long as anything', async () => {
  await using folder = await temporaryFolder('clock')
  const films = makeTree(join(folder.path, 'films'), { 'Kept (2000)/k.mkv': 'kept' })
  const options = { dataDir: join(folder.path, 'data'), libraries: [{ type: 'movies' as const, path: films, name: 'Films' }] }
  const expectKept = async (server: Awaited<ReturnType<typeof startServer>>): Promise<void> => {
    await server.waitForScans()
    const { entries } = (await (await server.as('admin')).get('/api/trash')).body
    expect(entries).toMatchObject([{ itemKey: 'movie:1:Kept (2000)' }])
    const days = (Date.parse(entries[0].expiresAt) - Date.now()) / DAY_MS
    expect([days > 6.9, days < 7.1]).toEqual([true, true])
  }
  // A clock that was far too far ahead once: nothing is counted from there.
  {
    await using server = await startServer({ ...options, env: shifted(40 * YEAR_MS) })
    await server.waitForScans()
  }
  {
    await using server = await startServer(options)
    await server.waitForScans()
    await (await server.as('admin')).patch('/api/libraries/1', { trashDays: 7 })
  }
  {
    await using server = await startServer({ ...options, env: shifted(-40 * DAY_MS) })
    await server.waitForScans()
    expect((await (await server.as('admin')).delete('/api/items', { itemKey: 'movie:1:Kept (2000)' })).status).toBe(204)
    await expectKept(server)
  }
  await using server = await startServer(options)
  await expectKept(server)
})

test('a clock that was years ahead once keeps nothing in the trash for longer', async () => {
  await using folder = await temporaryFolder('clock')
  const films = makeTree(join(folder.path, 'films'), { 'Gone (2000)/k.mkv': 'gone' })
  const options = { dataDir: join(folder.path, 'data'), libraries: [{ type: 'movies' as const, path: films, name: 'Films' }] }
  for (const years of [0, 5]) {
    await using server = await startServer({ ...options, env: shifted(years * YEAR_MS) })
    await server.waitForScans()
  }
  await using server = await startServer(options)
  await server.waitForScans()
  const admin = await server.as('admin')
  await admin.patch('/api/libraries/1', { trashDays: 7 })
  expect((await admin.delete('/api/items', { itemKey: 'movie:1:Gone (2000)' })).status).toBe(204)
  const [{ deletedAt, expiresAt }] = (await admin.get('/api/trash')).body.entries
  expect(Date.parse(expiresAt) - Date.parse(deletedAt)).toBe(7 * DAY_MS)
})
