import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageList } from '../../src/deps.ts'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { AppError } from '../../src/errors.ts'
import { listMangaPages, refreshFromComicInfo } from '../../src/services/manga-pages.ts'
import { processorMs } from '../support/processor-time.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

/** As long as a path may be, and three times as long in an address. */
const LONG = '深'.repeat(1300)
/** Twenty thousand pages of it are as long as a list may be. */
const FOLDER = '深'.repeat(20)
/** Lists that are asked for at once, and the part of their making that may pass before others have their turn. */
const LISTS = 20
const LONGEST_PART = 1 / 2
/** As many as an archive may have. */
const MOST_PAGES = 20_000

const admin: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }
const { signal } = new AbortController()

let app: TestApp
let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  folder = await temporaryFolder('manga-pages')
  app = await startTestApp()
  writeFileSync(join(folder.path, 'v.cbz'), 'an archive')
  await app.deps.write.batch([
    { sql: "INSERT INTO libraries (name, type, path, item_count) VALUES ('m', 'manga', ?, 0)", args: [folder.path] },
    ...['short', FOLDER, LONG, `${LONG}2`].map((key) => ({
      sql: `INSERT INTO media_items (item_key, library_id, item_type, path, title, sort_title, search_title, added_at)
        VALUES (?, 1, 'manga_volume', 'v.cbz', 'v', 'v', 'v', 0)`,
      args: [`manga_volume:1:${key}`],
    })),
  ])
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const listOf = (key: string, count: number) => {
  const pages: PageList = { sizes: Array(count).fill([1, 1]), readingDirection: null, title: null, number: null, volume: null }
  const deps = { ...app.deps, pages: { ...app.deps.pages, list: async () => pages } }
  return listMangaPages(deps, admin, { itemKey: `manga_volume:1:${key}`, signal })
}

test('a list of pages is never so long that a few of them take the memory', async () => {
  await expect(listOf(LONG, MOST_PAGES)).rejects.toMatchObject({ code: 'pages_unreadable' })
  // The same as it was kept.
  await expect(listOf(LONG, MOST_PAGES)).rejects.toMatchObject({ code: 'pages_unreadable' })
})

test('many pages, and a long path, are no hindrance by themselves', async () => {
  expect(JSON.parse((await listOf('short', MOST_PAGES)).json).pages).toHaveLength(MOST_PAGES)
  expect(JSON.parse((await listOf(`${LONG}2`, 500)).json).pages).toHaveLength(500)
})

test('many long lists at once leave the others their turns', async () => {
  let longest = 0
  let isOver = false
  const watch = async (): Promise<void> => {
    for (let begun = processorMs(); !isOver; begun = processorMs()) {
      await nextTurn()
      longest = Math.max(longest, processorMs() - begun)
    }
  }
  await listOf(FOLDER, MOST_PAGES)
  const start = processorMs()
  const watching = watch()
  await Promise.all(Array.from({ length: LISTS }, () => listOf(FOLDER, MOST_PAGES)))
  const took = processorMs() - start
  isOver = true
  await watching
  expect(longest).toBeLessThan(took * LONGEST_PART)
})

test('of very many lists at once, few are made and none of the others is read', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () =>
      listOf(FOLDER, MOST_PAGES).then(
        () => 'made',
        (error: unknown) => (error instanceof AppError ? error.code : 'failed'),
      ),
    ),
  )
  const made = outcomes.filter((outcome) => outcome === 'made').length
  expect([made < 30, new Set(outcomes)]).toEqual([true, new Set(['made', 'rate_limited'])])
})

test('a volume that a scan moves while another one in its place is read is not called what that one is', async () => {
  const { client } = app.database
  await client.execute(
    `INSERT INTO media_items (item_key, library_id, item_type, path, title) VALUES ('manga_volume:1:v.cbz', 1, 'manga_volume', 'v.cbz', 'v')`,
  )
  const list = async (): Promise<PageList> => {
    await client.execute(`UPDATE media_items SET item_key = 'manga_volume:1:w.cbz', path = 'w.cbz' WHERE item_key = 'manga_volume:1:v.cbz'`)
    return { sizes: [[1, 1]], readingDirection: 'ltr', title: 'Another', number: null, volume: null }
  }
  const deps = { ...app.deps, pages: { ...app.deps.pages, list } }
  const refresh = refreshFromComicInfo(deps, admin, { itemKey: 'manga_volume:1:v.cbz', signal })
  const answer = await refresh.catch((error: unknown) => error instanceof AppError && error.code)
  const { rows } = await client.execute(`SELECT title, title_given, page_count, reading_direction FROM media_items WHERE path = 'w.cbz'`)
  expect([answer, { ...rows[0] }]).toEqual(['conflict', { title: 'v', title_given: 0, page_count: null, reading_direction: null }])
})
