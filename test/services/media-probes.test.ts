import { expect, test } from 'bun:test'
import { mediaItems } from '../../src/db/schema/media-items.ts'
import { mediaProbes } from '../../src/db/schema/media-probes.ts'
import type { MediaProbe } from '../../src/domain/media-probe.ts'
import { keepProbe } from '../../src/services/media-probes.ts'
import { processorMs } from '../support/processor-time.ts'
import { startTestApp } from '../support/test-app.ts'

const probeOf = (durationSeconds: number): MediaProbe => ({
  format: 'matroska',
  durationSeconds,
  startSeconds: 0,
  video: null,
  audio: [],
  subtitles: [],
  chapters: [],
})

test('the length of a film is that of all its parts, and found at once beside a thousand other files', async () => {
  await using app = await startTestApp()
  const others = Array.from({ length: 1000 }, (_, number) => `extra ${number}.mkv`)
  const files = [
    { name: 'cd1.mkv', role: 'main' as const, size: 100 },
    { name: 'cd2.mkv', role: 'part' as const, size: 100 },
    ...others.map((name) => ({ name, role: 'extra' as const, size: 100 })),
  ]
  await app.database.client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '/films')",
    {
      sql: `INSERT INTO media_items (id, item_key, library_id, item_type, path, stored_main_file, title, modified_at, files)
        VALUES (1, 'movie:1:Film', 1, 'movie', 'Film', 'Film/cd1.mkv', 'Film', 5, ?)`,
      args: [JSON.stringify(files)],
    },
  ])
  const place = (file: string) => ({ itemId: 1, itemModifiedAt: 5, file })
  const { db } = app.deps
  await db.insert(mediaProbes).values(others.map((name) => ({ ...place(name), version: 'v', probe: probeOf(7) })))
  const startedAt = processorMs()
  await keepProbe(app.deps, { place: place(''), version: 'v' }, probeOf(60))
  await keepProbe(app.deps, { place: place('cd2.mkv'), version: 'v' }, probeOf(40))
  expect(processorMs() - startedAt).toBeLessThan(1000)
  expect(await db.select({ length: mediaItems.durationSeconds }).from(mediaItems)).toEqual([{ length: 100 }])
})
