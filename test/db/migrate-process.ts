/** Migrates the database file that is its argument; what migrate-crash.test.ts kills. */

import { migrate } from '../../src/db/migrate.ts'
import { openTestFile, silentLog } from '../support/test-database.ts'

const handle = await openTestFile(process.argv[2] ?? '')
await migrate(handle, silentLog)
await handle.close()
