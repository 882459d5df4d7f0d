import { heapStats } from 'bun:jsc'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { InStatement } from '@libsql/client'
import { openDatabase } from '../../src/db/client.ts'
import { indexSearchTexts } from '../../src/db/search-index.ts'
import { searchKey } from '../../src/domain/name-key.ts'
import { sortTitle } from '../../src/domain/natural-sort.ts'
import type { Viewer } from '../../src/domain/permissions.ts'
import { ALL_PERMISSIONS } from '../../src/domain/permissions.ts'
import { type BrowseQuery, browse } from '../../src/services/browse.ts'
import { listFacets } from '../../src/services/facets.ts'
import { findLibrary } from '../../src/services/library-cache.ts'
import { dropTagChanges, warmTagIndex } from '../../src/services/tag-index.ts'
import { seeded } from '../bench/seeded.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(120_000)

/** Large enough for every way in which a selection is read: sorted, walked, walked in vain and sorted after all. */
const ITEMS = 12_000
const TAGS = 6
const WORDS = ['alpha', 'beta', 'gamma', 'Évora', '東京']

interface Item {
  id: number
  title: string
  addedAt: number
  takenAt: number | null
  tags: Set<number>
  isCompleted: boolean
}

let app: TestApp
let items: Item[] = []
const viewer: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }

const makeItems = (): Item[] => {
  const random = seeded(21)
  return Array.from({ length: ITEMS }, (_, n) => {
    // The last ones in the order of titles have a tag of their own, and a word.
    const isLast = n >= ITEMS - 3000
    const title = `${isLast ? 'zz' : WORDS[Math.floor(random() * WORDS.length)]} ${Math.floor(random() * 1000)} ${n}.jpg`
    const tags = new Set(Array.from({ length: TAGS }, (_, tag) => tag + 1).filter((tag) => random() < 0.9 / tag))
    if (isLast) tags.add(TAGS + 1)
    const takenAt = random() < 0.8 ? Math.floor(random() * 1000) : null
    return { id: n + 1, title, addedAt: Math.floor(random() * 1000), takenAt, tags, isCompleted: random() < 0.3 }
  })
}

const insert = async (): Promise<void> => {
  const { write } = app.deps
  await write.batch([
    "INSERT INTO libraries (name, type, path, item_count) VALUES ('m', 'mixed', '/m', 0), ('other', 'mixed', '/o', 0)",
    "INSERT INTO tag_categories (name, name_key) VALUES ('c', 'c')",
    ...Array.from({ length: TAGS + 1 }, (_, tag) => `INSERT INTO tags (category_id, name, name_key) VALUES (1, 't${tag}', 't${tag}')`),
    {
      sql: `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, sort_title, search_title, added_at, taken_at)
        SELECT value ->> 0, 'mixed_file:' || iif(value ->> 0 % 3 = 0, 2, 1) || ':' || (value ->> 0), iif(value ->> 0 % 3 = 0, 2, 1), 'mixed_file', value ->> 0,
          value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?)`,
      args: [
        JSON.stringify(items.map(({ id, title, addedAt, takenAt }) => [id, title, sortTitle(title), searchKey(title), addedAt, takenAt])),
      ],
    },
    {
      sql: 'INSERT INTO item_tags (item_id, tag_id) SELECT value ->> 0, value ->> 1 FROM json_each(?)',
      args: [JSON.stringify(items.flatMap(({ id, tags }) => [...tags].map((tag) => [id, tag])))],
    },
    {
      sql: 'INSERT INTO progress (user_id, item_id, completed, updated_at) SELECT 1, value ->> 0, value ->> 1, 1 FROM json_each(?)',
      args: [JSON.stringify(items.filter(({ id }) => id % 2 === 0).map(({ id, isCompleted }) => [id, isCompleted ? 1 : 0]))],
    },
  ])
}

