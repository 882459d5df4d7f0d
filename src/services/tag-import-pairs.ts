/** The assignments of a file of tags: which items and tags its words mean, and putting the ones on the others. */

import { sql } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { itemKey, parseItemKey } from '../domain/item-key.ts'
import { canSeeLibrary, type Viewer } from '../domain/permissions.ts'
import { slicesOf } from '../domain/slices.ts'
import type { DeclaredAssignment, SkippedRow, TagFile, TagText } from '../domain/tag-file.ts'
import { meaningOfTagText, shownTagText } from '../domain/tag-import.ts'
import type { Vocabulary } from '../domain/tag-vocabulary.ts'
import { assignPairs } from './tag-assignments.ts'
import { SLICE_ROWS } from './tag-slices.ts'
import { createTurns } from './turns.ts'
import { findItemIds } from './visible.ts'

export const MAX_SKIPPED = 1000

/** An item and a tag, with what the file says of them, should one of the two go meanwhile. */
interface Pair extends Omit<DeclaredAssignment, 'tags'> {
  itemId: number
  tagId: number
  text: TagText
}

/** Numbers that libraries of the file had, and that nobody has now, with the number of the only library of that name and type, where one alone had them. */
const renumbered = async (deps: Deps, viewer: Viewer, file: TagFile): Promise<Map<number, number>> => {
  const present = await deps.db.select({ id: libraries.id, name: libraries.name, type: libraries.type }).from(libraries)
  const visible = present.filter(({ id }) => canSeeLibrary(viewer, id))
  const gone = file.libraries.filter(({ id }) => !present.some((library) => library.id === id))
  return new Map(
    gone.flatMap(({ id, name, type }) => {
      const isMeant = (library: { name: string; type: string }): boolean => library.name === name && library.type === type
      const [only, ...others] = visible.filter(isMeant)
      return only && others.length === 0 && gone.filter(isMeant).length === 1 ? [[id, only.id] as const] : []
    }),
  )
}

const keyNow = (key: string, numbers: ReadonlyMap<number, number>): string => {
  const parts = numbers.size > 0 ? parseItemKey(key) : undefined
  if (!parts) return key
  return itemKey(parts.itemType, numbers.get(parts.libraryId) ?? parts.libraryId, parts.path)
}

export interface Skipped {
  /** The first of them. */
  rows: SkippedRow[]
  count: number
}

/** Those of which the file's words mean an item that the person may see, and a tag. */
export const pairsOf = async (
  deps: Deps,
  viewer: Viewer,
  { file, vocabulary, skipped }: { file: TagFile; vocabulary: Vocabulary; skipped: Skipped },
): Promise<Pair[]> => {
  const numbers = await renumbered(deps, viewer, file)
  const turns = createTurns()
  const pairs = new Map<string, Pair>()
  for (const slice of slicesOf(file.assignments, SLICE_ROWS)) {
    const items = await findItemIds(
      deps,
      viewer,
      slice.map(({ itemKey }) => keyNow(itemKey, numbers)),
    )
    for (const { row, itemKey, tags, source } of slice) {
      const skip = (reason: SkippedRow['reason'], value: string): void => {
        if (row === null) return
        skipped.count += 1
        if (skipped.rows.length < MAX_SKIPPED) skipped.rows.push({ row, reason, value })
      }
      const itemId = items.get(keyNow(itemKey, numbers))
      if (itemId === undefined) skip('unknown_item', itemKey)
      else
        for (const text of tags) {
          const meaning = meaningOfTagText(vocabulary, text)
          if (typeof meaning === 'string') skip(meaning === 'unknown' ? 'unknown_tag' : 'ambiguous_tag', shownTagText(text))
          else {
            const key = `${itemId}:${meaning.tagId}`
            const known = pairs.get(key)
            if (known) known.row ??= row
            else pairs.set(key, { row, itemId, itemKey, text, source, ...meaning })
          }
          await turns()
        }
      await turns()
    }
  }
  return [...pairs.values()]
}

/** How many of them are there already, or may not come back: the AI tagger's own, where a person refused them. */
const countKnown = async (reader: Pick<Transaction, 'all'>, pairs: readonly Pair[]): Promise<number> => {
  const given = JSON.stringify(pairs.map(({ itemId, tagId, source }) => [itemId, tagId, source]))
  const [row] = await reader.all<{ known: number }>(sql`SELECT count(*) AS known FROM json_each(${given}) AS pair
    WHERE EXISTS (SELECT 1 FROM item_tags WHERE tag_id = pair.value ->> 1 AND item_id = pair.value ->> 0)
    OR pair.value ->> 2 = 'ai' AND EXISTS (SELECT 1 FROM tag_refusals WHERE item_id = pair.value ->> 0 AND tag_id = pair.value ->> 1)`)
  return row?.known ?? 0
}

/** Those of them of which the item or the tag went meanwhile. */
const goneOf = async (reader: Pick<Transaction, 'all'>, pairs: readonly Pair[]): Promise<Pair[]> => {
  const given = JSON.stringify(pairs.map(({ itemId, tagId }) => [itemId, tagId]))
  const rows = await reader.all<{ place: number }>(sql`SELECT pair.key AS place FROM json_each(${given}) AS pair
    WHERE NOT EXISTS (SELECT 1 FROM media_items WHERE id = pair.value ->> 0) OR NOT EXISTS (SELECT 1 FROM tags WHERE id = pair.value ->> 1)`)
  return rows.flatMap(({ place }) => pairs[place] ?? [])
}

interface Assigned {
  assigned: number
  known: number
  gone: readonly Pair[]
}

export const assignSlice = async (tx: Transaction, viewer: Viewer, pairs: readonly Pair[]): Promise<Assigned> => {
  const known = await countKnown(tx, pairs)
  const gone = await goneOf(tx, pairs)
  for (const [source, own] of Map.groupBy(pairs, (pair) => pair.source)) {
    const createdBy = source === 'ai' ? null : viewer.userId
    await assignPairs(
      tx,
      own.map(({ itemId, tagId }) => [itemId, tagId] as const),
      { source, createdBy },
    )
  }
  return { known, assigned: pairs.length - known - gone.length, gone }
}

/** What `assignSlice` would answer. */
export const countSlice = async (deps: Deps, pairs: readonly Pair[]): Promise<Assigned> => {
  const known = await countKnown(deps.db, pairs)
  return { known, assigned: pairs.length - known, gone: [] }
}
