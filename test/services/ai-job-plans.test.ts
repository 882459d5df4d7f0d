import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { InStatement } from '@libsql/client'
import { AI_ACTIVITIES, type AiActivity } from '../../src/domain/ai-activity.ts'
import type { AiJobResult } from '../../src/domain/ai-job.ts'
import { effectStatements } from '../../src/services/ai-job-effects.ts'
import { claimStatement, claimSuspectStatement, pagesStatement, unfinishedStatement } from '../../src/services/ai-job-queue.ts'
import { undoStatements } from '../../src/services/ai-undo.ts'
import { type TestDatabase, testDatabase } from '../support/test-database.ts'

/** A job costs the same in a library of a hundred items and in one of a million: nothing goes through a whole table. */

const OWNED = { owner: 'somebody', now: 1 }
const CLAIM = { ...OWNED, leaseMs: 1, modelOnlyLibraries: [1] }

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
    claimStatement(CLAIM, { lane: 'model', limit: 1, minPriority: 0 }),
    claimStatement(CLAIM, { lane: 'recognition', limit: 1, minPriority: 0 }),
    claimSuspectStatement(CLAIM, true),
  ],
  'failed jobs': [unfinishedStatement([{ id: 1, status: 'queued', error: null, notBefore: null, isUncounted: true }], OWNED)],
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
    expect(plan.filter((step) => /^SCAN (?:media_items|m|item_tags|old|ai_jobs|j|tags|tag_refusals|r)\b/.test(step))).toEqual([])
  }
})
