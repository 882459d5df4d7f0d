/**
 * Brings the tags of a file into the vocabulary, and puts them on items (API.md, 8).
 *
 * A malformed file changes nothing. Of a good one the vocabulary goes in as a whole, and then the assignments in slices: a
 * crash in between leaves some of them, and the same file again adds the others.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { libsqlErrorIn } from '../db/busy.ts'
import { tagCategories } from '../db/schema/tags.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { searchKey } from '../domain/name-key.ts'
import { sortName } from '../domain/natural-sort.ts'
import type { Viewer } from '../domain/permissions.ts'
import { slicesOf } from '../domain/slices.ts'
import type { DeclaredAssignment, SkippedRow, TagFile, TagFileFormat } from '../domain/tag-file.ts'
import { createVocabularyPlanner, type PlanStart, type VocabularyPlan } from '../domain/tag-import.ts'
import type { Vocabulary } from '../domain/tag-vocabulary.ts'
import { AppError } from '../errors.ts'
import { readTagTable } from './tag-file-csv.ts'
import { readTagJson } from './tag-file-json.ts'
import { assignSlice, countSlice, MAX_SKIPPED, pairsOf, type Skipped } from './tag-import-pairs.ts'
import { assertFewNames, countNames, loadVocabulary } from './tag-names.ts'
import { SLICE_ROWS } from './tag-slices.ts'
import { createTurns } from './turns.ts'

interface TagImport {
  format: TagFileFormat
  bytes: Uint8Array
  dryRun: boolean
}

interface ImportReport {
  createdCategories: number
  createdTags: number
  createdMappings: number
  assigned: number
  /** Tags and assignments that were there already. */
  unchanged: number
  /** The first of them; `skippedCount` says how many there are. */
  skipped: SkippedRow[]
  skippedCount: number
}

/** So often it is planned anew where somebody else changes the tags in between. */
const MAX_TRIES = 5

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new AppError('invalid_request', 'The file is not UTF-8 text.', { errors: [{ path: '', message: 'is not UTF-8' }], cause })
  }
}

const read = ({ format, bytes }: TagImport): Promise<TagFile> =>
  format === 'csv' ? readTagTable(decode(bytes)) : readTagJson(decode(bytes))

type Reader = Pick<Transaction, 'select' | 'all'>

type NextIds = Pick<PlanStart, 'nextCategoryId' | 'nextTagId'>

/** The ids that the next rows get: AUTOINCREMENT never gives one a second time. */
const nextIdsOf = async (reader: Reader): Promise<NextIds> => {
  const nextOf = async (table: 'tags' | 'tag_categories'): Promise<number> => {
    const [row] = await reader.all<{ highest: number }>(
      sql`SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${table}), 0),
        coalesce((SELECT max(id) FROM ${sql.identifier(table)}), 0)) AS highest`,
    )
    return (row?.highest ?? 0) + 1
  }
  return { nextCategoryId: await nextOf('tag_categories'), nextTagId: await nextOf('tags') }
}

/** By the keys of their names. */
const categoryIdsOf = async (reader: Reader): Promise<Map<string, number>> => {
  const categories = await reader.select({ id: tagCategories.id, key: tagCategories.nameKey }).from(tagCategories)
  return new Map(categories.map(({ id, key }) => [key, id]))
}

/** Rows travel as one JSON text a slice; requests get their turn in between, and read the state from before. */
const insertPlan = async (tx: Transaction, { categories, tags, mappings }: VocabularyPlan): Promise<void> => {
  const categoryRows = categories.map(({ id, name, nameKey, color }) => [id, name, nameKey, color])
  for (const rows of slicesOf(categoryRows, SLICE_ROWS))
    await tx.run(sql`INSERT INTO tag_categories (id, name, name_key, color)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${JSON.stringify(rows)})`)
  const tagRows = tags.map(({ id, categoryId, name, nameKey }) => [id, categoryId, name, nameKey, searchKey(name), sortName(name)])
  for (const rows of slicesOf(tagRows, SLICE_ROWS)) {
    await tx.run(sql`INSERT INTO tags (id, category_id, name, name_key, search_name, sort_name)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(${JSON.stringify(rows)})`)
    await nextTurn()
  }
  const mappingRows = mappings.map(({ sourceKey, source, tagId }) => [sourceKey, source, tagId, searchKey(source)])
  for (const rows of slicesOf(mappingRows, SLICE_ROWS)) {
    await tx.run(sql`INSERT INTO tag_mappings (source_key, source, tag_id, search_source)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${JSON.stringify(rows)})`)
    await nextTurn()
  }
}

