/** A database of 1,000,000 items: what a household has after twenty years of telephones, ten times over. */

import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Client, createClient } from '@libsql/client'
import { searchKey } from '../../src/domain/name-key.ts'
import { sortTitle } from '../../src/domain/natural-sort.ts'
import { startServer } from '../support/test-server.ts'
import { benchTexts, japaneseWord } from './bench-texts.ts'
import { cachedFolder } from './cached-folder.ts'
import { secondsOf } from './rounds.ts'
import { seeded } from './seeded.ts'

export const LARGE = { libraryId: 1, items: 700_000 } as const
const SMALL = { libraryId: 2, items: 300_000 } as const
export const ITEMS = LARGE.items + SMALL.items
const TAGS = 500
const TAGS_AN_ITEM = 5
const TEXTS = 100_000
/** Of the titles that have a Japanese word in them. */
const JAPANESE_SHARE = 0.02
const BATCH_ROWS = 5000
/** To be raised with every change of what is inserted. */
const DATA_VERSION = 4
const UPKEEP_LIMIT_MS = 1_800_000
const FIRST_TIME_MS = Date.UTC(2005, 0, 1)
const MINUTE_MS = 60_000

const WORDS =
  'amber birch cedar delta ember fjord grove harbor island jasper kettle lantern meadow nectar orchard pebble quarry river summit thistle umbra valley willow yonder zephyr sunset garden winter market lighthouse bridge castle forest'.split(
    ' ',
  )

type Value = string | number

const itemRow = (random: () => number, number: number, libraryId: number): Value[] => {
  const word = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? ''
  const isClip = random() < 0.2
  const first = random() < JAPANESE_SHARE ? japaneseWord(random) : word()
  const title = `${first} ${word()} ${Math.floor(random() * 10_000)}-${number.toString(36)}.${isClip ? 'mp4' : 'jpg'}`
  const unit = `${2001 + Math.floor(random() * 20)}/${word()} ${Math.floor(random() * 100)}`
  const path = `${unit}/${title}`
  const addedAt = FIRST_TIME_MS + number * MINUTE_MS
  const version = Math.floor(random() * 2 ** 40).toString(36)
  const size = Math.floor(500_000 + random() * 8_000_000)
  const kind = isClip ? ['video', 'video/mp4'] : ['image', 'image/jpeg']
  return [`mixed_file:${libraryId}:${path}`, path, unit, title, sortTitle(title), searchKey(title), size, addedAt, version, ...kind]
}

/** Inspected already: the background is to have nothing to do. */
const INSERT_ITEMS = `INSERT INTO media_items (library_id, item_type, item_key, path, stored_file_path, unit, title, sort_title, search_title, size,
    modified_at, added_at, updated_at, thumbnail_version, inspected_version, media_kind, mime_type, thumbnail_kind, stored_thumbnail_path, width, height)
  SELECT ?, 'mixed_file', value ->> 0, value ->> 1, '', value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
    value ->> 7, value ->> 7, value ->> 7, value ->> 8, value ->> 8, value ->> 9, value ->> 10, value ->> 9, '', 4000, 3000
  FROM json_each(?)`

const insertItems = async (client: Client): Promise<void> => {
  const random = seeded(7)
  let number = 0
  for (const { libraryId, items } of [LARGE, SMALL]) {
    for (let done = 0; done < items; done += BATCH_ROWS) {
      const rows = Array.from({ length: BATCH_ROWS }, () => itemRow(random, number++, libraryId))
      await client.batch([{ sql: INSERT_ITEMS, args: [libraryId, JSON.stringify(rows)] }], 'write')
      await Bun.sleep(0)
    }
    await client.execute({ sql: 'UPDATE libraries SET item_count = ? WHERE id = ?', args: [items, libraryId] })
  }
}

/** Every tenth item has a description, or a text that was read from its picture. */
const insertTexts = async (client: Client): Promise<void> => {
  const random = seeded(13)
  const step = ITEMS / TEXTS
  for (let first = 1; first <= ITEMS; first += BATCH_ROWS * step) {
    const rows = Array.from({ length: BATCH_ROWS }, (_, index) => {
      const { description, extractedText } = benchTexts(random)
      return [first + index * step, description, extractedText]
    })
    const sql = `UPDATE media_items SET description = row.value ->> 1, extracted_text = row.value ->> 2
      FROM json_each(?) AS row WHERE media_items.id = row.value ->> 0`
    await client.batch([{ sql, args: [JSON.stringify(rows)] }], 'write')
    await Bun.sleep(0)
  }
}

