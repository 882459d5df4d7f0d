/**
 * A connection whose statements run on a thread of libSQL's, so that the main thread answers others meanwhile. A statement
 * costs some fifty microseconds more than by `Client`, and what it writes every other connection has to read again: it is for
 * transactions of many rows, one after the other.
 */

import { type InStatement, type InValue, LibsqlError } from '@libsql/client/sqlite3'
import type Connection from 'libsql/promise'
import { setNewest } from '../domain/bounded-map.ts'
import { BUSY_TIMEOUT_MS, CONNECTION_SETTINGS, REQUIRED_PRAGMAS } from './connection-settings.ts'

/** What a statement answered; rows by the names of their columns. */
export interface Answer {
  rows: Readonly<Record<string, unknown>>[]
}

export interface ThreadedConnection {
  readonly protocol: 'file'
  /**
   * All statements or none of them, in one `BEGIN IMMEDIATE` transaction. One batch at a time. Rejects with `LibsqlError` where the
   * database refuses it.
   */
  batch(statements: readonly InStatement[]): Promise<Answer[]>
  /** The next batch finds a new connection. */
  reconnect(): Promise<void>
  /** Once the batch that is going on has ended, and for good. */
  close(): Promise<void>
}

/** What is run again and again is some dozens. */
const MAX_STATEMENTS = 64
/** A statement keeps what was bound to it last: one that was given more than this is not kept itself. */
const MUCH = 1_048_576

type Bound = string | number | null

interface Statement {
  all(args: readonly Bound[]): Promise<Answer['rows']>
}

interface Kept {
  statement: Statement
  /** How many values it takes: those that are not given would stand as they were the last time. */
  places: number
}

interface Opened {
  connection: Connection
  statements: Map<string, Kept>
}

const open = async (file: string): Promise<Opened> => {
  const { default: Connection } = await import('libsql/promise')
  const connection = new Connection(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    const required = Object.entries(REQUIRED_PRAGMAS).map(([pragma, value]) => `PRAGMA ${pragma} = ${value}`)
    await connection.exec([...required, CONNECTION_SETTINGS].join(';'))
  } catch (error) {
    connection.close()
    throw error
  }
  return { connection, statements: new Map() }
}

const isCoded = (error: unknown): error is Error & { code: unknown } => error instanceof Error && 'code' in error

const asLibsqlError = (error: unknown): unknown =>
  isCoded(error) ? new LibsqlError(error.message, String(error.code), undefined, undefined, error) : error

/** libSQL ends the process where it is given a boolean, so nothing is tried but what batches are made of. */
const isBound = (value: InValue): value is Bound => typeof value === 'string' || Number.isFinite(value) || value === null

const isMuch = (value: Bound): boolean => typeof value === 'string' && value.length > MUCH

const execute = async ({ connection, statements }: Opened, given: InStatement): Promise<Answer> => {
  const { sql, args = [] } = typeof given === 'string' ? { sql: given } : given
  if (!Array.isArray(args) || !args.every(isBound)) throw new TypeError('What is bound here is a list of strings, numbers and nulls.')
  const kept = statements.get(sql) ?? { statement: await connection.prepare(sql), places: args.length }
  if (kept.places !== args.length) throw new TypeError(`A statement of ${kept.places} values was given ${args.length}.`)
  if (args.some(isMuch)) statements.delete(sql)
  else setNewest(statements, sql, kept, MAX_STATEMENTS)
  return { rows: await kept.statement.all(args) }
}

const transact = async (opened: Opened, statements: readonly InStatement[]): Promise<Answer[]> => {
  await execute(opened, 'BEGIN IMMEDIATE')
  const answers: Answer[] = []
  for (const statement of statements) answers.push(await execute(opened, statement))
  await execute(opened, 'COMMIT')
  return answers
}

/** Opens the file with the first batch. */
export const createThreadedConnection = (file: string): ThreadedConnection => {
  let opening: Promise<Opened> | undefined
  let running: Promise<unknown> | undefined
  let isClosed = false

  const drop = async (): Promise<void> => {
    const dropped = opening
    opening = undefined
    const { connection } = (await dropped?.catch(() => undefined)) ?? {}
    // It lives on until its statements are collected, and so would a transaction. Nearly always there is none.
    await connection?.exec('ROLLBACK').catch(() => undefined)
    connection?.close()
  }

  const connect = (): Promise<Opened> => {
    opening ??= open(file).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }

  const write = async (statements: readonly InStatement[]): Promise<Answer[]> => {
    if (isClosed) throw new Error('The database is closed.')
    const opened = await connect()
    try {
      return await transact(opened, statements)
    } catch (error) {
      // A statement that failed has not ended for libSQL, and would hold its lock.
      await drop()
      throw error
    }
  }

  return {
    protocol: 'file',
    batch: (statements) => {
      const batch = write(statements).catch((error: unknown) => {
        throw asLibsqlError(error)
      })
      running = batch.catch(() => undefined)
      return batch
    },
    reconnect: drop,
    close: async () => {
      isClosed = true
      await running
      await drop()
    },
  }
}
