import type { Client, InStatement } from '@libsql/client'
import { nameKey } from '../../domain/name-key.ts'
import { isVisible } from '../../domain/tag-name.ts'

/**
 * The oldest schema let names differ by case alone. Such categories and tags become one, as merging them by hand would
 * do it (API.md, 8): the oldest stays, of tags with the same name the surviving category's; assignments are neither lost
 * nor doubled, and the rows that went are in `migration_rejects`. It let them be blank or hold control characters too.
 */

interface Merge {
  from: number
  into: number
}

interface NamePlan {
  categories: Map<number, { into: number; name: string }>
  tags: Map<number, { into: number; categoryId: number; name: string }>
}

interface NamedRows {
  categories: { id: number; name: string }[]
  tags: { id: number; categoryId: number; name: string }[]
}

/** As a name may be given now, but for its length: to cut it could make two tags one. */
const tidy = (name: string): string => {
  const line = name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return isVisible(line) ? line : 'Unnamed'
}

const readNames = async (client: Client): Promise<NamedRows> => {
  const [categories, tags] = await Promise.all([
    client.execute('SELECT id, name FROM tag_categories ORDER BY id'),
    client.execute('SELECT id, category_id, name FROM tags ORDER BY id'),
  ])
  return {
    categories: categories.rows.map((row) => ({ id: Number(row.id), name: tidy(String(row.name)) })),
    tags: tags.rows.map((row) => ({ id: Number(row.id), categoryId: Number(row.category_id), name: tidy(String(row.name)) })),
  }
}

const planNames = ({ categories, tags }: NamedRows): NamePlan => {
  const plan: NamePlan = { categories: new Map(), tags: new Map() }
  const firstCategories = new Map<string, number>()
  for (const { id, name } of categories) {
    const key = nameKey(name)
    const into = firstCategories.get(key) ?? id
    firstCategories.set(key, into)
    plan.categories.set(id, { into, name })
  }
  const firstTags = new Map<string, number>()
  const isMoved = (categoryId: number): number => (plan.categories.get(categoryId)?.into === categoryId ? 0 : 1)
  for (const { id, categoryId, name } of tags.toSorted((a, b) => isMoved(a.categoryId) - isMoved(b.categoryId) || a.id - b.id)) {
    const category = plan.categories.get(categoryId)
    if (category === undefined) continue // its category is gone: migration 0002 has rejected it
    const key = nameKey(name)
    const place = `${category.into}:${key}`
    const into = firstTags.get(place) ?? id
    firstTags.set(place, into)
    plan.tags.set(id, { into, categoryId: category.into, name })
  }
  return plan
}

const REJECT = "INSERT INTO migration_rejects (migration, source_table, reason, row) SELECT '0002_full_item_keys',"

const mergeTag = ({ from, into }: Merge): InStatement[] => [
  {
    sql: `${REJECT} 'tag_assignments', 'duplicate', json_object('item_key', item_key, 'tag_id', tag_id, 'merged_into', CAST(?2 AS INTEGER))
      FROM item_tags JOIN media_items ON media_items.id = item_id
      WHERE tag_id = ?1 AND item_id IN (SELECT item_id FROM item_tags WHERE tag_id = ?2)`,
    args: [from, into],
  },
  { sql: 'UPDATE OR IGNORE item_tags SET tag_id = ? WHERE tag_id = ?', args: [into, from] },
  { sql: 'DELETE FROM item_tags WHERE tag_id = ?', args: [from] },
  {
    sql: `${REJECT} 'tags', 'merged', json_object('id', id, 'category_id', category_id, 'name', name, 'merged_into', CAST(?2 AS INTEGER))
      FROM tags WHERE id = ?1`,
    args: [from, into],
  },
  { sql: 'DELETE FROM tags WHERE id = ?', args: [from] },
]

const mergeCategory = ({ from, into }: Merge): InStatement[] => [
  { sql: 'UPDATE tags SET category_id = ? WHERE category_id = ?', args: [into, from] },
  {
    sql: `${REJECT} 'tag_categories', 'merged', json_object('id', id, 'name', name, 'merged_into', CAST(?2 AS INTEGER))
      FROM tag_categories WHERE id = ?1`,
    args: [from, into],
  },
  { sql: 'DELETE FROM tag_categories WHERE id = ?', args: [from] },
]

const setNames = (table: 'tags' | 'tag_categories', names: [id: number, name: string][]): InStatement => ({
  sql: `UPDATE ${table} SET name = value ->> 1, name_key = value ->> 2 FROM json_each(?) WHERE ${table}.id = value ->> 0`,
  args: [JSON.stringify(names.map(([id, name]) => [id, name, nameKey(name)]))],
})

const mergesIn = (entries: Map<number, { into: number }>): Merge[] =>
  [...entries].filter(([from, { into }]) => from !== into).map(([from, { into }]) => ({ from, into }))

const namesIn = (entries: Map<number, { into: number; name: string }>): [number, string][] =>
  [...entries].filter(([id, { into }]) => id === into).map(([id, { name }]) => [id, name])

/** Reads the names before migration 0002; the statements belong after its own. */
export const nameKeyStatements = async (client: Client): Promise<InStatement[]> => {
  const plan = planNames(await readNames(client))
  return [
    ...mergesIn(plan.tags).flatMap(mergeTag),
    ...mergesIn(plan.categories).flatMap(mergeCategory),
    setNames('tag_categories', namesIn(plan.categories)),
    setNames('tags', namesIn(plan.tags)),
  ]
}
