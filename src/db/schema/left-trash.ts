import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ITEM_TYPES, LIBRARY_TYPES } from '../../domain/item-type.ts'

/** What lay in the trash of libraries that were deleted (see `deletions`): a library that is made of the same folder has it again. */
export const leftTrash = sqliteTable(
  'left_trash',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** The root of the library that was, links resolved. */
    realPath: text('real_path').notNull(),
    libraryType: text('library_type', { enum: LIBRARY_TYPES }).notNull(),
    itemType: text('item_type', { enum: ITEM_TYPES }).notNull(),
    title: text('title').notNull(),
    unit: text('unit').notNull(),
    folder: text('folder').notNull(),
    holding: text('holding').notNull(),
    state: text('state', { enum: ['removing', 'trashed'] }).notNull(),
    files: integer('files').notNull(),
    bytes: integer('bytes').notNull(),
    trashUntil: integer('trash_until'),
    createdBy: text('created_by').notNull(),
    at: integer('at').notNull(),
    laterTimes: text('later_times', { mode: 'json' }).$type<number[]>(),
  },
  (t) => [index('left_trash_root').on(t.realPath), check('left_trash_state', sql`state IN ('removing', 'trashed')`)],
)
