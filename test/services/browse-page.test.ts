import { describe, expect, test } from 'bun:test'
import type { Deps } from '../../src/deps.ts'
import type { BrowseEntry } from '../../src/domain/browse-entry.ts'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { createUpkeep } from '../../src/jobs/upkeep.ts'
import { browse } from '../../src/services/browse.ts'
import { keepEntries } from '../../src/services/browse-entries.ts'
import { entriesOf, readPage } from '../../src/services/browse-page.ts'
import { type Sort, sortKey } from '../../src/services/browse-sort.ts'
import { startTestApp } from '../support/test-app.ts'
import { waitFor } from '../support/test-server.ts'

const viewer: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }
const TITLES = ['a', 'b,\n"c"', 'c\u0001\u0002', 'd', 'e', 'f', 'g é 東京 🎴']

/** A library of a few files, some of them watched; `kept` of their entries are kept. */
const makeFiles = async (deps: Deps, kept: number): Promise<void> => {
  await deps.write.batch([
    "INSERT INTO libraries (id, name, type, path, item_count) VALUES (1, 'm', 'mixed', '/m', 7)",
    {
      sql: `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, sort_title, search_title, added_at)
        SELECT key + 1, 'mixed_file:1:' || key, 1, 'mixed_file', key, value, value, value, 0 FROM json_each(?)`,
      args: [JSON.stringify(TITLES)],
    },
    'INSERT INTO progress (user_id, item_id, position_seconds, duration_seconds, completed, updated_at) VALUES (1, 2, 5, 60, 0, 0), (1, 5, 7, 60, 1, 0)',
  ])
  if (kept > 0) await keepEntries(deps, kept)
}

interface Shown {
  /** Titles and positions. */
  entries: [string, number | null][]
  nextCursor: string | null
  prevCursor: string | null
}

const readShown = async (deps: Deps, limit: number, cursor: string | null): Promise<Shown> => {
  const query = { libraryId: 1, tags: [], excludeTags: [], order: 'asc' as const, seed: 0, limit }
  const page = JSON.parse((await browse(deps, viewer, cursor === null ? query : { ...query, cursor })).json.toString())
  const entries = page.entries.map((entry: { title: string; progress: { positionSeconds: number } | null }) => [
    entry.title,
    entry.progress?.positionSeconds ?? null,
  ])
  return { entries, nextCursor: page.nextCursor, prevCursor: page.prevCursor }
}

/** All pages, forwards to the end and from there back again. */
const walk = async (deps: Deps, limit: number): Promise<Shown['entries'][]> => {
  const pages = [await readShown(deps, limit, null)]
  for (const direction of ['nextCursor', 'prevCursor'] as const)
    for (let cursor = pages.at(-1)?.[direction]; cursor; cursor = pages.at(-1)?.[direction])
      pages.push(await readShown(deps, limit, cursor))
  return pages.map(({ entries }) => entries)
}

const all = TITLES.map((title, place): [string, number | null] => [title, { 1: 5, 4: 7 }[place] ?? null])

/** The regular look at what is left to do comes after fifteen. */
const SOON_MS = 10_000

