import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, waitFor } from '../support/test-server.ts'

setDefaultTimeout(60_000)
const LIMIT_MS = 20_000
const YEAR_MS = 365 * 24 * 3_600_000

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
  const env = { BUN_OPTIONS: `--preload ${join(import.meta.dir, '../support/shifted-clock.ts')}`, CLOCK_OFFSET_MS: String(YEAR_MS) }
  {
    await using server = await startServer({ ...options, env })
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
