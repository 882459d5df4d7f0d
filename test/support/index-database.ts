import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient, type InValue } from '@libsql/client'

/** What a mark is on; a scan may change nothing of it but the key and the time it has been missing. */
interface MarkedItem {
  id: number
  itemKey: string
  isMissing: boolean
}

/**
 * The database of a server, running or not, over a connection of the test's own: for what no route writes yet, and for
 * what no answer shows. `marks` stand for everything that people and machines put on an item: a tag, a description, an
 * extracted text and a progress, all of which name the item that they were put on.
 */
export interface IndexDatabase extends AsyncDisposable {
  query: <Row = Record<string, InValue>>(sql: string, args?: InValue[]) => Promise<Row[]>
  /** Puts one mark on each of these items. Throws where an item is not in the index. */
  mark: (nameByKey: Record<string, string>) => Promise<void>
  /** By name of the mark, the item that carries all four parts of it. A mark that is torn apart is left out. */
  marks: () => Promise<Record<string, MarkedItem>>
  /** Every row that a scan which changes nothing must leave as it is, as text to be compared. */
  dump: () => Promise<Record<string, string[]>>
  /** Throws where the file or a reference in it is damaged. */
  check: () => Promise<void>
  /** Waits until the background has made the content hash of every present item with a file. */
  waitForHashes: () => Promise<void>
  close: () => void
}

const BUSY_TIMEOUT_MS = 10_000
/** The videos of a collection are read one after the other, on a machine that has other things to do. */
const HASH_LIMIT_MS = 180_000
const POLL_INTERVAL_MS = 25

const CATEGORY = 'Marks'

/** Each part of a mark is made from its name, so that parts which went astray can be told. */
const MARK_STATEMENTS = [
  `INSERT OR IGNORE INTO tag_categories (name, name_key) VALUES ('${CATEGORY}', 'marks')`,
  `INSERT OR IGNORE INTO tags (category_id, name, name_key) SELECT c.id, mark.key, mark.key FROM tag_categories c, json_each(?1) AS mark WHERE c.name = '${CATEGORY}'`,
  `INSERT INTO item_tags (tag_id, item_id, created_at) SELECT t.id, m.id, 1 FROM json_each(?1) AS mark
    JOIN tags t ON t.name = mark.key JOIN media_items m ON m.item_key = mark.value`,
  `UPDATE media_items SET description = 'description of ' || mark.key, extracted_text = 'text of ' || mark.key, ai_tagged_at = 1
    FROM json_each(?1) AS mark WHERE media_items.item_key = mark.value`,
  `INSERT INTO progress (user_id, item_id, position_seconds, completed, updated_at)
    SELECT (SELECT min(id) FROM users), m.id, t.id, 0, 1 FROM json_each(?1) AS mark
    JOIN tags t ON t.name = mark.key JOIN media_items m ON m.item_key = mark.value`,
]

const WHOLE_MARKS = `SELECT t.name, m.id, m.item_key AS itemKey, m.missing_since IS NOT NULL AS isMissing
  FROM tags t JOIN item_tags i ON i.tag_id = t.id JOIN media_items m ON m.id = i.item_id JOIN progress p ON p.item_id = m.id
  WHERE m.description = 'description of ' || t.name AND m.extracted_text = 'text of ' || t.name AND p.position_seconds = t.id AND m.ai_tagged_at = 1`

/** A cache of the row itself, and what the background learns of a file in its own time. */
const NOT_KEPT = new Set([
  'entry',
  'is_new',
  'content_hash',
  'width',
  'height',
  'duration_seconds',
  'taken_at',
  'dated_at',
  'thumbhash',
  'inspected_version',
  'inspect_error',
])
const isKept = (column: string): boolean => !NOT_KEPT.has(column)

export const openIndex = (file: string): IndexDatabase => {
  const client = createClient({ url: pathToFileURL(file).href, timeout: BUSY_TIMEOUT_MS, concurrency: 1 })
  const query = async <Row>(sql: string, args: InValue[] = []): Promise<Row[]> =>
    (await client.execute({ sql, args })).rows.map((row) => ({ ...row }) as Row)

  const mark: IndexDatabase['mark'] = async (nameByKey) => {
    const byName = JSON.stringify(Object.fromEntries(Object.entries(nameByKey).map(([key, name]) => [name, key])))
    await client.batch(
      MARK_STATEMENTS.map((sql) => ({ sql, args: sql.includes('?1') ? [byName] : [] })),
      'write',
    )
    const marked = new Set(Object.values(await marks()).map(({ itemKey }) => itemKey))
    const left = Object.keys(nameByKey).filter((key) => !marked.has(key))
    if (left.length > 0) throw new Error(`Not in the index: ${left.slice(0, 5).join(', ')}`)
  }

  const marks: IndexDatabase['marks'] = async () => {
    const rows = await query<{ name: string; id: number; itemKey: string; isMissing: number }>(WHOLE_MARKS)
    return Object.fromEntries(rows.map(({ name, id, itemKey, isMissing }) => [name, { id, itemKey, isMissing: isMissing === 1 }]))
  }

  const dumpTable = async (table: string): Promise<string[]> => {
    const columns = await query<{ name: string }>('SELECT name FROM pragma_table_xinfo(?) ORDER BY cid', [table])
    const kept = columns.map(({ name }) => name).filter(isKept)
    const rows = await query(`SELECT ${kept.join(', ')} FROM ${table} ORDER BY 1, 2`)
    return rows.map((row) => JSON.stringify(row))
  }

  const dump: IndexDatabase['dump'] = async () => ({
    media_items: await dumpTable('media_items'),
    item_tags: await dumpTable('item_tags'),
    tags: await dumpTable('tags'),
    progress: await dumpTable('progress'),
  })

  const waitForHashes: IndexDatabase['waitForHashes'] = async () => {
    for (const end = Date.now() + HASH_LIMIT_MS; ; ) {
      const [left] = await query<{ total: number }>(
        'SELECT count(*) AS total FROM media_items WHERE missing_since IS NULL AND main_file IS NOT NULL AND size > 0 AND content_hash IS NULL',
      )
      if (left?.total === 0) return
      if (Date.now() > end) throw new Error(`${left?.total} items were not hashed`)
      await Bun.sleep(POLL_INTERVAL_MS)
    }
  }

  const check: IndexDatabase['check'] = async () => {
    // A connection of its own: one that has seen the full-text table change takes it for malformed (SQLite 3.45.1).
    const fresh = createClient({ url: pathToFileURL(file).href, timeout: BUSY_TIMEOUT_MS, concurrency: 1 })
    try {
      const found = await Promise.all(['PRAGMA integrity_check', 'PRAGMA foreign_key_check'].map((sql) => fresh.execute(sql)))
      const said = found.flatMap(({ rows }) => rows.map((row) => Object.values(row).join(' '))).join('; ')
      if (said !== 'ok') throw new Error(said)
    } finally {
      fresh.close()
    }
  }

  const close = (): void => client.close()
  return { query, mark, marks, dump, check, waitForHashes, close, [Symbol.asyncDispose]: async () => close() }
}

/** The database of a server with this data folder. */
export const openIndexOf = ({ dataDir }: { dataDir: string }): IndexDatabase => openIndex(join(dataDir, 'vitrine.db'))
