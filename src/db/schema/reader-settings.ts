import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { mediaItems } from './media-items.ts'
import { users } from './users.ts'

/** How somebody reads one series, or a volume that belongs to none. */
export const readerSettings = sqliteTable(
  'reader_settings',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    itemId: integer('item_id')
      .notNull()
      .references(() => mediaItems.id, { onDelete: 'cascade' }),
    /** JSON: the `ReaderSettings` that differ from the person's own defaults. */
    settings: text('settings').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.itemId] }), index('reader_settings_item').on(t.itemId)],
)
