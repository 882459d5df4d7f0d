/** Run by `snapshot.ts`: its arguments are the database file and the copy to write, or alone a file that is to be checked. */

import { errorMessage } from '../domain/thrown-error.ts'
import { BUSY_TIMEOUT_MS, withDatabaseFile } from './file-client.ts'
import { assertSoundDatabase, snapshotDatabase } from './snapshot.ts'

const copyDatabase = (database: string, copy: string): Promise<void> =>
  withDatabaseFile(database, (client) => snapshotDatabase(client, copy), { busyTimeoutMs: BUSY_TIMEOUT_MS })

const [, , database = '', copy] = process.argv
try {
  await (copy === undefined ? assertSoundDatabase(database) : copyDatabase(database, copy))
} catch (error) {
  process.stderr.write(errorMessage(error))
  process.exitCode = 1
}
