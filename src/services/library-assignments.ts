/** Every assignment of a library at once (API.md, 8): for scripts and small libraries. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import { highestItemId } from './ids-of.ts'
import { getVisibleLibrary } from './visible.ts'

/** Item ids a query: some tens of thousands of assignments, so that other requests get their turn in between. */
const WINDOW = 10_000

/** `{assignments}` as JSON text: ids of tags by item key. Missing items are in no list. */
export const listLibraryAssignments = async (deps: Deps, viewer: Viewer, libraryId: number): Promise<{ json: string }> => {
  await getVisibleLibrary(deps, viewer, libraryId)
  const pieces: string[] = []
  const end = await highestItemId(deps)
  for (let from = 1; from <= end; from += WINDOW) {
    const { rows } = await deps.db.$client.execute({
      sql: `SELECT group_concat(piece) AS pieces FROM (SELECT json_quote(m.item_key) || ':' || json_group_array(it.tag_id) AS piece
        FROM media_items m JOIN item_tags it ON it.item_id = m.id
        WHERE m.id BETWEEN ?1 AND ?2 AND m.library_id = ?3 AND m.missing_since IS NULL GROUP BY m.id ORDER BY m.id)`,
      args: [from, from + WINDOW - 1, libraryId],
    })
    const text = rows[0]?.pieces
    if (typeof text === 'string') pieces.push(text)
    await nextTurn()
  }
  return { json: `{"assignments":{${pieces.join(',')}}}` }
}
