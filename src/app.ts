/** The whole route table, and what stands in front of it. */

import { Hono, type MiddlewareHandler } from 'hono'
import { sessionMiddleware } from './auth/session-middleware.ts'
import { isAway } from './db/busy.ts'
import type { Deps } from './deps.ts'
import type { Permission } from './domain/permissions.ts'
import { AppError } from './errors.ts'
import type { AppEnv } from './http/app-env.ts'
import { type BodyLimits, bodiesInTime, bodiesInTurn } from './http/bodies-in-time.ts'
import { clientAddress } from './http/client-address.ts'
import type { ClientFiles } from './http/client-files.ts'
import { createFileSender } from './http/file-response.ts'
import { listGuardedRoutes } from './http/guards.ts'
import { headLength } from './http/head-length.ts'
import { requireOwnOrigin } from './http/origin.ts'
import { createPageSender } from './http/page-response.ts'
import { problemResponse, toAppError } from './http/problem.ts'
import { securityHeaders } from './http/security-headers.ts'
import { readUnreadBodies } from './http/unread-body.ts'
import { uploadBodies } from './http/upload-bodies.ts'
import { aiSettingsRoutes } from './routes/ai-settings.ts'
import { aiTaggingRoutes } from './routes/ai-tagging.ts'
import { artworkRoutes } from './routes/artwork.ts'
import { authRoutes } from './routes/auth.ts'
import { browseRoutes } from './routes/browse.ts'
import { eventRoutes } from './routes/events.ts'
import { facetRoutes } from './routes/facets.ts'
import { fileRoutes } from './routes/files.ts'
import { filesystemRoutes } from './routes/filesystem.ts'
import { gameArchiveRoutes } from './routes/game-archive.ts'
import { gameCoverRoutes } from './routes/game-cover.ts'
import { gameScreenshotRoutes } from './routes/game-screenshots.ts'
import { hlsRoutes } from './routes/hls.ts'
import { itemRoutes } from './routes/items.ts'
import { libraryRoutes } from './routes/libraries.ts'
import { mangaRoutes } from './routes/manga.ts'
import { mixedRoutes } from './routes/mixed.ts'
import { nfoRefreshRoutes } from './routes/nfo-refresh.ts'
import { describeApi, openApiRoutes } from './routes/openapi.ts'
import { playbackRoutes } from './routes/playback.ts'
import { progressRoutes } from './routes/progress.ts'
import { scanRoutes } from './routes/scans.ts'
import { searchRoutes } from './routes/search.ts'
import { subtitleRoutes } from './routes/subtitles.ts'
import { healthRoutes, metricsRoutes, systemRoutes } from './routes/system.ts'
import { tagRoutes } from './routes/tags.ts'
import { thumbnailRoutes } from './routes/thumbnails.ts'
import { trashRoutes } from './routes/trash.ts'
import { tvRoutes } from './routes/tv.ts'
import { userSettingsRoutes } from './routes/user-settings.ts'
import { userRoutes } from './routes/users.ts'

/** All of it at 17 kB a second. */
const JSON_LIMITS: BodyLimits = { maxBytes: 1024 * 1024, maxMs: 60_000 }
/** Of routes that anybody may send to: a name and a password of 1024 characters each, all of them escaped, are 12 KiB. */
const SIGN_IN_LIMITS: BodyLimits = { maxBytes: 16 * 1024, maxMs: 30_000 }
/** Routes that take files or what came by one, and so bodies of up to 32 MiB, from people who may send them. */
const UPLOAD_PATHS: ReadonlyMap<string, Permission> = new Map([
  ['/api/game-screenshots', 'upload'],
  ['/api/game-cover', 'upload'],
  ['/api/tags/import', 'manageTags'],
  // As many as an import may have made.
  ['/api/tags/mappings', 'manageTags'],
])

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** What a database that is away means to who asked. */
const AWAY = {
  read: 'The database cannot be read.',
  change: 'The database gives no answer: the change may have been kept, or not.',
} as const

