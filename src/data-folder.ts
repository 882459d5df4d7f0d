/** The folder that is the service's own (API.md, 12, --data): made, or known again, and never taken from anybody else. */

import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Config } from './config.ts'
import { databaseFile } from './db/client.ts'
import { isAloneIn } from './db/server-lock.ts'
import { DATABASE_NAME, LOCK_NAME } from './domain/data-names.ts'
import { isIgnoredName } from './domain/ignored-name.ts'
import { errorCode, errorMessage } from './domain/thrown-error.ts'
import { ConfigError } from './flags.ts'

type Places = Pick<Config, 'dataDir' | 'databaseUrl'>

/** Each of them may be brought into a new folder without the others: backups, to go back to one of them. */
const OWN_FOLDERS: ReadonlySet<string> = new Set(['backups', 'pages', 'thumbnails', 'tmp'])
/** Streams, a backup on its way to somebody, and what the text recognition has linked together; all of it ends with its server. */
const TEMPORARY = /^(?:hls|backup-[\da-f-]{36}(?:\.db.*)?|vitrine-ocr-\w+)$/

/** What the system says of it, or what it says itself. */
const reasonOf = (error: unknown): string => errorCode(error) || errorMessage(error)

/** A mount, a volume or a file manager may have left something in an empty folder too. */
const isOthers = (name: string): boolean => !(isIgnoredName(name) || OWN_FOLDERS.has(name) || /^vitrine\b/i.test(name))

/**
 * Somebody's home, or the root of the system, would be closed to everybody else, and filled with what is not theirs. Such have folders;
 * a file alone may be the log of this very start.
 */
const assertOurs = async ({ dataDir, databaseUrl }: Places): Promise<void> => {
  const entries = await readdir(dataDir, { withFileTypes: true })
  const database = basename(databaseFile(databaseUrl) ?? DATABASE_NAME)
  if (entries.some(({ name }) => name === LOCK_NAME || name === database)) return
  const other = entries.find((entry) => entry.isDirectory() && isOthers(entry.name))
  if (other === undefined) return
  throw new ConfigError(
    `--data, DATA_DIR: ${dataDir} holds other things (${JSON.stringify(other.name)}) and no data of this service; it must be an empty folder, or one that is still to be made`,
  )
}

/** A folder or a device is no database, and the mode of one, such as `/dev/null`, is not ours to change. Throws `ConfigError`. */
const prepareDatabasePlace = async (file: string): Promise<void> => {
  const refuse = (reason: string): never => {
    throw new ConfigError(`--database, DATABASE_URL: ${file} cannot be a database (${reason})`)
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((error: unknown) => refuse(reasonOf(error)))
  const info = await stat(file).catch((error: unknown) => (errorCode(error) === 'ENOENT' ? undefined : refuse(reasonOf(error))))
  if (info && !info.isFile()) refuse('it is no file')
}

/** Whether no other server that runs now has its data or its database here. The folders exist. */
export const isAloneWithData = ({ dataDir, databaseUrl }: Places): boolean => {
  const file = databaseFile(databaseUrl)
  return isAloneIn([dataDir, ...(file === null ? [] : [dirname(file)])])
}

/** Answers whether no other server uses it. Throws `ConfigError`. */
export const prepareDataFolder = async (config: Places): Promise<boolean> => {
  const { dataDir } = config
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await assertOurs(config)
    await chmod(dataDir, 0o700)
    const file = databaseFile(config.databaseUrl)
    if (file !== null) await prepareDatabasePlace(file)
    return isAloneWithData(config)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`--data, DATA_DIR: ${dataDir} cannot be made a data folder (${reasonOf(error)})`)
  }
}

/** What a server that was killed has left. Another server that runs has its own there. */
export const clearTemporary = async ({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> => {
  const folder = join(dataDir, 'tmp')
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => TEMPORARY.test(each))) await rm(join(folder, name), { recursive: true, force: true })
}
