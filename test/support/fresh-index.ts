import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DEFAULT_PERMISSIONS } from '../../src/domain/permissions.ts'
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

interface Admin {
  username: string
  password: string
}

/** Hundreds of servers sign somebody in: the numbers are part of a hash, and of these it costs nothing to look at it. */
const CHEAP = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const

/** Makes it beside its place and moves it there whole: another process may be about the same. */
const make = async (file: string, admin: Admin | undefined): Promise<void> => {
  // Most tests find one and spare themselves reading what makes it.
  const [{ openDatabase }, { migrate }, { users }, { usernameKey }, { createLog }] = await Promise.all([
    import('../../src/db/client.ts'),
    import('../../src/db/migrate.ts'),
    import('../../src/db/schema/users.ts'),
    import('../../src/domain/username.ts'),
    import('../../src/log.ts'),
  ])
  await using folder = await temporaryFolder('fresh-index')
  const made = join(folder.path, 'vitrine.db')
  const handle = await openDatabase({ databaseUrl: pathToFileURL(made).href, databaseAuthToken: null })
  await migrate(handle, createLog('silent'))
  if (admin)
    await handle.db.insert(users).values({
      username: admin.username,
      usernameKey: usernameKey(admin.username),
      passwordHash: await Bun.password.hash(admin.password, CHEAP),
      role: 'admin',
      permissions: JSON.stringify(DEFAULT_PERMISSIONS),
      createdAt: Date.now(),
    })
  await handle.client.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  await handle.close()
  await rename(made, file)
}

const templates = new Map<string, Promise<string>>()

const findTemplate = async (kind: string, admin: Admin | undefined): Promise<string> => {
  const file = join(tmpdir(), `vitrine-fresh-index-${hashOfSources()}-${process.getuid?.() ?? 0}-${kind}.db`)
  if (!existsSync(file)) await make(file, admin)
  return file
}

/**
 * Puts an empty index there, as a first start makes it, or one that has its first administrator. Each is made once on this
 * machine: every one of its migrations is a transaction.
 */
export const copyFreshIndex = async (file: string, admin?: Admin): Promise<void> => {
  const kind = admin ? `${admin.username}-${admin.password}` : 'empty'
  const template = templates.get(kind) ?? findTemplate(kind, admin)
  templates.set(kind, template)
  await mkdir(dirname(file), { recursive: true })
  await copyFile(await template, file)
}
