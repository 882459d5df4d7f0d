/** Other names that stand for a tag (API.md, 8): for imports and for the AI tagger. */

import { asc, eq, inArray, sql } from 'drizzle-orm'
import { tagCategories, tagMappings, tags } from '../db/schema/tags.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { nameKey } from '../domain/name-key.ts'
import { AppError, type FieldError } from '../errors.ts'
import { listed } from './listed.ts'

export interface TagMapping {
  source: string
  tagId: number
}

export interface NamedMapping extends TagMapping {
  tagName: string
  categoryName: string
}

export const listTagMappings = (deps: Deps): Promise<NamedMapping[]> =>
  deps.db
    .select({ source: tagMappings.source, tagId: tagMappings.tagId, tagName: tags.name, categoryName: tagCategories.name })
    .from(tagMappings)
    .innerJoin(tags, eq(tags.id, tagMappings.tagId))
    .innerJoin(tagCategories, eq(tagCategories.id, tags.categoryId))
    .orderBy(asc(tagMappings.sourceKey))

/** Names that come twice, and tags that do not exist, by their place in the list. */
const problemsOf = async (tx: Transaction, mappings: readonly TagMapping[]): Promise<FieldError[]> => {
  const ids = [...new Set(mappings.map(({ tagId }) => tagId))]
  const known = await tx
    .select({ id: tags.id })
    .from(tags)
    .where(inArray(tags.id, listed(ids)))
  const knownIds = new Set(known.map(({ id }) => id))
  /** Where each name stood first. */
  const places = new Map<string, number>()
  return mappings.flatMap(({ source, tagId }, index) => {
    const key = nameKey(source)
    const first = places.get(key)
    if (first !== undefined) return [{ path: `mappings.${index}.source`, message: `is the same name as mappings.${first}.source` }]
    places.set(key, index)
    return knownIds.has(tagId) ? [] : [{ path: `mappings.${index}.tagId`, message: 'There is no such tag' }]
  })
}

/** Rows a statement: their values travel as one JSON text. */
const insertMappings = (tx: Transaction, mappings: readonly TagMapping[]) =>
  tx.run(sql`INSERT INTO tag_mappings (source_key, source, tag_id)
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${JSON.stringify(
      mappings.map(({ source, tagId }) => [nameKey(source), source, tagId]),
    )})`)

/** One more, inside the caller's transaction. Throws `duplicate_name` where the name stands for a tag already. */
export const addTagMapping = async (tx: Transaction, mapping: TagMapping): Promise<void> => {
  const taken = await tx
    .select({ tagId: tagMappings.tagId })
    .from(tagMappings)
    .where(eq(tagMappings.sourceKey, nameKey(mapping.source)))
  if (taken.length > 0) throw new AppError('duplicate_name', 'That name stands for a tag already.')
  await insertMappings(tx, [mapping])
}

/** Replaces all of them. Throws `invalid_request` with the places that are wrong. */
export const replaceTagMappings = async (deps: Deps, mappings: readonly TagMapping[]): Promise<NamedMapping[]> => {
  await deps.write.transaction(async (tx) => {
    const errors = await problemsOf(tx, mappings)
    if (errors.length > 0) throw new AppError('invalid_request', undefined, { errors })
    await tx.delete(tagMappings)
    await insertMappings(tx, mappings)
  })
  return listTagMappings(deps)
}
