/** How the service is: for the administrator's page, for probes and for metrics. */

import { statfs } from 'node:fs/promises'
import { databaseBytes, databaseFile } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import { DISK_RESERVE_BYTES } from '../domain/disk-reserve.ts'
import { succeeds } from '../domain/thrown-error.ts'
import { AppError } from '../errors.ts'
import { listDailyBackups } from './backups.ts'
import { listOcrLanguages } from './ocr-languages.ts'

const startedAt = Date.now()

/** Whether the database answers. */
export const isHealthy = async (deps: Deps): Promise<boolean> => succeeds(deps.db.$client.execute('SELECT 1 FROM settings LIMIT 1'))

const describeDatabase = async (deps: Deps) => {
  const file = databaseFile(deps.config.databaseUrl)
  if (file === null) return { kind: 'remote' as const, bytes: null }
  return { kind: 'file' as const, bytes: await databaseBytes(file) }
}

/** Throws `unavailable` where it cannot be asked. */
const describeDisk = async (folder: string) => {
  const info = await statfs(folder).catch((cause: unknown) => {
    throw new AppError('unavailable', undefined, { cause })
  })
  const freeBytes = info.bavail * info.bsize
  return { freeBytes, totalBytes: info.blocks * info.bsize, nearlyFull: freeBytes < DISK_RESERVE_BYTES }
}

export const getSystem = async (deps: Deps) => {
  const { config } = deps
  return {
    version: config.version,
    startedAt: new Date(startedAt).toISOString(),
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

const GAUGES = {
  vitrine_libraries: 'Libraries',
  vitrine_entries: 'Present top-level entries of all libraries',
  vitrine_scans_running: 'Scans that run now',
  vitrine_jobs_queued: 'AI jobs that wait',
  vitrine_thumbnails_running: 'Thumbnails that are being made now',
} as const

/** In which the delay of the event loop is measured a few times: without any, it is said to be three hundred years. */
const FIRST_DELAYS_MS = 50

/** Loaded with the first scrape, since most households never ask; made once, since it watches the process from then on. */
const loadMetrics = async () => {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  const { user, system } = process.cpuUsage()
  collectDefaultMetrics({ register: registry })
  await Bun.sleep(FIRST_DELAYS_MS)
  // These count from here on: what the process has used before is theirs, too.
  for (const [name, micros] of Object.entries({ user_: user, system_: system, '': user + system })) {
    const counter = registry.getSingleMetric(`process_cpu_${name}seconds_total`)
    if (counter instanceof Counter) counter.inc(micros / 1e6)
  }
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
