import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createClient } from '@libsql/client'
import type { LibraryType } from '../../src/domain/item-type.ts'
import { seeded } from '../bench/seeded.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { listEntries, type ScanScene, startScene } from '../support/scan-scene.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(120_000)

/** Behaviours 3, 5, 6 and 7 of the specification, and API.md, 5: what a filter and its facets mean. */

const TAGS = 7
const RANDOM_FILTERS = 400
const WORDS = ['alpha', 'beta', '100%', 'snake_case']

let scene: ScanScene
let user: HttpClient
const ids = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1)
const of = <T>(count: number, make: (n: number) => [string, T]): Record<string, T> => Object.fromEntries(ids(count).map(make))
const word = (n: number): string => WORDS[n % WORDS.length] ?? ''

const TREES = {
  games: {
    ...of(6, (n) => [`Series ${n} ${word(n)}`, of(3, (m) => [`Game ${n}-${m} ${word(n + m)}`, { 'a.zip': 1 }])]),
    ...of(6, (n) => [`Single ${n} ${word(n)}`, { 'a.zip': 1 }]),
  },
  movies: of(25, (n) => [`Film ${n} ${word(n)}`, { 'film.mkv': n }]),
  tv: of(6, (n) => [
    `Show ${n} ${word(n)}`,
    of(2, (season) => [`Season 0${season}`, of(3, (e) => [`Show ${n} S0${season}E0${e} ${word(e)}.mkv`, 1])]),
  ]),
  manga: of(6, (n) => [`Manga ${n} ${word(n)}`, of(3, (v) => [`Manga ${n} v0${v} ${word(v)}.cbz`, 1])]),
  mixed: { ...of(20, (n) => [`file ${n} ${word(n)}.txt`, n]), folder: of(5, (n) => [`inner ${n} ${word(n)}.txt`, n]) },
}
const TYPES = Object.keys(TREES) as (keyof typeof TREES)[]

/** Every entry of a library, and which tags it carries. */
interface Known {
  entries: Json[]
  tagsOf: Map<string, Set<number>>
  /** What the user who asks has completed. */
  completed: Set<string>
}
const known = {} as Record<LibraryType, Known>

/** What is carried by whom, straight into the index: how it gets there is the business of other tests. */
const assign = async (pairs: [itemKey: string, tagId: number][]): Promise<void> => {
  const database = createClient({ url: `file:${scene.server.dataDir}/vitrine.db`, timeout: 5000 })
  await database.execute({
    sql: 'INSERT OR IGNORE INTO item_tags (tag_id, item_id) SELECT row.value ->> 1, m.id FROM json_each(?) AS row JOIN media_items m ON m.item_key = row.value ->> 0',
    args: [JSON.stringify(pairs)],
  })
  database.close()
}

beforeAll(async () => {
  scene = await startScene(TREES)
  user = await scene.server.as('user')
  const database = createClient({ url: `file:${scene.server.dataDir}/vitrine.db`, timeout: 5000 })
  await database.batch(
    [
      `INSERT INTO tag_categories (id, name, name_key, color) VALUES (1, 'Genre', 'genre', '#aa0000'), (2, 'Mood', 'mood', NULL), (3, 'Unused', 'unused', NULL)`,
      ...ids(TAGS + 1).map(
        (n) => `INSERT INTO tags (id, category_id, name, name_key) VALUES (${n}, ${(n % 2) + 1}, 'tag ${n}', 'tag ${n}')`,
      ),
    ],
    'write',
  )
  database.close()
  const random = seeded(1)
  const bare = seeded(4)
  for (const type of TYPES) {
    const entries = await listEntries(scene.admin, { libraryId: scene.idOf(type) })
    const tagged = entries.filter(() => bare() > 0.35)
    const pairs = tagged.flatMap(({ itemKey }) =>
      ids(TAGS).flatMap((tag): [string, number][] => (random() < 0.9 / tag ? [[itemKey, tag]] : [])),
    )
    await assign(pairs)
    const singles = entries.filter(({ itemType }) => !/series|season/.test(itemType)).map(({ itemKey }) => itemKey)
    const completed = singles.filter(() => random() < 0.6)
    // A whole series of each type, so that there is one with nothing left.
    const [whole] = entries.filter(({ parentKey, itemType }) => parentKey === null && /series/.test(itemType))
    if (whole) completed.push(...singles.filter((itemKey) => itemKey.includes(`:${whole.itemKey.split(':')[2]}/`)))
    for (const itemKey of completed) expect((await user.put('/api/progress', { itemKey, completed: true })).status).toBe(200)
    // What somebody else has seen, or was only begun, is another matter.
    for (const itemKey of singles.slice(0, 5)) await scene.admin.put('/api/progress', { itemKey, completed: true })
    for (const itemKey of singles.filter((key) => !completed.includes(key)).slice(0, 3))
      await user.put('/api/progress', { itemKey, positionSeconds: 50, durationSeconds: 1000 })
    known[type] = {
      completed: new Set(completed),
      entries,
      tagsOf: new Map(entries.map(({ itemKey }) => [itemKey, new Set(pairs.filter(([key]) => key === itemKey).map(([, tag]) => tag))])),
    }
  }
})
afterAll(() => scene[Symbol.asyncDispose]())

