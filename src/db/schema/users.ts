import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ROLES } from '../../domain/permissions.ts'
import { libraries } from './libraries.ts'

export const users = sqliteTable(
  'users',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    username: text('username').notNull(),
    /** `username` case-folded and composed: what must be unique. */
    usernameKey: text('username_key').notNull(),
    passwordHash: text('password_hash').notNull(),
    role: text('role', { enum: ROLES }).notNull(),
    /** JSON: `Permissions`. */
    permissions: text('permissions').notNull(),
    /** True: every library, also later ones. False: those of `user_libraries`. */
    allLibraries: integer('all_libraries', { mode: 'boolean' }).notNull().default(true),
    disabled: integer('disabled', { mode: 'boolean' }).notNull().default(false),
    /** JSON: the settings that the person has changed. */
    settings: text('settings').notNull().default('{}'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [uniqueIndex('users_username_key').on(t.usernameKey), check('users_role', sql`role IN ('admin', 'user')`)],
)

export const userLibraries = sqliteTable(
  'user_libraries',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    libraryId: integer('library_id')
      .notNull()
      .references(() => libraries.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.userId, t.libraryId] })],
)

/** `id` is the SHA-256 of the token in the cookie. Times are milliseconds, `expires_at` seconds (lucia's form). */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: integer('expires_at').notNull(),
    userAgent: text('user_agent'),
    createdAt: integer('created_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
  },
  (t) => [index('sessions_user').on(t.userId)],
)

/** Personal access tokens; `token_hash` is the SHA-256 of what the script sends. */
export const apiTokens = sqliteTable(
  'api_tokens',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    tokenHash: text('token_hash').notNull(),
    expiresAt: integer('expires_at'),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
  },
  (t) => [uniqueIndex('api_tokens_hash').on(t.tokenHash), index('api_tokens_user').on(t.userId)],
)
