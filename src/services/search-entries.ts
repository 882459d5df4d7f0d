/** The entries of what a search has found, by one query that answers one row: a row costs more than what is in it. */

import type { Deps } from '../deps.ts'
import { entriesById, PROGRESS_SQL, SERIES_TITLE_SQL } from './browse-page.ts'

/** Control characters cannot stand in JSON text unescaped, so they can separate it: pieces, and their parts. */
const PIECE = '\u0001'
const PART = '\u0002'

const READ = `SELECT group_concat(m.id || char(2) || coalesce(${PROGRESS_SQL}, '') || char(2) || coalesce(${SERIES_TITLE_SQL}, '') || char(2)
    || coalesce(m.entry, ''), char(1)) AS pieces
  FROM json_each(?2) AS wanted CROSS JOIN media_items m ON m.id = wanted.value`

const orNull = (text: string): string | null => (text === '' ? null : text)

const toRow = (piece: string) => {
  const [id = '', progress = '', seriesTitle = '', entry = ''] = piece.split(PART)
  return { id: Number(id), progress: orNull(progress), seriesTitle: orNull(seriesTitle), entry: orNull(entry) }
}

/** By id; of items that are still there. */
export const readEntries = async (deps: Deps, userId: number, ids: readonly number[]): Promise<Map<number, string>> => {
  const { rows } = await deps.db.$client.execute({ sql: READ, args: [userId, JSON.stringify(ids)] })
  const pieces = rows[0]?.pieces
  return entriesById(deps, typeof pieces === 'string' ? pieces.split(PIECE).map(toRow) : [])
}