interface Filter {
  q?: string
  tags: number[]
  excludeTags: number[]
  untagged?: boolean
  unfinished?: boolean
}

/** The rules as the contract says them, one item after the other. */
const passes = (type: LibraryType, entry: Json, { q = '', tags, excludeTags, untagged = false, unfinished = false }: Filter): boolean => {
  const { entries, tagsOf, completed } = known[type]
  const isNamed = ({ title }: Json) => title.toLowerCase().includes(q.toLowerCase())
  const isTagged = ({ itemKey }: Json) =>
    tags.every((tag) => tagsOf.get(itemKey)?.has(tag)) &&
    !excludeTags.some((tag) => tagsOf.get(itemKey)?.has(tag)) &&
    !(untagged && (hasTags(itemKey) || hasTags(entry.itemKey)))
  const hasTags = (itemKey: string): boolean => (tagsOf.get(itemKey)?.size ?? 0) > 0
  const childrenOf = (parentKey: string): Json[] => entries.filter((child) => child.parentKey === parentKey)
  /** What holds others is as far as they are. */
  const isLeft = ({ itemKey, itemType }: Json): boolean =>
    /series|season/.test(itemType)
      ? childrenOf(itemKey).some(isLeft)
      : !(unfinished && completed.has(itemKey)) && !(untagged && hasTags(itemKey))
  const isWanted = (item: Json): boolean => (!unfinished && !untagged) || isLeft(item)
  switch (entry.itemType) {
    case 'game_series':
    case 'manga_series':
      return [entry, ...childrenOf(entry.itemKey)].some((item) => isNamed(item) && isTagged(item) && isWanted(item))
    case 'tv_series':
      return (
        isNamed(entry) &&
        [entry, ...childrenOf(entry.itemKey).flatMap(({ itemKey }) => childrenOf(itemKey))].some((item) => isTagged(item) && isWanted(item))
      )
    case 'tv_season':
      return isNamed(entry) && [entry, ...childrenOf(entry.itemKey)].some((item) => isTagged(item) && isWanted(item))
    default:
      return isNamed(entry) && isTagged(entry) && isWanted(entry)
  }
}

interface View {
  type: (typeof TYPES)[number]
  parentKey: string | undefined
}

const parametersOf = ({ type, parentKey }: View, { q, tags, excludeTags, untagged, unfinished }: Filter) => ({
  libraryId: scene.idOf(type),
  parentKey,
  q,
  tags: tags.length > 0 ? tags.join(',') : undefined,
  excludeTags: excludeTags.length > 0 ? excludeTags.join(',') : undefined,
  untagged: untagged ? 1 : undefined,
  unfinished: unfinished ? 1 : undefined,
})

const browse = async (view: View, filter: Filter, more: Record<string, string | number | undefined> = {}): Promise<Json> => {
  const { status, body } = await user.get('/api/browse', { ...parametersOf(view, filter), ...more })
  expect([filter, more, status]).toEqual([filter, more, 200])
  return body
}
const facetsOf = async (view: View, filter: Filter): Promise<Map<number, number>> => {
  const { status, body } = await user.get('/api/facets', parametersOf(view, filter))
  expect([filter, status]).toEqual([filter, 200])
  return new Map(body.categories.flatMap(({ tags }: Json) => tags.map(({ id, count }: Json) => [id, count])))
}

const levelOf = ({ type, parentKey }: View): Json[] => known[type].entries.filter((entry) => entry.parentKey === (parentKey ?? null))
const keysOf = (entries: Json[]): string[] => entries.map(({ itemKey }) => itemKey).toSorted()
const NONE: Filter = { tags: [], excludeTags: [] }

const randomCase = (random: () => number): [View, Filter] => {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const type = pick(TYPES)
  const parents = known[type].entries.filter(({ itemType }) => /series|season/.test(itemType))
  const parentKey = random() < 0.4 && parents.length > 0 ? pick(parents).itemKey : undefined
  const untagged = random() < 0.3
  const some = (most: number) => ids(TAGS + 2).filter(() => random() < most / TAGS)
  const q = random() < 0.3 ? pick(['a', 'ALPHA', 'beta', '%', '_', '1', 'game 1', 'v01', 'season', 'nothing', 's01e01']) : undefined
  return [
    { type, parentKey },
    { ...(q && { q }), tags: untagged ? [] : some(1.3), excludeTags: random() < 0.4 ? some(1) : [], untagged, unfinished: random() < 0.4 },
  ]
}

