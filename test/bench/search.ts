/** Words, pieces of words and Japanese, common and rare, in 1,000,000 titles and 100,000 texts. */

import { startServer } from '../support/test-server.ts'
import type { Bench } from './bench.ts'
import { COMMON_WORD, RARE_WORD } from './bench-texts.ts'
import { answerAll, type Question } from './latencies.ts'
import { LARGE, millionItems } from './million-items.ts'

const PAGE = 100
const P95_MS = 15

const QUERIES: [what: string, q: string][] = [
  ['common word of titles', 'sunset'],
  ['two common words', 'sunset garden'],
  ['rare title', 'k3x'],
  ['nowhere', 'zzzzq'],
  ['typed prefix, three letters', 'sun'],
  ['typed prefix, two letters', 'su'],
  ['typed prefix, one letter', 's'],
  ['piece of a word', 'ightho'],
  ['one Japanese character', '京'],
  ['two Japanese characters', '東京'],
  ['three Japanese characters', '展望室'],
  ['two Japanese words', '東京 夕日'],
  ['Japanese and Latin word', '東京 sunset'],
  ['common word of texts', COMMON_WORD],
  ['rare word of texts', RARE_WORD],
  ['tag', 'tag 499'],
  ['every tag', 'tag'],
]

const naiveOf = (q: string): string => {
  const has = (column: string): string =>
    q
      .split(' ')
      .map((word) => `${column} LIKE '%${word}%'`)
      .join(' AND ')
  return `SELECT id, title, entry FROM media_items WHERE missing_since IS NULL AND (${has('title')} OR ${has('description')} OR ${has('extracted_text')})
    ORDER BY ${has('title')} DESC, id DESC LIMIT ${PAGE}`
}

const searchFor = ([what, q]: [string, string]): Question => ({
  name: `${what} (${q})`,
  path: `/api/search?q=${encodeURIComponent(q)}&limit=${PAGE}`,
  naive: [naiveOf(q)],
})

const browseFor = ([what, q]: [string, string]): Question => ({
  name: `in one library, ${what} (${q})`,
  path: `/api/browse?libraryId=${LARGE.libraryId}&q=${encodeURIComponent(q)}&limit=${PAGE}`,
  naive: [
    `SELECT id, title, entry FROM media_items WHERE library_id = ${LARGE.libraryId} AND parent_id IS NULL AND missing_since IS NULL
      AND search_title LIKE '%${q}%' ORDER BY sort_title, id LIMIT ${PAGE}`,
  ],
})

export const searchBench: Bench = async ({ rounds, say }) => {
  const dataDir = await millionItems()
  await using server = await startServer({ dataDir, env: { SCAN_ON_START: '0' } })
  const client = await server.as('admin')
  // A scan of a million rows takes seconds, and as long each time.
  const limits = { requests: 40, naiveRuns: 1, naiveRounds: 1, p95Ms: () => P95_MS, ratio: null }
  const everywhere = await answerAll({ rounds, dataDir, client, pid: server.pid }, QUERIES.map(searchFor), limits)
  say('Names in one library.')
  const inOne = await answerAll({ rounds, dataDir, client, pid: server.pid }, QUERIES.slice(0, 4).map(browseFor), limits)
  return [...everywhere, ...inOne.map(({ reach: _, ...row }) => row)]
}
