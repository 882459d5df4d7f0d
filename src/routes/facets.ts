import { Hono } from 'hono'
import { z } from 'zod'
import { answers } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { inOwnTurn } from '../http/own-turn.ts'
import { validate } from '../http/validate.ts'
import { listFacets } from '../services/facets.ts'
import { filterFields, levelFields } from './shapes.ts'

const facetsQuery = () => z.object({ ...levelFields, ...filterFields })
const facetsShape = () =>
  z.object({
    categories: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        color: z.string().nullable(),
        tags: z.array(z.object({ id: z.int(), name: z.string(), count: z.int().describe('Entries that would remain') })),
      }),
    ),
  })

export const facetRoutes = new Hono<AppEnv>().get(
  '/',
  requireUser(),
  inOwnTurn(),
  validate('query', facetsQuery),
  answers(200, facetsShape, 'The tags that a level can be filtered by'),
  async (c) => jsonWithEtag(c, await listFacets(c.var.deps, c.var.viewer, c.req.valid('query'))),
)
