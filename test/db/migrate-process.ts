/** Migrates the database file that is its first argument, and dies by SIGKILL in front of the statement whose number is its second. */

import type { InStatement } from '@libsql/client'
import { migrate } from '../../src/db/migrate.ts'
import { openTestFile, silentLog } from '../support/test-database.ts'

const [, , file = '', deadly = ''] = process.argv

/** The client reads `sql` in the middle of its transaction, when it comes to this statement. */
const suicide: InStatement = {
  get sql() {
    process.kill(process.pid, 'SIGKILL')
    return 'SELECT 1'
  },
  args: [],
}

const handle = await openTestFile(file)
const send = handle.client.migrate.bind(handle.client)
let sent = 0
handle.client.migrate = (statements) => {
  const at = Number(deadly) - sent
  sent += statements.length
  return send(at >= 0 && at < statements.length ? [...statements.slice(0, at), suicide, ...statements.slice(at)] : statements)
}
await migrate(handle, silentLog)
await handle.close()
