/** The vocabulary as the database has it, whole or as far as some names need it. */

import { eq, inArray, sql } from 'drizzle-orm'
import { tagCategories, tagMappings, tags } from '../db/schema/tags.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { createVocabulary, keysOfTagText, type TagMeaning, type Vocabulary } from '../domain/tag-vocabulary.ts'

type Reader = Pick<Transaction, 'select'>

const selectTags = (reader: Reader) =>
  reader
    .select({ id: tags.id, categoryKey: tagCategories.nameKey, nameKey: tags.nameKey })
    .from(tags)
    .innerJoin(tagCategories, eq(tagCategories.id, tags.categoryId))

const selectMapped = (reader: Reader) =>
  reader
    .select({ source: tagMappings.source, id: tags.id, categoryKey: tagCategories.nameKey, nameKey: tags.nameKey })
    .from(tagMappings)
    .innerJoin(tags, eq(tags.id, tagMappings.tagId))
    .innerJoin(tagCategories, eq(tagCategories.id, tags.categoryId))

const listed = (keys: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(keys)}))`

/** All tags and mappings. */
export const loadVocabulary = async (reader: Reader): Promise<Vocabulary> => {
  const vocabulary = createVocabulary()
  for (const tag of await selectTags(reader)) vocabulary.add(tag)
  for (const { source, id } of await selectMapped(reader)) vocabulary.map(source, id)
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
  for (const { source, id } of mapped) vocabulary.map(source, id)
  return names.map(vocabulary.resolve)
}
