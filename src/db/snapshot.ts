import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Client } from '@libsql/client/sqlite3'
import { errorCode } from '../domain/thrown-error.ts'
import { AppError } from '../errors.ts'
import { withDatabaseFile } from './file-client.ts'

const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * A rename is only durable once the folder that holds the name is synced too. Network and FAT file systems refuse that: what they
 * promise is theirs, and a copy on one is better than none. A disk that fails is none to keep a copy on.
 */
const syncFolder = (folder: string): Promise<void> =>
  syncPath(folder).catch((error: unknown) => {
    if (errorCode(error) === 'EIO') throw error
  })

/** Throws where the file is no sound SQLite database: cut short, of another kind, or with broken pages. */
export const assertSoundDatabase = async (file: string): Promise<void> => {
  const { rows } = await withDatabaseFile(file, (client) => client.execute('PRAGMA integrity_check'))
  if (rows.length !== 1 || rows[0]?.[0] !== 'ok') throw new Error(`${file} is a damaged database: ${rows[0]?.[0] ?? 'no answer'}`)
}

/**
 * Writes everything committed so far into `file`, as a database of its own. The name appears once the copy is complete,
 * checked and on the disk; a copy that was interrupted leaves at most `<file>.partial`. Replaces `file` where it exists.
 */
export const snapshotDatabase = async (client: Client, file: string): Promise<void> => {
  const partial = `${file}.partial`
  await rm(partial, { force: true })
  try {
    // VACUUM INTO creates the file by the umask; made here first, it is private from its first byte on.
    await (await open(partial, 'wx', 0o600)).close()
    await client.execute({ sql: 'VACUUM INTO ?', args: [partial] })
    await assertSoundDatabase(partial)
    await syncPath(partial)
    await rename(partial, file)
    await syncFolder(dirname(file))
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** What the disk has to answer for; undefined where it is something else. */
export const diskError = (problem: string): AppError | undefined => {
  if (/SQLITE_FULL|ENOSPC|EDQUOT/.test(problem)) return new AppError('insufficient_storage')
  if (/SQLITE_IOERR|EROFS|EACCES/.test(problem)) return new AppError('unavailable', 'The data folder cannot be written to now.')
  return undefined
}

const runInOtherProcess = async (files: readonly string[], signal?: AbortSignal): Promise<void> => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'snapshot-process.ts'), ...files], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    signal,
  })
  const [problem, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited])
  if (exitCode === 0) return
  signal?.throwIfAborted()
  throw diskError(problem) ?? new Error(`The snapshot failed (exit code ${exitCode}): ${problem}`)
}

/**
 * `snapshotDatabase` for a server at work: copying and checking a million items takes seconds, in which this process
 * would answer nobody. A second process may read the file; it never writes to it. Where `signal` ends it, `<file>.partial`
 * stays.
 */
export const snapshotInOtherProcess = (database: string, file: string, signal?: AbortSignal): Promise<void> =>
  runInOtherProcess([database, file], signal)

/** `assertSoundDatabase` for a server at work. */
export const checkInOtherProcess = (file: string): Promise<void> => runInOtherProcess([file])
