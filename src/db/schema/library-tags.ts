import { index, integer, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { libraries } from './libraries.ts'
import { tags } from './tags.ts'

/**
 * How often each tag is used in each library. Triggers keep it exact whatever changes assignments or items, so that
 * nothing has to count millions of rows; a row may stay behind with zeros. Never write to it.
 */
export const libraryTags = sqliteTable(
  'library_tags',
  {
    libraryId: integer('library_id')
      .notNull()
      .references(() => libraries.id, { onDelete: 'cascade' }),
    tagId: integer('tag_id')
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
    /** Items that carry the tag. */
    assigned: integer('assigned').notNull().default(0),
    /** Those of them that are not missing. */
    present: integer('present').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.libraryId, t.tagId] }), index('library_tags_tag').on(t.tagId, t.libraryId)],
)

/**
 * Which assignments came, went, or belong to an item that came or went, in that order: what is kept of assignments in
 * memory is brought up to date from here. A tag that got another name is signed with no item (0). Old rows are dropped; the
 * newest one always stays, so that no number is given out twice.
 */
export const tagChanges = sqliteTable('tag_changes', {
  id: integer('id').primaryKey(),
  tagId: integer('tag_id').notNull(),
  itemId: integer('item_id').notNull(),
})
