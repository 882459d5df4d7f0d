import type { Deps } from '../deps.ts'
import { type Clause, clause } from './clause.ts'

/** What `group_concat` made of numbers; null is what it makes of none. */
export const numbersIn = (text: unknown): number[] => (typeof text === 'string' ? text.split(',').map(Number) : [])

/** Rows of `id`, in their order, as one text: a row costs more than what is in it. */
export const idsOf = async ({ db }: Pick<Deps, 'db'>, ids: Clause): Promise<number[]> => {
  const { rows } = await db.$client.execute(clause`SELECT group_concat(id) AS ids FROM (${ids})`)
  return numbersIn(rows[0]?.ids)
}