const inFirst = ({ id }: Item): boolean => id % 3 !== 0
/** In the orders that have an index. Titles here are of one plane, so that their characters compare as their bytes do. */
const inOrder = { title: [] as Item[], added: [] as Item[], taken: [] as Item[] }
const ORDERED = [
  ['title', 'asc'],
  ['title', 'desc'],
  ['added', 'asc'],
  ['added', 'desc'],
  ['taken', 'desc'],
] as const
const expectedIds = ({ q, tags, excludeTags, untagged, unfinished, sort, order }: BrowseQuery): number[] => {
  const passing = inOrder[sort === 'added' || sort === 'taken' ? sort : 'title'].filter(
    (item) =>
      inFirst(item) &&
      tags.every((tag) => item.tags.has(tag)) &&
      !excludeTags.some((tag) => item.tags.has(tag)) &&
      !(untagged && item.tags.size > 0) &&
      !(unfinished && item.id % 2 === 0 && item.isCompleted) &&
      searchKey(item.title).includes(searchKey(q ?? '')),
  )
  return (order === 'desc' ? passing.toReversed() : passing).map(({ id }) => id)
}

const idsOf = (body: { entries: { itemKey: string }[] }): number[] => body.entries.map(({ itemKey }) => Number(itemKey.split(':')[2]))
const read = async (query: BrowseQuery) => JSON.parse((await browse(app.deps, viewer, query)).json.toString())
const QUERY: BrowseQuery = { libraryId: 1, tags: [], excludeTags: [], order: 'asc', seed: 0, limit: 40 }

const CASES: [what: string, query: Partial<BrowseQuery>][] = [
  ['one common tag', { tags: [1] }],
  ['two tags', { tags: [1, 2] }],
  ['a tag of the last ones', { tags: [7] }],
  ['many tags', { tags: [1, 2, 3, 4, 5] }],
  ['a tag and an excluded one', { tags: [1], excludeTags: [2] }],
  ['excluded tags alone', { excludeTags: [1, 3] }],
  ['a common word', { q: 'alpha' }],
  ['a word of the last ones', { q: 'zz' }],
  ['a rare number', { q: '1234' }],
  ['a word in capitals', { q: 'BETA' }],
  ['a word with an accent', { q: 'évora' }],
  ['a word without its accent', { q: 'evora' }],
  ['two characters', { q: '東京' }],
  ['one letter', { q: 'g' }],
  ['a separator', { q: '.' }],
  ['a word and a tag', { q: 'gamma', tags: [1] }],
  ['a word and an excluded tag', { q: 'gamma', excludeTags: [1] }],
  ['what is left', { unfinished: true }],
  ['what is left with a tag', { tags: [1], unfinished: true }],
  ['what is left without a tag', { excludeTags: [1], unfinished: true }],
  ['what is left of a word', { q: 'gamma', unfinished: true }],
  ['what is left of a word with a tag', { q: 'zz', tags: [2], unfinished: true }],
  ['what carries no tag', { untagged: true }],
  ['what carries no tag and is left', { untagged: true, unfinished: true }],
  ['what carries no tag, of a word', { q: 'gamma', untagged: true }],
  ['what carries no tag, by one', { tags: [1], untagged: true }],
  ['nothing', { q: 'nowhere' }],
]

