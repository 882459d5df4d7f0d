/** The first page of everything that carries two, three or more tags, with the total, in a library of 700,000. */

import { startServer } from '../support/test-server.ts'
import type { Bench } from './bench.ts'
import { answerAll, type Question } from './latencies.ts'
import { LARGE, millionItems } from './million-items.ts'
import { residentMib } from './process-stats.ts'
import { secondsOf } from './rounds.ts'
import type { Row } from './table.ts'

const PAGE = 100
/** Tag n is carried by about 1/n as many items as tag 1, which is on nearly every second one. */
const MIXES = [
  [1, 2],
  [1, 300],
  [1, 2, 3],
  [50, 100, 300],
  [20, 40],
  [10, 60],
  [5, 25],
  [1, 2, 3, 4, 5],
  [499, 500],
]

const naiveOf = (tags: readonly number[]): string[] => {
  const carrying = tags.map((tag) => `SELECT item_id FROM item_tags WHERE tag_id = ${tag}`).join(' INTERSECT ')
  const where = `library_id = ${LARGE.libraryId} AND parent_id IS NULL AND missing_since IS NULL AND id IN (${carrying})`
  return [
    `SELECT item_key, title, entry FROM media_items WHERE ${where} ORDER BY sort_title, id LIMIT ${PAGE}`,
    `SELECT count(*) FROM media_items WHERE ${where}`,
  ]
}

const questionOf = (tags: readonly number[]): Question => ({
  name: `tags ${tags.join(' + ')}`,
  path: `/api/browse?libraryId=${LARGE.libraryId}&tags=${tags.join(',')}&limit=${PAGE}`,
  naive: naiveOf(tags),
})

/** Nothing else is asked of a server that has just been started, as at night or before breakfast. */
const READ_AHEAD_MS = 30_000
const FIRST = [1, 2, 300]

const firstAfterStart = async (dataDir: string, waitMs: number): Promise<Row> => {
  await using server = await startServer({ dataDir, env: { SCAN_ON_START: '0' } })
  const client = await server.as('admin')
  await Bun.sleep(waitMs)
  const memory = Math.round(residentMib(server.pid))
  const seconds = await secondsOf(async () => (await client.fetch(questionOf(FIRST).path)).arrayBuffer())
  const note = `${memory} MiB were resident before it`
  return { what: `the first filter, ${waitMs / 1000} s after the start`, unit: 'ms', vitrine: seconds * 1000, note }
}

export const filterBench: Bench = async ({ rounds }) => {
  const dataDir = await millionItems()
  const first = [await firstAfterStart(dataDir, 0), await firstAfterStart(dataDir, READ_AHEAD_MS)]
  await using server = await startServer({ dataDir, env: { SCAN_ON_START: '0' } })
  const client = await server.as('admin')
  const answered = await answerAll({ rounds, dataDir, client, pid: server.pid }, MIXES.map(questionOf), {
    requests: 40,
    naiveRuns: 3,
    p95Ms: () => 15,
    ratio: 0.2,
  })
  return [...first, ...answered]
}
