/** The vocabulary as the database has it, whole or as far as some names need it. */

import { eq, inArray, sql } from 'drizzle-orm'
import { tagCategories, tagMappings, tags } from '../db/schema/tags.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { createVocabulary, type KnownTag, keysOfTagText, type TagMeaning, type Vocabulary } from '../domain/tag-vocabulary.ts'
import { nextTurn } from './next-turn.ts'

type Reader = Pick<Transaction, 'select'>

const selectTags = (reader: Reader) =>
  reader
    .select({ id: tags.id, categoryKey: tagCategories.nameKey, nameKey: tags.nameKey })
    .from(tags)
    .innerJoin(tagCategories, eq(tagCategories.id, tags.categoryId))

const selectMapped = (reader: Reader) =>
  reader
    .select({ sourceKey: tagMappings.sourceKey, id: tags.id, categoryKey: tagCategories.nameKey, nameKey: tags.nameKey })
    .from(tagMappings)
    .innerJoin(tags, eq(tags.id, tagMappings.tagId))
    .innerJoin(tagCategories, eq(tagCategories.id, tags.categoryId))

const listed = (keys: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(keys)}))`

/** Rows a query, so that other requests get their turn. */
const WINDOW = 5000

/** All tags and mappings. */
export const loadVocabulary = async (reader: Pick<Transaction, 'all'>): Promise<Vocabulary> => {
  const vocabulary = createVocabulary()
  for (let after = 0, isMore = true; isMore; await nextTurn()) {
    const rows = await reader.all<KnownTag>(sql`SELECT t.id AS id, c.name_key AS categoryKey, t.name_key AS nameKey FROM tags t
      JOIN tag_categories c ON c.id = t.category_id WHERE t.id > ${after} ORDER BY t.id LIMIT ${WINDOW}`)
    for (const tag of rows) vocabulary.add(tag)
    after = rows.at(-1)?.id ?? after
    isMore = rows.length === WINDOW
  }
  for (let after = '', isMore = true; isMore; await nextTurn()) {
    const rows = await reader.all<{ sourceKey: string; tagId: number }>(
      sql`SELECT source_key AS sourceKey, tag_id AS tagId FROM tag_mappings WHERE source_key > ${after} ORDER BY source_key LIMIT ${WINDOW}`,
    )
    for (const { sourceKey, tagId } of rows) vocabulary.map(sourceKey, tagId)
    after = rows.at(-1)?.sourceKey ?? after
    isMore = rows.length === WINDOW
  }
  return vocabulary
}

/**
 * Which tags these texts mean, in their order: names, `Category/Tag` or mappings, whatever their case and spacing
 * (domain/tag-vocabulary.ts has the rules). For the AI tagger: nothing but an answer with a `tagId` is a tag. Inside a
 * transaction give its `tx` as `db`, so that what is resolved can still be assigned.
 */
export const resolveTagNames = async ({ db }: { db: Reader } | Pick<Deps, 'db'>, names: readonly string[]): Promise<TagMeaning[]> => {
  const keys = [...new Set(names.flatMap(keysOfTagText))]
  const vocabulary = createVocabulary()
  const found = await selectTags(db).where(inArray(tags.nameKey, listed(keys)))
  const mapped = await selectMapped(db).where(inArray(tagMappings.sourceKey, listed(keys)))
  const known = new Map([...found, ...mapped].map(({ id, categoryKey, nameKey }) => [id, { id, categoryKey, nameKey }]))
  for (const tag of known.values()) vocabulary.add(tag)
  for (const { sourceKey, id } of mapped) vocabulary.map(sourceKey, id)
  return names.map(vocabulary.resolve)
}
