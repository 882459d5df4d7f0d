import { type Client, createClient } from '@libsql/client/sqlite3'

/** Only a checkpoint of a running server holds up a reader. */
export const BUSY_TIMEOUT_MS = 10_000

/** Opens a database file by itself, beside whoever has it open already, for as long as `work` takes. SQLite makes the file where there is none. */
export const withDatabaseFile = async <T>(file: string, work: (client: Client) => Promise<T>, { busyTimeoutMs = 0 } = {}): Promise<T> => {
  const client = createClient({ url: Bun.pathToFileURL(file).href, concurrency: 1, timeout: busyTimeoutMs })
  try {
    return await work(client)
  } finally {
    client.close()
  }
}
