/** The tags of a library of 700,000 items with 3,500,000 assignments, and how many items each of them would leave. */

import { startServer } from '../support/test-server.ts'
import type { Bench } from './bench.ts'
import { answerAll, type Question } from './latencies.ts'
import { LARGE, millionItems } from './million-items.ts'

const FILTERS = [[], [1], [1, 2], [1, 2, 3], [1, 300], [50, 100, 300]]
const UNFILTERED_MS = 5
const FILTERED_MS = 50

const naiveOf = (tags: readonly number[]): string => {
  const carrying = tags.map((tag) => `AND EXISTS (SELECT 1 FROM item_tags WHERE tag_id = ${tag} AND item_id = m.id)`).join(' ')
  return `SELECT i.tag_id, count(*) FROM media_items m JOIN item_tags i ON i.item_id = m.id
    WHERE m.library_id = ${LARGE.libraryId} AND m.parent_id IS NULL AND m.missing_since IS NULL ${carrying} GROUP BY i.tag_id`
}

const questionOf = (tags: readonly number[]): Question => ({
  name: tags.length === 0 ? 'no filter' : `tags ${tags.join(' + ')}`,
  path: `/api/facets?libraryId=${LARGE.libraryId}${tags.length === 0 ? '' : `&tags=${tags.join(',')}`}`,
  naive: [naiveOf(tags)],
})

export const facetsBench: Bench = async ({ rounds }) => {
  const dataDir = await millionItems()
  await using server = await startServer({ dataDir, env: { SCAN_ON_START: '0' } })
  const client = await server.as('admin')
  return await answerAll({ rounds, dataDir, client, pid: server.pid }, FILTERS.map(questionOf), {
    requests: 40,
    naiveRuns: 1,
    p95Ms: ({ name }) => (name === 'no filter' ? UNFILTERED_MS : FILTERED_MS),
    ratio: null,
  })
}
