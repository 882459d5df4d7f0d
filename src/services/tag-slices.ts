/** Changes of very many assignments, a slice a transaction: half a million of them would keep every other write waiting for seconds. */

import type { InStatement } from '@libsql/client'
import type { Deps } from '../deps.ts'
import type { Clause } from './clause.ts'

/** Rows a transaction; each takes some tens of microseconds with its triggers. */
export const SLICE_ROWS = 2000

/** Runs the statements, each time in one transaction, until the last one changes fewer rows than a slice has, or so many times. */
export const repeatInSlices = async (deps: Deps, statements: InStatement[], most = Number.POSITIVE_INFINITY): Promise<void> => {
  for (let times = 0; times < most; times++) {
    const results = await deps.write.batch(statements)
    if ((results.at(-1)?.rowsAffected ?? 0) < SLICE_ROWS) return
  }
}

const KEYS = { item_tags: 'tag_id, item_id', tags: 'id' } as const

export const deleteInSlices = (deps: Deps, table: keyof typeof KEYS, where: Clause): Promise<void> => {
  const key = KEYS[table]
  const slice = `SELECT ${key} FROM ${table} WHERE ${where.sql} LIMIT ${SLICE_ROWS}`
  return repeatInSlices(deps, [{ sql: `DELETE FROM ${table} WHERE (${key}) IN (${slice})`, args: where.args }])
}
