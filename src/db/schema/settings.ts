import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Settings of the whole service, one JSON value a key. */
export const settings = sqliteTable('settings', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
})

/** Rows of older databases that a migration could not carry over, kept for people to look at. */
export const migrationRejects = sqliteTable('migration_rejects', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  migration: text('migration').notNull(),
  sourceTable: text('source_table').notNull(),
  reason: text('reason').notNull(),
  /** JSON: the row as it was. */
  row: text('row').notNull(),
})
