/**
 * The names of all tags as a search compares them, in memory: reading and folding a hundred thousand of them takes a tenth
 * of a second. New ones are read as they come (an id is given once); a name that was changed is signed in `tag_changes`
 * with no item, whichever process has changed it. Tags that are gone stay: no item carries them.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Client } from '@libsql/client'
import { tagChanges } from '../db/schema/library-tags.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { foldSearch } from '../domain/search-text.ts'

/** Names a query, so that no other request has to wait for long. */
const SLICE = 5000
/** In no folded name: separators fold to spaces. */
const BETWEEN = '\n'
/** A change of the tag itself. */
const NO_ITEM = 0

interface Names {
  /** The last change that is in. */
  seen: number
  /** In the order of the names; the last one is the highest. */
  ids: readonly number[]
  /** Where each name begins in the text, in the same order. */
  starts: readonly number[]
  /** The names, folded, each with what stands between them behind it. */
  text: string
}

const NONE: Names = { seen: 0, ids: [], starts: [], text: '' }

/** In the transaction that changes the name. */
export const signRename = (tx: Transaction, tagId: number): Promise<unknown> => tx.insert(tagChanges).values({ tagId, itemId: NO_ITEM })

const readFrom = async (client: Client, after: Names, newest: number): Promise<Names> => {
  const [ids, starts, texts] = [[...after.ids], [...after.starts], [after.text]]
  let length = after.text.length
  for (let last = ids.at(-1) ?? 0; last < newest; last = ids.at(-1) ?? newest) {
    const { rows } = await client.execute({
      sql: `SELECT json_group_array(json_array(id, name)) AS tags FROM (SELECT id, name FROM tags WHERE id > ? ORDER BY id LIMIT ${SLICE})`,
      args: [last],
    })
    const parsed: unknown = JSON.parse(String(rows[0]?.tags))
    const tags = Array.isArray(parsed) ? parsed : []
    if (tags.length === 0) break
    for (const [id, name] of tags) {
      const folded = foldSearch(String(name)) + BETWEEN
      ids.push(Number(id))
      starts.push(length)
      texts.push(folded)
      length += folded.length
    }
    if (tags.length === SLICE) await nextTurn()
  }
  return { ...after, ids, starts, text: texts.join('') }
}

const STATE = `SELECT (SELECT min(id) FROM tag_changes) AS first, (SELECT max(id) FROM tag_changes) AS last, (SELECT max(id) FROM tags) AS newest,
  EXISTS (SELECT 1 FROM tag_changes WHERE id > ? AND item_id = ${NO_ITEM}) AS renamed`

/** The state is read before the names: a change in between is read twice, and never missed. */
const followed = async (client: Client, names: Names): Promise<Names> => {
  const { rows } = await client.execute({ sql: STATE, args: [names.seen] })
  const [first, last, newest] = [Number(rows[0]?.first), Number(rows[0]?.last), Number(rows[0]?.newest)]
  const canFollow = last >= names.seen && first <= names.seen + 1 && rows[0]?.renamed === 0
  if (!canFollow || names === NONE) return readFrom(client, { ...NONE, seen: last }, newest)
  return newest > (names.ids.at(-1) ?? 0) ? readFrom(client, { ...names, seen: last }, newest) : { ...names, seen: last }
}

const kept = new WeakMap<Client, Promise<Names>>()

/** One after the other: whoever asks while they are read waits for that. */
const current = (client: Client): Promise<Names> => {
  const names = (kept.get(client) ?? Promise.resolve(NONE)).catch(() => NONE).then((before) => followed(client, before))
  kept.set(client, names)
  return names
}

/** The place of the name in which this place of the text lies. */
const nameAt = ({ starts }: Names, place: number): number => {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= place) low = middle
    else high = middle - 1
  }
  return low
}

const containing = (names: Names, term: string): Set<number> => {
  const found = new Set<number>()
  for (let place = names.text.indexOf(term); place >= 0; ) {
    const name = nameAt(names, place)
    found.add(names.ids[name] ?? 0)
    place = names.text.indexOf(term, names.starts[name + 1] ?? names.text.length)
  }
  return found
}

/** The tags whose names contain each of these folded terms, in their order. */
export const findTags = async (deps: Pick<Deps, 'db'>, terms: readonly string[]): Promise<ReadonlySet<number>[]> => {
  const names = await current(deps.db.$client)
  return terms.map((term) => containing(names, term))
}