const RULES = () => {
  test.each(CASES)('for %s gives the pages that sorting everything gives', async (_what, more) => {
    for (const [sort, order] of ORDERED) {
      const query: BrowseQuery = { ...QUERY, ...more, sort, order }
      const expected = expectedIds(query)
      const first = await read(query)
      expect([sort, order, idsOf(first), first.total]).toEqual([
        sort,
        order,
        expected.slice(0, 40),
        expected.length > 1000 ? null : expected.length,
      ])
      // Somewhere in the middle, forwards and backwards.
      const at = Math.floor(expected.length / 2)
      const around = await read({ ...query, around: `mixed_file:1:${expected[at] ?? 1}` }).catch(() => null)
      if (expected.length === 0) continue
      const start = at - (at % 40)
      expect([around.position, idsOf(around)]).toEqual([start, expected.slice(start, start + 40)])
      if (around.nextCursor !== null)
        expect(idsOf(await read({ ...query, cursor: around.nextCursor }))).toEqual(expected.slice(start + 40, start + 80))
      if (around.prevCursor !== null)
        expect(idsOf(await read({ ...query, cursor: around.prevCursor }))).toEqual(expected.slice(Math.max(0, start - 40), start))
    }
  })

  test.each(CASES)('for %s gives the counts of facets that counting everything gives', async (_what, more) => {
    const query = { ...QUERY, ...more }
    const { categories } = await listFacets(app.deps, viewer, query)
    const passing = new Set(expectedIds(query))
    const counted = Array.from({ length: TAGS + 1 }, (_, n) => [
      n + 1,
      items.filter((item) => passing.has(item.id) && item.tags.has(n + 1)).length,
    ])
    const counts = categories.flatMap(({ tags }) => tags.map(({ id, count }) => [id, count] as const))
    expect(counts.toSorted((a, b) => a[0] - b[0])).toEqual(counted.map(([id = 0, count = 0]) => [id, count] as const))
  })
}

beforeAll(async () => {
  app = await startTestApp()
  items = makeItems()
  const keyed = items.map((item) => ({ item, key: sortTitle(item.title) }))
  inOrder.title = keyed.sort((a, b) => (a.key === b.key ? a.item.id - b.item.id : a.key < b.key ? -1 : 1)).map(({ item }) => item)
  inOrder.added = items.toSorted((a, b) => a.addedAt - b.addedAt || a.id - b.id)
  inOrder.taken = items.toSorted((a, b) => (a.takenAt ?? 0) - (b.takenAt ?? 0) || a.id - b.id)
  await insert()
})
afterAll(() => app[Symbol.asyncDispose]())

describe('a filter of a large library whose names are not in the full-text table yet', RULES)

describe('a filter of a large library', () => {
  beforeAll(async () => {
    while ((await indexSearchTexts(app.deps.write, 1000)) > 0) await Bun.sleep(0)
  })
  RULES()
})

describe('what is kept of assignments in memory', () => {
  test('follows every change of them and of their items', async () => {
    const random = seeded(5)
    const { write } = app.deps
    const some = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    for (let round = 0; round < 60; round += 1) {
      const changed = Array.from({ length: 1 + Math.floor(random() * 40) }, () => some(items))
      const tag = 1 + Math.floor(random() * TAGS)
      const ids = JSON.stringify(changed.map(({ id }) => id))
      const kind = round % 4
      if (kind === 0) {
        await write.batch([
          { sql: 'INSERT OR IGNORE INTO item_tags (item_id, tag_id) SELECT value, ? FROM json_each(?)', args: [tag, ids] },
        ])
        for (const item of changed) item.tags.add(tag)
      } else if (kind === 1) {
        await write.batch([
          { sql: 'DELETE FROM item_tags WHERE tag_id = ? AND item_id IN (SELECT value FROM json_each(?))', args: [tag, ids] },
        ])
        for (const item of changed) item.tags.delete(tag)
      } else if (kind === 2) {
        await write.batch([{ sql: 'UPDATE media_items SET missing_since = 1 WHERE id IN (SELECT value FROM json_each(?))', args: [ids] }])
        const gone = new Set(changed)
        items = items.filter((item) => !gone.has(item))
      } else {
        await write.batch([{ sql: 'DELETE FROM media_items WHERE id IN (SELECT value FROM json_each(?))', args: [ids] }])
        const gone = new Set(changed)
        items = items.filter((item) => !gone.has(item))
      }
      const filter = { tags: [1 + (round % TAGS)], excludeTags: round % 3 === 0 ? [2] : [] }
      const { categories } = await listFacets(app.deps, viewer, { libraryId: 1, ...filter })
      const passing = items.filter(
        (item) => inFirst(item) && filter.tags.every((id) => item.tags.has(id)) && !filter.excludeTags.some((id) => item.tags.has(id)),
      )
      const counts = Object.fromEntries(categories.flatMap(({ tags }) => tags.map(({ id, count }) => [id, count])))
      const expected = Object.fromEntries(
        Array.from({ length: TAGS + 1 }, (_, n) => [n + 1, passing.filter(({ tags }) => tags.has(n + 1)).length]),
      )
      expect([round, counts]).toEqual([round, expected])
      const untagged = items.filter((item) => inFirst(item) && item.tags.size === 0)
      const found = await read({ ...QUERY, untagged: true, limit: 500 })
      expect([round, found.total, new Set(idsOf(found))]).toEqual([round, untagged.length, new Set(untagged.map(({ id }) => id))])
    }
  })

  test('needs only the last changes: the others are dropped in slices', async () => {
    const idsOfChanges = async () =>
      (await app.database.client.execute('SELECT count(*) AS n, max(id) AS last FROM tag_changes')).rows.map((row) => [row.n, row.last])
    const [[before = 0, last] = []] = await idsOfChanges()
    const dropped: number[] = []
    for (let n = await dropTagChanges(app.deps, 5000); n > 0; n = await dropTagChanges(app.deps, 5000)) dropped.push(n)
    expect(Math.max(...dropped)).toBe(5000)
    expect(dropped.reduce((a, b) => a + b, 0)).toBe(Number(before) - 10_000)
    expect(await idsOfChanges()).toEqual([[10_000, last ?? null]])
  })

  test('is read anew where the changes have been dropped', async () => {
    const { write } = app.deps
    await write.batch(['DELETE FROM item_tags WHERE tag_id = 3', 'DELETE FROM tag_changes WHERE id < (SELECT max(id) FROM tag_changes)'])
    for (const item of items) item.tags.delete(3)
    const { categories } = await listFacets(app.deps, viewer, { libraryId: 1, tags: [1], excludeTags: [] })
    const counted = categories.flatMap(({ tags }) => tags).find(({ id }) => id === 2)?.count
    expect(counted).toBe(items.filter((item) => inFirst(item) && item.tags.has(1) && item.tags.has(2)).length)
    expect((await read({ ...QUERY, tags: [3] })).entries).toEqual([])
  })
})

