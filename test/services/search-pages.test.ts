import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { openDatabase } from '../../src/db/client.ts'
import { indexSearchTexts } from '../../src/db/search-index.ts'
import { sortTitle } from '../../src/domain/natural-sort.ts'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { search } from '../../src/services/search.ts'
import { createTag, updateTag } from '../../src/services/tags.ts'
import { seeded } from '../bench/seeded.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

/** Every item once and in order, whichever way a search takes through the tables; against going through all items. */

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(120_000)

/** More than are looked at one by one, and so far apart that a range of ids has few of them. */
const ITEMS = 2500
const ID_STEP = 700
/** Words of which some are in others, or at their beginnings and ends. */
const WORDS = ['sun', 'sunset', 'set', 'sunhouse', 'house', 'red', 'k3', 'alpha', 'alphabet', 'bet', '東京', '京都']
const RARE = ['suhouset', 'redhouse', 'zebra']
/** Longer than a row of the table of texts: what stands on either side of it is in no row together. */
const LONG = ` ${'lorem '.repeat(3000)}`
const TAGS = ['sun', 'red sunset', 'evening', 'alphabet', 'k3']

interface Item {
  id: number
  libraryId: number
  title: string
  isSeries: boolean
  tags: Set<string>
  text: string
}

let app: TestApp
let items: Item[] = []
const admin: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }
const never = AbortSignal.any([])
const guest: Viewer = { ...admin, userId: 2, role: 'user', libraryIds: [2] }

const makeItems = (): Item[] => {
  const random = seeded(5)
  const word = (): string => (random() < 0.01 ? RARE : WORDS)[Math.floor(random() * (random() < 0.5 ? 3 : 12))] ?? 'sun'
  return Array.from({ length: ITEMS }, (_, n) => ({
    id: (n + 1) * ID_STEP + Math.floor(random() * ID_STEP),
    libraryId: random() < 0.2 ? 2 : 1,
    title: Array.from({ length: 1 + Math.floor(random() * 3) }, word).join(' ') + (random() < 0.05 ? ' (1999)' : ''),
    isSeries: random() < 0.04,
    // Tags of very different numbers of items.
    tags: new Set(TAGS.filter((_, place) => random() < 0.6 / 4 ** place)),
    text: random() < 0.3 ? Array.from({ length: 6 }, word).join(n % 40 === 0 ? LONG : ' ') : '',
  }))
}

const insert = async (added: readonly Item[]): Promise<void> => {
  const rows = added.map((item) => [
    item.id,
    item.libraryId,
    item.title,
    sortTitle(item.title),
    item.text,
    item.isSeries ? 'tv_series' : 'mixed_file',
  ])
  await app.deps.write.batch([
    {
      sql: `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, sort_title, search_title, added_at, extracted_text)
        SELECT value ->> 0, 'mixed_file:' || (value ->> 1) || ':' || (value ->> 0), value ->> 1, value ->> 5, value ->> 0, value ->> 2, value ->> 3, value ->> 2, 0,
          nullif(value ->> 4, '') FROM json_each(?)`,
      args: [JSON.stringify(rows)],
    },
    {
      sql: 'INSERT INTO item_tags (item_id, tag_id) SELECT value ->> 0, (SELECT id FROM tags WHERE name = value ->> 1) FROM json_each(?)',
      args: [JSON.stringify(added.flatMap(({ id, tags }) => [...tags].map((tag) => [id, tag])))],
    },
  ])
}

beforeAll(async () => {
  app = await startTestApp()
  items = makeItems()
  await app.deps.write.batch([
    "INSERT INTO libraries (name, type, path, item_count) VALUES ('m', 'mixed', '/m', 0), ('other', 'mixed', '/o', 0)",
    "INSERT INTO tag_categories (name, name_key) VALUES ('c', 'c')",
    ...TAGS.map((tag) => ({ sql: 'INSERT INTO tags (category_id, name, name_key) VALUES (1, ?1, ?1)', args: [tag] })),
  ])
  await insert(items)
  while ((await indexSearchTexts(app.deps.write, 500)) > 0);
})
afterAll(() => app[Symbol.asyncDispose]())

const isAtWord = (text: string, term: string): boolean => ` ${text}`.includes(` ${term}`)
const has = (text: string, term: string): boolean => (/^[a-z0-9]$/.test(term) ? isAtWord(text, term) : text.includes(term))

