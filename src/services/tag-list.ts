/** The list of tags, by name or by how often they are used (API.md, 8). */

import type { Deps } from '../deps.ts'
import { nameKey } from '../domain/name-key.ts'
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
  /** A part of the name, or of another name that stands for the tag. */
  q?: string
  libraryId?: number
  limit: number
  cursor?: string
}

/** Row values, so that the next page starts behind any row; the highest usage comes first, then the name. */
const SORT_KEYS: Record<TagSort, { columns: string; orderBy: string; values: (tag: UsedTag, key: string) => (string | number)[] }> = {
  usage: {
    columns: '-usage, key, id',
    orderBy: 'usage DESC, key, id',
    values: (tag, key) => [-tag.usage, key, tag.id],
  },
  name: { columns: 'key, id', orderBy: 'key, id', values: (tag, key) => [key, tag.id] },
}

const wantedKey = ({ q = '' }: TagQuery): string => nameKey(q.trim())

/** With a library only what is used there. Other names are read once for all tags, however many there are. */
const conditionsOf = (query: TagQuery): Clause => {
  const { categoryId, libraryId } = query
  const wanted = wantedKey(query)
  const conditions: Clause[] = []
  if (libraryId !== undefined) conditions.push({ sql: 'u.usage > 0', args: [] })
  if (categoryId !== undefined) conditions.push({ sql: 't.category_id = ?', args: [categoryId] })
  const named = '(instr(t.name_key, ?) > 0 OR t.id IN (SELECT tag_id FROM tag_mappings WHERE instr(source_key, ?) > 0))'
  if (wanted !== '') conditions.push({ sql: named, args: [wanted, wanted] })
  return all(conditions)
}

/** Of a listed tag. */
const aliasOf = (wanted: string): Clause =>
  wanted === ''
    ? { sql: 'NULL', args: [] }
    : {
        sql: `(SELECT source FROM tag_mappings WHERE tag_id = page.id AND (source_key = ? OR (instr(key, ?) = 0 AND instr(source_key, ?) > 0))
          ORDER BY source_key <> ?, length(source_key), source_key LIMIT 1)`,
        args: [wanted, wanted, wanted, wanted],
      }

export const listTags = async (
  deps: Deps,
  viewer: Viewer,
  query: TagQuery,
): Promise<{ tags: ListedTag[]; nextCursor: string | null; total: number }> => {
  const libraryIds = await visibleLibraryIds(deps, viewer, query.libraryId)
  const usage = usageOf(libraryIds)
  const where = conditionsOf(query)
  const alias = aliasOf(wantedKey(query))
  const key = SORT_KEYS[query.sort]
  const print = fingerprint('tags', [query.sort, query.categoryId, query.q, query.libraryId])
  const after = query.cursor === undefined ? [] : decodeCursor(print, query.cursor, key.columns.split(',').length)
  const { rows } = await deps.db.$client.execute({
    sql: `WITH listed AS (SELECT t.id AS id, t.name AS name, t.name_key AS key, t.category_id AS categoryId, c.name AS categoryName,
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
