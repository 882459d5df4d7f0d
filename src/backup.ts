/**
 * `bun run backup FILE [--data DIR]` and `bun run restore FILE [--data DIR]`: the index and the settings as one file.
 * A backup may be made while the server runs; a restore needs the server to be stopped.
 */

import { existsSync, realpathSync } from 'node:fs'
import { access, chmod, constants, copyFile, link, lstat, mkdir, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Client, LibsqlError } from '@libsql/client/sqlite3'
import { parseConfig } from './config.ts'
import { isBusy } from './db/busy.ts'
import { carryTrash } from './db/carried-trash.ts'
import { databaseFile } from './db/client.ts'
import { endTokens } from './db/ended-tokens.ts'
import { BUSY_TIMEOUT_MS, withDatabaseFile } from './db/file-client.ts'
import { isOfNewerVersion } from './db/migrate.ts'
import { assertSoundDatabase, snapshotDatabase } from './db/snapshot.ts'
import { temporaryName } from './domain/temporary-name.ts'
import { errorCode, errorMessage, succeeds } from './domain/thrown-error.ts'
import { ConfigError } from './flags.ts'
import { removeLeftBehind, syncFolder } from './media/atomic-write.ts'

/** Nothing else runs in this process, so that it may wait for whoever has the file. */
const inFile = <T>(file: string, work: (client: Client) => Promise<T>): Promise<T> =>
  withDatabaseFile(file, work, { busyTimeoutMs: BUSY_TIMEOUT_MS })

const USAGE = 'Usage: bun run backup FILE [--data DIR], bun run restore FILE [--data DIR]'

/** Something that the person at the terminal can put right: shown without a stack. */
class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** What the system and the disk say of a file that is to be written: that it cannot be made there, or that there is no room. */
const notWritten = (file: string, error: unknown): unknown => {
  const isOfDisk = error instanceof LibsqlError && /^SQLITE_(?:FULL|IOERR)/.test(error.code)
  const isOfSystem = error instanceof Error && 'syscall' in error
  return isOfDisk || isOfSystem ? new RefusedError(`${file} cannot be written: ${error.message}.`) : error
}

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(error))

const assertFile = async (file: string): Promise<void> => {
  try {
    // SQLite would make the file where there is none.
    if (!(await stat(file)).isFile()) throw new RefusedError(`${file} is no file.`)
    await access(file, constants.R_OK)
  } catch (error) {
    if (error instanceof RefusedError) throw error
    // SQLite calls one that may not be read a damaged one, or says nothing but a number.
    throw new RefusedError(isMissing(error) ? `There is no database ${file}.` : `${file} cannot be read: ${errorMessage(error)}.`)
  }
}

const isOfVitrine = async (client: Client): Promise<boolean> => {
  const { rows } = await client.execute("SELECT count(*) FROM sqlite_master WHERE name IN ('libraries', 'media_items', 'tags')")
  return rows[0]?.[0] === 3
}

/** A database of Vitrine that no server works on: one that has ever had a log is some server's own (https://sqlite.org/fileformat2.html, 1.3). */
const isBackup = async (file: string): Promise<boolean> => {
  const header = Buffer.from(await Bun.file(file).slice(0, 20).arrayBuffer())
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0' || header[18] !== 1) return false
  return withDatabaseFile(file, isOfVitrine).catch(() => false) // it is damaged
}

/** Whether a backup lies there that would be replaced. What is anything else stays, but for a file that is still empty. */
const holdsBackup = async (file: string): Promise<boolean> => {
  const info = await stat(file).catch(() => undefined)
  if (!info || info.isDirectory() || (info.isFile() && info.size === 0)) return false
  if (info.isFile() && (await isBackup(file))) return true
  throw new RefusedError(`${file} is there already and is no backup of Vitrine: choose another name.`)
}

/** The file that is written in the place of `file`: a link is followed, and leads to the same place the next night too. */
const followed = async (file: string): Promise<string> => {
  if (!(await lstat(file).catch(() => undefined))?.isSymbolicLink()) return file
  return realpath(file).catch(async (error: Error) => {
    throw new RefusedError(`${file} is a link to ${await readlink(file)}, which cannot be followed: ${error.message}.`)
  })
}

