/** What deleting or merging would do, for the question before it. Numbers are of libraries that the person may see, with what is missing there. */

import { eq, sql } from 'drizzle-orm'
import { tagMappings, tags } from '../db/schema/tags.ts'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import { type Clause, clause } from './clause.ts'
import { getCategoryRow } from './tag-categories.ts'
import { getTag } from './tags.ts'
import { inLibraries, visibleLibraryIds } from './visible.ts'

/** `tagIds`: a query for them. */
const countAssignments = async (deps: Deps, viewer: Viewer, tagIds: Clause): Promise<number> => {
  const there = inLibraries(await visibleLibraryIds(deps, viewer))
  const { rows } = await deps.db.$client.execute(
    clause`SELECT coalesce(sum(assigned), 0) AS total FROM library_tags WHERE tag_id IN (${tagIds}) AND ${there}`,
  )
  return Number(rows[0]?.total ?? 0)
}

const countShared = async (deps: Deps, viewer: Viewer, from: number, into: number): Promise<number> => {
  const there = inLibraries(await visibleLibraryIds(deps, viewer))
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT count(*) AS total FROM item_tags a JOIN item_tags b ON b.tag_id = ? AND b.item_id = a.item_id
      JOIN media_items m ON m.id = a.item_id WHERE a.tag_id = ? AND ${there.sql}`,
    args: [into, from, ...there.args],
  })
  return Number(rows[0]?.total ?? 0)
}

export interface MergeCount {
  /** Assignments that get the other tag. */
  moved: number
  /** Assignments of items that have the other tag already. */
  merged: number
}

export const countMerge = async (deps: Deps, viewer: Viewer, { from, into }: { from: number; into: number }): Promise<MergeCount> => {
  const all = await countAssignments(deps, viewer, { sql: '?', args: [from] })
  const merged = await countShared(deps, viewer, from, into)
  return { moved: all - merged, merged }
}

interface DeletePlan {
  tags: number
  assignments: number
  mappings: number
}

export const planTagDelete = async (deps: Deps, viewer: Viewer, id: number): Promise<DeletePlan> => {
  await getTag(deps.db, id)
  const assignments = await countAssignments(deps, viewer, { sql: '?', args: [id] })
  return { tags: 1, assignments, mappings: await deps.db.$count(tagMappings, eq(tagMappings.tagId, id)) }
}

export const planCategoryDelete = async (deps: Deps, viewer: Viewer, id: number): Promise<DeletePlan> => {
  await getCategoryRow(deps.db, id)
  return {
    tags: await deps.db.$count(tags, eq(tags.categoryId, id)),
    assignments: await countAssignments(deps, viewer, { sql: 'SELECT id FROM tags WHERE category_id = ?', args: [id] }),
    mappings: await deps.db.$count(tagMappings, sql`${tagMappings.tagId} IN (SELECT id FROM tags WHERE category_id = ${id})`),
  }
}
