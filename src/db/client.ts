import { chmod, mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Client, createClient } from '@libsql/client/sqlite3'
import { drizzle } from 'drizzle-orm/libsql/sqlite3'
import type { Config } from '../config.ts'
import { whileBusy } from './busy.ts'
import { BUSY_TIMEOUT_MS, REQUIRED_PRAGMAS } from './connection-settings.ts'
import { keepStatements } from './kept-statements.ts'
import { type AnswerLimits, openRemote } from './remote-client.ts'
import { createThreadedConnection, type ThreadedConnection } from './threaded-connection.ts'
import { createWriteAheadLog, NO_LOG, type WriteAheadLog } from './write-ahead-log.ts'

/** One connection for the write that is going on, the others for reads and snapshots. */
const FILE_CONNECTIONS = 4

/**
 * Bytes, of the pages of a new file; one that is there keeps its own. Twice SQLite's own size: a first scan writes its rows a
 * fifteenth faster, the file of a million items is an eighth smaller. Connections remember as many of them (connection-settings.ts).
 */
const PAGE_SIZE = 8192

const connect = (client: Client) => drizzle(client)

/** drizzle over the one client; `$client` is the client itself, for hot reads. Writes go through `Writer`. */
export type Database = ReturnType<typeof connect>

export interface DatabaseHandle {
  db: Database
  client: Client
  /**
   * By a connection of its own, whose commits do not wait for the disk: for what is found again where the power fails, as the rows of a
   * scan. The next commit of `client` waits for them too. A remote database is `client` itself.
   */
  unsynced: Client
  /** What it writes holds up nobody who reads. Null for a remote database, whose writes do not anyway. */
  threaded: ThreadedConnection | null
  /** Of all its connections: none of them writes it back by itself. */
  log: WriteAheadLog
  /** Absolute path of the database file; null for a remote database. */
  file: string | null
  /** From now on nothing is asked that takes minutes, as migrations do: what gives no answer for so long gives none. */
  expectAnswers(limits?: AnswerLimits): void
  /** Leaves a database file that is complete without its log. Call it after the last write. */
  close(): Promise<void>
}

/** The path that a `file:` URL names, or null where the URL leads to a server. */
export const databaseFile = (databaseUrl: string): string | null =>
  databaseUrl.startsWith('file:') ? Bun.fileURLToPath(databaseUrl) : null

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? 0

/** Bytes, with what has not been written back from its log yet; what is not there has none. */
export const databaseBytes = async (file: string): Promise<number> => (await sizeOf(file)) + (await sizeOf(`${file}-wal`))

/** `client.batch` without a mode is a deferred transaction, which poisons its connection on SQLITE_BUSY (drizzle's `db.batch` gives none). */
const batchAsWrite = (client: Client): void => {
  const batch = client.batch.bind(client)
  client.batch = (statements, mode = 'write') => batch(statements, mode)
}

/** Borrows every connection of the pool at once, so that each of them is asked and not one of them several times. */
const assertPragmas = async (client: Client): Promise<void> => {
  const borrowed = await Promise.all(Array.from({ length: FILE_CONNECTIONS }, () => client.transaction('read')))
  try {
    for (const connection of borrowed)
      for (const [pragma, required] of Object.entries(REQUIRED_PRAGMAS)) {
        const { rows } = await connection.execute(`PRAGMA ${pragma}`)
        if (rows[0]?.[0] !== required) throw new Error(`The database connection has ${pragma}=${rows[0]?.[0]}, but ${required} is needed.`)
      }
  } finally {
    for (const connection of borrowed) connection.close()
  }
}

/** SQLite gives `-wal` and `-shm` the mode of the database file, so it is set before they exist. */
const createPrivateFile = async (file: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const handle = await open(file, 'a', 0o600)
  await handle.close()
  await chmod(file, 0o600)
}

/** A restore holds the database, and puts another file in its place: a connection that waited for it has the old one. */
const useLog = async (client: Client, file: string): Promise<void> => {
  const { ino } = await stat(file)
  const hasMoved = async (): Promise<boolean> => (await stat(file)).ino !== ino
  // The pool hands out the connection that was used last, so it is the same for both.
  await client.execute(`PRAGMA page_size=${PAGE_SIZE}`)
  const mode = await client.execute('PRAGMA journal_mode=WAL').then(
    ({ rows }) => rows[0]?.[0],
    async (error: unknown) => {
      // SQLite looks too before it writes, and says that it cannot.
      if (!(await hasMoved())) throw error
    },
  )
  if (await hasMoved()) {
    await client.reconnect()
    return useLog(client, file)
  }
  if (mode !== 'wal') throw new Error(`The database ${file} cannot use a write-ahead log (journal_mode=${mode}).`)
}

type FileHandles = Pick<DatabaseHandle, 'client' | 'unsynced' | 'threaded' | 'log'>

const openFile = async (url: string, file: string): Promise<FileHandles> => {
  await createPrivateFile(file)
  keepStatements()
  const client = createClient({ url, timeout: BUSY_TIMEOUT_MS, concurrency: FILE_CONNECTIONS })
  try {
    await whileBusy(client, () => useLog(client, file))
    await assertPragmas(client)
    const unsynced = createClient({ url, timeout: BUSY_TIMEOUT_MS, concurrency: 1 })
    // A log that is not synced is still whole up to some commit (https://www.sqlite.org/pragma.html#pragma_synchronous).
    await unsynced.execute('PRAGMA synchronous = NORMAL')
    return { client, unsynced, threaded: createThreadedConnection(file), log: createWriteAheadLog(file) }
  } catch (error) {
    client.close()
    throw error
  }
}

/** Statements that await collection keep the native connections, and with them the log, so closing alone would not empty it. */
const closeFile = async ({ client, unsynced, threaded, log }: FileHandles): Promise<void> => {
  try {
    await log.close()
    await threaded?.close()
    unsynced.close()
    await client.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    client.close()
  }
}

type DatabaseAddress = Pick<Config, 'databaseUrl' | 'databaseAuthToken'>

/** Opens the database once for the life of the process: a client for each request leaks native connections. */
export const openDatabase = async (config: DatabaseAddress): Promise<DatabaseHandle> => {
  const file = databaseFile(config.databaseUrl)
  if (file === null) {
    const { client, expectAnswers } = await openRemote(config)
    batchAsWrite(client)
    return {
      db: connect(client),
      client,
      unsynced: client,
      threaded: null,
      log: NO_LOG,
      file,
      expectAnswers,
      close: async () => client.close(),
    }
  }
  const clients = await openFile(config.databaseUrl, file)
  batchAsWrite(clients.client)
  return { db: connect(clients.client), ...clients, file, expectAnswers: () => undefined, close: () => closeFile(clients) }
}
