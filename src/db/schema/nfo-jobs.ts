import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { mediaItems } from './media-items.ts'

/** Items whose NFO files are to be read again: one job each, gone when it is done. Times are milliseconds since the epoch. */
export const nfoJobs = sqliteTable('nfo_jobs', {
  itemId: integer('item_id')
    .primaryKey()
    .references(() => mediaItems.id, { onDelete: 'cascade' }),
  requestedAt: integer('requested_at').notNull(),
})
