import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { mediaItems } from '../../src/db/schema/media-items.ts'
import { openPlaced } from '../../src/services/placed-file.ts'
import { listSubtitleTracks } from '../../src/services/subtitles.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestApp } from '../support/test-app.ts'

const NAMES = 20_000

test('others have their turn while a folder of thousands of names is looked through', async () => {
  await using folder = await temporaryFolder('thousands')
  await using app = await startTestApp()
  const film = join(folder.path, 'Film')
  mkdirSync(film)
  for (const name of ['Film.mkv', 'Film.other.mkv', 'Film.en.srt']) writeFileSync(join(film, name), '')
  // Of each the whole name has to be looked at, and none belongs to the film.
  for (let n = 0; n < NAMES; n += 1) writeFileSync(join(film, `Film.other.${'a.'.repeat(100)}${n}.srt`), '')
  await app.database.client.batch([
    { sql: "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', ?)", args: [folder.path] },
    "INSERT INTO media_items (item_key, library_id, item_type, path, title, stored_main_file) VALUES ('movie:1:Film', 1, 'movie', 'Film', 'Film', 'Film/Film.mkv')",
  ])
  const [item] = await app.deps.db.select().from(mediaItems)
  if (!item) throw new Error('It is in the index.')
  const { opened, name } = await openPlaced({ root: folder.path, path: 'Film/Film.mkv' })
  try {
    let isDone = false
    let longest = 0
    const began = performance.now()
    const watch = (async () => {
      for (let last = began; !isDone; last = performance.now()) {
        await nextTurn()
        longest = Math.max(longest, performance.now() - last)
      }
    })()
    const playable = { item, root: folder.path, path: 'Film/Film.mkv', name, opened, probe: null }
    const tracks = await listSubtitleTracks(app.deps, playable, { itemKey: item.itemKey })
    const took = performance.now() - began
    isDone = true
    await watch
    expect(tracks.map(({ id }) => id)).toEqual(['file.en.srt'])
    expect(longest).toBeLessThan(took / 2)
  } finally {
    await opened.handle.close()
  }
})
