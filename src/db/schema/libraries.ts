import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AiActivity } from '../../domain/ai-activity.ts'
import { LIBRARY_TYPES } from '../../domain/item-type.ts'

export const libraries = sqliteTable(
  'libraries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    type: text('type', { enum: LIBRARY_TYPES }).notNull(),
    /** As the administrator gave it, normalised. */
    path: text('path').notNull(),
    /** Where `path` led when it was set, links resolved: a scan fails when it leads elsewhere. Null in migrated rows. */
    realPath: text('real_path'),
    scanSchedule: text('scan_schedule'),
    trashDays: integer('trash_days').notNull().default(0),
    /** What new items are queued for. */
    aiOnScan: text('ai_on_scan', { mode: 'json' }).$type<AiActivity[]>().notNull().default([]),
    /** Present top-level entries; kept by the same transactions that change them. */
    itemCount: integer('item_count').notNull().default(0),
    createdAt: integer('created_at').notNull().default(0),
    /** Items that were added later are new to `aiOnScan`. Milliseconds since the epoch. */
    aiOnScanSince: integer('ai_on_scan_since').notNull().default(0),
    /** Items with a higher id may be `is_new`; null where none is. */
    newAfter: integer('new_after'),
  },
  () => [check('libraries_type', sql`type IN ('games', 'movies', 'tv', 'manga', 'mixed')`)],
)
