/**
 * Deletions of so many rows that they go slice by slice, lest every other write waits. Each is written down first, and one
 * that a crash has cut off goes on at the next start: half of a library or a tag is nothing that anybody has asked for.
 */

import { z } from 'zod'
import type { Deps } from '../deps.ts'

const begunDeletion = z.object({ kind: z.enum(['library', 'tag', 'tag_category']), id: z.number().int() })
export type BegunDeletion = z.infer<typeof begunDeletion>

const PREFIX = 'deleting'

/** Deletes in many transactions. One that fails does not go on later: whoever has asked for it is told, and may change their mind. */
export const deleteInSteps = async (deps: Pick<Deps, 'write'>, { kind, id }: BegunDeletion, work: () => Promise<void>): Promise<void> => {
  const key = `${PREFIX} ${kind} ${id}`
  const value = JSON.stringify({ kind, id } satisfies BegunDeletion)
  await deps.write.batch([{ sql: 'INSERT OR IGNORE INTO settings (key, value) VALUES (?, ?)', args: [key, value] }])
  try {
    await work()
  } finally {
    await deps.write.batch([{ sql: 'DELETE FROM settings WHERE key = ?', args: [key] }])
  }
}

export const listBegunDeletions = async (deps: Pick<Deps, 'db'>): Promise<BegunDeletion[]> => {
  const { rows } = await deps.db.$client.execute(`SELECT value FROM settings WHERE key LIKE '${PREFIX} %' ORDER BY key`)
  return rows.map(({ value }) => begunDeletion.parse(JSON.parse(String(value))))
}