/** The place of an item among the results; -1 where it is none. */
const rankOf = ({ title, tags, text }: Item, terms: readonly string[]): number => {
  const whole = terms.join(' ')
  const isTagged = (term: string): boolean => [...tags].some((tag) => tag.includes(term))
  const rules = [
    title === whole || title === `${whole} (1999)`,
    title.startsWith(whole),
    terms.every((term) => isAtWord(title, term)),
    terms.every((term) => has(title, term)),
    terms.every((term) => has(title, term) || isTagged(term)),
    terms.every((term) => has(title, term) || has(text, term)) && text !== '',
  ]
  return rules.indexOf(true)
}

const expected = (q: string, viewer: Viewer): string[] =>
  items
    .filter(({ libraryId }) => viewer.libraryIds?.includes(libraryId) ?? true)
    .map((item) => ({ item, rank: rankOf(item, q.split(' ')) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank || (a.rank < 4 ? Number(b.item.isSeries) - Number(a.item.isSeries) : 0) || b.item.id - a.item.id)
    .map(({ item, rank }) => `${item.id} ${rank < 4 ? 'title' : rank === 4 ? 'tags' : 'extractedText'}`)

const found = async (q: string, viewer: Viewer, limit: number): Promise<string[]> => {
  const all: string[] = []
  let cursor: string | undefined
  do {
    const { json } = await search(app.deps, viewer, { q, types: [], limit, signal: never, ...(cursor === undefined ? {} : { cursor }) })
    const { entries, nextCursor } = JSON.parse(json)
    all.push(
      ...entries.map(({ itemKey, matchedIn }: { itemKey: string; matchedIn: string }) => `${itemKey.split(':').at(-1)} ${matchedIn}`),
    )
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
  return all
}

const QUERIES = [
  ...['sun', 'sunset', 'set', 'sunhouse', 'house', 'suhouset', 'redhouse', 'zebra', 'zebr', 'nowhere', 'ouse', 'su', 's', 'k3', '3'],
  ...[
    'sunset red',
    'red sunset',
    'sun set',
    'house k3',
    'sunset k3 red',
    'sun evening',
    'set alphabet',
    'sun s',
    'zebra su',
    'k3 evening sun',
  ],
  ...['京', '東京', '京都 sun', 'alpha bet', 'redhouse zebra', 'sunhouset', 'houses', 'sun red set'],
  // Several words in the title, and several in tags.
  ...[
    'house 東京 evening k3',
    'set bet alphabet evening',
    'house bet alphabet evening red',
    'sun red alpha set k3 evening',
    '東京 sun sunset alphabet k3',
  ],
]

const RULES = () => {
  test.each(QUERIES)('%p', async (q) => {
    expect(await found(q, admin, 150)).toEqual(expected(q, admin))
    expect(await found(q, guest, 47)).toEqual(expected(q, guest))
  })
}

describe('what is in the tables', RULES)

describe('what was changed, added and renamed since', () => {
  beforeAll(async () => {
    const { deps } = app
    await deps.write.batch(
      items
        .filter((_, place) => place % 97 === 0)
        .map((item, place) => {
          item.title = `${place % 2 === 0 ? 'zebra' : 'sunset'} ${item.title.split(' ')[0]}`
          return { sql: 'UPDATE media_items SET title = ? WHERE id = ?', args: [item.title, item.id] }
        }),
    )
    const first = (ITEMS + 10) * ID_STEP
    const added = makeItems()
      .slice(0, 40)
      .map((item, place) => ({ ...item, id: first + place }))
    await insert(added)
    items.push(...added)
    await updateTag(deps, admin, { id: 3, patch: { name: 'zebra crossing' } })
    await createTag(deps, admin, { name: 'houses', categoryId: 1, itemKey: `mixed_file:${items[7]?.libraryId}:${items[7]?.id}` })
    for (const { tags } of items) if (tags.delete('evening')) tags.add('zebra crossing')
    items[7]?.tags.add('houses')
  })
  RULES()
})

test('a name that another server gave a tag is known at once', async () => {
  const other = await openDatabase(app.deps.config)
  try {
    const titled = async (q: string): Promise<number> =>
      JSON.parse((await search({ ...app.deps, db: other.db }, admin, { q, types: [], limit: 10, signal: never })).json).entries.length
    expect(await titled('giraffe')).toBe(0)
    await updateTag(app.deps, admin, { id: 5, patch: { name: 'Giraffe' } })
    expect(await titled('giraffe')).toBe(Math.min(10, items.filter(({ tags }) => tags.has('k3')).length))
  } finally {
    await other.close()
  }
})
