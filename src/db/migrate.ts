import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Client, type InStatement, LibsqlBatchError } from '@libsql/client/sqlite3'
import { errorCode, errorMessage } from '../domain/thrown-error.ts'
import type { Log } from '../log.ts'
import { whileBusy } from './busy.ts'
import type { DatabaseHandle } from './client.ts'
import { fullItemKeys } from './data-migrations/full-item-keys.ts'
import { naturalNames } from './data-migrations/natural-names.ts'
import { plainNames } from './data-migrations/plain-names.ts'
import { withDatabaseFile } from './file-client.ts'
import { listMigrations, MIGRATIONS_FOLDER, type Migration, type MigrationEntry, readMigrations } from './migration-files.ts'
import { guardAgainstSecond, guardReferences, guardRows } from './migration-guard.ts'
import { snapshotDatabase } from './snapshot.ts'

/** What SQL alone cannot compute: reads the database before a migration, gives statements that run after it, in its transaction. */
const DATA_MIGRATIONS: Partial<Record<string, (client: Client) => Promise<InStatement[]>>> = {
  '0002_full_item_keys': fullItemKeys,
  '0052_plain_names': plainNames,
  '0054_natural_names': naturalNames,
}

/** drizzle's own table, so that its tools understand a database of ours. */
const CREATE_MIGRATIONS_TABLE =
  'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)'

/** The start ends with this: the message says what failed and where the copy of the database from before is. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

const tableNames = async (client: Client): Promise<string[]> => {
  const { rows } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
  return rows.map((row) => String(row.name))
}

/** The `when` of every migration that this database has been through. */
const listApplied = async (client: Client): Promise<Set<number>> => {
  if (!(await tableNames(client)).includes('__drizzle_migrations')) return new Set()
  const { rows } = await client.execute('SELECT created_at FROM __drizzle_migrations')
  return new Set(rows.map((row) => Number(row.created_at)))
}

const hasUnknown = (migrations: MigrationEntry[], applied: Set<number>): boolean => {
  const known = new Set(migrations.map(({ when }) => when))
  return [...applied].some((when) => !known.has(when))
}

/** Whether a newer version used this database file last, so that this one would not start on it. Throws where it is no database. */
export const isOfNewerVersion = async (file: string): Promise<boolean> => {
  const applied = await withDatabaseFile(file, listApplied)
  return hasUnknown(await listMigrations(MIGRATIONS_FOLDER), applied)
}

const listPending = <Entry extends MigrationEntry>(migrations: Entry[], applied: Set<number>): Entry[] => {
  if (hasUnknown(migrations, applied))
    throw new MigrationError('This database was last used by a newer version of Vitrine. Start that version, or restore an older backup.')
  return migrations.filter(({ when }) => !applied.has(when))
}

