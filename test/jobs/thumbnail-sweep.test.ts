import { expect, test } from 'bun:test'
import { mkdir, readdir, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Deps } from '../../src/deps.ts'
import { sweepThumbnails } from '../../src/jobs/thumbnail-sweep.ts'
import { createLog } from '../../src/log.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'

const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 0, 2)

const KEPT = ['1-abc-small.webp', '1-abc-large.webp', '2-gone_for-now-medium.webp', 'notes.txt', '.1-old-small.webp.tmp', '7.webp']
const YOUNG = ['1-newer-small.webp', '9-abc-small.webp', '.vitrine-0123456789abcdef0123456789abcdef.tmp']
const STALE = [
  '1-old-small.webp',
  '1-old-large.webp',
  '3-abc-medium.webp',
  '8-abc-small.webp',
  '.vitrine-fedcba9876543210fedcba9876543210.tmp',
]

test('files of forgotten items and of other bytes, and half written ones, go; those of missing items, young ones and strangers stay', async () => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('thumbnail-sweep')
  const thumbnails = join(folder.path, 'thumbnails')
  await database.client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'One', 'mixed', '/one')",
    `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, thumbnail_version, missing_since) VALUES
      (1, 'mixed_file:1:a', 1, 'mixed_file', 'a', 'a', 'abc', NULL), (2, 'mixed_file:1:b', 1, 'mixed_file', 'b', 'b', 'gone_for-now', 5),
      (3, 'mixed_file:1:c', 1, 'mixed_file', 'c', 'c', NULL, NULL)`,
  ])
  const write = async (names: readonly string[], ageMs: number): Promise<void> => {
    for (const name of names) {
      const file = join(thumbnails, String(Number.parseInt(name, 10) || 0).padStart(2, '0'), name)
      await mkdir(join(file, '..'), { recursive: true })
      await Bun.write(file, 'picture')
      await utimes(file, new Date(NOW - ageMs), new Date(NOW - ageMs))
    }
  }
  await write([...KEPT, ...STALE], 2 * HOUR_MS)
  await write(YOUNG, HOUR_MS / 2)
  await Bun.write(join(thumbnails, '.DS_Store'), 'no folder of ours')

  const deps = { config: { dataDir: folder.path } as Deps['config'], db: database.db, log: createLog('error') }
  expect(await sweepThumbnails(deps, { now: NOW, isStopped: () => true })).toBe(0)
  expect(await sweepThumbnails(deps, { now: NOW, isStopped: () => false })).toBe(STALE.length)
  const left = await Array.fromAsync(new Bun.Glob('*/*').scan({ cwd: thumbnails, dot: true }), (path) => basename(path))
  expect(left.sort()).toEqual([...KEPT, ...YOUNG].sort())
  expect(await readdir(thumbnails)).toContain('.DS_Store')
  expect(await sweepThumbnails(deps, { now: NOW, isStopped: () => false })).toBe(0)
})

test('a data folder without thumbnails has nothing to remove', async () => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('thumbnail-sweep')
  const deps = { config: { dataDir: folder.path } as Deps['config'], db: database.db, log: createLog('error') }
  expect(await sweepThumbnails(deps, { now: NOW, isStopped: () => false })).toBe(0)
})
