import { Hono } from 'hono'
import { z } from 'zod'
import { answers } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import { jsonText } from '../http/json-text.ts'
import { inOwnTurn } from '../http/own-turn.ts'
import { validate } from '../http/validate.ts'
import { listSeriesEpisodeTags } from '../services/series-episode-tags.ts'
import { idQueryField } from './shapes.ts'

const libraryQuery = () => z.object({ libraryId: idQueryField })
const seriesShape = () => z.object({ series: z.record(z.string(), z.record(z.string(), z.array(z.int()))) })

export const tvRoutes = new Hono<AppEnv>().get(
  '/series-episode-tags',
  requireUser(),
  inOwnTurn(),
  validate('query', libraryQuery),
  answers(200, seriesShape, 'The tags of the episodes of every series'),
  async (c) =>
    jsonText<z.infer<ReturnType<typeof seriesShape>>>(
      c,
      (await listSeriesEpisodeTags(c.var.deps, c.var.viewer, c.req.valid('query').libraryId)).json,
    ),
)