const sha256 = async (file: string): Promise<string> => {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(file).stream()) hasher.update(chunk)
  return hasher.digest('hex')
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** What starts that were cut off in the middle of a backup have left: each is as large as the database. */
const removeAbandoned = async (file: string): Promise<void> => {
  const folder = dirname(file)
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(file)}.bak-new`)) continue
    const pid = /\.bak-new-(?<pid>\d+)/.exec(name)?.groups?.pid
    if (pid === undefined || !isRunning(Number(pid))) await rm(join(folder, name), { force: true })
  }
}

/**
 * `<db>.bak-<version>`, where the version is the number of migrations that the database has been through. A start that
 * was interrupted finds its backup already there; another database's backup of that name stays, and ours gets a number.
 */
const backUp = async (client: Client, file: string, version: number): Promise<string> => {
  await removeAbandoned(file)
  // Another server that starts on the same database makes its own at the same time.
  const fresh = `${file}.bak-new-${process.pid}`
  await snapshotDatabase(client, fresh)
  const freshHash = await sha256(fresh)
  for (let number = 1; ; number++) {
    const backup = number === 1 ? `${file}.bak-${version}` : `${file}.bak-${version}-${number}`
    if (!(await Bun.file(backup).exists())) {
      await rename(fresh, backup)
      return backup
    }
    if ((await sha256(backup)) === freshHash) {
      await rm(fresh)
      return backup
    }
  }
}

/** Null where there is no file to copy. */
const backUpBefore = async (handle: DatabaseHandle, version: number, log: Log): Promise<string | null> => {
  if (handle.file === null) {
    log.warn('database_backup_skipped', { reason: 'A database on a server is backed up there.' })
    return null
  }
  const backup = await backUp(handle.client, handle.file, version).catch((error: unknown) => {
    const message = `No copy of the database could be made, without which it is not migrated: ${errorMessage(error)}. It is as it was.`
    throw new MigrationError(message, { cause: error })
  })
  log.info('database_backup', { file: backup })
  return backup
}

/**
 * A view that somebody has added, of a table that is gone or that is being recreated, would make every renaming fail
 * (lang_altertable.html, 7, of SQLite). The old way of renaming ignores views. It does not change references in other tables
 * either, but new tables refer to others by their final names. A libSQL server takes no such pragma; in a file it ends with
 * its connection, which is closed after the migrations.
 */
const IGNORE_OTHER_VIEWS = 'PRAGMA legacy_alter_table = ON'

/** What a libSQL server does not take: its own rules about a table stay as they were, which say the same. */
const IS_FOR_FILES = /\b(?:writable_schema|sqlite_schema)\b/

/** `client.migrate` switches foreign keys off outside of its transaction: recreating a table keeps the rows that refer to it. */
const apply = async ({ client, file }: DatabaseHandle, { tag, statements, hash, when }: Migration, isLast: boolean): Promise<void> => {
  const guard = await guardRows(client)
  const dataStatements = (await DATA_MIGRATIONS[tag]?.(client)) ?? []
  await client.migrate([
    ...(file === null ? [] : [IGNORE_OTHER_VIEWS]),
    CREATE_MIGRATIONS_TABLE,
    ...guardAgainstSecond(when),
    ...guard.before,
    ...(file === null ? statements.filter((statement) => !IS_FOR_FILES.test(statement)) : statements),
    ...dataStatements,
    ...guard.after,
    ...(isLast ? guardReferences : []),
    { sql: 'INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)', args: [hash, when] },
  ])
}

const logRejects = async (client: Client, pending: Migration[], log: Log): Promise<void> => {
  const { rows } = await client.execute('SELECT migration, source_table, reason, count(*) AS rows FROM migration_rejects GROUP BY 1, 2, 3')
  const tags = new Set(pending.map(({ tag }) => tag))
  for (const { migration, source_table: table, reason, rows: count } of rows)
    if (tags.has(String(migration))) log.warn('migration_rejects', { migration, table, reason, rows: count })
}

const failure = ({ tag }: Migration, error: unknown, backup: string | null): MigrationError => {
  const where = error instanceof LibsqlBatchError ? ` (statement ${error.statementIndex + 1})` : ''
  const copy = backup === null ? '' : ` A copy of the database from before this start is ${backup}.`
  return new MigrationError(`Migration ${tag} failed${where} and changed nothing: ${errorMessage(error)}.${copy}`, { cause: error })
}

/**
 * Brings the database up to date, one transaction for each migration, after a backup. A database that is up to date is
 * not written to. Throws `MigrationError`; whatever fails, no migration is half applied.
 */
export const migrate = async (handle: DatabaseHandle, log: Log, folder: string = MIGRATIONS_FOLDER): Promise<void> => {
  const { client } = handle
  const applied = await listApplied(client)
  if (listPending(await listMigrations(folder), applied).length === 0) return
  const pending = listPending(await readMigrations(folder), applied)
  const isNew = (await tableNames(client)).length === 0
  const backup = isNew ? null : await backUpBefore(handle, applied.size, log)
  const begun = performance.now()
  for (const migration of pending) {
    const started = performance.now()
    try {
      await whileBusy(client, () => apply(handle, migration, migration === pending.at(-1)))
    } catch (error) {
      // Two servers on one database may start at once: what the other one has applied is no failure of ours.
      if (!(await listApplied(client)).has(migration.when)) throw failure(migration, error, backup)
    }
    const tell = isNew ? log.debug : log.info
    tell('migration', { migration: migration.tag, milliseconds: Math.round(performance.now() - started) })
  }
  if (isNew) log.info('database_created', { migrations: pending.length, milliseconds: Math.round(performance.now() - begun) })
  // The other connections of the pool remember the old tables: `SELECT *` would give new values under old names.
  if (handle.file !== null) await client.reconnect()
  await logRejects(client, pending, log)
}
