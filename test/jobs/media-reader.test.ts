import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseConfig } from '../../src/config.ts'
import { createMediaReader } from '../../src/jobs/media-reader.ts'
import { createSubtitleConverter } from '../../src/jobs/subtitle-converter.ts'
import { openInside } from '../../src/media/inside.ts'
import { HANGING_DISK, withHangingDisk } from '../support/hanging-disk.ts'
import { silentLog, testDatabase } from '../support/test-database.ts'
import { waitFor } from '../support/test-server.ts'
import { countTurns } from '../support/turns.ts'

const LIMIT_MS = 60_000
setDefaultTimeout(2 * LIMIT_MS)
const VIDEOS = 2100
/** What the reader looks through at a time is less than a quarter of that. */
const LOOKS = 5

test('between two looks at videos that are all known, others have their turn', async () => {
  await using database = await testDatabase()
  const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${VIDEOS})`
  await database.client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Clips', 'mixed', '/clips')",
    `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, stored_main_file, media_kind, modified_at)
      ${numbers} SELECT n, 'mixed_file:1:' || n, 1, 'mixed_file', n || '.mp4', 'x', n || '.mp4', 'video', 7 FROM numbers`,
    `INSERT INTO media_probes (item_id, file, version, item_modified_at) ${numbers} SELECT n, '', '1-1', 7 FROM numbers`,
  ])
  const turns = countTurns(database)
  const config = parseConfig(['--data', database.folder], { PATH: process.env.PATH, FFPROBE_PATH: '/bin/false' })
  const subtitles = { asVtt: () => Promise.reject(new Error('Nobody has asked for subtitles.')) }
  const reader = createMediaReader({ config, db: turns.db, write: database.write, log: silentLog, subtitles }, { isElsewhere: () => false })
  try {
    reader.wake()
    await waitFor(
      async () => turns.seen.length >= LOOKS || undefined,
      LIMIT_MS,
      () => `The reader looked ${turns.seen.length} times.`,
    )
  } finally {
    turns.stop()
    await reader.stop()
  }
  expect(turns.most()).toBe(1)
})

test('the extras of a series are looked into again where they have changed, not where their folder has', async () => {
  await using database = await testDatabase()
  const { client, folder } = database
  const [program, calls] = [join(folder, 'ffprobe.sh'), join(folder, 'calls')]
  await writeFile(program, `#!/bin/sh\necho >> ${calls}\necho '{"streams":[],"format":{"format_name":"matroska"},"chapters":[]}'\n`, {
    mode: 0o700,
  })
  await mkdir(join(folder, 'Firefly'))
  const put = (name: string, size: number): Promise<void> => writeFile(join(folder, 'Firefly', name), 'x'.repeat(size))
  for (const name of ['a.mkv', 'b.mkv']) await put(name, 100)
  await client.batch([
    { sql: "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Series', 'tv', ?)", args: [folder] },
    "INSERT INTO media_items (id, item_key, library_id, item_type, path, title) VALUES (7, 'tv_series:1:Firefly', 1, 'tv_series', 'Firefly', 'Firefly')",
  ])
  const config = parseConfig(['--data', folder], { PATH: process.env.PATH, FFPROBE_PATH: program })
  const subtitles = { asVtt: () => Promise.reject(new Error('Nobody has asked for subtitles.')) }
  const reader = createMediaReader(
    { config, db: database.db, write: database.write, log: silentLog, subtitles },
    { isElsewhere: () => false },
  )
  /** How often ffprobe was asked by the time that all is known. */
  const scan = async (modifiedAt: number, sizeOfA: number): Promise<number> => {
    const files = [
      { name: 'a.mkv', size: sizeOfA, role: 'extra' },
      { name: 'b.mkv', size: 100, role: 'extra' },
    ]
    await client.execute({ sql: 'UPDATE media_items SET modified_at = ?, files = ?', args: [modifiedAt, JSON.stringify(files)] })
    reader.wake()
    const sql = "SELECT file FROM media_probes WHERE item_modified_at = ? AND probe ->> 'format' = 'matroska'"
    await waitFor(
      async () => (await client.execute({ sql, args: [modifiedAt] })).rows.length === 2 || undefined,
      LIMIT_MS,
      () => 'The extras were not looked into',
    )
    return (await readFile(calls, 'utf8')).length
  }
  try {
    expect(await scan(1, 100)).toBe(2)
    expect(await scan(2, 100)).toBe(2)
    await put('a.mkv', 200)
    expect(await scan(3, 200)).toBe(3)
  } finally {
    await reader.stop()
  }
})

/** Two texts of these are kept, and no third. */
const LONG_CUES = 28
const LONG_CUE_CHARACTERS = 250_000

