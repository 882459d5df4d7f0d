import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { mediaItems } from './media-items.ts'
import { users } from './users.ts'

export const progress = sqliteTable(
  'progress',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    itemId: integer('item_id')
      .notNull()
      .references(() => mediaItems.id, { onDelete: 'cascade' }),
    positionSeconds: real('position_seconds'),
    durationSeconds: real('duration_seconds'),
    page: integer('page'),
    completed: integer('completed', { mode: 'boolean' }).notNull().default(false),
    updatedAt: integer('updated_at').notNull(),
    /** Not listed among what to go on with, until it is opened again. */
    leftOut: integer('left_out', { mode: 'boolean' }).notNull().default(false),
    /** The part of a film that the position is in; null for the first, and for films in one file. */
    file: text('file'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.itemId] }),
    index('progress_recent').on(t.userId, t.updatedAt),
    index('progress_item').on(t.itemId),
  ],
)
