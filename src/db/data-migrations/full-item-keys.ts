import type { Client, InStatement } from '@libsql/client'
import { isItemType } from '../../domain/item-type.ts'
import { stemOf } from '../../domain/media-file.ts'
import { searchKey } from '../../domain/name-key.ts'
import { sortTitle } from '../../domain/natural-sort.ts'
import { hasNfo, UNKNOWN_REFRESH } from '../../domain/nfo.ts'
import { slicesOf } from '../../domain/slices.ts'
import { nameKeyStatements } from './name-keys.ts'

/** JSON of about 100 kB each: few statements, and no statement near the limit of a remote server's request. */
const TITLES_PER_STATEMENT = 500

/** The keys that an item may have after migration 0002: the one that it had, or its full one in place of a short one. */
const TITLES = `SELECT m.media_key AS media_key, m.title AS title, m.path AS path, m.item_type AS item_type,
    m.item_type || ':' || m.library_id || ':'
    || CASE WHEN substr(m.path, 1, length(l.root)) = l.root THEN substr(m.path, length(l.root) + 1) ELSE m.path END AS full_key
  FROM media_items m JOIN (SELECT id, rtrim(path, '/') || '/' AS root FROM libraries) l ON l.id = m.library_id
  WHERE m.media_key IS NOT NULL ORDER BY m.rowid`

/** A scan's title is the name of the folder or the file; another one can only have come from an NFO file. */
const isFromNfo = (itemType: string, path: string, title: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return isItemType(itemType) && hasNfo(itemType) && ![name, stemOf(name), ''].includes(title)
}

/** Orders and searches by keys that need Unicode rules, which SQLite lacks, and keeps the scans off the titles of NFO files. */
const titleStatements = async (client: Client): Promise<InStatement[]> => {
  const { rows } = await client.execute(TITLES)
  const taken = new Set(rows.map((row) => String(row.media_key)))
  const titles = rows.flatMap((row) => {
    const title = String(row.title)
    const [key, full, path] = [String(row.media_key), String(row.full_key), String(row.path)]
    const names = key === full || taken.has(full) ? [key] : [key, full]
    const refreshedAt = isFromNfo(String(row.item_type), path, title) ? UNKNOWN_REFRESH : null
    return names.map((name) => [name, sortTitle(title), searchKey(title), refreshedAt])
  })
  return [...slicesOf(titles, TITLES_PER_STATEMENT)].map((slice) => ({
    sql: `UPDATE media_items SET sort_title = value ->> 1, search_title = value ->> 2, nfo_refreshed_at = value ->> 3
      FROM json_each(?) WHERE item_key = value ->> 0`,
    args: [JSON.stringify(slice)],
  }))
}

/** Reads the tables of the oldest schema; the statements belong after migration 0002's own. */
export const fullItemKeys = async (client: Client): Promise<InStatement[]> => [
  ...(await titleStatements(client)),
  ...(await nameKeyStatements(client)),
]
