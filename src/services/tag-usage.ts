/**
 * How often tags are used: by items that are there (a missing one is in no list), in libraries that the person may see,
 * so that no number tells of what is hidden.
 */

import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import { type Clause, clause } from './clause.ts'
import { inLibraries, visibleLibraryIds } from './visible.ts'

/** Rows of `tag_id`, `usage` and `only_library`, which is null where several use it; tags that are not used have none. */
export const usageOf = (libraryIds: readonly number[] | null): Clause =>
  clause`SELECT tag_id, sum(present) AS usage, iif(min(library_id) = max(library_id), library_id, NULL) AS only_library
    FROM library_tags WHERE present > 0 AND ${inLibraries(libraryIds)} GROUP BY tag_id`

/** Of one tag, as the list counts it. */
export const countUsage = async (deps: Deps, viewer: Viewer, tagId: number): Promise<number> => {
  const usage = usageOf(await visibleLibraryIds(deps, viewer))
  const { rows } = await deps.db.$client.execute({ sql: `SELECT usage FROM (${usage.sql}) WHERE tag_id = ?`, args: [...usage.args, tagId] })
  return Number(rows[0]?.usage ?? 0)
}
