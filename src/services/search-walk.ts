/** Goes through what finders find, from the newest item down, until enough items have passed. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { isItemType, isSeries } from '../domain/item-type.ts'
import { all, type Clause, clause } from './clause.ts'
import { numbersIn } from './ids-of.ts'
import type { Finder } from './search-finder.ts'
import type { Look, Said } from './search-texts.ts'

/** The newest ids, in which what is common is soon found. */
const NEWEST_SPAN = 32_768
/** Somewhat more than is expected to be needed. */
const RESERVE = 1.3
/** Of what is left: a range that is larger is not worth being looked at by itself. */
const WORTHWHILE = 0.25
/** Rows a query. */
const LEAST_ROWS = 100
const MOST_ROWS = 400
/** After so many items that did not belong to the rank a page may end early, */
const MOST_IN_VAIN = 2000
/** for which so many characters of their texts count as well: a second's work or two. */
const CHARACTERS_IN_VAIN = 16_384

/** What is in the tables of titles and texts may be of an item that has changed since: those are looked at by other means. */
const FRESH: Clause = { sql: 'm.id NOT IN (SELECT item_id FROM search_stale)', args: [] }

export interface Candidate {
  id: number
  title: string
  isSeries: boolean
  /** Where they were asked for. */
  tagIds: ReadonlySet<number>
  /** Where its texts were looked into. */
  said: Said | null
}

/** What is read of items besides their titles. */
type Detail = 'nothing' | 'tags'

/** What `toCandidate` reads of an item `m` behind its id, its title and its type. */
export const DETAIL_COLUMNS: Readonly<Record<Detail, string>> = {
  nothing: 'NULL',
  tags: '(SELECT group_concat(tag_id) FROM item_tags WHERE item_id = m.id)',
}

export interface Rows {
  /** Which items `m` may be found at all. */
  scope: Clause
  detail: Detail
}

/** From a row of these columns. */
export const toCandidate = ([id, title, itemType, tags]: unknown[]): Candidate => {
  const type = String(itemType)
  return {
    id: Number(id),
    title: String(title),
    isSeries: isItemType(type) && isSeries(type),
    tagIds: new Set(numbersIn(tags)),
    said: null,
  }
}

/** Those of these items that may be found, in any order. */
export const readCandidates = async (deps: Deps, ids: readonly number[], { scope, detail }: Rows): Promise<Candidate[]> => {
  if (ids.length === 0) return []
  const picked: Clause = { sql: 'json_each(?) AS picked CROSS JOIN media_items m ON m.id = picked.value', args: [JSON.stringify(ids)] }
  const { rows } = await deps.db.$client.execute(
    clause`SELECT json_group_array(json_array(m.id, m.title, m.item_type, ${DETAIL_COLUMNS[detail]})) AS found FROM ${picked} WHERE ${all([FRESH, scope])}`,
  )
  const found: unknown = JSON.parse(String(rows[0]?.found))
  return Array.isArray(found) ? found.map(toCandidate) : []
}

export interface Walk extends Rows {
  finders: readonly Finder[]
  /** Ids that may belong to the rank, and items that do. */
  listed: readonly number[]
  ready: readonly Candidate[]
  isWanted: (candidate: Candidate) => boolean
  /** Whether the texts of what is wanted say so as well; where that has to be seen. */
  lookInto?: (candidate: Candidate) => Promise<Look>
  /** No item has a higher id. */
  top: number
  /** Says that nobody waits any more. */
  signal: AbortSignal
}

export interface Place {
  /** Only items with lower ids. */
  below: number
  limit: number
}

export interface Walked {
  /** Highest id first. */
  found: Candidate[]
  /** There is nothing else above this; null at the end. */
  examinedTo: number | null
}

interface Seen {
  from: number
  ids: number[]
}

/** What the finders find next below `to`, and down to where that is all of it. `density`: of what was wanted so far, in ids. */
const seeNext = async (
  finders: readonly Finder[],
  to: number,
  { wanted, density }: { wanted: number; density: number | null },
): Promise<Seen> => {
  if (finders.length === 0) return { from: 0, ids: [] }
  if (density === null) {
    const [range, limit] = [{ from: Math.max(0, to - NEWEST_SPAN), to }, Math.max(LEAST_ROWS, Math.round(wanted * RESERVE))]
    const lists = await Promise.all(finders.map((finder) => finder.newest(range, limit)))
    // Below the end of a list that was cut off nothing can be said yet.
    const from = Math.max(range.from, ...lists.filter(({ length }) => length >= limit).map((ids) => ids.at(-1) ?? 0))
    return { from, ids: lists.flat().filter((id) => id >= from) }
  }
  const span = density === 0 ? to : (wanted * RESERVE) / density
  const range = { from: span > to * WORTHWHILE ? 0 : Math.floor(to - span), to }
  return { from: range.from, ids: (await Promise.all(finders.map((finder) => finder.all(range)))).flat() }
}

/** Up to `limit` items with ids below `below`; fewer at the end, and where very many were looked at in vain. */
export const walk = async (
  deps: Deps,
  { finders, listed, ready, isWanted, lookInto, top, signal, ...rows }: Walk,
  { below, limit }: Place,
): Promise<Walked> => {
  const known = new Map(ready.map((candidate) => [candidate.id, candidate]))
  const found: Candidate[] = []
  let inVain = 0

  const isEnough = (): boolean => found.length >= limit || inVain >= MOST_IN_VAIN

  const takeIn = async (candidate: Candidate): Promise<void> => {
    const { said, length } = lookInto ? await lookInto(candidate) : { said: null, length: 0 }
    if (said !== null || !lookInto) found.push({ ...candidate, said })
    else inVain += 1
    inVain += length / CHARACTERS_IN_VAIN
  }

  /** Answers the lowest id that was looked at before there was enough; null where all were. */
  const look = async (ids: readonly number[]): Promise<number | null> => {
    for (let at = 0; at < ids.length; ) {
      const size = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.round((limit - found.length) * RESERVE)))
      const chunk = ids.slice(at, at + size)
      const unknown = chunk.filter((id) => !known.has(id))
      const read = await readCandidates(deps, unknown, rows)
      const wanted = read.filter(isWanted)
      inVain += read.length - wanted.length
      for (const candidate of [...wanted, ...chunk.flatMap((id) => known.get(id) ?? [])].sort((a, b) => b.id - a.id)) {
        await takeIn(candidate)
        if (isEnough()) return candidate.id
      }
      at += size
      if (at < ids.length && isEnough()) return chunk.at(-1) ?? null
    }
    return null
  }

  let to = Math.min(below, top + 1)
  let density: number | null = null
  while (to > 0 && !isEnough()) {
    const before = found.length
    const { from, ids } = await seeNext(finders, to, { wanted: limit - before, density })
    const others = [...listed, ...known.keys()].filter((id) => id >= from && id < to)
    const stopped = await look([...new Set([...ids, ...others])].sort((a, b) => b - a))
    // A list that was cut off comes from where there is much: the next newest are looked at in the same way.
    density = from > to - NEWEST_SPAN && density === null ? null : (found.length - before) / (to - from)
    to = stopped ?? from
    await nextTurn()
    signal.throwIfAborted()
  }
  return { found, examinedTo: to === 0 ? null : to }
}
