import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AiOverrides } from '../../domain/ai-settings.ts'
import { libraries } from './libraries.ts'

/** What a library sets differently from the global AI settings, which are a row of `settings`. */
export const libraryAiSettings = sqliteTable('library_ai_settings', {
  libraryId: integer('library_id')
    .primaryKey()
    .references(() => libraries.id, { onDelete: 'cascade' }),
  overrides: text('overrides', { mode: 'json' }).$type<AiOverrides>().notNull(),
})
