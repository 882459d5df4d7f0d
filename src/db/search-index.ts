/**
 * The full-text tables of names, of those of series alone, which are found before what is in them, and of long texts
 * (migrations 0016, 0019 and 0034). Texts go in folded (domain/search-text.ts), in small
 * pieces of work after a scan. What has changed since is listed in `search_stale`; what is not in yet has a higher id
 * than `search_state.indexed_up_to`. Readers look at both by other means.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { markedText } from '../domain/dense-script.ts'
import { type ItemType, isSeries } from '../domain/item-type.ts'
import { foldSearch } from '../domain/search-text.ts'
import type { Transaction, Writer } from './writer.ts'

/** Names and texts have a mark before them, and two behind: their first and last characters, too, are part of three. */
export const TEXT_START = '\u0001'
export const TEXT_END = '\u0002\u0002'

const NAME_TABLES = ['search_titles', 'search_series'] as const

/** Rows of the table of texts that an item may have, its first one at its id times this. */
export const MAX_PIECES_AN_ITEM = 1024
/** Characters in a piece: what FTS5 takes in within a few milliseconds. */
const PIECE_LENGTH = 16_384
/** Pieces of a text share their ends, so that nothing of up to this length is cut in two. */
const PIECE_OVERLAP = 256
/** Characters in a statement, over which other requests have to wait. */
const STATEMENT_LENGTH = 65_536
/** Long texts that are read before the transaction ends. */
const MOST_TEXT_BYTES = 262_144

interface Named {
  id: number
  title: string
  itemType: ItemType
}

interface Source extends Named {
  plot: string | null
  description: string | null
  extractedText: string | null
  translation: string | null
}

/** A name or a text as a search compares it. */
export const indexedText = (text: string): string => TEXT_START + foldSearch(text) + TEXT_END

/** With what finds one or two characters of a script that has many. */
const withMarks = (piece: string): string => piece + markedText(piece)

const piecesOf = ({ id, title, plot, description, extractedText, translation }: Source): [rowid: number, title: string, text: string][] => {
  const text = [description, plot, extractedText, translation].map((field) => (field ? indexedText(field) : '')).join('')
  const step = PIECE_LENGTH - PIECE_OVERLAP
  const count = text === '' ? 0 : Math.min(MAX_PIECES_AN_ITEM, Math.max(1, Math.ceil((text.length - PIECE_OVERLAP) / step)))
  return Array.from({ length: count }, (_, piece) => [
    id * MAX_PIECES_AN_ITEM + piece,
    withMarks(indexedText(title)),
    withMarks(text.slice(piece * step, piece * step + PIECE_LENGTH)),
  ])
}

const insertPieces = async (tx: Transaction, source: Source): Promise<void> => {
  const pieces = piecesOf(source)
  const perStatement = STATEMENT_LENGTH / PIECE_LENGTH
  for (let first = 0; first < pieces.length; first += perStatement) {
    const rows = JSON.stringify(pieces.slice(first, first + perStatement))
    await tx.run(sql`INSERT INTO search_texts (rowid, title, text) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${rows})`)
    if (first + perStatement < pieces.length) await nextTurn()
  }
}

/** The first of these items with their texts, as many as fit into one transaction. */
const takeSources = async (tx: Transaction, ids: readonly number[]): Promise<Source[]> => {
  const rows = await tx.all<Named & { bytes: number }>(
    sql`SELECT id, title, item_type AS itemType, coalesce(octet_length(plot), 0) + coalesce(octet_length(description), 0) + coalesce(octet_length(extracted_text), 0)
      + coalesce(octet_length(translation), 0) AS bytes FROM media_items WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) ORDER BY id`,
  )
  let bytes = 0
  const fitting = rows.filter((row, place) => {
    bytes += row.bytes
    return place === 0 || bytes <= MOST_TEXT_BYTES
  })
  const withTexts = fitting.filter((row) => row.bytes > 0).map(({ id }) => id)
  const texts = await tx.all<Source>(
    sql`SELECT id, title, item_type AS itemType, plot, description, extracted_text AS extractedText, translation FROM media_items
      WHERE id IN (SELECT value FROM json_each(${JSON.stringify(withTexts)}))`,
  )
  const byId = new Map(texts.map((source) => [source.id, source]))
  const none = { plot: null, description: null, extractedText: null, translation: null }
  return fitting.map((named) => byId.get(named.id) ?? { ...named, ...none })
}

const insertNames = async (tx: Transaction, table: (typeof NAME_TABLES)[number], named: readonly Named[]): Promise<void> => {
  const rows = JSON.stringify(named.map(({ id, title }) => [id, withMarks(indexedText(title))]))
  await tx.run(sql`INSERT INTO ${sql.identifier(table)} (rowid, title) SELECT value ->> 0, value ->> 1 FROM json_each(${rows})`)
}

const insertSources = async (tx: Transaction, sources: readonly Source[]): Promise<void> => {
  await insertNames(tx, 'search_titles', sources)
  await insertNames(
    tx,
    'search_series',
    sources.filter(({ itemType }) => isSeries(itemType)),
  )
  for (const source of sources) await insertPieces(tx, source)
}

/** Brings up to `limit` changed items up to date. */
const renewStale = async (tx: Transaction, limit: number): Promise<number> => {
  const stale = await tx.all<{ id: number }>(sql`SELECT item_id AS id FROM search_stale ORDER BY item_id LIMIT ${limit}`)
  if (stale.length === 0) return 0
  const taken = await takeSources(
    tx,
    stale.map(({ id }) => id),
  )
  const ids = JSON.stringify(taken.map(({ id }) => id))
  for (const table of NAME_TABLES) {
    await tx.run(sql`DELETE FROM ${sql.identifier(table)} WHERE rowid IN (SELECT value FROM json_each(${ids}))`)
  }
  for (const { id } of taken) {
    await tx.run(sql`DELETE FROM search_texts WHERE rowid >= ${id * MAX_PIECES_AN_ITEM} AND rowid < ${(id + 1) * MAX_PIECES_AN_ITEM}`)
  }
  await insertSources(tx, taken)
  await tx.run(sql`DELETE FROM search_stale WHERE item_id IN (SELECT value FROM json_each(${ids}))`)
  return taken.length
}

const addNext = async (tx: Transaction, limit: number): Promise<number> => {
  const next = await tx.all<{ id: number }>(
    sql`SELECT id FROM media_items WHERE id > (SELECT indexed_up_to FROM search_state) ORDER BY id LIMIT ${limit}`,
  )
  if (next.length === 0) return 0
  const taken = await takeSources(
    tx,
    next.map(({ id }) => id),
  )
  await insertSources(tx, taken)
  await tx.run(sql`UPDATE search_state SET indexed_up_to = ${taken.at(-1)?.id ?? 0}`)
  return taken.length
}

/** Brings up to `limit` items into the full-text tables, changed ones first, and answers how many it did: 0 once everything is in. */
export const indexSearchTexts = (write: Writer, limit: number): Promise<number> =>
  write.transaction(async (tx) => (await renewStale(tx, limit)) || (await addNext(tx, limit)), 'background')
