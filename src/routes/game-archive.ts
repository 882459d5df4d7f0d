import { Hono } from 'hono'
import { answersFile } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { archiveResponse } from '../http/archive-response.ts'
import { requirePermission } from '../http/guards.ts'
import { validate } from '../http/validate.ts'
import { openGameArchive } from '../services/game-archive.ts'
import { playableQuery } from './shapes.ts'

export const gameArchiveRoutes = new Hono<AppEnv>().get(
  '/',
  requirePermission('download'),
  validate('query', playableQuery),
  answersFile('*/*', 'An archive of a game with ranges, or a .app folder as a zip'),
  async (c) => {
    const { deps, viewer, requestId, sendFile } = c.var
    const found = await openGameArchive(deps, viewer, c.req.valid('query'))
    if ('opened' in found) return sendFile(c.req.raw, found.opened, { userId: viewer.userId, name: found.name, isDownload: true })
    // It cannot be taken up where it broke off: whoever pauses it may do so for long.
    c.env.timeout(c.req.raw, 0)
    return archiveResponse(c.req.raw, found, (error) => deps.log.warn('archive_broken_off', { requestId, error }))
  },
)
