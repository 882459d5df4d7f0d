/** Run by `snapshotInOtherProcess`: the database file and the copy to write are its arguments. */

import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import { snapshotDatabase } from './snapshot.ts'

/** Only a checkpoint of the server holds up a reader. */
const BUSY_TIMEOUT_MS = 10_000

const [, , database = '', copy = ''] = process.argv
const client = createClient({ url: pathToFileURL(database).href, concurrency: 1, timeout: BUSY_TIMEOUT_MS })
try {
  await snapshotDatabase(client, copy)
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  client.close()
}
