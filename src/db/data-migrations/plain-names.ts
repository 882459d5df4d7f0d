import type { Client, InStatement } from '@libsql/client'
import { searchKey } from '../../domain/name-key.ts'
import { slicesOf } from '../../domain/slices.ts'

/** Where a name is kept, and what a part of it is looked for in. */
interface Names {
  table: string
  name: string
  key: string
  /** What `key` was, in small letters with their accents. */
  before: string
}

/** Of `tag_mappings` the key is a text: it has a `rowid` beside it. */
const NAMES: readonly Names[] = [
  { table: 'media_items', name: 'title', key: 'search_title', before: 'search_title' },
  { table: 'tags', name: 'name', key: 'search_name', before: 'name_key' },
  { table: 'tag_mappings', name: 'source', key: 'search_source', before: 'source_key' },
]

/** JSON of about 100 kB each: no statement near the limit of a remote server's request. */
const NAMES_PER_STATEMENT = 2000
const ROWS_PER_QUERY = 20_000

/** Of ASCII a key is what it was; most other names, too, have no accent that was in it. */
const readChanged = async (client: Client, { table, name, before }: Names): Promise<[id: number, key: string][]> => {
  const changed: [number, string][] = []
  for (let last = 0; ; ) {
    const { rows } = await client.execute({
      sql: `SELECT rowid AS id, ${name} AS name, ${before} AS before FROM ${table}
        WHERE rowid > ? AND ${before} GLOB '*[^ -~]*' ORDER BY rowid LIMIT ${ROWS_PER_QUERY}`,
      args: [last],
    })
    for (const row of rows) {
      const found = searchKey(String(row.name))
      if (found !== row.before) changed.push([Number(row.id), found])
    }
    if (rows.length < ROWS_PER_QUERY) return changed
    last = Number(rows.at(-1)?.id)
  }
}

/** Reads the names before migration 0052; the statements belong after its own. */
export const plainNames = async (client: Client): Promise<InStatement[]> => {
  const statements: InStatement[] = []
  for (const names of NAMES) {
    for (const slice of slicesOf(await readChanged(client, names), NAMES_PER_STATEMENT))
      statements.push({
        sql: `UPDATE ${names.table} SET ${names.key} = value ->> 1 FROM json_each(?) WHERE ${names.table}.rowid = value ->> 0`,
        args: [JSON.stringify(slice)],
      })
  }
  return statements
}
