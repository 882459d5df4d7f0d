import type { Client, InStatement } from '@libsql/client'
import { sortName } from '../../domain/natural-sort.ts'
import { slicesOf } from '../../domain/slices.ts'

/** JSON of about 100 kB each: no statement near the limit of a remote server's request. */
const NAMES_PER_STATEMENT = 2000

/** Reads the names of tags before migration 0054; the statements belong after its own. */
export const naturalNames = async (client: Client): Promise<InStatement[]> => {
  const { rows } = await client.execute('SELECT id, name FROM tags')
  const keys = rows.map(({ id, name }) => [Number(id), sortName(String(name))])
  return Array.from(slicesOf(keys, NAMES_PER_STATEMENT), (slice) => ({
    sql: 'UPDATE tags SET sort_name = value ->> 1 FROM json_each(?) WHERE tags.id = value ->> 0',
    args: [JSON.stringify(slice)],
  }))
}
