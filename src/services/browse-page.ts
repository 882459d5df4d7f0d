/** One page of a list as JSON text, by one query that answers one row: what a page costs is mostly rows to carry over. */

import type { Deps } from '../deps.ts'
import { NO_PROGRESS, withProgress } from '../domain/browse-entry.ts'
import { renderEntries } from './browse-entries.ts'
import { completedContainerSql, IS_CONTAINER } from './browse-filter.ts'
import type { SortKey } from './browse-sort.ts'
import { type Clause, clause } from './clause.ts'

/** A place in a part of a film that is one file by now is none, as for its player (`inStandingPart`). */
const POSITION = `CASE WHEN p.file IS NULL OR EXISTS (SELECT 1 FROM json_each(m.files) WHERE value ->> 'role' = 'part') THEN p.position_seconds END`

/** What one person has made of `m`, as JSON text. */
const PROGRESS_JSON = `json_object('positionSeconds', ${POSITION}, 'durationSeconds', p.duration_seconds, 'page', p.page,
    'completed', json(iif(p.completed, 'true', 'false')))`

/** What holds others is as far as they are: it has been seen or read, or there is no progress on it. */
const CONTAINER_PROGRESS = '(SELECT NULL AS position_seconds, NULL AS duration_seconds, NULL AS page, true AS completed, NULL AS file)'

/** A text of the progress `p` of one person on `m`, or null where there is none. Some people have none at all: that is asked once a query. */
const ofProgress = (text: string): string => `CASE WHEN NOT EXISTS (SELECT 1 FROM progress WHERE user_id = ?1) THEN NULL
  WHEN ${IS_CONTAINER} THEN (SELECT ${text} FROM ${CONTAINER_PROGRESS} p WHERE ${completedContainerSql('?1')})
  ELSE (SELECT ${text} FROM progress p WHERE p.user_id = ?1 AND p.item_id = m.id) END`

/** The progress of one person on `m`, as JSON text; the kept entry says everything but that. */
export const PROGRESS_SQL = ofProgress(PROGRESS_JSON)