const linkOrCopy = async (file: string, second: string): Promise<void> => {
  try {
    await link(file, second)
  } catch {
    await copyFile(file, second) // the file system has no hard links
  }
}

/** Gives `file` a second name, in the place of what has that, so that it has its own until another takes that over. */
const keepAs = async (file: string, kept: string): Promise<void> => {
  const second = join(dirname(file), temporaryName())
  try {
    await linkOrCopy(file, second)
    await rename(second, kept)
  } finally {
    // A rename onto another name of the same file does nothing.
    await rm(second, { force: true })
  }
}

/**
 * Writes a checked copy of `database` into `file`. A backup of that name is kept under another one, of which it answers the name: one
 * may have been meant to restore it. Only the last one is, as many write to the same file every night.
 */
const backUpDatabase = async (database: string, file: string): Promise<string | null> => {
  await assertFile(database)
  if (existsSync(file) && realpathSync(file) === realpathSync(database)) throw new RefusedError(`${file} is the database itself.`)
  const kept = (await holdsBackup(file)) ? `${file}.previous` : null
  if (kept !== null) await holdsBackup(kept)
  const incoming = join(dirname(file), temporaryName())
  await removeLeftBehind(dirname(file))
  try {
    await inFile(database, (client) => snapshotDatabase(client, incoming))
    if (kept !== null) await keepAs(file, kept)
    await rename(incoming, file)
    await syncFolder(dirname(file))
    return kept
  } catch (error) {
    // Where nothing may be made, nothing may be removed either; the reason is the first one.
    await rm(incoming, { force: true }).catch(() => undefined)
    throw notWritten(file, error)
  }
}

/** A sound SQLite database of Vitrine, of this version or an older one, which the next start migrates. */
const assertBackup = async (file: string): Promise<void> => {
  await assertFile(file)
  try {
    await assertSoundDatabase(file)
  } catch (error) {
    throw new RefusedError(`${file} is no sound backup: ${errorMessage(error)}`)
  }
  if (await isOfNewerVersion(file)) throw new RefusedError(`${file} was made by a newer version of Vitrine.`)
}

/** Somebody may have ended them since, because a telephone was lost. */
const endSessions = async (client: Client): Promise<void> => {
  const { rows } = await client.execute("SELECT 1 FROM sqlite_master WHERE name = 'sessions'")
  if (rows.length > 0) await client.execute('DELETE FROM sessions')
}

/** What has happened since the backup was made, and does not go back with it. */
const bringUpToDate = (file: string, present: string | null): Promise<void> =>
  inFile(file, async (client) => {
    await endSessions(client)
    if (present === null) return
    await endTokens(client, present)
    await carryTrash(client, present)
  })

/** SQLite copies none with generated columns out of a file that it may not write to, as on a disk that is mounted read-only. */
const withWritable = async <T>(backup: string, copy: string, work: (file: string) => Promise<T>): Promise<T> => {
  if (await succeeds(access(backup, constants.W_OK))) return work(backup)
  const parts = ['', '-wal'].filter((suffix) => existsSync(backup + suffix))
  try {
    for (const suffix of parts) {
      await rm(copy + suffix, { force: true })
      await copyFile(backup + suffix, copy + suffix)
      await chmod(copy + suffix, 0o600)
    }
    return await work(copy)
  } finally {
    for (const suffix of ['', '-wal', '-shm']) await rm(copy + suffix, { force: true })
  }
}

const copyInto = (backup: string, file: string): Promise<void> =>
  withWritable(backup, `${file}.source`, (source) =>
    inFile(source, async (client) => {
      if (!(await isOfVitrine(client))) throw new RefusedError(`${backup} is a database, but not one of Vitrine.`)
      await snapshotDatabase(client, file)
    }),
  )

/**
 * Only a process that is alone with a database can take it out of write-ahead mode, so this finds a running server; it
 * also moves what is in the log into the file, which is then complete by itself. From then on `client` holds the database
 * until it is closed: a server that starts meanwhile waits, and finds the restored one. A damaged database can be neither
 * asked nor held, and no server starts on it.
 */
