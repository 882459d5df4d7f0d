/** The vocabulary as the database has it. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Transaction } from '../db/writer.ts'
import { createVocabulary, type KnownTag, type Vocabulary } from '../domain/tag-vocabulary.ts'

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
