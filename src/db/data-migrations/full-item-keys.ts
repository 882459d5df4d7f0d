import type { Client, InStatement } from '@libsql/client'
import { searchTitle, sortTitle } from '../../domain/natural-sort.ts'
import { nameKeyStatements } from './name-keys.ts'

/** JSON of about 100 kB each: few statements, and no statement near the limit of a remote server's request. */
const TITLES_PER_STATEMENT = 500

/** Orders and searches by keys that need Unicode rules, which SQLite lacks. */
const titleStatements = async (client: Client): Promise<InStatement[]> => {
  const { rows } = await client.execute('SELECT media_key, title FROM media_items WHERE media_key IS NOT NULL ORDER BY rowid')
  const titles = rows.map((row) => {
    const title = String(row.title)
    return [String(row.media_key), sortTitle(title), searchTitle(title)]
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
