import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { InStatement } from '@libsql/client'
import { AI_ACTIVITIES, type AiActivity } from '../../src/domain/ai-activity.ts'
import { AI_JOB_STATUSES, type AiJobResult } from '../../src/domain/ai-job.ts'
import { effectStatements } from '../../src/services/ai-job-effects.ts'
import { type JobQuery, listStatement } from '../../src/services/ai-job-list.ts'
import {
  claimStatements,
  claimSuspectStatements,
  forgetStatement,
  movedStatements,
  pagesStatement,
  statusStatement,
  unfinishedStatement,
} from '../../src/services/ai-job-queue.ts'
import { FORGET_SPELLINGS, SUGGESTING_JOBS } from '../../src/services/ai-suggestions.ts'
import { undoStatements } from '../../src/services/ai-undo.ts'
import { type TestDatabase, testDatabase } from '../support/test-database.ts'

/** A job costs the same in a library of a hundred items and in one of a million: nothing goes through a whole table. */

const OWNED = { owner: 'somebody', now: 1 }
const CLAIM = { ...OWNED, leaseMs: 1, modelOnlyLibraries: [1], modelOffLibraries: [1] }

const RESULTS: Readonly<Record<AiActivity, AiJobResult>> = {
  tagging: { activity: 'tagging', tags: [{ id: 1, name: 'Horror' }], suggestions: ['Odd'] },
  description: { activity: 'description', text: 'A hill.' },
  extraction: { activity: 'extraction', text: 'Closed' },
  translation: { activity: 'translation', text: 'Zu', source: 'Closed' },
}

const STATEMENTS: Record<string, InStatement[]> = {
  ...Object.fromEntries(
    AI_ACTIVITIES.map((activity) => [`end of ${activity}`, effectStatements([{ id: 1, result: RESULTS[activity] }], OWNED)]),
  ),
  ...Object.fromEntries(AI_ACTIVITIES.map((activity) => [`undoing ${activity}`, undoStatements(activity, [1], 1)])),
  claims: [
    claimStatements(CLAIM, { lane: 'model', limit: 1, minPriority: 0 }),
    claimStatements(CLAIM, { lane: 'recognition', limit: 1, minPriority: 0 }),
    claimSuspectStatements(CLAIM, true),
  ].flatMap(({ read, take }) => [read, take]),
  'jobs of moved items': movedStatements([{ id: 1, itemKey: 'mixed_file:1:a.jpg', hasPages: true }], 'somebody'),
  'failed jobs': [unfinishedStatement([{ id: 1, status: 'queued', error: null, notBefore: null, isUncounted: true }], OWNED)],
  suggestions: [
    { sql: SUGGESTING_JOBS, args: [0, 0] },
    { sql: FORGET_SPELLINGS, args: ['[1]', '["Odd"]'] },
  ],
  'what became of jobs': [statusStatement([1])],
  pages: [pagesStatement([{ jobId: 1, page: 0, text: '', source: 'ocr', confidence: null, rejected: null }], 'somebody')],
}

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

test.each(Object.entries(STATEMENTS))('%s', async (_, statements) => {
  for (const statement of statements) {
    if (typeof statement === 'string') throw new Error('A statement has values.')
    const { rows } = await database.client.execute({ ...statement, sql: `EXPLAIN QUERY PLAN ${statement.sql}` })
    const plan = rows.map(({ detail }) => String(detail))
    // Jobs that a server ended with are few, and that index holds no others.
    const isWhole =
      /^SCAN (?:media_items|m|item_tags|old|ai_jobs|j|other|tags|tag_refusals|r)\b(?! USING (?:COVERING )?INDEX ai_jobs_suspect)/
    expect(plan.filter((step) => isWhole.test(step))).toEqual([])
  }
})

const planOfPage = async (query: Omit<JobQuery, 'limit'>): Promise<string[]> => {
  const statement = listStatement({ ...query, limit: 50 }, null)
  if (typeof statement === 'string') throw new Error('A statement has values.')
  const { rows } = await database.client.execute({ ...statement, sql: `EXPLAIN QUERY PLAN ${statement.sql}` })
  return rows.map(({ detail }) => String(detail))
}

const PAGES = [{}, { runId: 1 }, ...AI_JOB_STATUSES.flatMap((status) => [{ status }, { status, runId: 1 }])]

test.each(PAGES)(
  'a page of the jobs of %j reads the items of that page alone, and sorts nothing but what an index holds',
  async (query) => {
    const plan = await planOfPage(query)
    const [items, sorting] = [
      plan.findIndex((step) => step.startsWith('SEARCH m ')),
      plan.findIndex((step) => step.includes('TEMP B-TREE')),
    ]
    expect(items).toBe(plan.length - 1)
    if (sorting >= 0) expect(plan[sorting - 1]).toContain('COVERING INDEX')
  },
)

test('a page of what is done, as most jobs are, is not found by sorting them all', async () => {
  expect((await planOfPage({ status: 'done' })).join('\n')).not.toContain('TEMP B-TREE')
})

test('nor is a page of a run, which whoever looks on asks for again and again', async () => {
  expect((await planOfPage({ runId: 1 })).join('\n')).not.toContain('TEMP B-TREE')
})

test('what ended long ago is found by when it ended', async () => {
  const statement = forgetStatement(0)
  if (typeof statement === 'string') throw new Error('A statement has values.')
  const { rows } = await database.client.execute({ ...statement, sql: `EXPLAIN QUERY PLAN ${statement.sql}` })
  expect(rows.map(({ detail }) => String(detail)).join('\n')).toContain('INDEX ai_jobs_ended (finished_at<?)')
})

test('jobs that a server ended with are found among those alone', async () => {
  for (const statement of Object.values(claimSuspectStatements(CLAIM, true))) {
    const { rows } = await database.client.execute({ ...statement, sql: `EXPLAIN QUERY PLAN ${statement.sql}` })
    const plan = rows.map(({ detail }) => String(detail))
    expect(plan.filter((step) => /^(?:SCAN|SEARCH) (?:j|other) /.test(step))).toEqual([
      expect.stringContaining('j USING INDEX ai_jobs_suspect'),
      expect.stringMatching(/other USING (?:COVERING )?INDEX ai_jobs_suspect/),
    ])
  }
})

test('the other jobs of an item are found by the item, and not among all that ended later', async () => {
  for (const statement of AI_ACTIVITIES.flatMap((activity) => undoStatements(activity, [1], 1))) {
    if (typeof statement === 'string') throw new Error('A statement has values.')
    const { rows } = await database.client.execute({ ...statement, sql: `EXPLAIN QUERY PLAN ${statement.sql}` })
    const found = rows.map(({ detail }) => String(detail)).filter((step) => / (?:later|older) /.test(step))
    expect(found).not.toEqual([])
    for (const step of found) expect(step).toMatch(/INDEX ai_jobs_item \(item_id=\?/)
  }
})
