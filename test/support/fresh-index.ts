import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from './temporary-folder.ts'

const REPOSITORY = join(import.meta.dir, '../..')
/** Whatever an empty index is made from. */
const MADE_FROM = ['drizzle', 'src/db']

const hashOfSources = (): string => {
  const hash = createHash('sha256')
  for (const folder of MADE_FROM)
    for (const path of readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' }).toSorted())
      if (/\.(sql|json|ts)$/.test(path)) hash.update(`${path}\n`).update(readFileSync(join(REPOSITORY, folder, path)))
  return hash.digest('hex').slice(0, 16)
}

/** Makes it beside its place and moves it there whole: another process may be about the same. */
const make = async (file: string): Promise<void> => {
  // Most tests find one and spare themselves reading what makes it.
  const [{ openDatabase }, { migrate }, { createLog }] = await Promise.all([
    import('../../src/db/client.ts'),
    import('../../src/db/migrate.ts'),
    import('../../src/log.ts'),
  ])
  await using folder = await temporaryFolder('fresh-index')
  const made = join(folder.path, 'vitrine.db')
  const handle = await openDatabase({ databaseUrl: pathToFileURL(made).href, databaseAuthToken: null })
  await migrate(handle, createLog('silent'))
  await handle.client.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  await handle.close()
  await rename(made, file)
}

let template: Promise<string> | undefined

const findTemplate = async (): Promise<string> => {
  const file = join(tmpdir(), `vitrine-fresh-index-${hashOfSources()}-${process.getuid?.() ?? 0}.db`)
  if (!existsSync(file)) await make(file)
  return file
}

/** Puts an empty index there, as a first start makes it. It is made once on this machine: each of its migrations is a transaction. */
export const copyFreshIndex = async (file: string): Promise<void> => {
  template ??= findTemplate()
  await mkdir(dirname(file), { recursive: true })
  await copyFile(await template, file)
}
