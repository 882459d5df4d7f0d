import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, sqliteView, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { mediaItems } from './media-items.ts'
import { users } from './users.ts'

export const tagCategories = sqliteTable(
  'tag_categories',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    /** `name` case-folded and composed: what must be unique. */
    nameKey: text('name_key').notNull(),
    color: text('color'),
  },
  (t) => [uniqueIndex('tag_categories_name_key').on(t.nameKey)],
)

export const tags = sqliteTable(
  'tags',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    categoryId: integer('category_id')
      .notNull()
      .references(() => tagCategories.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    /** What a part of the name is looked for in (domain/name-key.ts). */
    searchName: text('search_name').notNull().default(''),
    /** What lists of tags are ordered by (domain/natural-sort.ts). */
    sortName: text('sort_name').notNull().default(''),
  },
  (t) => [uniqueIndex('tags_category_name_key').on(t.categoryId, t.nameKey)],
)

/** Other names that stand for a tag. */
export const tagMappings = sqliteTable(
  'tag_mappings',
  {
    sourceKey: text('source_key').primaryKey(),
    source: text('source').notNull(),
    tagId: integer('tag_id')
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
    searchSource: text('search_source').notNull().default(''),
  },
  (t) => [index('tag_mappings_tag').on(t.tagId)],
)

/** What has become of tags that are gone, for what is put back as it was before they were merged. */
export const mergedTags = sqliteTable(
  'merged_tags',
  {
    /** No other tag gets this id again. */
    tagId: integer('tag_id').primaryKey(),
    /** The tag that is there, through however many merges. */
    intoTagId: integer('into_tag_id')
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
  },
  (t) => [index('merged_tags_into').on(t.intoTagId)],
)

/** Which tags an item carries, by integer ids (text keys cost 1.5 to 7 times as much at a million items). */
export const itemTags = sqliteTable(
  'item_tags',
  {
    tagId: integer('tag_id')
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
    itemId: integer('item_id')
      .notNull()
      .references(() => mediaItems.id, { onDelete: 'cascade' }),
    source: text('source', { enum: ['user', 'ai', 'import'] })
      .notNull()
      .default('user'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: integer('created_at').notNull().default(0),
    /** Nobody has put it there: something that is a part of the item now has it. */
    isCopy: integer('is_copy', { mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.tagId, t.itemId] }),
    index('item_tags_item').on(t.itemId, t.tagId),
    check('item_tags_source', sql`source IN ('user', 'ai', 'import')`),
  ],
)

/** The assignments under the names of the user's specification: `item_key` and `tag_id`. */
export const tagAssignments = sqliteView('tag_assignments', {
  itemKey: text('item_key').notNull(),
  tagId: integer('tag_id').notNull(),
  source: text('source', { enum: ['user', 'ai', 'import'] }).notNull(),
}).as(
  sql`SELECT media_items.item_key, item_tags.tag_id, item_tags.source FROM item_tags JOIN media_items ON media_items.id = item_tags.item_id`,
)

/** Tags of the AI tagger that a person has taken off an item: it does not put them back. */
export const tagRefusals = sqliteTable(
  'tag_refusals',
  {
    itemId: integer('item_id')
      .notNull()
      .references(() => mediaItems.id, { onDelete: 'cascade' }),
    tagId: integer('tag_id')
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.itemId, t.tagId] }), index('tag_refusals_tag').on(t.tagId)],
)
