/** A server's life in small, in a process of its own so that its locks end with it: migrates the file, saves a setting, then closes, dies or stays. */

import { whileBusy } from '../../src/db/busy.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openTestFile, silentLog } from './test-database.ts'

const [, , file = '', setting = '', how] = process.argv
const handle = await openTestFile(file)
await migrate(handle, silentLog)
// As the writer of a server does it: others may start on the same file.
await whileBusy(handle.client, () =>
  handle.client.execute({ sql: "INSERT OR REPLACE INTO settings VALUES ('setting', ?)", args: [setting] }),
)
process.stdout.write('ready')
if (how === 'kill') process.kill(process.pid, 'SIGKILL')
if (how === 'stay') await Bun.sleep(60_000)
await handle.close()