test('a disk that hangs does not keep the videos of others from being looked into', async () => {
  await using database = await testDatabase()
  const { client, folder } = database
  await writeFile(join(folder, 'b.mkv'), 'x')
  await client.batch([
    {
      sql: "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Away', 'mixed', ?), (2, 'Here', 'mixed', ?)",
      args: [`${HANGING_DISK}/videos`, folder],
    },
    `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, stored_main_file, media_kind, modified_at) VALUES
      (1, 'mixed_file:1:a.mkv', 1, 'mixed_file', 'a.mkv', 'a', 'a.mkv', 'video', 7),
      (2, 'mixed_file:2:b.mkv', 2, 'mixed_file', 'b.mkv', 'b', 'b.mkv', 'video', 7)`,
  ])
  const config = parseConfig(['--data', folder], { PATH: process.env.PATH, FFPROBE_PATH: '/bin/false' })
  const subtitles = { asVtt: () => Promise.reject(new Error('Nobody has asked for subtitles.')) }
  await withHangingDisk(async () => {
    const reader = createMediaReader(
      { config, db: database.db, write: database.write, log: silentLog, subtitles },
      { isElsewhere: () => false },
    )
    reader.wake()
    await waitFor(
      async () => (await client.execute('SELECT 1 FROM media_probes WHERE item_id = 2')).rows[0],
      LIMIT_MS,
      () => 'The video was not looked into',
    )
    await reader.stop()
  })
})

test('of texts that were read out of videos the longest unused one is let go', async () => {
  await using database = await testDatabase()
  const { folder } = database
  const [program, calls] = [join(folder, 'ffmpeg.sh'), join(folder, 'calls')]
  const cue = String.raw`printf '1\n00:00:%s,000 --> 00:01:00,000\n' $second; head -c ${LONG_CUE_CHARACTERS} /dev/zero | tr '\0' a; printf '\n\n'`
  await writeFile(program, `#!/bin/sh\necho >> ${calls}\nfor second in $(seq 10 ${10 + LONG_CUES - 1}); do ${cue}; done\n`, { mode: 0o700 })
  await writeFile(join(folder, 'film.mkv'), 'x')
  const config = parseConfig(['--data', folder], { PATH: process.env.PATH, FFMPEG_PATH: program })
  const subtitles = createSubtitleConverter({ log: silentLog })
  const reader = createMediaReader(
    { config, db: database.db, write: database.write, log: silentLog, subtitles },
    { isElsewhere: () => false },
  )
  const film = await openInside(folder, 'film.mkv')
  /** How many were read by then. */
  const ask = async (key: string): Promise<number> => {
    await reader.subtitles(film, { key, stream: { index: 0, format: 'srt' }, userId: 1, signal: new AbortController().signal })
    return (await readFile(calls, 'utf8')).length
  }
  try {
    expect([await ask('a'), await ask('b'), await ask('a')]).toEqual([1, 2, 2])
    expect([await ask('c'), await ask('a'), await ask('b')]).toEqual([3, 3, 4])
  } finally {
    await film.handle.close()
    await reader.stop()
    subtitles.close()
  }
})

test('subtitles are not read on out of a video when whoever asked for them has gone', async () => {
  await using database = await testDatabase()
  const { folder } = database
  const [program, pid] = [join(folder, 'ffmpeg.sh'), join(folder, 'pid')]
  await writeFile(program, `#!/bin/sh\necho $$ > ${pid}\nexec sleep 1000\n`, { mode: 0o700 })
  await writeFile(join(folder, 'film.mkv'), 'x')
  const config = parseConfig(['--data', folder], { PATH: process.env.PATH, FFMPEG_PATH: program })
  const subtitles = { asVtt: () => Promise.reject(new Error('Nothing was read.')) }
  const reader = createMediaReader(
    { config, db: database.db, write: database.write, log: silentLog, subtitles },
    { isElsewhere: () => false },
  )
  const film = await openInside(folder, 'film.mkv')
  const gone = new AbortController()
  const asked = reader.subtitles(film, { key: 'film', stream: { index: 0, format: 'srt' }, userId: 1, signal: gone.signal })
  const running = await waitFor(
    async () => Number(await readFile(pid, 'utf8').catch(() => '')) || undefined,
    LIMIT_MS,
    () => 'Nothing was started',
  )
  gone.abort()
  await expect(asked).rejects.toThrow()
  await waitFor(
    () => {
      try {
        process.kill(running, 0)
        return undefined
      } catch {
        return true
      }
    },
    LIMIT_MS,
    () => 'It runs on',
  )
  await film.handle.close()
  await reader.stop()
})
