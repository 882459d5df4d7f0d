/** The vocabulary as the database has it. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Transaction } from '../db/writer.ts'
import { createVocabulary, type KnownTag, type Vocabulary } from '../domain/tag-vocabulary.ts'
import { AppError } from '../errors.ts'

/** Rows a query, so that other requests get their turn. */
const WINDOW = 5000

/** Tags, other names and categories: that many may be in a file, and after an import, which has all of them in memory. */
const MAX_NAMES = 200_000

/** Throws `too_many_tags`. */
export const assertFewNames = (count: number): void => {
  if (count > MAX_NAMES) throw new AppError('too_many_tags', 'There may be 200,000 tags and other names of tags.')
}

export const countNames = async (reader: Pick<Transaction, 'all'>): Promise<number> => {
  const [row] = await reader.all<{ total: number }>(sql`SELECT (SELECT count(*) FROM tags) + (SELECT count(*) FROM tag_mappings)
    + (SELECT count(*) FROM tag_categories) AS total`)
  return row?.total ?? 0
}

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
