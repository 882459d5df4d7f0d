import { Hono } from 'hono'
import { z } from 'zod'
import { PIECE_NAME } from '../domain/hls-playlist.ts'
import { answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { ownFileResponse } from '../http/file-response.ts'
import { requireUser } from '../http/guards.ts'
import { unhurried } from '../http/unhurried.ts'
import { validate } from '../http/validate.ts'
import { closeStream, getHead, getPiece, getPlaylist } from '../services/hls.ts'

const streamParam = () => z.object({ id: z.string().regex(/^[\w-]{1,64}$/) })
const pieceParam = () =>
  z.object({
    ...streamParam().shape,
    piece: z
      .string()
      .regex(PIECE_NAME)
      .transform((name) => Number(PIECE_NAME.exec(name)?.[1])),
  })

/** A stream's pieces never change; they are made again from the same file at worst. */
const asMedia = (request: Request, file: string): Response =>
  ownFileResponse(request, Bun.file(file), {
    'Content-Type': 'video/mp4',
    'Cache-Control': 'private, max-age=3600',
    'Content-Disposition': 'inline',
  })

export const hlsRoutes = new Hono<AppEnv>()
  .get(
    '/:id/index.m3u8',
    requireUser(),
    validate('param', streamParam),
    answersBytes(200, 'application/vnd.apple.mpegurl', 'The pieces of a stream that playback has opened'),
    async (c) => {
      const playlist = await getPlaylist(c.var.deps, c.var.viewer, c.req.valid('param').id)
      return c.body(playlist, 200, { 'Content-Type': 'application/vnd.apple.mpegurl', 'Cache-Control': 'no-store' })
    },
  )
  .get(
    '/:id/init.mp4',
    requireUser(),
    validate('param', streamParam),
    answersBytes(200, 'video/mp4', 'What stands in front of every piece'),
    async (c) => asMedia(c.req.raw, await getHead(c.var.deps, c.var.viewer, { ...c.req.valid('param'), signal: c.req.raw.signal })),
  )
  .delete(
    '/:id',
    requireUser(),
    validate('param', streamParam),
    answersBytes(204, null, 'Ends a stream that is not watched any more; without it, it ends by itself in half a minute'),
    async (c) => {
      await closeStream(c.var.deps, c.var.viewer, c.req.valid('param').id)
      return c.body(null, 204)
    },
  )
  .get(
    '/:id/:piece',
    requireUser(),
    validate('param', pieceParam),
    answersBytes(200, 'video/mp4', 'One piece, seg-<number>.m4s, made when it is first asked for'),
    async (c) => {
      const wanted = { ...c.req.valid('param'), signal: c.req.raw.signal }
      return asMedia(c.req.raw, await unhurried(c, () => getPiece(c.var.deps, c.var.viewer, wanted)))
    },
  )
