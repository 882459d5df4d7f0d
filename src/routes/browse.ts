import { Hono } from 'hono'
import { z } from 'zod'
import { answers } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import { jsonText } from '../http/json-text.ts'
import { inOwnTurn } from '../http/own-turn.ts'
import { validate } from '../http/validate.ts'
import { browse } from '../services/browse.ts'
import { ORDERS, SORTS } from '../services/browse-sort.ts'
import {
  type BrowseAnswer,
  browseShape,
  cursorField,
  filterFields,
  flagField,
  levelFields,
  limitField,
  wholeNumberField,
} from './shapes.ts'

const browseQuery = () =>
  z.object({
    ...levelFields,
    ...filterFields,
    sort: z.enum(SORTS).optional(),
    order: z.enum(ORDERS).default('asc'),
    seed: wholeNumberField(0).default(0),
    limit: limitField,
    cursor: cursorField,
    around: z.string().max(4096).optional(),
    missing: flagField.optional(),
  })

export const browseRoutes = new Hono<AppEnv>().get(
  '/',
  requireUser(),
  inOwnTurn(),
  validate('query', browseQuery),
  answers(200, browseShape, 'One page of a level of a library'),
  async (c) => jsonText<BrowseAnswer>(c, (await browse(c.var.deps, c.var.viewer, c.req.valid('query'))).json),
)
