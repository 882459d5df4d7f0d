import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { indexSearchTexts } from '../../src/db/search-index.ts'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { search } from '../../src/services/search.ts'
import { processorMs } from '../support/processor-time.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

/** Texts as long as people may write them, of which most characters fold to others. */

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(120_000)

const ITEMS = 60
const LENGTH = 200_000
/** What one search may take; character by character it takes ten times as much. */
const MOST_MS = 3000
/** What may pass before others have their turn: less than one of the texts. */
const LONGEST_MS = 150

const admin: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }
const QUERY = { q: 'zebrafink', types: [], limit: 200 }
const never = AbortSignal.any([])
const text = `${'é à ü '.repeat(LENGTH / 6)} zebrafink`

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
  await app.deps.write.batch([
    "INSERT INTO libraries (name, type, path, item_count) VALUES ('m', 'mixed', '/m', 0)",
    ...Array.from({ length: ITEMS }, (_, n) => ({
      sql: `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, sort_title, search_title, added_at, extracted_text)
        VALUES (?1, 'mixed_file:1:' || ?1, 1, 'mixed_file', ?1, 'f', 'f', 'f', 0, ?2)`,
      args: [n + 1, text],
    })),
  ])
})
afterAll(() => app[Symbol.asyncDispose]())

const RULE = async (): Promise<void> => {
  let longest = 0
  let isOver = false
  const watch = async (): Promise<void> => {
    for (let begun = processorMs(); !isOver; begun = processorMs()) {
      await nextTurn()
      longest = Math.max(longest, processorMs() - begun)
    }
  }
  const start = processorMs()
  const watching = watch()
  const { json } = await search(app.deps, admin, { ...QUERY, signal: never })
  const took = processorMs() - start
  isOver = true
  await watching
  const { entries } = JSON.parse(json)
  expect(entries.length).toBe(ITEMS)
  for (const { matchedIn, snippet } of entries) {
    expect(matchedIn).toBe('extractedText')
    expect(snippet.ranges.map((range: [number, number]) => snippet.text.slice(...range))).toEqual(['zebrafink'])
  }
  expect(took).toBeLessThan(MOST_MS)
  expect(longest).toBeLessThan(LONGEST_MS)
}

test('long texts that are not in the tables yet hold nobody up', RULE)

test('long texts hold nobody up', async () => {
  while ((await indexSearchTexts(app.deps.write, 500)) > 0);
  await RULE()
})

test('one who searches for very much holds up nobody else', async () => {
  const order: string[] = []
  const ask = (name: string, userId: number) =>
    search(app.deps, { ...admin, userId }, { ...QUERY, signal: never }).then(() => order.push(name))
  await Promise.all([...Array.from({ length: 6 }, (_, number) => ask(`mine ${number}`, 1)), ask('theirs', 2)])
  expect(order.slice(0, 2).toSorted()).toEqual(['mine 0', 'theirs'])
})

test('searches that nobody waits for any more end at once', async () => {
  const client = await app.as('admin')
  const gone = new AbortController()
  const left = Array.from({ length: 20 }, () => client.fetch('/api/search?q=zebrafink', { signal: gone.signal }))
  await Bun.sleep(100)
  gone.abort()
  expect((await Promise.allSettled(left)).map(({ status }) => status)).toEqual(Array(20).fill('rejected'))
  await Bun.sleep(100)
  const start = processorMs()
  await Bun.sleep(500)
  expect(processorMs() - start).toBeLessThan(LONGEST_MS)
  expect(app.logged.map(({ event }) => event)).not.toContain('request_failed')
})

test('words are found in a text however far apart they are, and each in another of the texts', async () => {
  const filler = 'lorem ipsum dolor '.repeat(2000)
  await app.deps.write.batch(
    [
      ['apart', null, `kestrel ${filler} ptarmigan`],
      ['in two', 'kestrel', `${filler} ptarmigan`],
      ['with one alone', null, `kestrel ${filler}`],
    ].map(([title = '', description = null, extracted = null], n) => ({
      sql: `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, sort_title, search_title, added_at, description, extracted_text)
        VALUES (?1, 'mixed_file:1:' || ?2, 1, 'mixed_file', ?2, ?2, ?2, ?2, 0, ?3, ?4)`,
      args: [1000 + n, title, description, extracted],
    })),
  )
  const find = async (q: string): Promise<string[]> => {
    const { json } = await search(app.deps, admin, { ...QUERY, q, signal: never })
    return JSON.parse(json).entries.map(({ title }: { title: string }) => title)
  }
  expect(await find('kestrel ptarmigan')).toEqual(['in two', 'apart'])
  while ((await indexSearchTexts(app.deps.write, 500)) > 0);
  expect(await find('kestrel ptarmigan')).toEqual(['in two', 'apart'])
  expect(await find('kestrel')).toEqual(['with one alone', 'in two', 'apart'])
})
