/** Which items may have a piece of a name, from the full-text table of titles. */

import { sql } from 'drizzle-orm'
import type { Deps } from '../deps.ts'
import { isDense } from '../domain/dense-script.ts'
import { foldSearch } from '../domain/search-text.ts'
import { numbersIn } from './ids-of.ts'
import { termQuery } from './search-terms.ts'

/** A piece of more names than this is in every fifteenth of a million: a walk through the list meets it often enough. */
const MOST_NAMES = 65_536

/** More items than this that the table does not know yet are looked through in the list itself. */
const MOST_WAITING = 1000

/** One letter of an alphabet is looked for at the beginning of words alone. */
const isInTable = (folded: string): boolean => folded.length > 1 || isDense(folded)

/** What FTS5 is asked for a piece of a name; null where that is not known to it. */
export const nameQuery = async (deps: Deps, q: string): Promise<string | null> => {
  const folded = foldSearch(q)
  return isInTable(folded) ? termQuery(deps, 'search_titles', folded) : null
}

const waitingIds = sql`SELECT item_id AS id FROM search_stale UNION ALL
  SELECT * FROM (SELECT id FROM media_items WHERE id > (SELECT indexed_up_to FROM search_state) LIMIT ${MOST_WAITING + 1})`

/**
 * Ids of items that may have this in their names, in every library: each that has it, and some that have it in another
 * spelling. Null where there are too many.
 */
export const findNames = async (deps: Deps, q: string): Promise<Uint32Array | null> => {
  const waiting = await deps.db.all<{ id: number }>(waitingIds)
  if (waiting.length > MOST_WAITING || !isInTable(foldSearch(q))) return null
  const query = await nameQuery(deps, q)
  const found =
    query === null
      ? []
      : await deps.db.all<{ ids: string | null }>(
          sql`SELECT group_concat(rowid) AS ids FROM (SELECT rowid FROM search_titles WHERE search_titles MATCH ${query} LIMIT ${MOST_NAMES + 1})`,
        )
  const ids = numbersIn(found[0]?.ids)
  if (ids.length > MOST_NAMES) return null
  return Uint32Array.from(waiting.length === 0 ? ids : new Set([...ids, ...waiting.map(({ id }) => id)])).sort()
}