const takeAlone = async (client: Client): Promise<void> => {
  try {
    await client.execute('PRAGMA journal_mode=DELETE')
    // A journal in a file would be found beside the restored database, and taken for its own.
    await client.execute('PRAGMA journal_mode=MEMORY')
    const held = await client.transaction('write')
    // One that started between the two has brought the log back.
    const { rows } = await held.execute('PRAGMA journal_mode')
    if (rows[0]?.[0] === 'memory') return
  } catch (error) {
    if (error instanceof LibsqlError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code)) return
    if (!isBusy(error)) throw error
  }
  throw new RefusedError('The database is in use: stop the server first.')
}

/** Under a second name at once, so that a crash never leaves the data folder without a database. */
const keepUnderName = async (database: string, kept: string): Promise<void> => {
  await linkOrCopy(database, kept)
  // The log of a damaged database stays with it; SQLite would play it into the restored one.
  for (const suffix of ['-wal', '-shm']) if (existsSync(database + suffix)) await rename(database + suffix, kept + suffix)
}

/** `kept` is null where the present database is the empty file that stands for none. */
const replaceDatabase = async (database: string, backup: string, kept: string | null): Promise<void> => {
  const incoming = `${database}.restoring`
  const replace = async (present: Client): Promise<void> => {
    await takeAlone(present)
    try {
      await copyInto(backup, incoming)
      await bringUpToDate(incoming, kept === null ? null : database)
    } catch (error) {
      if (kept === null) await rm(database)
      throw error
    }
    if (kept !== null) await keepUnderName(database, kept)
    await rename(incoming, database)
    await syncFolder(dirname(database))
  }
  try {
    await withDatabaseFile(database, replace)
  } catch (error) {
    throw notWritten(database, error)
  } finally {
    await rm(incoming, { force: true })
  }
}

/**
 * A server that starts meanwhile would make a database that is lost: an empty one in its place can be held like any other. It lies
 * where a link leads to, should one stand for the database.
 */
const makeDatabase = async (database: string, backup: string): Promise<void> => {
  try {
    await mkdir(dirname(database), { recursive: true, mode: 0o700 })
    await (await open(database, 'a', 0o600)).close()
  } catch (error) {
    await followed(database)
    throw notWritten(database, error)
  }
  await replaceDatabase(await realpath(database), backup, null)
}

/** Puts `backup` in the place of `database`. Answers where the present database is kept, or null where there was none. */
export const restoreDatabase = async (database: string, backup: string): Promise<string | null> => {
  await assertBackup(backup)
  if (!existsSync(database)) {
    await makeDatabase(database, backup)
    return null
  }
  // A link stays one: SQLite keeps the log beside what it leads to as well.
  const file = realpathSync(database)
  const kept = `${file}.bak-before-restore-${new Date().toISOString().replaceAll(/[-:]/g, '')}`
  await replaceDatabase(file, backup, kept)
  return kept
}

const wasBefore = (kept: string | null): string => (kept === null ? '' : ` What was there before is ${kept}.`)

const run = async ([command, ...args]: string[]): Promise<string> => {
  const at = args.findIndex((arg) => arg === '--data' || arg.startsWith('--data='))
  const flags = at === -1 ? [] : args.splice(at, args[at] === '--data' ? 2 : 1)
  const [file, ...rest] = args
  if (file === undefined || file.startsWith('--') || rest.length > 0) throw new ConfigError(USAGE)
  // What else is set says nothing of where the database is, and a folder that is away or half an administrator is no reason to go without.
  const { DATA_DIR, DATABASE_URL } = process.env
  const database = databaseFile(parseConfig(flags, { DATA_DIR, DATABASE_URL }).databaseUrl)
  if (database === null) throw new RefusedError('A database on a server is backed up and restored there.')
  const target = resolve(file)
  if (command === 'backup') {
    const followedTarget = await followed(target)
    const kept = await backUpDatabase(database, followedTarget)
    return `${database} is backed up in ${followedTarget}.${wasBefore(kept)}`
  }
  if (command !== 'restore') throw new ConfigError(USAGE)
  const kept = await restoreDatabase(database, target)
  return `${target} is restored to ${database}.${wasBefore(kept)}`
}

if (import.meta.main)
  run(process.argv.slice(2)).then(
    (said) => process.stdout.write(`${said}\n`),
    (error: unknown) => {
      const isExpected = error instanceof ConfigError || error instanceof RefusedError
      process.stderr.write(`${isExpected ? error.message : Bun.inspect(error)}\n`)
      process.exitCode = error instanceof ConfigError ? 2 : 1
    },
  )