test('of tags and libraries that do not exist nothing is kept, however many are asked for', async () => {
  /** Of what would be kept of each. */
  const count = async (): Promise<number> => {
    Bun.gc(true)
    await Bun.sleep(0)
    Bun.gc(true)
    const { Promise: promises = 0, Object: objects = 0 } = heapStats().objectTypeCounts
    return promises + objects
  }
  const ask = async (from: number): Promise<void> => {
    const tags = Array.from({ length: 50 }, (_, place) => 1_000_000 + from * 50 + place)
    await listFacets(app.deps, viewer, { libraryId: 1, tags, excludeTags: [] })
    for (const libraryId of tags) expect(await findLibrary(app.deps.db, libraryId)).toBeUndefined()
  }
  await ask(0)
  const before = await count()
  for (let from = 1; from <= 40; from += 1) await ask(from)
  expect((await count()) - before).toBeLessThan(500)
})

test('the sets of a large library are read ahead while nothing else is to be done, and then no filter reads them', async () => {
  await app.deps.write.batch(['UPDATE libraries SET item_count = 20000 WHERE id = 1'])
  const database = await openDatabase(app.deps.config)
  const deps = { ...app.deps, db: database.db }
  const read: string[] = []
  const execute = database.client.execute.bind(database.client)
  database.client.execute = (statement: InStatement) => {
    const text = typeof statement === 'string' ? statement : statement.sql
    if (/SELECT group_concat/.test(text)) read.push(text)
    return execute(statement)
  }
  await warmTagIndex(deps, () => false)
  const whileBusy = read.length
  await warmTagIndex(deps, () => true)
  const whileIdle = read.length
  const query = { libraryId: 1, tags: [1, 2], excludeTags: [7] }
  const facets = await listFacets(deps, viewer, query)
  await database.close()
  expect([whileBusy, whileIdle > TAGS, read.length - whileIdle]).toEqual([0, true, 0])
  expect(facets).toEqual(await listFacets(app.deps, viewer, query))
})
