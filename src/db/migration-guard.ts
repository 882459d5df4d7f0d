import type { Client, InStatement } from '@libsql/client'

/**
 * Statements that stand around a migration's own, in its transaction, and fail it where rows would be lost: every row of
 * the old tables is in the new ones or in `migration_rejects`. A failed transaction leaves the database as it was, which
 * a check after the commit could not.
 */

/** What the user's collection consists of. Tables that a migration renames or drops on purpose are taken out here. */
const COUNTED_TABLES = ['libraries', 'media_items', 'tag_categories', 'tags', 'tag_assignments', 'ai_jobs', 'users', 'progress'] as const
type CountedTable = (typeof COUNTED_TABLES)[number]

/** As in src/db/schema/settings.ts; here so that migrations before 0002 can be counted by the same statements. */
const CREATE_REJECTS = `CREATE TABLE IF NOT EXISTS migration_rejects (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL, migration text NOT NULL, source_table text NOT NULL, reason text NOT NULL, row text NOT NULL)`

const rowsWithRejects = (table: CountedTable): string =>
  `(SELECT count(*) FROM ${table}) + (SELECT count(*) FROM migration_rejects WHERE source_table = '${table}')`

const listCountedTables = async (client: Client): Promise<CountedTable[]> => {
  const { rows } = await client.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
  const names = new Set(rows.map((row) => row.name))
  return COUNTED_TABLES.filter((table) => names.has(table))
}

interface Guard {
  before: InStatement[]
  after: InStatement[]
}

export const guardRows = async (client: Client): Promise<Guard> => {
  const tables = await listCountedTables(client)
  return {
    before: [
      CREATE_REJECTS,
      'CREATE TABLE __rows_before (name text, rows integer)',
      ...tables.map((table) => `INSERT INTO __rows_before SELECT '${table}', ${rowsWithRejects(table)}`),
      'CREATE TABLE __rows_lost (name text, rows integer CONSTRAINT no_row_lost CHECK (rows = 0))',
    ],
    after: [
      ...tables.map(
        (table) => `INSERT INTO __rows_lost SELECT name, rows - (${rowsWithRejects(table)}) FROM __rows_before WHERE name = '${table}'`,
      ),
      'DROP TABLE __rows_lost',
      'DROP TABLE __rows_before',
    ],
  }
}

/** No row refers to one that does not exist. */
export const guardReferences: InStatement[] = [
  'CREATE TABLE __broken_references (rows integer CONSTRAINT no_broken_reference CHECK (rows = 0))',
  'INSERT INTO __broken_references SELECT count(*) FROM pragma_foreign_key_check',
  'DROP TABLE __broken_references',
]

/** Fails where another server has applied the migration since we looked. */
export const guardAgainstSecond = (when: number): InStatement[] => [
  'CREATE TABLE __applied_before (rows integer CONSTRAINT not_applied_before CHECK (rows = 0))',
  { sql: 'INSERT INTO __applied_before SELECT count(*) FROM __drizzle_migrations WHERE created_at = ?', args: [when] },
  'DROP TABLE __applied_before',
]
