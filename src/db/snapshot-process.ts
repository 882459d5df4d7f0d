/** Run by `snapshot.ts`: its arguments are the database file and the copy to write, or alone a file that is to be checked. */

import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import { errorMessage } from '../domain/thrown-error.ts'
import { assertSoundDatabase, snapshotDatabase } from './snapshot.ts'

/** Only a checkpoint of the server holds up a reader. */
const BUSY_TIMEOUT_MS = 10_000

const copyDatabase = async (database: string, copy: string): Promise<void> => {
  const client = createClient({ url: pathToFileURL(database).href, concurrency: 1, timeout: BUSY_TIMEOUT_MS })
  try {
    await snapshotDatabase(client, copy)
  } finally {
    client.close()
  }
}

const [, , database = '', copy] = process.argv
try {
  await (copy === undefined ? assertSoundDatabase(database) : copyDatabase(database, copy))
} catch (error) {
  process.stderr.write(errorMessage(error))
  process.exitCode = 1
}
