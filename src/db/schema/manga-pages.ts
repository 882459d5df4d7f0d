import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { mediaItems } from './media-items.ts'

/** The pages of a volume, kept for as long as its bytes are the same. */
export const mangaPages = sqliteTable('manga_pages', {
  itemId: integer('item_id')
    .primaryKey()
    .references(() => mediaItems.id, { onDelete: 'cascade' }),
  /** Of the bytes that were looked at (services/manga-pages.ts). */
  version: text('version').notNull(),
  /** Pixels of each page, in reading order; null for a page that cannot be decoded. */
  sizes: text('sizes', { mode: 'json' }).$type<([width: number, height: number] | null)[]>().notNull(),
})