const api = new Hono<AppEnv>()
  .route('/auth', authRoutes)
  .route('/user-settings', userSettingsRoutes)
  .route('/users', userRoutes)
  .route('/libraries', libraryRoutes)
  .route('/filesystem', filesystemRoutes)
  .route('/scans', scanRoutes)
  .route('/events', eventRoutes)
  .route('/browse', browseRoutes)
  .route('/facets', facetRoutes)
  .route('/search', searchRoutes)
  .route('/tv', tvRoutes)
  .route('/items', itemRoutes)
  .route('/trash', trashRoutes)
  .route('/mixed', mixedRoutes)
  .route('/manga', mangaRoutes)
  .route('/files', fileRoutes)
  .route('/thumbnails', thumbnailRoutes)
  .route('/artwork', artworkRoutes)
  .route('/playback', playbackRoutes)
  .route('/hls', hlsRoutes)
  .route('/subtitles', subtitleRoutes)
  .route('/progress', progressRoutes)
  .route('/tags', tagRoutes)
  .route('/nfo-refresh', nfoRefreshRoutes)
  .route('/game-screenshots', gameScreenshotRoutes)
  .route('/game-cover', gameCoverRoutes)
  .route('/game-archive', gameArchiveRoutes)
  .route('/ai-tagging', aiTaggingRoutes)
  .route('/ai-settings', aiSettingsRoutes)
  .route('/health', healthRoutes)
  .route('/system', systemRoutes)

/** What the client's typed calls are made from. */
export type ApiType = typeof api

interface AppParts {
  deps: Deps
  client: ClientFiles
}

export const createApp = ({ deps, client }: AppParts): Hono<AppEnv> => {
  const { config, log } = deps
  const sendFile = createFileSender()
  const sendPage = createPageSender()
  // Of their own: of a new library many pictures are made at once, and whoever reads would wait for all who look at it.
  const sendPicture = createPageSender()
  const root = new Hono<AppEnv>()
  root.use((c, next) => {
    c.set('deps', deps)
    c.set('sendFile', sendFile)
    c.set('sendPage', sendPage)
    c.set('sendPicture', sendPicture)
    c.set('requestId', crypto.randomUUID())
    return next()
  })
  root.use(clientAddress(config.trustProxy), securityHeaders(), readUnreadBodies())
  const app = root.basePath(config.basePath)
  app.use(
    '/api/*',
    async (c, next) => {
      await next()
      if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'private, no-cache')
    },
    headLength(),
    requireOwnOrigin(),
    sessionMiddleware(),
    limitBodies(config.basePath),
  )
  app.use('/metrics', headLength(), sessionMiddleware())

  const describe = memoise(() => describeApi(app, { version: config.version, basePath: config.basePath }))
  app.route('/api', api)
  app.route('/api', openApiRoutes(describe))
  app.route('/metrics', metricsRoutes)
  listGuardedRoutes(app)

  app.notFound(async (c) => {
    const path = `${c.req.path}/`.startsWith(`${config.basePath}/`) ? c.req.path.slice(config.basePath.length + 1) : undefined
    const isPage = isReading(c.req.method) && path !== undefined && path !== 'api' && !path.startsWith('api/')
    return (isPage ? await client.respond(path, c.req.raw) : undefined) ?? problemResponse(c, new AppError('not_found'))
  })
  app.onError((error, c) => {
    const known = toAppError(error)
    const problem =
      known.code === 'internal_error' && isAway(error)
        ? new AppError('unavailable', AWAY[isReading(c.req.method) ? 'read' : 'change'])
        : known
    if (known.code === 'internal_error')
      log.error('request_failed', { requestId: c.var.requestId, method: c.req.method, path: c.req.path, error })
    return problemResponse(c, problem)
  })
  return app
}

const limitBodies = (basePath: string): MiddlewareHandler<AppEnv> => {
  const permissions = new Set(UPLOAD_PATHS.values())
  const uploads = new Map([...permissions].map((permission) => [permission, uploadBodies(permission)]))
  const [signingIn, others] = [bodiesInTime(SIGN_IN_LIMITS), bodiesInTurn(JSON_LIMITS)]
  return (c, next) => {
    // Nobody reads a body that comes with these.
    if (isReading(c.req.method)) return next()
    const path = c.req.path.slice(basePath.length)
    const permission = UPLOAD_PATHS.get(path)
    const upload = permission && uploads.get(permission)
    if (upload) return upload(c, next)
    return path.startsWith('/api/auth/') ? signingIn(c, next) : others(c, next)
  }
}

const memoise = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
