import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { mediaItems } from './media-items.ts'

/** Where items lay before they moved, noted by a trigger: links, bookmarks and open pages go on from there. */
export const formerKeys = sqliteTable(
  'former_keys',
  {
    itemKey: text('item_key').primaryKey(),
    itemId: integer('item_id')
      .notNull()
      .references(() => mediaItems.id, { onDelete: 'cascade' }),
  },
  (t) => [index('former_keys_item').on(t.itemId)],
)
