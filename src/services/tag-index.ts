/**
 * Which items carry which tags, in memory: the answer to "how many entries would each further tag leave" looks at every
 * assignment of every entry that is shown, which SQL does at half a million rows in a third of a second, and rows of bits
 * in a few milliseconds. A tag is read when it is first asked for, and kept up to date by what `tag_changes` signs,
 * whichever process has changed it. A million items with five million assignments take about 15 MB.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Client } from '@libsql/client'
import type { Deps } from '../deps.ts'
import { type Bits, changed, type IdSet, idSet, keepCommon, removeCommon, toBits, without } from '../domain/id-set.ts'
import type { TagFilter } from '../domain/tag-filter.ts'
import { type Clause, clause } from './clause.ts'
import { addNumbers, highestItemId } from './ids-of.ts'

/** Rows a query, which takes about a millisecond: no other request has to wait for longer. */
const SLICE = 5_000
/** Entries from which on a library's sets take so long to read that somebody would wait for them. */
const LARGE_LIBRARY = 20_000
const WARMING_PAUSE_MS = 5
/** More changes than these are cheaper read anew. */
const MOST_CHANGES = 5000

/** Changes that are kept for those who follow: more than anybody follows one by one. */
const KEPT_CHANGES = 10_000

interface Kept {
  /** The last change that is in. */
  seen: number
  tags: Map<number, Promise<IdSet>>
  /** Present top-level items by library. Of items without tags it may be wrong: nothing asks about those. */
  members: Map<number, Promise<IdSet>>
  /** Libraries of which everything has been read ahead, or is being read. */
  warm: Set<number>
}

const indexes = new WeakMap<Client, Kept>()

/** In place of the id of a tag: all of them. */
const ANY = -1

const sliceOf = (tagId: number, after: number): Clause =>
  tagId === ANY
    ? { sql: `SELECT DISTINCT item_id FROM item_tags WHERE item_id > ? ORDER BY item_id LIMIT ${SLICE}`, args: [after] }
    : { sql: `SELECT item_id FROM item_tags WHERE tag_id = ? AND item_id > ? ORDER BY item_id LIMIT ${SLICE}`, args: [tagId, after] }

const readTag = async (client: Client, tagId: number): Promise<IdSet> => {
  const ids: number[] = []
  for (let before = -SLICE; ids.length - before === SLICE; ) {
    before = ids.length
    const { rows } = await client.execute(clause`SELECT group_concat(item_id) AS ids FROM (${sliceOf(tagId, ids.at(-1) ?? 0)})`)
    addNumbers(ids, rows[0]?.ids)
    await nextTurn()
  }
  return idSet(Uint32Array.from(ids))
}

/** Drops up to `limit` of the changes that nobody needs any more, and answers how many it dropped. The last ones always stay. */
export const dropTagChanges = async (deps: Pick<Deps, 'write'>, limit: number): Promise<number> => {
  const [dropped] = await deps.write.batch(
    [
      {
        sql: `DELETE FROM tag_changes WHERE id < (SELECT min(id) FROM tag_changes) + ? AND id <= (SELECT max(id) FROM tag_changes) - ${KEPT_CHANGES}`,
        args: [limit],
      },
    ],
    'background',
  )
  return dropped?.rowsAffected ?? 0
}

/** In the order of an index that has all of it: rows themselves are large. */
const readMembers = async (client: Client, libraryId: number): Promise<IdSet> => {
  const ids: number[] = []
  let [title, id, count] = ['', 0, SLICE]
  while (count === SLICE) {
    const { rows } = await client.execute({
      sql: `SELECT group_concat(id) AS ids, count(*) AS total, max(sort_title) AS title FROM (
        SELECT id, sort_title FROM media_items INDEXED BY media_items_by_title WHERE library_id = ? AND parent_id IS NULL AND missing_since IS NULL
          AND (sort_title, id) > (?, ?) ORDER BY sort_title, id LIMIT ${SLICE})`,
      args: [libraryId, title, id],
    })
    addNumbers(ids, rows[0]?.ids)
    count = Number(rows[0]?.total)
    title = String(rows[0]?.title)
    id = ids.at(-1) ?? 0
    await nextTurn()
  }
  return idSet(Uint32Array.from(ids).sort())
}

const lastChange = async (client: Client): Promise<{ first: number; last: number }> => {
  // Both in one SELECT would read the whole table.
  const { rows } = await client.execute('SELECT (SELECT min(id) FROM tag_changes) AS first, (SELECT max(id) FROM tag_changes) AS last')
  return { first: Number(rows[0]?.first), last: Number(rows[0]?.last) }
}

