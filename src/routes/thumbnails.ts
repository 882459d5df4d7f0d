import { Hono } from 'hono'
import { z } from 'zod'
import { THUMBNAIL_SIZE_NAMES } from '../domain/thumbnail-size.ts'
import { answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { ownFileResponse } from '../http/file-response.ts'
import { requireUser } from '../http/guards.ts'
import { listsEtag } from '../http/if-none-match.ts'
import { privateCache } from '../http/private-cache.ts'
import { validate } from '../http/validate.ts'
import { getThumbnail } from '../services/thumbnails.ts'
import { itemKeyQuery } from './shapes.ts'

const thumbnailQuery = () =>
  z.object({
    ...itemKeyQuery().shape,
    size: z.enum(THUMBNAIL_SIZE_NAMES).default('small'),
    v: z.string().max(64).optional(),
  })

export const thumbnailRoutes = new Hono<AppEnv>().get(
  '/',
  requireUser(),
  validate('query', thumbnailQuery),
  answersBytes(200, 'image/webp', 'A thumbnail, made when it is first asked for'),
  async (c) => {
    const query = c.req.valid('query')
    const { file, version } = await getThumbnail(c.var.deps, c.var.viewer, query)
    const headers = {
      'Content-Type': 'image/webp',
      // Under any other version, a picture that changes would be kept by a name that is not its own.
      'Cache-Control': privateCache(query.v === version),
      'Content-Disposition': 'inline',
      ETag: `"${version}-${query.size}"`,
    }
    if (listsEtag(c.req.header('If-None-Match'), headers.ETag)) return new Response(null, { status: 304, headers })
    return ownFileResponse(c.req.raw, Bun.file(file), headers)
  },
)
