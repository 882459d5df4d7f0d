/**
 * The least that a queue in the database can be: what claims jobs and writes their ends, as the server's own does, beside a loop
 * that asks. No server and no settings, nothing that is guarded, told or given back, no thread that asks, and nobody who reads.
 */

import { buildRequest, type PromptInput } from '../../src/ai/prompts.ts'
import { defaultAiSettings } from '../../src/domain/ai-settings.ts'
import { effectStatements, type FinishedJob } from '../../src/services/ai-job-effects.ts'
import { toPromptItem } from '../../src/services/ai-job-item.ts'
import { type ClaimedItem, claimedItems, claimStatements, movedStatements } from '../../src/services/ai-job-queue.ts'
import { type TestDatabase, testDatabase } from '../support/test-database.ts'

/** Twice of what the server has (jobs/ai-queue.ts, jobs/ai-pace.ts), whose transactions somebody may wait for: more makes it no faster. */
const MOST_A_TURN = 1000
const MOST_CLAIMED = 3000
const GATHER_MS = 10

const OWNER = `least-queue-${crypto.randomUUID()}`
const LEASE_MS = 60_000

/** What the model may choose from. */
export const TAG_NAMES = Array.from({ length: 40 }, (_, index) => `Tag ${index}`)

const SETTINGS = { ...defaultAiSettings(), model: 'instant' }

/** What such a queue asks about an item. Answers the names that the model chose. */
export const askInstantModel = async (url: string, item: PromptInput['item']): Promise<string[]> => {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...buildRequest('tagging', SETTINGS, { item, vocabulary: TAG_NAMES }), stream: false }),
  })
  const { choices } = await response.json()
  return JSON.parse(choices[0].message.content).tags
}

const QUEUE_ALL = `INSERT INTO ai_jobs (item_id, activity, status, priority, payload, created_at, text_version)
  SELECT id, 'tagging', 'queued', 0, '{}', ?, text_version FROM media_items`

const fill = ({ client }: TestDatabase, files: readonly string[]): Promise<unknown> =>
  client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Files', 'mixed', '/files')",
    "INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Kind', 'kind')",
    {
      sql: 'INSERT INTO tags (id, category_id, name, name_key) SELECT key + 1, 1, value, lower(value) FROM json_each(?)',
      args: [JSON.stringify(TAG_NAMES)],
    },
    {
      sql: `INSERT INTO media_items (item_key, library_id, item_type, path, title, stored_main_file, media_kind, modified_at)
        SELECT 'mixed_file:1:' || value, 1, 'mixed_file', value, value, value, 'other', 7 FROM json_each(?)`,
      args: [JSON.stringify(files)],
    },
  ])

/** Queues a job for each item and works all off, with so many questions under way at a time. */
const workOff = async ({ write, client }: TestDatabase, url: string, atOnce: number): Promise<void> => {
  await write.batchOnThread(['UPDATE media_items SET ai_tagged_at = NULL', { sql: QUEUE_ALL, args: [Date.now()] }])
  const tagIds = new Map(TAG_NAMES.map((name, index) => [name, index + 1]))
  const waiting: ClaimedItem[] = []
  const ended: (FinishedJob & { itemKey: string })[] = []
  let underWay = 0
  const begin = (): void => {
    for (; underWay < atOnce; underWay += 1) {
      const next = waiting.shift()
      if (!next) return
      void askInstantModel(url, toPromptItem(next.item)).then((names) => {
        const chosen = names.map((name) => ({ id: tagIds.get(name) ?? 0, name }))
        ended.push({ id: next.job.id, itemKey: next.item.itemKey, result: { activity: 'tagging', tags: chosen, suggestions: [] } })
        underWay -= 1
        begin()
      })
    }
  }
  for (let isAllClaimed = false; ; ) {
    const ends = ended.splice(0, MOST_A_TURN)
    const now = Date.now()
    const room: number = isAllClaimed ? 0 : Math.min(MOST_A_TURN, MOST_CLAIMED - waiting.length - underWay - ended.length)
    const claim = { owner: OWNER, now, leaseMs: LEASE_MS, modelOnlyLibraries: [], modelOffLibraries: [] }
    const { read, take } = claimStatements(claim, { lane: 'model', limit: room, minPriority: 0 })
    const results = await write.batchOnThread([
      ...movedStatements(
        ends.map(({ id, itemKey }) => ({ id, itemKey, hasPages: false })),
        OWNER,
      ),
      ...effectStatements(ends, { owner: OWNER, now }),
      read,
      take,
    ])
    const claimed = results.slice(-2, -1).flatMap(claimedItems)
    isAllClaimed ||= room > 0 && claimed.length === 0
    waiting.push(...claimed)
    begin()
    if (isAllClaimed && waiting.length + underWay + ended.length === 0) break
    if (ended.length < MOST_A_TURN) await Bun.sleep(GATHER_MS)
  }
  const { rows } = await client.execute("SELECT count(*) AS open FROM ai_jobs WHERE status <> 'done'")
  if (rows[0]?.open !== 0) throw new Error(`${rows[0]?.open} jobs were not done.`)
}

/** A database of these files, whose items are tagged anew with each call of `workOff`. */
export const openLeastQueue = async (
  files: readonly string[],
): Promise<{ workOff: (url: string, atOnce: number) => Promise<void>; [Symbol.asyncDispose]: () => Promise<void> }> => {
  const database = await testDatabase()
  await fill(database, files)
  return { workOff: (url, atOnce) => workOff(database, url, atOnce), [Symbol.asyncDispose]: database[Symbol.asyncDispose] }
}
