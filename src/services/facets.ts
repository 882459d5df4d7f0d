/** Which tags a level can be filtered by, and how many entries each of them would leave. */

import type { Deps } from '../deps.ts'
import { type Bits, countCommon, keepCommon, removeCommon } from '../domain/id-set.ts'
import { compareText, sortName, toNaturalOrder } from '../domain/natural-sort.ts'
import type { Viewer } from '../domain/permissions.ts'
import { type BrowseFilter, carrierRows, type FilterQuery, filterOf, isFilter, readCompleted, readKinds } from './browse-filter.ts'
import { getLevel, isFlat, type Level, type LevelQuery } from './browse-level.ts'
import { confirmed, selectEntries } from './browse-selection.ts'
import { clause } from './clause.ts'
import { openTagIndex, warmTagIndex } from './tag-index.ts'

interface Facet {
  id: number
  name: string
  /** Entries of the level that would remain; one that holds several matching items counts once. */
  count: number
}

interface FacetCategory {
  id: number
  name: string
  color: string | null
  /** The most used in the library first; those that are as common in natural order. */
  tags: Facet[]
}

interface UsedTag {
  categoryId: number
  categoryName: string
  color: string | null
  id: number
  name: string
  present: number
}

/** One text for all of them: a row costs more than what is in it. */
const USED = `SELECT json_group_array(json_array(categoryId, categoryName, color, id, name, present)) AS used FROM (
    SELECT c.id AS categoryId, c.name AS categoryName, c.color AS color, t.id AS id, t.name AS name, l.present AS present FROM library_tags l
    JOIN tags t ON t.id = l.tag_id JOIN tag_categories c ON c.id = t.category_id
    WHERE l.library_id = ? AND l.present > 0 ORDER BY c.name_key, c.id, t.name_key, t.id)`

/** Every tag that something present in the library carries, whatever the filter. */
const listUsed = async (deps: Deps, libraryId: number): Promise<UsedTag[]> => {
  const { rows } = await deps.db.$client.execute({ sql: USED, args: [libraryId] })
  const used: unknown = JSON.parse(String(rows[0]?.used))
  return (Array.isArray(used) ? used : []).map(([categoryId, categoryName, color, id, name, present]: unknown[]) => ({
    categoryId: Number(categoryId),
    categoryName: String(categoryName),
    color: color === null ? null : String(color),
    id: Number(id),
    name: String(name),
    present: Number(present),
  }))
}

/** A name's key is made once: a category may have ten thousand of them. */
const inOrder = (tags: readonly UsedTag[]): UsedTag[] =>
  tags
    .map((tag) => ({ tag, key: sortName(tag.name) }))
    .sort((a, b) => b.tag.present - a.tag.present || compareText(a.key, b.key))
    .map(({ tag }) => tag)

const countCarriers = async (deps: Deps, level: Level, filter: BrowseFilter): Promise<Map<number, number>> => {
  const counted = level.filter.below === 'nothing' ? 'count(*)' : 'count(DISTINCT found.entry)'
  const rows = clause`SELECT i.tag_id, ${counted} FROM (${carrierRows(level, filter)}) AS found JOIN item_tags i ON i.item_id = found.carrier GROUP BY i.tag_id`
  const found = await deps.db.$client.execute(rows)
  return new Map(found.rows.map((row) => [Number(row[0]), Number(row[1])]))
}

/** More entries than these are not looked at one by one for a name. */
const MOST_CHECKED = 65_536

/** Null where SQL is not slower: where a name is in very many entries. */
const remaining = async (deps: Deps, level: Level, filter: BrowseFilter): Promise<Bits | null> => {
  if (!filter.q) {
    const bits = await (await openTagIndex(deps)).matching(level.library.id, filter)
    if (filter.unfinishedBy !== undefined) removeCommon(bits, await readCompleted(deps, filter.unfinishedBy))
    if (filter.kinds) keepCommon(bits, await readKinds(deps, level.library.id, filter.kinds))
    return bits
  }
  const selection = await selectEntries(deps, level, filter)
  return selection && selection.count <= MOST_CHECKED ? confirmed(deps, level, selection) : null
}

const countInMemory = async (deps: Deps, level: Level, { filter, used }: { filter: BrowseFilter; used: readonly UsedTag[] }) => {
  const bits = await remaining(deps, level, filter)
  if (!bits) return countCarriers(deps, level, filter)
  const index = await openTagIndex(deps)
  const counts = new Map<number, number>()
  for (const { id } of used) counts.set(id, countCommon(bits, await index.tag(id)))
  return counts
}

const countEach = async (deps: Deps, level: Level, { filter, used }: { filter: BrowseFilter; used: readonly UsedTag[] }) => {
  // What carries no tag would be left by none.
  if (filter.untagged) return new Map<number, number>()
  if (!isFlat(level)) return countCarriers(deps, level, filter)
  if (isFilter(filter)) return countInMemory(deps, level, { filter, used })
  // Whoever looks at the tags is about to choose one.
  void warmTagIndex(deps, () => true).catch((error: unknown) => deps.log.warn('tag_index_failed', { error }))
  return new Map(used.map(({ id, present }) => [id, present]))
}

export const listFacets = async (deps: Deps, viewer: Viewer, query: LevelQuery & FilterQuery): Promise<{ categories: FacetCategory[] }> => {
  const level = await getLevel(deps, viewer, query)
  const used = await listUsed(deps, level.library.id)
  const counts = await countEach(deps, level, { filter: filterOf(viewer, query), used })
  const categories = [...Map.groupBy(used, ({ categoryId }) => categoryId)].map(([id, tags]) => ({
    id,
    name: tags[0]?.categoryName ?? '',
    color: tags[0]?.color ?? null,
    tags: inOrder(tags).map((tag) => ({ id: tag.id, name: tag.name, count: counts.get(tag.id) ?? 0 })),
  }))
  return { categories: toNaturalOrder(categories, ({ name }) => name, sortName) }
}
