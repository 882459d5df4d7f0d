/** Other names that stand for a tag (API.md, 8): for imports and for the AI tagger. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { tagCategories, tagMappings, tags } from '../db/schema/tags.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { nameKey, searchKey } from '../domain/name-key.ts'
import { slicesOf } from '../domain/slices.ts'
import { MAX_PLACE_CHARACTERS } from '../domain/tag-name.ts'
import { AppError, type FieldError } from '../errors.ts'
import { listed } from './listed.ts'
import { parseEach } from './parse-each.ts'
import { assertFewNames, countNames } from './tag-names.ts'
import { SLICE_ROWS } from './tag-slices.ts'
import { createTurns } from './turns.ts'

/** Rows a query, so that other requests get their turn. */
const WINDOW = 5000

interface TagMapping {
  source: string
  tagId: number
}

interface NamedMapping extends TagMapping {
  tagName: string
  categoryName: string
}

export const listTagMappings = async ({ db }: Deps): Promise<NamedMapping[]> => {
  const mappings: NamedMapping[] = []
  for (let after = '', isMore = true; isMore; await nextTurn()) {
    const rows = await db
      .select({
        key: tagMappings.sourceKey,
        source: tagMappings.source,
        tagId: tags.id,
        tagName: tags.name,
        categoryName: tagCategories.name,
      })
      .from(tagMappings)
      .innerJoin(tags, eq(tags.id, tagMappings.tagId))
      .innerJoin(tagCategories, eq(tagCategories.id, tags.categoryId))
      .where(gt(tagMappings.sourceKey, after))
      .orderBy(asc(tagMappings.sourceKey))
      .limit(WINDOW)
    for (const { key, ...mapping } of rows) {
      mappings.push(mapping)
      after = key
    }
    isMore = rows.length === WINDOW
  }
  return mappings
}

/** Names that come twice, and tags that do not exist, by their place in the list. */
const problemsOf = async ({ db }: Deps, mappings: readonly TagMapping[]): Promise<FieldError[]> => {
  const ids = [...new Set(mappings.map(({ tagId }) => tagId))]
  const known = await db
    .select({ id: tags.id })
    .from(tags)
    .where(inArray(tags.id, listed(ids)))
  const knownIds = new Set(known.map(({ id }) => id))
  /** Where each name stood first. */
  const places = new Map<string, number>()
  const problems: FieldError[] = []
  const turns = createTurns()
  for (const [index, { source, tagId }] of mappings.entries()) {
    const key = nameKey(source)
    const first = places.get(key)
    if (first !== undefined) problems.push({ path: `mappings.${index}.source`, message: `is the same name as mappings.${first}.source` })
    else if (!knownIds.has(tagId)) problems.push({ path: `mappings.${index}.tagId`, message: 'There is no such tag' })
    if (first === undefined) places.set(key, index)
    await turns()
  }
  return problems
}

/** Rows a statement: their values travel as one JSON text. */
const insertMappings = (tx: Transaction, mappings: readonly TagMapping[]) =>
  tx.run(sql`INSERT INTO tag_mappings (source_key, source, tag_id, search_source)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${JSON.stringify(
      mappings.map(({ source, tagId }) => [nameKey(source), source, tagId, searchKey(source)]),
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

/** Longer than may be given. Merges of earlier versions left such names, and nobody could give any other while one of them is there. */
const listLongSources = async ({ db }: Deps): Promise<ReadonlySet<string>> => {
  const rows = await db
    .select({ source: tagMappings.source })
    .from(tagMappings)
    .where(gt(sql`length(${tagMappings.source})`, MAX_PLACE_CHARACTERS))
  return new Set(rows.map(({ source }) => source))
}

/** Fewer than there are may always be left of them. */
const assertFewMappings = async ({ db }: Deps, count: number): Promise<void> => {
  const present = await db.$count(tagMappings)
  if (count > present) assertFewNames((await countNames(db)) - present + count)
}

/**
 * Replaces all of them. Throws `invalid_request` with the first place that is not as `mappingOf` says, or with the places of
 * names that come twice and of tags that do not exist; `too_many_tags`.
 */
export const replaceTagMappings = async (
  deps: Deps,
  entries: readonly unknown[],
  mappingOf: (isPresent: (source: string) => boolean) => z.ZodType<TagMapping>,
): Promise<NamedMapping[]> => {
  assertFewNames(entries.length)
  const long = await listLongSources(deps)
  const mappings = await parseEach(
    mappingOf((source) => long.has(source)),
    entries,
    ['mappings'],
  )
  await assertFewMappings(deps, mappings.length)
  const errors = await problemsOf(deps, mappings)
  if (errors.length > 0) throw new AppError('invalid_request', undefined, { errors })
  await deps.write.transaction(async (tx) => {
    await tx.delete(tagMappings)
    for (const slice of slicesOf(mappings, SLICE_ROWS)) {
      await insertMappings(tx, slice)
      await nextTurn()
    }
  })
  return listTagMappings(deps)
}
