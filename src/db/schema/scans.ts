import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { ScanWarning } from '../../domain/scanned-item.ts'
import { libraries } from './libraries.ts'
import { mediaItems } from './media-items.ts'

export const scans = sqliteTable(
  'scans',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    libraryId: integer('library_id')
      .notNull()
      .references(() => libraries.id, { onDelete: 'cascade' }),
    trigger: text('trigger', { enum: ['manual', 'scheduled', 'startup'] }).notNull(),
    status: text('status', { enum: ['queued', 'running', 'done', 'failed', 'cancelled', 'interrupted', 'held'] }).notNull(),
    phase: text('phase'),
    found: integer('found').notNull().default(0),
    added: integer('added').notNull().default(0),
    updated: integer('updated').notNull().default(0),
    moved: integer('moved').notNull().default(0),
    missing: integer('missing').notNull().default(0),
    restored: integer('restored').notNull().default(0),
    warningCount: integer('warning_count').notNull().default(0),
    /** JSON: `ScanWarning[]`, at most 1,000. */
    warnings: text('warnings', { mode: 'json' }).$type<ScanWarning[]>().notNull().default([]),
    error: text('error'),
    /** Which server process works on it, and until when it may be believed alive (milliseconds). */
    owner: text('owner'),
    leaseUntil: integer('lease_until'),
    createdAt: integer('created_at').notNull(),
    startedAt: integer('started_at'),
    finishedAt: integer('finished_at'),
    /** JSON: the folders that are looked through, relative to the root, none below another; null is the whole library. */
    paths: text('paths', { mode: 'json' }).$type<string[]>(),
    /** When all folders had been read, and what was found began to be matched. */
    walkedAt: integer('walked_at'),
  },
  (t) => [
    index('scans_library').on(t.libraryId, t.id),
    // Two scans of one library never run at once, whichever process starts them; what comes meanwhile waits together.
    uniqueIndex('scans_one_running').on(t.libraryId).where(sql`status = 'running'`),
    uniqueIndex('scans_one_queued').on(t.libraryId).where(sql`status = 'queued'`),
    check('scans_trigger', sql`"trigger" IN ('manual', 'scheduled', 'startup')`),
    check('scans_status', sql`status IN ('queued', 'running', 'done', 'failed', 'cancelled', 'interrupted', 'held')`),
  ],
)

/** What the last finished look at each unit saw (domain/scanned-item.ts). */
export const scanUnits = sqliteTable(
  'scan_units',
  {
    libraryId: integer('library_id')
      .notNull()
      .references(() => libraries.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    signature: text('signature').notNull(),
  },
  (t) => [primaryKey({ columns: [t.libraryId, t.path] })],
)

/** What a held scan would mark missing. */
export const scanLosses = sqliteTable(
  'scan_losses',
  {
    scanId: integer('scan_id')
      .notNull()
      .references(() => scans.id, { onDelete: 'cascade' }),
    itemId: integer('item_id')
      .notNull()
      .references(() => mediaItems.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.scanId, t.itemId] }), index('scan_losses_item').on(t.itemId)],
)

/** Folders that a scan is to say nothing about any more, as another server asks; gone once it has heard (`ScanRunner.leaveOut`). */
export const scanLeftOut = sqliteTable(
  'scan_left_out',
  {
    scanId: integer('scan_id')
      .notNull()
      .references(() => scans.id, { onDelete: 'cascade' }),
    /** Relative to the library root. */
    folder: text('folder').notNull(),
  },
  (t) => [primaryKey({ columns: [t.scanId, t.folder] })],
)
