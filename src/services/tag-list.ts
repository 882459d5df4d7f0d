/** The list of tags, by name or by how often they are used (API.md, 8). */

import type { Deps } from '../deps.ts'
import { nameKey, searchKey } from '../domain/name-key.ts'
import type { Viewer } from '../domain/permissions.ts'
import { all, type Clause, clause } from './clause.ts'
import { decodeCursor, encodeCursor, fingerprint } from './cursor.ts'
import { usageOf } from './tag-usage.ts'
import type { UsedTag } from './tags.ts'
import { visibleLibraryIds } from './visible.ts'

export const TAG_SORTS = ['usage', 'name'] as const
type TagSort = (typeof TAG_SORTS)[number]

interface ListedTag extends UsedTag {
  /** The other name by which it was found: the one that was asked for, else one where its own name does not have it. */
  alias?: string
  /** The one library that all of its uses are in. */
  onlyLibraryId?: number
}

interface TagQuery {
  sort: TagSort
  categoryId?: number
  /** A part of the name, or of another name that stands for the tag, with or without accents. */
  q?: string
  libraryId?: number
  limit: number
  cursor?: string
}

/** Row values, so that the next page starts behind any row; the highest usage comes first, then the name, in natural order. */
const SORT_KEYS: Record<TagSort, { columns: string; orderBy: string; values: (tag: UsedTag, key: string) => (string | number)[] }> = {
  usage: {
    columns: '-usage, key, id',
    orderBy: 'usage DESC, key, id',
    values: (tag, key) => [-tag.usage, key, tag.id],
  },
  name: { columns: 'key, id', orderBy: 'key, id', values: (tag, key) => [key, tag.id] },
}

/** What is asked for: as it is looked for in names, and as a name that is the same. */
const wantedIn = ({ q = '' }: TagQuery): { part: string; key: string } => ({ part: searchKey(q.trim()), key: nameKey(q.trim()) })

/** With a library only what is used there. Other names are read once for all tags, however many there are. */
const conditionsOf = (query: TagQuery): Clause => {
  const { categoryId, libraryId } = query
  const { part } = wantedIn(query)
  const conditions: Clause[] = []
  if (libraryId !== undefined) conditions.push({ sql: 'u.usage > 0', args: [] })
  if (categoryId !== undefined) conditions.push({ sql: 't.category_id = ?', args: [categoryId] })
  const named = '(instr(t.search_name, ?) > 0 OR t.id IN (SELECT tag_id FROM tag_mappings WHERE instr(search_source, ?) > 0))'
  if (part !== '') conditions.push({ sql: named, args: [part, part] })
  return all(conditions)
}

/** Of a listed tag. */
const aliasOf = ({ part, key }: ReturnType<typeof wantedIn>): Clause =>
  part === ''
    ? { sql: 'NULL', args: [] }
    : {
        sql: `(SELECT source FROM tag_mappings WHERE tag_id = page.id AND (source_key = ? OR (instr(searched, ?) = 0 AND instr(search_source, ?) > 0))
          ORDER BY source_key <> ?, length(source_key), source_key LIMIT 1)`,
        args: [key, part, part, key],
      }

export const listTags = async (
  deps: Deps,
  viewer: Viewer,
  query: TagQuery,
): Promise<{ tags: ListedTag[]; nextCursor: string | null; total: number }> => {
  const libraryIds = await visibleLibraryIds(deps, viewer, query.libraryId)
  const usage = usageOf(libraryIds)
  const where = conditionsOf(query)
  const alias = aliasOf(wantedIn(query))
  const key = SORT_KEYS[query.sort]
  const print = fingerprint('tags', [query.sort, query.categoryId, query.q, query.libraryId])
  const after = query.cursor === undefined ? [] : decodeCursor(print, query.cursor, key.columns.split(',').length)
  const { rows } = await deps.db.$client.execute({
    sql: `WITH listed AS MATERIALIZED (SELECT t.id AS id, t.name AS name, t.sort_name AS key, t.search_name AS searched, t.category_id AS categoryId, c.name AS categoryName,
        c.color AS color, coalesce(u.usage, 0) AS usage, u.only_library AS onlyLibraryId
        FROM tags t JOIN tag_categories c ON c.id = t.category_id LEFT JOIN (${usage.sql}) u ON u.tag_id = t.id WHERE ${where.sql})
      SELECT *, ${alias.sql} AS alias, (SELECT count(*) FROM listed) AS total FROM (SELECT * FROM listed
        ${after.length > 0 ? `WHERE (${key.columns}) > (${after.map(() => '?').join(', ')})` : ''} ORDER BY ${key.orderBy} LIMIT ?) AS page
      ORDER BY ${key.orderBy}`,
    args: [...usage.args, ...where.args, ...alias.args, ...after, query.limit + 1],
  })
  const found = rows.map((row) => ({
    key: String(row.key),
    tag: {
      id: Number(row.id),
      name: String(row.name),
      categoryId: Number(row.categoryId),
      categoryName: String(row.categoryName),
      color: row.color === null ? null : String(row.color),
      usage: Number(row.usage),
      ...(row.alias !== null && { alias: String(row.alias) }),
      ...(row.onlyLibraryId !== null && { onlyLibraryId: Number(row.onlyLibraryId) }),
    },
  }))
  const shown = found.slice(0, query.limit)
  const last = found.length > query.limit ? shown.at(-1) : undefined
  return {
    tags: shown.map(({ tag }) => tag),
    nextCursor: last ? encodeCursor(print, key.values(last.tag, last.key)) : null,
    total: Number(rows[0]?.total ?? (after.length > 0 ? await countListed(deps, usage, where) : 0)),
  }
}

/** Behind the last page there is no row that could say it. */
const countListed = async (deps: Deps, usage: Clause, where: Clause): Promise<number> => {
  const { rows } = await deps.db.$client.execute(
    clause`SELECT count(*) AS total FROM tags t LEFT JOIN (${usage}) u ON u.tag_id = t.id WHERE ${where}`,
  )
  return Number(rows[0]?.total ?? 0)
}