describe('a page', () => {
  test('that had to render its entries has them kept soon', async () => {
    await using app = await startTestApp()
    await makeFiles(app.deps, 0)
    const upkeep = createUpkeep(app.deps, { isScanning: () => false })
    const kept = async () => Number((await app.deps.db.$client.execute('SELECT count(entry) AS kept FROM media_items')).rows[0]?.kept)
    try {
      await readShown({ ...app.deps, upkeep }, 3, null)
      expect(await kept()).toBe(0)
      const isKept = async () => ((await kept()) === TITLES.length ? true : undefined)
      await waitFor(isKept, SOON_MS, () => 'They were not kept')
    } finally {
      await upkeep.stop()
    }
  })

  test('tries no more than the regular look where they cannot be kept, and is shown all the same', async () => {
    await using app = await startTestApp()
    await makeFiles(app.deps, 0)
    let tried = 0
    const write = {
      ...app.deps.write,
      batch: () => {
        tried += 1
        return Promise.reject(new Error('The disk is full.'))
      },
      transaction: () => write.batch(),
    }
    const upkeep = createUpkeep({ ...app.deps, write }, { isScanning: () => false })
    const turn = async () => expect((await readShown({ ...app.deps, upkeep }, 3, null)).entries).toEqual(all.slice(0, 3))
    try {
      await turn()
      await waitFor(
        async () => (tried > 0 ? true : undefined),
        SOON_MS,
        () => 'Nobody tried',
      )
      const before = tried
      for (let page = 0; page < 5; page++) {
        await turn()
        await Bun.sleep(150)
      }
      expect(tried).toBe(before)
    } finally {
      await upkeep.stop()
    }
  })

  test('says that it missed entries, and only then', async () => {
    await using app = await startTestApp()
    await makeFiles(app.deps, TITLES.length)
    let missed = 0
    const deps = { ...app.deps, upkeep: { entriesMissed: () => void missed++ } }
    await walk(deps, 3)
    expect(missed).toBe(0)
    await app.deps.write.batch(["UPDATE media_items SET title = 'g' WHERE id = 7"])
    await readShown(deps, 3, null)
    expect(missed).toBe(0)
    await readShown(deps, TITLES.length, null)
    expect(missed).toBe(1)
  })

  test.each([0, 3, 7])('has the same entries, both ways, whether %d of 7 are kept or not', async (kept) => {
    await using app = await startTestApp()
    await makeFiles(app.deps, kept)
    expect(await walk(app.deps, 3)).toEqual([all.slice(0, 3), all.slice(3, 6), all.slice(6), all.slice(3, 6), all.slice(0, 3)])
    expect(await walk(app.deps, 7)).toEqual([all])
  })

  test.each([0, 3, 7])('sorted by a date has it in each entry, beside the progress, whether %d of 7 are kept or not', async (kept) => {
    await using app = await startTestApp()
    await makeFiles(app.deps, kept)
    const DAY_MS = 86_400_000
    await app.deps.write.batch([
      `UPDATE media_items SET modified_at = ${DAY_MS} * id + 5, updated_at = 1, taken_at = CASE id WHEN 2 THEN -1 WHEN 6 THEN 8640000000000000 END`,
    ])
    const dated = async (sort: Sort, cursor?: string): Promise<[string, string | undefined, number | null][]> => {
      const query = { libraryId: 1, tags: [], excludeTags: [], sort, order: 'asc' as const, seed: 0, limit: 4, ...(cursor && { cursor }) }
      const { entries, nextCursor } = JSON.parse((await browse(app.deps, viewer, query)).json.toString())
      const read = entries.map(({ title, sortDate, progress }: BrowseEntry) => [title, sortDate, progress?.positionSeconds ?? null])
      return nextCursor === null ? read : [...read, ...(await dated(sort, nextCursor))]
    }
    const day = (id: number): string => `1970-01-0${id + 1}T00:00:00.005Z`
    expect(await dated('taken')).toEqual([
      ['b,\n"c"', '1969-12-31T23:59:59.999Z', 5],
      ['a', day(1), null],
      ['c\u0001\u0002', day(3), null],
      ['d', day(4), null],
      ['e', day(5), 7],
      ['g é 東京 🎴', day(7), null],
      // Its year has six digits.
      ['f', undefined, null],
    ])
    expect(await dated('updated')).toEqual(all.map(([title, position]) => [title, '1970-01-01T00:00:00.001Z', position]))
    expect(await dated('added')).toEqual(all.map(([title, position]) => [title, undefined, position]))
  })

  test('is kept as ASCII, whatever its titles are written in', async () => {
    await using app = await startTestApp()
    await makeFiles(app.deps, 7)
    const { rows } = await app.deps.db.$client.execute('SELECT entry FROM media_items WHERE id = 7')
    expect(rows[0]?.entry).toContain(String.raw`"title":"g \u00e9 \u6771\u4eac \ud83c\udfb4"`)
  })

  test.each([true, false])('of nothing is empty (backwards: %p)', async (isBackwards) => {
    await using app = await startTestApp()
    const query = {
      userId: 1,
      libraryId: 1,
      table: { sql: 'media_items m', args: [] },
      where: { sql: 'true', args: [] },
      limit: 3,
      offset: 0,
      head: '{"é":[',
    }
    const { text, ...facts } = await readPage(app.deps, { ...query, key: sortKey('title', { order: 'asc', seed: 0 }), isBackwards })
    expect(text.toString()).toBe('{"é":[')
    expect(facts).toEqual({
      count: 0,
      hasMore: false,
      first: null,
      last: null,
      libraryCount: 0,
    })
  })
})

test('a row that is forgotten while its page is rendered leaves no hole in the list', async () => {
  await using app = await startTestApp()
  const rows = [
    { id: 404, entry: null, progress: null },
    { id: 405, entry: '{"itemKey":"kept","progress":null}', progress: null },
  ]
  expect(JSON.parse(`[${await entriesOf(app.deps, rows)}]`)).toEqual([{ itemKey: 'kept', progress: null }])
})