/** The same of one item alone. */
export const readProgress = async (deps: Pick<Deps, 'db'>, userId: number, itemId: number): Promise<string | null> => {
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT ${PROGRESS_SQL} AS progress FROM media_items m WHERE m.id = ?2`,
    args: [userId, itemId],
  })
  return rows[0]?.progress == null ? null : String(rows[0].progress)
}

/** As a JSON string, the series that `m` is a part of: in a list of all sorts "v02" or "Episode 3" alone says nothing. */
export const SERIES_TITLE_SQL = `CASE WHEN m.item_type IN ('tv_season', 'tv_episode', 'manga_volume') THEN
  (SELECT json_quote(coalesce(series.title, parent.title)) FROM media_items parent LEFT JOIN media_items series ON series.id = parent.parent_id
    WHERE parent.id = m.parent_id) END`

interface KeptEntry {
  id: number
  entry: string | null
  progress: string | null
  /** JSON text; left out where the list is that of the series. */
  seriesTitle?: string | null
}

const withSeries = (entry: string, title: string | null | undefined): string =>
  title == null ? entry : `${entry.slice(0, -1)},"seriesTitle":${title}}`

/** The entries of these items, which are kept soon: whoever turns the page again is not to wait for them once more. */
const renderMissed = async (deps: Deps, ids: readonly number[]): Promise<Map<number, string>> => {
  if (ids.length > 0) deps.upkeep.entriesMissed()
  return renderEntries(deps.db, ids)
}

/** How a row's entry reads: its kept text where there is one, rendered otherwise. A row that went since it was read has none. */
const entryReader = async (deps: Deps, rows: readonly KeptEntry[]): Promise<(row: KeptEntry) => string[]> => {
  const missing = rows.filter((row) => row.entry === null).map((row) => row.id)
  const rendered = await renderMissed(deps, missing)
  return (row) => {
    const entry = row.entry ?? rendered.get(row.id)
    return entry === undefined ? [] : [withSeries(withProgress(entry, row.progress), row.seriesTitle)]
  }
}

/** The entries of these rows, in order. */
export const entriesOf = async (deps: Deps, rows: readonly KeptEntry[]): Promise<string[]> => rows.flatMap(await entryReader(deps, rows))

/** The entries of these rows by id. */
export const entriesById = async (deps: Deps, rows: readonly KeptEntry[]): Promise<Map<number, string>> => {
  const read = await entryReader(deps, rows)
  return new Map(rows.flatMap((row) => read(row).map((entry) => [row.id, entry] as const)))
}

interface PageQuery {
  userId: number
  libraryId: number
  /** The table as `m`, with the index to use where one must be named. */
  table: Clause
  where: Clause
  key: SortKey
  isBackwards: boolean
  limit: number
  offset: number
  /** What stands before the entries. */
  head: string
}

/** The values of a row's sort key. */
export type KeyValues = (string | number)[]

interface Page {
  /** In UTF-8, the head and the entries as the inside of a JSON array, in the order of the list. */
  text: Buffer
  count: number
  /** Whether there is more in the direction that was read. */
  hasMore: boolean
  first: KeyValues | null
  last: KeyValues | null
  /** Present top-level entries of the library, as of the page itself. */
  libraryCount: number
}

/** Between two entries: JSON text has no line break of its own in it, and may have one there. */
const BETWEEN = ',\n'
/** Before the id that stands for an entry which is not kept yet: control characters cannot stand in JSON text unescaped. */
const HOLE = '\u0002'

/** The kept text of an entry, as `withProgress` makes it one's own, or a hole and what belongs in there. */
const ENTRY_SQL = `coalesce(${ofProgress(`substr(m.entry, 1, length(m.entry) - ${NO_PROGRESS.length}) || ${PROGRESS_JSON} || '}'`)},
    m.entry, '${HOLE}' || m.id || coalesce(',' || ${PROGRESS_SQL}, ''))`

/** The same with the date that it is sorted by, behind its progress. Years beyond four digits, which files may have, are left out. */
const datedEntrySql = (date: string): string => {
  const dated = `',"sortDate":"' || strftime('%Y-%m-%dT%H:%M:%fZ', ${date} / 1000.0, 'unixepoch') || '"'`
  const end = `coalesce(${PROGRESS_SQL}, 'null') || coalesce(${dated}, '')`
  return `coalesce(substr(m.entry, 1, length(m.entry) - ${NO_PROGRESS.length}) || ${end} || '}', '${HOLE}' || m.id || ',' || ${end})`
}

/**
 * The entries as the bytes of one text, since taking them apart costs a third of the query and another text of them a tenth. The facts,
 * `[how many, first key, last key, libraryCount]`, in one column, since each costs some; the keys only of the first and the last that
 * are shown, since making one for each costs a tenth. The rows are chosen first: what is sorted would take its entry along. `?1` is the person, `?2` the library, `?3` the limit, `?4` the head; what follows counts on from there.
 */
const composePage = ({ key, isBackwards }: PageQuery, from: string): string => {
  const keyAt = (place: string) =>
    `json((SELECT json_array(${key.columns.join(', ')}) FROM media_items m WHERE m.id = page.ids ->> ${place}))`
  return `SELECT page.text, json_array(page.count, ${keyAt(`'$[0]'`)}, ${keyAt(`iif(page.count > ?3, '$[#-2]', '$[#-1]')`)},
    (SELECT item_count FROM libraries WHERE id = ?2)) AS facts FROM (
    SELECT CAST(?4 || coalesce(group_concat(entry, '${BETWEEN}'), '') AS BLOB) AS text, json_group_array(id) AS ids, count(*) AS count FROM (
      SELECT ${key.date === null ? ENTRY_SQL : datedEntrySql(key.date)} AS entry, m.id AS id FROM (
        SELECT m.id AS id FROM ${from} ORDER BY ${key.orderBy(isBackwards)} LIMIT ? OFFSET ?) AS chosen
        CROSS JOIN media_items m ON m.id = chosen.id)) AS page`
}

interface Hole {
  id: number
  progress: string | null
}

const holeIn = (piece: string): Hole | null => {
  if (!piece.startsWith(HOLE)) return null
  const [id = '', ...progress] = piece.slice(HOLE.length).split(',')
  return { id: Number(id), progress: progress.length > 0 ? progress.join(',') : null }
}

/** With the entries that are not kept rendered. A row that went since it was read has none. */
const filled = async (deps: Deps, pieces: readonly string[]): Promise<string[]> => {
  const rendered = await renderMissed(
    deps,
    pieces.flatMap((piece) => holeIn(piece)?.id ?? []),
  )
  return pieces.flatMap((piece) => {
    const hole = holeIn(piece)
    if (hole === null) return piece
    const entry = rendered.get(hole.id)
    return entry === undefined ? [] : withProgress(entry, hole.progress)
  })
}

/** With the entries as they are shown, of which nothing is to be done where all are kept and in order. */
const shownText = async (deps: Deps, text: Buffer, { head, isBackwards }: PageQuery): Promise<Buffer> => {
  const read = text.subarray(Buffer.byteLength(head))
  if (!isBackwards && !read.includes(HOLE)) return text
  const entries = await filled(deps, read.toString().split(BETWEEN))
  return Buffer.from(head + (isBackwards ? entries.reverse() : entries).join(BETWEEN))
}

/** A key as `json_array` wrote it. */
const keyValues = (key: unknown): KeyValues | null =>
  Array.isArray(key) ? key.filter((part) => typeof part === 'string' || typeof part === 'number') : null

export const readPage = async (deps: Deps, query: PageQuery): Promise<Page> => {
  const { isBackwards, limit } = query
  const from = clause`${query.table} WHERE ${query.where}`
  const { rows } = await deps.db.$client.execute({
    sql: composePage(query, from.sql),
    args: [query.userId, query.libraryId, limit, query.head, ...from.args, limit + 1, query.offset],
  })
  const [row] = rows
  if (!(row?.text instanceof ArrayBuffer)) throw new Error('A page is one row, of bytes.')
  const bytes = Buffer.from(row.text)
  const facts: unknown = JSON.parse(String(row.facts))
  const [found, firstKey, lastKey, libraryCount] = Array.isArray(facts) ? facts : []
  const count = Number(found ?? 0)
  const hasMore = count > limit
  const read = [keyValues(firstKey), keyValues(lastKey)] as const
  const [first, last] = isBackwards ? read.toReversed() : read
  return {
    text: await shownText(deps, hasMore ? bytes.subarray(0, bytes.lastIndexOf(BETWEEN)) : bytes, query),
    count: hasMore ? limit : count,
    hasMore,
    first: first ?? null,
    last: last ?? null,
    libraryCount: Number(libraryCount ?? 0),
  }
}
