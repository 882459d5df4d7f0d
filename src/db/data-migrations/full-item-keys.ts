import type { Client, InStatement } from '@libsql/client'
import { searchTitle, sortTitle } from '../../domain/natural-sort.ts'
import { nameKeyStatements } from './name-keys.ts'

/** JSON of about 100 kB each: few statements, and no statement near the limit of a remote server's request. */
const TITLES_PER_STATEMENT = 500

/** The keys that an item may have after migration 0002: the one that it had, or its full one in place of a short one. */
const TITLES = `SELECT m.media_key AS media_key, m.title AS title, m.item_type || ':' || m.library_id || ':'
    || CASE WHEN substr(m.path, 1, length(l.root)) = l.root THEN substr(m.path, length(l.root) + 1) ELSE m.path END AS full_key
  FROM media_items m JOIN (SELECT id, rtrim(path, '/') || '/' AS root FROM libraries) l ON l.id = m.library_id
  WHERE m.media_key IS NOT NULL ORDER BY m.rowid`

/** Orders and searches by keys that need Unicode rules, which SQLite lacks. */
const titleStatements = async (client: Client): Promise<InStatement[]> => {
  const { rows } = await client.execute(TITLES)
  const taken = new Set(rows.map((row) => String(row.media_key)))
  const titles = rows.flatMap((row) => {
    const title = String(row.title)
    const [key, full] = [String(row.media_key), String(row.full_key)]
    const names = key === full || taken.has(full) ? [key] : [key, full]
    return names.map((name) => [name, sortTitle(title), searchTitle(title)])
  })
  const chunks = Array.from({ length: Math.ceil(titles.length / TITLES_PER_STATEMENT) }, (_, index) =>
    titles.slice(index * TITLES_PER_STATEMENT, (index + 1) * TITLES_PER_STATEMENT),
  )
  return chunks.map((chunk) => ({
    sql: `UPDATE media_items SET sort_title = value ->> 1, search_title = value ->> 2
      FROM json_each(?) WHERE item_key = value ->> 0`,
    args: [JSON.stringify(chunk)],
  }))
}

/** Reads the tables of the oldest schema; the statements belong after migration 0002's own. */
export const fullItemKeys = async (client: Client): Promise<InStatement[]> => [
  ...(await titleStatements(client)),
  ...(await nameKeyStatements(client)),
]
