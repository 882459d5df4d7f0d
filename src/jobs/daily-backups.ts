/**
 * Writes a copy of the database into the data folder every day, for the day on which the database is damaged or somebody
 * has deleted too much. A copy is checked before it gets its name, and only then older ones go.
 */

import { mkdir, readdir, rm, statfs, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseBytes, databaseFile } from '../db/client.ts'
import { snapshotInOtherProcess } from '../db/snapshot.ts'
import type { Deps } from '../deps.ts'
import { backupName, expendableBackups, isBackupName } from '../domain/backup-rotation.ts'
import { DISK_RESERVE_BYTES } from '../domain/disk-reserve.ts'
import { backupsFolder } from '../services/backups.ts'
import { createRepeated } from './repeated.ts'
import type { Wakeable } from './wakeable.ts'

/** A start has better things to do, and a machine that runs for an hour a day is to have its backup too. */
const FIRST_LOOK_MS = 10 * 60 * 1000
const INTERVAL_MS = 60 * 60 * 1000

type BackupDeps = Pick<Deps, 'config' | 'log'>

interface BackupRun {
  now: number
  signal: AbortSignal
  reserveBytes?: number
}

/** Makes that of the day where there is none yet. */
export const backUpDaily = async (
  { config, log }: BackupDeps,
  { now, signal, reserveBytes = DISK_RESERVE_BYTES }: BackupRun,
): Promise<void> => {
  const database = databaseFile(config.databaseUrl)
  if (database === null || config.dailyBackups === 0) return
  const folder = backupsFolder(config.dataDir)
  const name = backupName(now)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const present = await readdir(folder)
  if (present.includes(name)) return
  const interrupted = present.filter((file) => file.endsWith('.partial') && isBackupName(file.slice(0, -'.partial'.length)))
  for (const file of interrupted) await rm(join(folder, file), { force: true })
  const { bavail, bsize } = await statfs(folder)
  const wantedBytes = (await databaseBytes(database)) + reserveBytes
  if (bavail * bsize < wantedBytes) return log.warn('backup_skipped', { file: name, freeBytes: bavail * bsize, wantedBytes })
  await snapshotInOtherProcess(database, join(folder, name), signal)
  for (const file of expendableBackups([...present, name], config.dailyBackups, name)) await unlink(join(folder, file))
  log.info('backup_made', { file: name, bytes: await databaseBytes(join(folder, name)) })
}

/** A database that several servers use is backed up by its own server, or by the first of them. */
export const createDailyBackups = (deps: BackupDeps, { isShared }: { isShared: boolean }): Pick<Wakeable, 'stop'> => {
  const stopping = new AbortController()
  const backups = createRepeated({
    work: async () => {
      if (!isShared) await backUpDaily(deps, { now: Date.now(), signal: stopping.signal })
    },
    onError: (error) => {
      if (!stopping.signal.aborted) deps.log.error('backup_failed', { error })
    },
    firstLookMs: FIRST_LOOK_MS,
    intervalMs: INTERVAL_MS,
  })
  return {
    stop: () => {
      stopping.abort()
      return backups.stop()
    },
  }
}
