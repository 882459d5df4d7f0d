import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { mediaItems } from './media-items.ts'

export const aiJobs = sqliteTable(
  'ai_jobs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    itemId: integer('item_id')
      .notNull()
      .references(() => mediaItems.id, { onDelete: 'cascade' }),
    activity: text('activity', { enum: ['tagging', 'description', 'extraction', 'translation'] }).notNull(),
    status: text('status', { enum: ['queued', 'running', 'done', 'failed', 'cancelled'] }).notNull(),
    priority: integer('priority').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /** JSON: per-call data such as `ocrLanguages` or `sourceLanguage`. */
    payload: text('payload').notNull().default('{}'),
    error: text('error'),
    owner: text('owner'),
    leaseUntil: integer('lease_until'),
    createdAt: integer('created_at').notNull(),
    startedAt: integer('started_at'),
    finishedAt: integer('finished_at'),
  },
  (t) => [
    uniqueIndex('ai_jobs_one_open').on(t.itemId, t.activity).where(sql`status IN ('queued', 'running')`),
    index('ai_jobs_next').on(t.status, t.priority, t.id),
    index('ai_jobs_item').on(t.itemId),
    check('ai_jobs_activity', sql`activity IN ('tagging', 'description', 'extraction', 'translation')`),
    check('ai_jobs_status', sql`status IN ('queued', 'running', 'done', 'failed', 'cancelled')`),
  ],
)
