import { Hono } from 'hono'
import { z } from 'zod'
import { answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import { unhurried } from '../http/unhurried.ts'
import { validate } from '../http/validate.ts'
import { getSubtitles } from '../services/subtitles.ts'
import { playableQuery } from './shapes.ts'

const subtitlesQuery = () => z.object({ ...playableQuery().shape, track: z.string().min(1).max(1024) })

export const subtitleRoutes = new Hono<AppEnv>().get(
  '/',
  requireUser(),
  validate('query', subtitlesQuery),
  answersBytes(200, 'text/vtt', 'A subtitle track as WebVTT'),
  async (c) => {
    // Reading a track out of a film on a slow disk takes longer than Bun waits.
    const wanted = { ...c.req.valid('query'), signal: c.req.raw.signal }
    const text = await unhurried(c, () => getSubtitles(c.var.deps, c.var.viewer, wanted))
    return c.body(text, 200, { 'Content-Type': 'text/vtt; charset=utf-8', 'Cache-Control': 'private, no-cache' })
  },
)
