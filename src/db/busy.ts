import { type Client, LibsqlError } from '@libsql/client/sqlite3'
import { errorCode } from '../domain/thrown-error.ts'

/** 5 ms, 10 ms, 20 ms … up to half a second; given up after about ten seconds. */
const FIRST_BACKOFF_MS = 5
const MAX_BACKOFF_MS = 500
const MAX_ATTEMPTS = 25

export const libsqlErrorIn = (error: unknown): LibsqlError | undefined => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof LibsqlError) return cause
  return undefined
}

/** `TRANSACTION_…` as sqld has it: one that lasts for five seconds is ended for another that waits, and undone; or there are too many. */
const BUSY = /^(?:SQLITE_(?:BUSY|LOCKED)|TRANSACTION_(?:TIMEOUT|BUSY)$)/

/** Whether it failed because somebody else holds the database. */
export const isBusy = (error: unknown): boolean => BUSY.test(libsqlErrorIn(error)?.code ?? '')

/** What a database answers that cannot be read: over HTTP `SERVER_ERROR`, what is none of its answers, or nothing at all. */
const AWAY =
  /^(?:SERVER_ERROR|HRANA_PROTO_ERROR|STREAM_EXPIRED|SQLITE_(?:IOERR|CANTOPEN|CORRUPT|NOTADB)\w*|E(?:CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|NOTFOUND|TIMEDOUT))$/

/** Whether it failed because the database is not there, or cannot be read. */
export const isAway = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (AWAY.test(errorCode(cause))) return true
  return false
}

/** Whose connections there are. */
export type Connected = Pick<Client, 'protocol' | 'reconnect'>

/** Does `work` again, without freezing this process, for as long as another one holds the database. Throws what the last attempt threw. */
export const whileBusy = async <T>(client: Connected, work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || attempt === MAX_ATTEMPTS) throw error
      // A native connection that met SQLITE_BUSY can keep the lock until its statement is collected: start with fresh ones.
      if (client.protocol === 'file') await client.reconnect()
      await Bun.sleep(Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1)))
    }
  }
}