describe('any filter on any level', () => {
  test('shows what the rules let through, counts it, and says what each further tag would leave', async () => {
    const random = seeded(2)
    let shown = 0
    for (let n = 0; n < RANDOM_FILTERS; n += 1) {
      const [view, filter] = randomCase(random)
      const expected = levelOf(view).filter((entry) => passes(view.type, entry, filter))
      const { entries, total } = await browse(view, filter, { limit: 500 })
      expect([view, filter, keysOf(entries), total]).toEqual([view, filter, keysOf(expected), expected.length])
      const used = new Set([...known[view.type].tagsOf.values()].flatMap((tags) => [...tags]))
      const counts = [...used].map((tag): [number, number] => {
        const narrowed = { ...filter, tags: [...filter.tags, tag] }
        return [tag, levelOf(view).filter((entry) => passes(view.type, entry, narrowed)).length]
      })
      expect([view, filter, await facetsOf(view, filter)]).toEqual([view, filter, new Map(counts)])
      shown += expected.length
    }
    expect(shown).toBeGreaterThan(RANDOM_FILTERS)
  })

  test('pages without gaps, backwards and around an item, in every order', async () => {
    const random = seeded(3)
    for (let n = 0; n < 40; n += 1) {
      const [view, filter] = randomCase(random)
      const sort = ['title', 'added', 'size', 'random', 'number'][n % 5] ?? 'title'
      const whole = (await browse(view, filter, { sort, limit: 500 })).entries.map(({ itemKey }: Json) => itemKey)
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await browse(view, filter, { sort, limit: 3, cursor })
        expect(page.position).toBe(seen.length)
        seen.push(...page.entries.map(({ itemKey }: Json) => itemKey))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      expect([sort, filter, seen]).toEqual([sort, filter, whole])
      for (const [place, itemKey] of whole.entries()) {
        const page = await browse(view, filter, { sort, limit: 4, around: itemKey })
        expect([page.position, page.entries.map((entry: Json) => entry.itemKey)]).toEqual([
          place - (place % 4),
          whole.slice(place - (place % 4), place - (place % 4) + 4),
        ])
      }
    }
  })
})

describe('a filter', () => {
  test('that is no list of ids is refused, and one with too many', async () => {
    const libraryId = scene.idOf('movies')
    for (const path of ['/api/browse', '/api/facets'])
      for (const tags of ['a', '1,', ',1', '1,,2', '-1', '1.5', '1 2', '1;DROP TABLE tags', '9'.repeat(30), ids(51).join(',')])
        expect([path, tags, (await user.get(path, { libraryId, tags })).status]).toEqual([path, tags, 400])
  })

  test('by a tag that does not exist lets nothing through; excluding one excludes nothing', async () => {
    const view: View = { type: 'movies', parentKey: undefined }
    expect(await browse(view, { tags: [4711], excludeTags: [] })).toMatchObject({ entries: [], total: 0, nextCursor: null })
    expect((await browse(view, { tags: [], excludeTags: [4711] })).total).toBe(25)
    expect(new Set((await facetsOf(view, { tags: [4711], excludeTags: [] })).values())).toEqual(new Set([0]))
  })

  test('for what carries no tag leaves a series whose own tags there are, and shows one with a single item that has none', async () => {
    const view: View = { type: 'tv', parentKey: undefined }
    const untagged = { ...NONE, untagged: true }
    const shown = (await browse(view, untagged)).entries
    const tagged = levelOf(view).filter(({ itemKey }) => (known.tv.tagsOf.get(itemKey)?.size ?? 0) > 0)
    expect([tagged.length > 0, shown.length > 0, shown.filter(({ tagIds }: Json) => tagIds.length > 0)]).toEqual([true, true, []])
    expect(await browse(view, { ...untagged, tags: [1] })).toMatchObject({ entries: [], total: 0 })
    const films: View = { type: 'movies', parentKey: undefined }
    expect(await browse(films, { ...untagged, tags: [1] })).toMatchObject({ entries: [], total: 0 })
    expect(await browse(films, { ...NONE, tags: [0] })).toMatchObject({ entries: [], total: 0 })
  })

  test('in another order is the same one: its cursors go on', async () => {
    const { nextCursor } = await browse({ type: 'movies', parentKey: undefined }, { tags: [1], excludeTags: [] }, { limit: 2 })
    const libraryId = scene.idOf('movies')
    expect((await user.get('/api/browse', { libraryId, tags: '1,1', limit: 2, cursor: nextCursor })).status).toBe(200)
    expect((await user.get('/api/browse', { libraryId, tags: '1,2', limit: 2, cursor: nextCursor })).status).toBe(400)
    expect((await user.get('/api/browse', { libraryId, tags: '1', excludeTags: '2', limit: 2, cursor: nextCursor })).status).toBe(400)
    expect((await user.get('/api/browse', { libraryId, tags: '1', unfinished: 1, limit: 2, cursor: nextCursor })).status).toBe(400)
    expect((await user.get('/api/browse', { libraryId, tags: '1', untagged: 1, limit: 2, cursor: nextCursor })).status).toBe(400)
  })

  test('does not find an item that it hides', async () => {
    const view: View = { type: 'movies', parentKey: undefined }
    const hidden = levelOf(view).find((entry) => !passes('movies', entry, { tags: [1], excludeTags: [] }))
    const { status } = await user.get('/api/browse', { ...parametersOf(view, { tags: [1], excludeTags: [] }), around: hidden.itemKey })
    expect(status).toBe(404)
  })
})

