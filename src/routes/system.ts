import { Hono } from 'hono'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { streamOf } from '../http/file-body.ts'
import { anyone, requireAdmin } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import { makeBackup, restoreDailyBackup } from '../services/backups.ts'
import { getMetrics, getSystem, isHealthy } from '../services/system.ts'

const system = () =>
  z.object({
    version: z.string(),
    startedAt: z.iso.datetime(),
    uptimeSeconds: z.int(),
    database: z.object({ kind: z.enum(['file', 'remote']), bytes: z.int().nullable() }),
    disk: z.object({
      freeBytes: z.int(),
      totalBytes: z.int(),
      nearlyFull: z.boolean().describe('Thumbnails ahead of time, AI jobs and daily backups wait until there is room'),
    }),
    dailyBackups: z.array(z.object({ name: z.string(), size: z.int(), createdAt: z.iso.datetime() })).describe('Newest first'),
    memoryBytes: z.int(),
    workers: z.object({ thumbnails: z.object({ pending: z.int(), running: z.int() }) }),
    ffmpeg: z.object({ available: z.boolean(), probe: z.boolean() }),
    ocrLanguages: z.array(z.string()),
  })

export const healthRoutes = new Hono<AppEnv>().get(
  '/',
  anyone(),
  answers(200, () => z.object({ status: z.literal('ok'), version: z.string() }), 'The service answers and its database can be read'),
  async (c) => {
    if (!(await isHealthy(c.var.deps))) throw new AppError('unavailable', 'The database cannot be read.')
    return jsonWithEtag(c, { status: 'ok' as const, version: c.var.deps.config.version })
  },
)

export const systemRoutes = new Hono<AppEnv>()
  .get('/', requireAdmin(), answers(200, system, 'Versions, sizes and what is installed'), async (c) =>
    jsonWithEtag(c, await getSystem(c.var.deps)),
  )
  .post(
    '/backup',
    requireAdmin(),
    answersBytes(200, 'application/vnd.sqlite3', 'A consistent snapshot of index and settings'),
    async (c) => {
      c.env.timeout(c.req.raw, 0)
      const { name, size, handle } = await makeBackup(c.var.deps, c.req.raw.signal)
      return c.body(streamOf(handle, { start: 0, end: size - 1 }), 200, {
        'Content-Type': 'application/vnd.sqlite3',
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'no-store',
        'X-Content-Length': String(size),
      })
    },
  )
  .post(
    '/restore',
    requireAdmin(),
    validate('json', () => z.strictObject({ name: z.string().describe('Of one of the daily backups') })),
    answers(
      202,
      () => z.object({ restoring: z.string() }),
      'The server begins anew with this daily backup; everybody has to sign in again',
    ),
    async (c) => {
      // A copy of millions is looked through before it is believed.
      c.env.timeout(c.req.raw, 0)
      const { name } = c.req.valid('json')
      await restoreDailyBackup(c.var.deps, name)
      return c.json({ restoring: name }, 202)
    },
  )

export const metricsRoutes = new Hono<AppEnv>().get('/', requireAdmin(), answersBytes(200, 'text/plain', 'Prometheus metrics'), async (c) =>
  c.text(await getMetrics(c.var.deps), 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' }),
)
