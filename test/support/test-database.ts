import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { createWriter, type Writer } from '../../src/db/writer.ts'
import { createLog } from '../../src/log.ts'
import { copyFreshIndex } from './fresh-index.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface TestDatabase extends DatabaseHandle {
  write: Writer
  /** Of the database; gone with it. */
  folder: string
  [Symbol.asyncDispose](): Promise<void>
}

export const silentLog = createLog('silent')

export const openTestFile = (file: string): Promise<DatabaseHandle> =>
  openDatabase({ databaseUrl: pathToFileURL(file).href, databaseAuthToken: null })

/** A migrated database in a file of its own; `await using` closes and removes it. */
export const testDatabase = async (): Promise<TestDatabase> => {
  const folder = await temporaryFolder('database')
  const file = join(folder.path, 'vitrine.db')
  await copyFreshIndex(file)
  const handle = await openTestFile(file)
  return {
    ...handle,
    write: createWriter(handle),
    folder: folder.path,
    [Symbol.asyncDispose]: async () => {
      await handle.close()
      await folder.remove()
    },
  }
}

/** As a later version leaves it: through a migration that this one does not know. */
export const useWithNewerVersion = async (file: string): Promise<void> => {
  const handle = await openTestFile(file)
  await handle.client.execute("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 4102444800000)")
  await handle.close()
}
