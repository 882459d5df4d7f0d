import { setImmediate as nextTurn } from 'node:timers/promises'
import type { InStatement, ResultSet } from '@libsql/client/sqlite3'
import { AppError } from '../errors.ts'
import { type Connected, isBusy, libsqlErrorIn, whileBusy } from './busy.ts'
import type { Database, DatabaseHandle } from './client.ts'
import type { Answer } from './threaded-connection.ts'

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** Background writes (scan batches, index upkeep) wait while anything interactive is queued. */
export type WritePriority = 'interactive' | 'background'

/**
 * The one queue for all writes of the process: SQLite takes one writer, and a second one in the same thread would
 * freeze the event loop for the busy timeout and then fail.
 *
 * `work` may run again when another process holds the database, so it does nothing but database work: no files,
 * no requests, no events. A write inside `work` goes through its `tx`; asking the writer again would wait for itself.
 */
export interface Writer {
  /** All of `work` or nothing of it, in one `BEGIN IMMEDIATE` transaction. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, priority?: WritePriority): Promise<T>
  /** All statements or none of them; the cheapest form for many rows. Where they depend on what is there, they are made in their turn. */
  batch(statements: InStatement[] | (() => Promise<InStatement[]>), priority?: WritePriority): Promise<ResultSet[]>
  /** The same on a thread, while this one answers others: for many rows at a time. */
  batchOnThread(statements: InStatement[]): Promise<Answer[]>
  /**
   * Background batches one after the other, each of them all or nothing, and with a turn for everybody else after each. As
   * many as nobody has to wait for are one transaction: a commit writes many a page again. None waits for the disk: where the power
   * fails, what was last may be undone.
   */
  batches(batches: readonly InStatement[][]): Promise<void>
  /** Resolves once everything queued so far, and whatever is queued meanwhile, is written. */
  idle(): Promise<void>
}

/** A database elsewhere says in words alone which rule it was. */
const ORPHAN = /FOREIGN KEY constraint failed/

/** What the disk has to answer for, and who was faster: something was removed between the look at it and what was to belong to it. */
const asAppError = (error: unknown): unknown => {
  const { code = '', message = '' } = libsqlErrorIn(error) ?? {}
  if (ORPHAN.test(message)) return new AppError('not_found', 'What this belongs to has just been removed.', { cause: error })
  if (code === 'SQLITE_FULL') return new AppError('insufficient_storage', undefined, { cause: error })
  const isUnwritable = isBusy(error) || /^SQLITE_(?:IOERR|READONLY)/.test(code)
  return isUnwritable ? new AppError('unavailable', 'The database cannot be written to now.', { cause: error }) : error
}

type WriterHandles = Pick<DatabaseHandle, 'client' | 'unsynced' | 'threaded' | 'log' | 'db'>

export const createWriter = ({ client, unsynced, threaded, log, db }: WriterHandles): Writer => {
  const queues: Record<WritePriority, (() => Promise<void>)[]> = { interactive: [], background: [] }
  let waiting: (() => void)[] = []
  let isRunning = false

  const withRetries = async <T>(write: () => Promise<T>, by: Connected): Promise<T> => {
    try {
      return await whileBusy(by, write)
    } catch (error) {
      throw asAppError(error)
    }
  }

  const run = async (): Promise<void> => {
    isRunning = true
    for (
      let job = queues.interactive.shift() ?? queues.background.shift();
      job;
      job = queues.interactive.shift() ?? queues.background.shift()
    ) {
      await job()
      // Requests get their turn between two writes, and native statement handles are only let go in a macrotask.
      await nextTurn()
    }
    isRunning = false
    for (const resolve of waiting) resolve()
    waiting = []
  }

  const queue = (job: () => Promise<void>, priority: WritePriority): void => {
    queues[priority].push(job)
    if (!isRunning) void run()
  }

  const enqueue = <T>(write: () => Promise<T>, priority: WritePriority, by: Connected = client): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    queue(() => withRetries(write, by).then(resolve, reject).finally(log.grow), priority)
    return promise
  }

  log.attend((work) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    queue(() => work().finally(resolve), 'interactive')
    return promise
  })

  const transact = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const failures: unknown[] = []
    try {
      return await db.transaction((tx) =>
        work(tx).catch((error: unknown) => {
          failures.push(error)
          throw error
        }),
      )
    } catch (error) {
      // SQLite may have rolled back by itself (disk full); drizzle's own rollback then fails and would hide the reason.
      throw failures[0] ?? error
    }
  }

  /** Answers how many of the batches are written: no more once an interactive write waits. */
  const writeSome = async (batches: readonly InStatement[][]): Promise<number> => {
    const tx = await unsynced.transaction('write')
    try {
      let written = 0
      for (const batch of batches) {
        await tx.batch(batch)
        written += 1
        await nextTurn()
        if (queues.interactive.length > 0) break
      }
      await tx.commit()
      log.growMuch()
      return written
    } finally {
      tx.close()
    }
  }

  const writeAll = async (batches: readonly InStatement[][]): Promise<void> => {
    for (let rest = batches; rest.length > 0; ) {
      const next = rest
      if (log.isFull()) await log.empty()
      rest = rest.slice(await enqueue(() => writeSome(next), 'background', unsynced))
    }
  }

  return {
    batches: writeAll,
    transaction: (work, priority = 'interactive') => enqueue(() => transact(work), priority),
    batch: (statements, priority = 'interactive') =>
      enqueue(async () => client.batch(typeof statements === 'function' ? await statements() : statements, 'write'), priority),
    batchOnThread: (statements) =>
      threaded
        ? enqueue(() => threaded.batch(statements), 'interactive', threaded)
        : enqueue(() => client.batch(statements, 'write'), 'interactive'),
    idle: () => (isRunning ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
  }
}
