/** Copies of the database: one to take away, those that are made every day, and going back to one of them. */

import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseFile } from '../db/client.ts'
import { isOfNewerVersion } from '../db/migrate.ts'
import { checkInOtherProcess, diskError, snapshotInOtherProcess } from '../db/snapshot.ts'
import type { Deps } from '../deps.ts'
import { isBackupName } from '../domain/backup-rotation.ts'
import { AppError } from '../errors.ts'

export const backupsFolder = (dataDir: string): string => join(dataDir, 'backups')

/** Newest first. */
export const listDailyBackups = async (dataDir: string) => {
  const folder = backupsFolder(dataDir)
  const names = (await readdir(folder).catch(() => [])).filter(isBackupName).toSorted().toReversed()
  const infos = await Promise.all(names.map(async (name) => ({ name, info: await stat(join(folder, name)).catch(() => undefined) })))
  return infos.flatMap(({ name, info }) => (info ? [{ name, size: info.size, createdAt: info.mtime.toISOString() }] : []))
}

interface Backup {
  name: string
  size: number
  /** Whoever asked for it closes it. */
  handle: FileHandle
}

/** The file is gone as soon as it is opened, and its bytes with the descriptor; so is what SQLite leaves beside it when it is ended. */
const openSnapshot = async (deps: Deps, signal: AbortSignal): Promise<FileHandle> => {
  const database = databaseFile(deps.config.databaseUrl)
  if (database === null) throw new AppError('unavailable', 'A remote database is backed up by its own server.')
  const folder = join(deps.config.dataDir, 'tmp', `backup-${crypto.randomUUID()}`)
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw diskError(String(error)) ?? error
  })
  const file = join(folder, 'vitrine.db')
  try {
    await snapshotInOtherProcess(database, file, signal)
    return await open(file, 'r')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A consistent snapshot of index and settings. Throws the signal's reason. */
export const makeBackup = async (deps: Deps, signal: AbortSignal): Promise<Backup> => {
  const handle = await deps.places.inBackup(() => openSnapshot(deps, signal), signal)
  const { size } = await handle.stat()
  const name = `vitrine-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.db`
  return { name, size, handle }
}

/**
 * Has the server end, put this daily backup in the place of its database, and begin anew with it; the database as it is now
 * stays beside it. Throws `not_found` and, where the copy is damaged or of a newer version, others use the database as well or the
 * server ends already, `conflict`.
 */
export const restoreDailyBackup = async (deps: Deps, name: string): Promise<void> => {
  const known = await listDailyBackups(deps.config.dataDir)
  if (!known.some((backup) => backup.name === name)) throw new AppError('not_found')
  const file = join(backupsFolder(deps.config.dataDir), name)
  await checkInOtherProcess(file).catch((error: unknown) => {
    throw new AppError('conflict', 'This backup is damaged.', { cause: error })
  })
  if (await isOfNewerVersion(file)) throw new AppError('conflict', 'A newer version of Vitrine made this backup.')
  deps.beginAnewWith(file)
}