interface Planned {
  plan: VocabularyPlan
  vocabulary: Vocabulary
  /** What the ids of the plan begin with. */
  nextIds: NextIds
}

const planOn = async ({ db }: Deps, file: TagFile): Promise<Planned> => {
  const nextIds = await nextIdsOf(db)
  const vocabulary = await loadVocabulary(db)
  const turns = createTurns()
  const planner = createVocabularyPlanner({ ...nextIds, vocabulary, categoryIds: await categoryIdsOf(db), turns })
  for (const category of file.categories) {
    await planner.declare(category)
    // Also between those that are passed over.
    await turns()
  }
  const plan = await planner.finish()
  const added = plan.categories.length + plan.tags.length + plan.mappings.length
  if (added > 0) assertFewNames((await countNames(db)) + added)
  return { plan, vocabulary, nextIds }
}

/** Answers whether nobody has changed what the plan builds on. */
const insertPlanned = async (deps: Deps, { plan, nextIds }: Planned): Promise<boolean> => {
  try {
    return await deps.write.transaction(async (tx) => {
      const isCurrent = Bun.deepEquals(await nextIdsOf(tx), nextIds, true)
      if (isCurrent) await insertPlan(tx, plan)
      return isCurrent
    })
  } catch (error) {
    // A name that is taken by now, or a category that is gone.
    if (libsqlErrorIn(error)?.code.startsWith('SQLITE_CONSTRAINT')) return false
    throw error
  }
}

/** Planned without holding up whoever writes: what a large vocabulary takes seconds for. */
const importVocabulary = async (deps: Deps, file: TagFile, dryRun: boolean): Promise<Planned> => {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const planned = await planOn(deps, file)
    if (dryRun || (await insertPlanned(deps, planned))) return planned
  }
  throw new AppError('conflict', 'The tags are being changed meanwhile; try again.')
}

const importFile = async (deps: Deps, viewer: Viewer, input: TagImport): Promise<ImportReport> => {
  let file = await read(input)
  const { plan, ...planned } = await importVocabulary(deps, file, input.dryRun)
  const skipped: Skipped = { rows: plan.skipped.slice(0, MAX_SKIPPED), count: plan.skipped.length }
  const total = { assigned: 0, known: 0 }
  let { vocabulary } = planned
  while (file.assignments.length > 0) {
    const gone: DeclaredAssignment[] = []
    for (const slice of slicesOf(await pairsOf(deps, viewer, { file, vocabulary, skipped }), SLICE_ROWS)) {
      const done = input.dryRun ? await countSlice(deps, slice) : await deps.write.transaction((tx) => assignSlice(tx, viewer, slice))
      total.assigned += done.assigned
      total.known += done.known
      for (const { text, ...declared } of done.gone) gone.push({ ...declared, tags: [text] })
      await nextTurn()
    }
    // A tag that was merged is another one by now; what means nothing any more is passed over.
    if (gone.length > 0) vocabulary = await loadVocabulary(deps.db)
    file = { ...file, assignments: gone }
  }
  return {
    createdCategories: plan.categories.length,
    createdTags: plan.tags.length,
    createdMappings: plan.mappings.length,
    assigned: total.assigned,
    unchanged: plan.unchanged + total.known,
    skipped: skipped.rows,
    skippedCount: skipped.count,
  }
}

/**
 * Throws `invalid_request` with the places of a malformed file that are wrong, `too_many_tags`, or `conflict` where others
 * change the tags all the time; then nothing has changed.
 */
export const importTags = (deps: Deps, viewer: Viewer, input: TagImport): Promise<ImportReport> =>
  deps.places.inImport(() => importFile(deps, viewer, input))