describe('the facets of a library', () => {
  test('are the tags used in it and no others, by category, the most used first', async () => {
    const { body } = await user.get('/api/facets', { libraryId: scene.idOf('mixed') })
    expect(body.categories.map(({ id, name, color }: Json) => [id, name, color])).toEqual([
      [1, 'Genre', '#aa0000'],
      [2, 'Mood', null],
    ])
    for (const { tags } of body.categories) {
      const counts = tags.map(({ count }: Json) => count)
      expect(counts).toEqual(counts.toSorted((a: number, b: number) => b - a))
      expect(tags.some(({ id }: Json) => id > TAGS)).toBe(false)
    }
  })

  test('that are as common stand in natural order', async () => {
    const { admin } = scene
    const { category } = (await admin.post('/api/tags/categories', { name: 'Scores' })).body
    const itemKey = known.mixed.entries[0]?.itemKey
    for (const name of ['10', '2', 'Part 11', '1', 'part 3', '11'])
      await admin.post('/api/tags/items', { name, categoryId: category.id, itemKey })
    const { categories } = (await user.get('/api/facets', { libraryId: scene.idOf('mixed') })).body
    const listed = categories.find(({ id }: Json) => id === category.id).tags.map(({ name }: Json) => name)
    expect(listed).toEqual(['1', '2', '10', '11', 'part 3', 'Part 11'])
    expect((await admin.delete(`/api/tags/categories/${category.id}`)).status).toBe(204)
  })

  test('do not exist for somebody who may not see it', async () => {
    const guest = await scene.server.as('guest', { libraryIds: [scene.idOf('movies')] })
    expect((await guest.get('/api/facets', { libraryId: scene.idOf('tv') })).status).toBe(404)
    expect((await guest.get('/api/facets', { libraryId: scene.idOf('movies') })).status).toBe(200)
    expect((await guest.get('/api/tv/series-episode-tags', { libraryId: scene.idOf('tv') })).status).toBe(404)
  })

  test('follow items that go missing and come back', async () => {
    const view: View = { type: 'mixed', parentKey: undefined }
    const before = await facetsOf(view, NONE)
    const database = createClient({ url: `file:${scene.server.dataDir}/vitrine.db`, timeout: 5000 })
    const libraryId = scene.idOf('mixed')
    await database.execute({ sql: 'UPDATE media_items SET missing_since = 1 WHERE library_id = ?', args: [libraryId] })
    expect(await facetsOf(view, NONE)).toEqual(new Map())
    await database.execute({ sql: 'UPDATE media_items SET missing_since = NULL WHERE library_id = ?', args: [libraryId] })
    expect(await facetsOf(view, NONE)).toEqual(before)
    database.close()
  })
})

describe('the tags of the episodes of series', () => {
  test('are those of every episode that has any, by series', async () => {
    const { entries, tagsOf } = known.tv
    const { status, body, headers } = await user.get('/api/tv/series-episode-tags', { libraryId: scene.idOf('tv') })
    const seriesOf = (seasonKey: string) => entries.find(({ itemKey }) => itemKey === seasonKey).parentKey
    const expected: Json = Object.fromEntries(
      entries.filter(({ itemType }) => itemType === 'tv_series').map(({ itemKey }) => [itemKey, {}]),
    )
    for (const { itemKey, parentKey } of entries.filter(({ itemType }) => itemType === 'tv_episode')) {
      const tags = [...(tagsOf.get(itemKey) ?? [])]
      if (tags.length > 0) expected[seriesOf(parentKey)][itemKey] = tags
    }
    expect([status, body.series]).toEqual([200, expected])
    expect(headers.get('etag')).not.toBeNull()
  })

  test('are asked for of a TV library', async () => {
    expect((await user.get('/api/tv/series-episode-tags', { libraryId: scene.idOf('movies') })).status).toBe(400)
  })
})
