/** How the service is: for the administrator's page, for probes and for metrics. */

import { type FileHandle, mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseFile } from '../db/client.ts'
import { diskError, snapshotInOtherProcess } from '../db/snapshot.ts'
import type { Deps } from '../deps.ts'
import { isBackupName } from '../domain/backup-rotation.ts'
import { DISK_RESERVE_BYTES } from '../domain/disk-reserve.ts'
import { AppError } from '../errors.ts'
import { listOcrLanguages } from './ocr-languages.ts'

const startedAt = Date.now()

/** Whether the database answers. */
export const isHealthy = async (deps: Deps): Promise<boolean> =>
  deps.db.$client.execute('SELECT 1 FROM settings LIMIT 1').then(
    () => true,
    () => false,
  )

const sizeOf = async (file: string): Promise<number> =>
  stat(file).then(
    (info) => info.size,
    () => 0,
  )

const describeDatabase = async (deps: Deps) => {
  const file = databaseFile(deps.config.databaseUrl)
  if (file === null) return { kind: 'remote' as const, bytes: null }
  return { kind: 'file' as const, bytes: (await sizeOf(file)) + (await sizeOf(`${file}-wal`)) }
}

const describeDisk = async (folder: string) => {
  const info = await statfs(folder)
  const freeBytes = info.bavail * info.bsize
  return { freeBytes, totalBytes: info.blocks * info.bsize, nearlyFull: freeBytes < DISK_RESERVE_BYTES }
}

const listDailyBackups = async (dataDir: string) => {
  const folder = join(dataDir, 'backups')
  const names = (await readdir(folder).catch(() => [])).filter(isBackupName).toSorted().toReversed()
  const infos = await Promise.all(names.map(async (name) => ({ name, info: await stat(join(folder, name)).catch(() => undefined) })))
  return infos.flatMap(({ name, info }) => (info ? [{ name, size: info.size, createdAt: info.mtime.toISOString() }] : []))
}

export const getSystem = async (deps: Deps) => {
  const { config } = deps
  return {
    version: config.version,
    uptimeSeconds: Math.round((Date.now() - startedAt) / 1000),
    database: await describeDatabase(deps),
    disk: await describeDisk(config.dataDir),
    dailyBackups: await listDailyBackups(config.dataDir),
    memoryBytes: process.memoryUsage.rss(),
    workers: { thumbnails: deps.thumbnails.state() },
    ffmpeg: { available: config.ffmpegPath !== null, probe: config.ffprobePath !== null },
    ocrLanguages: await listOcrLanguages(deps),
  }
}

export interface Backup {
  name: string
  size: number
  stream: ReadableStream<Uint8Array>
}

const CHUNK_BYTES = 1024 * 1024

/** Reads as fast as the client takes it; the descriptor is closed at the end, when reading fails, or when the client goes away. */
const streamOf = (handle: FileHandle): UnderlyingDefaultSource<Uint8Array> => ({
  pull: async (controller) => {
    try {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(CHUNK_BYTES))
      if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead))
    } catch (error) {
      // Nobody cancels a stream that failed, and a handle that is collected while it is open ends the process.
      await handle.close()
      throw error
    }
    await handle.close()
    controller.close()
  },
  cancel: () => handle.close(),
})

/** A consistent snapshot of index and settings. The file is gone as soon as it is opened; the open descriptor feeds the stream. */
export const makeBackup = async (deps: Deps): Promise<Backup> => {
  const database = databaseFile(deps.config.databaseUrl)
  if (database === null) throw new AppError('unavailable', 'A remote database is backed up by its own server.')
  const folder = join(deps.config.dataDir, 'tmp')
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw diskError(String(error)) ?? error
  })
  const file = join(folder, `backup-${crypto.randomUUID()}.db`)
  try {
    await snapshotInOtherProcess(database, file)
    const handle = await open(file, 'r')
    const { size } = await handle.stat()
    const name = `vitrine-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.db`
    return { name, size, stream: new ReadableStream(streamOf(handle)) }
  } finally {
    await rm(file, { force: true })
  }
}

const GAUGES = {
  vitrine_libraries: 'Libraries',
  vitrine_entries: 'Present top-level entries of all libraries',
  vitrine_scans_running: 'Scans that run now',
  vitrine_jobs_queued: 'AI jobs that wait',
  vitrine_thumbnails_running: 'Thumbnails that are being made now',
} as const

/** Loaded with the first scrape, since most households never ask; made once, since it watches the process from then on. */
const loadMetrics = async () => {
  const { collectDefaultMetrics, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const gauges = new Map(Object.entries(GAUGES).map(([name, help]) => [name, new Gauge({ name, help, registers: [registry] })]))
  return { registry, set: (name: keyof typeof GAUGES, value: unknown) => gauges.get(name)?.set(Number(value ?? 0)) }
}

let metrics: ReturnType<typeof loadMetrics> | undefined

/** Prometheus text. */
export const getMetrics = async (deps: Deps): Promise<string> => {
  metrics ??= loadMetrics()
  const { registry, set } = await metrics
  const { rows } = await deps.db.$client.execute(
    `SELECT (SELECT coalesce(sum(item_count), 0) FROM libraries) AS entries, (SELECT count(*) FROM libraries) AS libraries,
      (SELECT count(*) FROM scans WHERE status = 'running') AS scans, (SELECT count(*) FROM ai_jobs WHERE status = 'queued') AS jobs`,
  )
  set('vitrine_libraries', rows[0]?.libraries)
  set('vitrine_entries', rows[0]?.entries)
  set('vitrine_scans_running', rows[0]?.scans)
  set('vitrine_jobs_queued', rows[0]?.jobs)
  set('vitrine_thumbnails_running', deps.thumbnails.state().running)
  return registry.metrics()
}