/** Tag n is carried by about 1/n as many items as tag 1: a few words are everywhere, most are rare. */
const insertTags = async (client: Client): Promise<void> => {
  const names = Array.from({ length: TAGS }, (_, index) => `tag ${index + 1}`)
  await client.batch(
    [
      `INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Subject', 'subject')`,
      {
        sql: 'INSERT INTO tags (id, category_id, name, name_key) SELECT key + 1, 1, value, value FROM json_each(?)',
        args: [JSON.stringify(names)],
      },
    ],
    'write',
  )
  const random = seeded(11)
  const draw = (): number => Math.min(TAGS, Math.floor(TAGS ** random()))
  for (let first = 1; first <= ITEMS; first += BATCH_ROWS) {
    const pairs = Array.from({ length: BATCH_ROWS * TAGS_AN_ITEM }, (_, index) => [draw(), first + Math.floor(index / TAGS_AN_ITEM)])
    const sql = `INSERT OR IGNORE INTO item_tags (tag_id, item_id) SELECT value ->> 0, value ->> 1 FROM json_each(?)`
    await client.batch([{ sql, args: [JSON.stringify(pairs)] }], 'write')
    await Bun.sleep(0)
  }
}

/** Nothing is left for the background to look into. */
const INSERT_PROBES = `INSERT INTO media_probes (item_id, file, version, item_modified_at)
  SELECT id, '', '', modified_at FROM media_items WHERE media_kind = 'video'`

/** Changes with the migrations: the server would copy and migrate a gigabyte at its start. */
const schemaVersion = async (): Promise<string> => {
  const folder = join(import.meta.dir, '../../drizzle')
  const names = [...new Bun.Glob('*.sql').scanSync(folder)].sort()
  const texts = await Promise.all(names.map((name) => Bun.file(join(folder, name)).text()))
  return Bun.hash(`${DATA_VERSION}\n${texts.join('')}`).toString(36)
}

const openClient = (dataDir: string): Client =>
  createClient({ url: pathToFileURL(join(dataDir, 'vitrine.db')).href, concurrency: 1, timeout: 5000 })

/** Lets the server's upkeep render every entry and index every name and text. */
const settle = async (dataDir: string): Promise<void> => {
  await using server = await startServer({ dataDir, env: { SCAN_ON_START: '0' } })
  const client = openClient(dataDir)
  const end = Date.now() + UPKEEP_LIMIT_MS
  try {
    for (;;) {
      const { rows } = await client.execute(
        `SELECT EXISTS (SELECT 1 FROM media_items WHERE NOT is_new AND entry IS NULL) AS entries,
          (SELECT max(id) FROM media_items) > (SELECT indexed_up_to FROM search_state) OR EXISTS (SELECT 1 FROM search_stale) AS names`,
      )
      if (rows[0]?.entries === 0 && rows[0].names === 0) return await server.stop()
      if (Date.now() > end) throw new Error('The upkeep did not end.')
      await Bun.sleep(500)
    }
  } finally {
    client.close()
  }
}

const fill = async (dataDir: string): Promise<void> => {
  const folders = [LARGE, SMALL].map(({ libraryId }) => join(tmpdir(), `vitrine-bench/empty-${libraryId}`))
  for (const folder of folders) await mkdir(folder, { recursive: true })
  const empty = await startServer({ dataDir, env: { SCAN_ON_START: '0' } })
  const admin = await empty.as('admin')
  for (const path of folders) await admin.post('/api/libraries', { name: path.slice(-7), type: 'mixed', path })
  await empty.stop()
  const client = openClient(dataDir)
  await insertItems(client)
  await insertTexts(client)
  await insertTags(client)
  await client.execute(INSERT_PROBES)
  await client.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  client.close()
  const seconds = await secondsOf(() => settle(dataDir))
  process.stderr.write(`The server's upkeep took ${seconds.toFixed(0)} s for ${ITEMS} entries, names and texts.\n`)
}

/** The data folder of a server with 1,000,000 items, each with up to five of 500 tags, every tenth with a text, and one administrator. */
export const millionItems = async (): Promise<string> => cachedFolder('items-1m', await schemaVersion(), fill)
