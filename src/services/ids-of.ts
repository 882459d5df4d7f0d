import type { Deps } from '../deps.ts'
import { type Clause, clause } from './clause.ts'

const COMMA = 44
const ZERO = 48

/** Adds what `group_concat` made of whole numbers; null is what it makes of none. A text for each of them would be most of the time, and the memory. */
export const addNumbers = (numbers: number[], text: unknown): void => {
  if (typeof text !== 'string') return
  let number = 0
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place)
    if (code !== COMMA) number = number * 10 + code - ZERO
    else {
      numbers.push(number)
      number = 0
    }
  }
  numbers.push(number)
}

export const numbersIn = (text: unknown): number[] => {
  const numbers: number[] = []
  addNumbers(numbers, text)
  return numbers
}

/** 0 where there is no item. */
export const highestItemId = async ({ db }: Pick<Deps, 'db'>): Promise<number> => {
  const { rows } = await db.$client.execute('SELECT max(id) AS highest FROM media_items')
  return Number(rows[0]?.highest)
}

/** Rows of `id`, in their order, as one text: a row costs more than what is in it. */
export const idsOf = async ({ db }: Pick<Deps, 'db'>, ids: Clause): Promise<number[]> => {
  const { rows } = await db.$client.execute(clause`SELECT group_concat(id) AS ids FROM (${ids})`)
  return numbersIn(rows[0]?.ids)
}
