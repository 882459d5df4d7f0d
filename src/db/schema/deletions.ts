import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ITEM_TYPES } from '../../domain/item-type.ts'
import { libraries } from './libraries.ts'
import { mediaItems } from './media-items.ts'

/**
 * The journal of deletions: written before anything is moved, gone once nothing is left to do.
 *
 * `moving`: the folder is about to leave its place, or has just left it; the index still has the item.
 * `removing`: it lies at `holding`, the index has forgotten the item, its files are being removed.
 * `trashed`: it lies at `holding`, the item is kept as missing, and can come back until `trash_until`.
 * `restoring`: it is about to go back to its place, or has just gone.
 */
export const deletions = sqliteTable(
  'deletions',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    libraryId: integer('library_id')
      .notNull()
      .references(() => libraries.id, { onDelete: 'cascade' }),
    itemId: integer('item_id').references(() => mediaItems.id, { onDelete: 'set null' }),
    itemKey: text('item_key').notNull(),
    itemType: text('item_type', { enum: ITEM_TYPES }).notNull(),
    title: text('title').notNull(),
    /** The scan unit that the item belongs to. */
    unit: text('unit').notNull(),
    /** Where the folder lay, relative to the library root. */
    folder: text('folder').notNull(),
    /** Where it lies meanwhile: a hidden name in the library root. */
    holding: text('holding').notNull(),
    state: text('state', { enum: ['moving', 'removing', 'trashed', 'restoring'] }).notNull(),
    files: integer('files').notNull(),
    /** Bytes. */
    bytes: integer('bytes').notNull(),
    /** Milliseconds since the epoch; null where deletion is final. */
    trashUntil: integer('trash_until'),
    /** Who asked; kept as a name, because people leave. */
    createdBy: text('created_by').notNull(),
    /** Milliseconds since the epoch: also the `missing_since` of what a trashed item brings back. */
    at: integer('at').notNull(),
    /** The library's root in which it lies, links resolved: the library may lie elsewhere since. Null where nobody knows. */
    rootPath: text('root_path'),
    /** What was known when it was deleted and is later than `at`: then the clock was behind, or had been ahead. `trash_until` counts from the last. */
    laterTimes: text('later_times', { mode: 'json' }).$type<number[]>(),
  },
  (t) => [
    index('deletions_library').on(t.libraryId, t.id),
    index('deletions_item').on(t.itemId),
    // Two requests never move one folder at once, whichever process they reach.
    uniqueIndex('deletions_one_at_a_time').on(t.libraryId, t.folder).where(sql`state IN ('moving', 'restoring')`),
    check('deletions_state', sql`state IN ('moving', 'removing', 'trashed', 'restoring')`),
  ],
)
