import { Hono } from 'hono'
import { z } from 'zod'
import { answers } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import { jsonText } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import { getItem, type Item } from '../services/items.ts'
import { itemKeyQuery, itemShape } from './shapes.ts'

export const itemRoutes = new Hono<AppEnv>().get(
  '/',
  requireUser(),
  validate('query', itemKeyQuery),
  answers(200, z.object({ item: itemShape }), 'One item, whole'),
  async (c) => jsonText<{ item: Item }>(c, (await getItem(c.var.deps, c.var.viewer, c.req.valid('query').itemKey)).json),
)
