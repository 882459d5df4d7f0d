import { Hono } from 'hono'
import { z } from 'zod'
import { ARTWORK_KINDS } from '../domain/scanned-item.ts'
import { THUMBNAIL_SIZE_NAMES } from '../domain/thumbnail-size.ts'
import { answersFile } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import { validate } from '../http/validate.ts'
import { openArtwork, readSmallArtwork } from '../services/thumbnails.ts'
import { itemKeyQuery } from './shapes.ts'

const artworkQuery = () =>
  z
    .object({
      ...itemKeyQuery().shape,
      kind: z.enum(ARTWORK_KINDS),
      name: z.string().max(255).optional().describe('Which of the screenshots'),
      size: z.enum(THUMBNAIL_SIZE_NAMES).optional().describe('As of thumbnails; without it, the file itself'),
      v: z.string().max(64).optional(),
    })
    .refine(({ kind, name }) => kind !== 'screenshot' || name !== undefined, { path: ['name'], message: 'needed for a screenshot' })

export const artworkRoutes = new Hono<AppEnv>().get(
  '/',
  requireUser(),
  validate('query', artworkQuery),
  answersFile('image/*', 'A picture that belongs to an item'),
  async (c) => {
    const query = c.req.valid('query')
    const { deps, viewer, sendFile, sendPicture } = c.var
    const { userId } = viewer
    const { size, v } = query
    const sendWhole = async (): Promise<Response> => {
      const { opened, name, version } = await openArtwork(deps, viewer, query)
      // In place of a smaller one that could not be made now, it is not for good.
      return sendFile(c.req.raw, opened, { userId, name, isImmutable: size === undefined && version !== undefined && v === version })
    }
    if (size === undefined) return sendWhole()
    return sendPicture(c.req.raw, userId, async () => {
      const small = await readSmallArtwork(deps, viewer, { ...query, size, signal: c.req.raw.signal })
      return small ? { ...small, version: `${small.version}-${size}`, isImmutable: !small.isForNow && v === small.version } : sendWhole
    })
  },
)
