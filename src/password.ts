/**
 * `bun run password NAME [--data DIR]`: a new password for somebody whom no administrator can give one any more, as the only one who
 * has lost theirs. Also while the server runs.
 */

import { existsSync } from 'node:fs'
import { DrizzleQueryError } from 'drizzle-orm'
import { generateIdFromEntropySize } from 'lucia'
import { createAuth } from './auth/auth.ts'
import { parseConfig } from './config.ts'
import { databaseFile, openDatabase } from './db/client.ts'
import { createWriter } from './db/writer.ts'
import { errorMessage } from './domain/thrown-error.ts'
import { usernameKey } from './domain/username.ts'
import { ConfigError } from './flags.ts'
import { createLog } from './log.ts'
import { listUsers, updateUser } from './services/users.ts'

const USAGE = 'Usage: bun run password NAME [--data DIR]'
/** Sixteen letters and digits, of which none looks like another. */
const PASSWORD_BYTES = 10

const run = async ([name, ...flags]: string[]): Promise<string> => {
  if (name === undefined || name.startsWith('-')) throw new ConfigError(USAGE)
  const { DATA_DIR, DATABASE_URL, DATABASE_AUTH_TOKEN } = process.env
  const config = parseConfig(flags, { DATA_DIR, DATABASE_URL, DATABASE_AUTH_TOKEN })
  const file = databaseFile(config.databaseUrl)
  if (file !== null && !existsSync(file)) throw new Error(`There is no database ${file}, or it cannot be read.`)
  const database = await openDatabase(config)
  try {
    const log = createLog('silent')
    const [write, db] = [createWriter(database), database.db]
    const known = await listUsers({ db })
    const user = known.find(({ username }) => usernameKey(username) === usernameKey(name))
    if (user === undefined)
      throw new Error(`There is nobody called ${name}. There are: ${known.map(({ username }) => username).join(', ') || 'none'}.`)
    const password = generateIdFromEntropySize(PASSWORD_BYTES)
    await updateUser({ write, auth: createAuth({ config, db, write, log }), log }, user.id, { patch: { password } })
    await write.idle()
    return `The password of ${user.username} is ${password} from now on. Every device and token of theirs is signed out; Settings takes another one.`
  } finally {
    await database.close()
  }
}

run(process.argv.slice(2)).then(
  (said) => process.stdout.write(`${said}\n`),
  (error: unknown) => {
    process.stderr.write(`${errorMessage(error instanceof DrizzleQueryError ? error.cause : error)}\n`)
    process.exitCode = error instanceof ConfigError ? 2 : 1
  },
)
