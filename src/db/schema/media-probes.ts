import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { MediaProbe } from '../../domain/media-probe.ts'
import { mediaItems } from './media-items.ts'

/** What ffprobe said of a video or sound file, kept for as long as the file is the same. */
export const mediaProbes = sqliteTable(
  'media_probes',
  {
    itemId: integer('item_id')
      .notNull()
      .references(() => mediaItems.id, { onDelete: 'cascade' }),
    /** As in the item's `files`; empty for the file that the item stands for. */
    file: text('file').notNull(),
    /** Size and modification time of the file that was probed. */
    version: text('version').notNull(),
    /** `media_items.modified_at` at that time: the background looks again where it differs. */
    itemModifiedAt: integer('item_modified_at').notNull(),
    /** Null where the file cannot be probed. */
    probe: text('probe', { mode: 'json' }).$type<MediaProbe>(),
  },
  (t) => [primaryKey({ columns: [t.itemId, t.file] })],
)
