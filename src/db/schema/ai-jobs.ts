import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { AI_ACTIVITIES } from '../../domain/ai-activity.ts'
import { AI_JOB_STATUSES } from '../../domain/ai-job.ts'
import { libraries } from './libraries.ts'
import { mediaItems } from './media-items.ts'
import { users } from './users.ts'

/** What was queued together, and can be undone together: a batch, or the new items of a scan. Times are milliseconds since the epoch. */
export const aiRuns = sqliteTable(
  'ai_runs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    libraryId: integer('library_id')
      .notNull()
      .references(() => libraries.id, { onDelete: 'cascade' }),
    activity: text('activity', { enum: AI_ACTIVITIES }).notNull(),
    trigger: text('trigger', { enum: ['batch', 'scan'] }).notNull(),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: integer('created_at').notNull(),
    /** 0 while it is being undone: nothing more is queued for it, and where that is cut short it is to be undone still. */
    undoneAt: integer('undone_at'),
  },
  () => [
    check('ai_runs_activity', sql`activity IN ('tagging', 'description', 'extraction', 'translation')`),
    check('ai_runs_trigger', sql`"trigger" IN ('batch', 'scan')`),
  ],
)

export const aiJobs = sqliteTable(
  'ai_jobs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    itemId: integer('item_id')
      .notNull()
      .references(() => mediaItems.id, { onDelete: 'cascade' }),
    activity: text('activity', { enum: AI_ACTIVITIES }).notNull(),
    status: text('status', { enum: AI_JOB_STATUSES }).notNull(),
    /** The higher the sooner (domain/ai-job.ts). */
    priority: integer('priority').notNull().default(0),
    /** How often it was started; what a restart or an absent endpoint interrupted is taken off again. */
    attempts: integer('attempts').notNull().default(0),
    /** JSON: per-call data such as `ocrLanguages` or `sourceLanguage`. */
    payload: text('payload').notNull().default('{}'),
    error: text('error'),
    owner: text('owner'),
    leaseUntil: integer('lease_until'),
    createdAt: integer('created_at').notNull(),
    startedAt: integer('started_at'),
    finishedAt: integer('finished_at'),
    runId: integer('run_id').references(() => aiRuns.id, { onDelete: 'set null' }),
    /** A queued job is not started before this. */
    notBefore: integer('not_before'),
    /** How often its server ended while it ran. Such a job may be what ended it, and runs beside no other of its kind. */
    crashes: integer('crashes').notNull().default(0),
    /** `text_version` of the item when it was asked for. */
    textVersion: integer('text_version').notNull().default(0),
    /** JSON: names that a model chose and that are no tags. */
    suggestions: text('suggestions', { mode: 'json' }).$type<string[]>(),
    /** JSON: what the job changed, and what was there before (services/ai-job-effects.ts). */
    effect: text('effect'),
    undoneAt: integer('undone_at'),
  },
  (t) => [
    uniqueIndex('ai_jobs_one_open').on(t.itemId, t.activity).where(sql`status IN ('queued', 'running')`),
    index('ai_jobs_next').on(t.status, sql`"priority" DESC`, t.id),
    index('ai_jobs_item').on(t.itemId),
    index('ai_jobs_run').on(t.runId, t.status).where(sql`run_id IS NOT NULL`),
    index('ai_jobs_ended').on(t.finishedAt).where(sql`finished_at IS NOT NULL`),
    index('ai_jobs_suspect').on(sql`"priority" DESC`, t.id).where(sql`crashes > 0 AND status IN ('queued', 'running')`),
    index('ai_jobs_suggesting').on(t.itemId, t.id).where(sql`suggestions <> '[]' AND undone_at IS NULL`),
    check('ai_jobs_activity', sql`activity IN ('tagging', 'description', 'extraction', 'translation')`),
    check('ai_jobs_status', sql`status IN ('queued', 'running', 'done', 'failed', 'cancelled')`),
  ],
)

/** The pages of an extraction as they are done: what a restart need not do again, and which text stands on which page. */
export const aiJobPages = sqliteTable(
  'ai_job_pages',
  {
    jobId: integer('job_id')
      .notNull()
      .references(() => aiJobs.id, { onDelete: 'cascade' }),
    /** From 0. */
    page: integer('page').notNull(),
    text: text('text').notNull(),
    /** `fallback`: the model's answer was of no use, so this is the recognised text. */
    source: text('source', { enum: ['ocr', 'model', 'fallback'] }).notNull(),
    /** Of the recognition, 0 to 100. */
    confidence: real('confidence'),
    /** Why the model's answer was not taken. */
    rejected: text('rejected'),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.page] }), check('ai_job_pages_source', sql`source IN ('ocr', 'model', 'fallback')`)],
)