/** Brings in what has changed since, by looking at how those items are now. */
const catchUp = async (client: Client, kept: Kept, last: number): Promise<void> => {
  const changes = await client.execute({
    sql: `SELECT c.tag_id, c.item_id, EXISTS (SELECT 1 FROM item_tags t WHERE t.tag_id = c.tag_id AND t.item_id = c.item_id) AS carries,
        EXISTS (SELECT 1 FROM item_tags t WHERE t.item_id = c.item_id) AS carriesAny, m.library_id, m.missing_since IS NULL AND m.parent_id IS NULL AS shown
      FROM (SELECT DISTINCT tag_id, item_id FROM tag_changes WHERE id > ? AND id <= ?) c LEFT JOIN media_items m ON m.id = c.item_id`,
    args: [kept.seen, last],
  })
  const any = new Map<number, boolean>()
  const byTag = new Map([[ANY, any]])
  const byLibrary = new Map([...kept.members.keys()].map((library) => [library, new Map<number, boolean>()]))
  for (const row of changes.rows) {
    const [tag, item] = [Number(row.tag_id), Number(row.item_id)]
    byTag.getOrInsertComputed(tag, () => new Map()).set(item, row.carries === 1)
    any.set(item, row.carriesAny === 1)
    for (const [library, items] of byLibrary) items.set(item, row.library_id === library && row.shown === 1)
  }
  const bringIn = (sets: Map<number, Promise<IdSet>>, changesBySet: ReadonlyMap<number, ReadonlyMap<number, boolean>>): void => {
    for (const [key, items] of changesBySet) {
      const set = sets.get(key)
      if (set && items.size > 0)
        sets.set(
          key,
          set.then((old) => changed(old, items)),
        )
    }
  }
  bringIn(kept.tags, byTag)
  bringIn(kept.members, byLibrary)
  kept.seen = last
}

const followed = async (client: Client): Promise<Kept> => {
  const { first, last } = await lastChange(client)
  const kept = indexes.get(client)
  if (kept && last === kept.seen) return kept
  const canFollow = kept && last > kept.seen && first <= kept.seen + 1 && last - kept.seen <= MOST_CHANGES
  if (canFollow) {
    await catchUp(client, kept, last)
    return kept
  }
  const fresh: Kept = { seen: last, tags: new Map(), members: new Map(), warm: new Set() }
  indexes.set(client, fresh)
  return fresh
}

const following = new WeakMap<Client, Promise<unknown>>()

/** One after the other: a look at the changes must not be overtaken by a later one. */
const current = (client: Client): Promise<Kept> => {
  const run = (following.get(client) ?? Promise.resolve()).then(() => followed(client))
  following.set(
    client,
    run.catch(() => undefined),
  )
  return run
}

/** Read once, and again where reading failed or found nothing: of ids that no tag has there is no end. */
const remember = (sets: Map<number, Promise<IdSet>>, key: number, read: () => Promise<IdSet>): Promise<IdSet> => {
  const known = sets.get(key)
  if (known) return known
  const reading = read()
  sets.set(key, reading)
  reading.then(
    (set) => {
      if (!set.isDense && set.ids.length === 0) sets.delete(key)
    },
    () => sets.delete(key),
  )
  return reading
}

interface TagIndex {
  /** The items that carry a tag, in every library, missing ones too. */
  tag(tagId: number): Promise<IdSet>
  /**
   * The present top-level items of a library that carry all of the tags, and none of the excluded ones. Without a tag to
   * carry it is right for items that carry any tag at all. Those without tags are among all ids that carry none, whosever
   * they are.
   */
  matching(libraryId: number, filter: TagFilter): Promise<Bits>
}

const indexOf = (client: Client, kept: Kept) => ({
  tag: (tagId: number): Promise<IdSet> => remember(kept.tags, tagId, () => readTag(client, tagId)),
  members: (libraryId: number): Promise<IdSet> => remember(kept.members, libraryId, () => readMembers(client, libraryId)),
})

/** Whether all of it has been read. */
const warmLibrary = async (client: Client, kept: Kept, { libraryId, isIdle }: { libraryId: number; isIdle: () => boolean }) => {
  if (!isIdle()) return false
  const index = indexOf(client, kept)
  const { rows } = await client.execute({
    sql: 'SELECT tag_id FROM library_tags WHERE library_id = ? AND present > 0 ORDER BY present DESC',
    args: [libraryId],
  })
  await index.members(libraryId)
  await index.tag(ANY)
  for (const row of rows) {
    if (!isIdle()) return false
    await index.tag(Number(row.tag_id))
    await Bun.sleep(WARMING_PAUSE_MS)
  }
  return true
}

/**
 * Reads ahead what the first filter of a large library would have to wait for, the most used tags first, for as long as
 * nothing else is to be done. Series are not filtered by these sets.
 */
export const warmTagIndex = async (deps: Pick<Deps, 'db'>, isIdle: () => boolean): Promise<void> => {
  const client = deps.db.$client
  const kept = await current(client)
  const { rows } = await client.execute(`SELECT id FROM libraries WHERE type IN ('movies', 'mixed') AND item_count >= ${LARGE_LIBRARY}`)
  for (const libraryId of rows.map((row) => Number(row.id))) {
    if (kept.warm.has(libraryId)) continue
    kept.warm.add(libraryId)
    let isWarm = false
    try {
      isWarm = await warmLibrary(client, kept, { libraryId, isIdle })
    } finally {
      if (!isWarm) kept.warm.delete(libraryId)
    }
  }
}

export const openTagIndex = async (deps: Pick<Deps, 'db'>): Promise<TagIndex> => {
  const client = deps.db.$client
  const kept = await current(client)
  const { tag, members: membersOf } = indexOf(client, kept)
  return {
    tag,
    matching: async (libraryId, { tags, excludeTags, untagged }) => {
      if (untagged) return tags.length > 0 ? new Uint32Array() : without(await tag(ANY), await highestItemId(deps))
      const members = await membersOf(libraryId)
      const [carried, excluded] = await Promise.all([Promise.all(tags.map(tag)), Promise.all(excludeTags.map(tag))])
      const bits = toBits(members)
      for (const set of carried) keepCommon(bits, set)
      for (const set of excluded) removeCommon(bits, set)
      return bits
    },
  }
}
