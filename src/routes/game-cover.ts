import { Hono } from 'hono'
import { z } from 'zod'
import { answers } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requirePermission } from '../http/guards.ts'
import { validate } from '../http/validate.ts'
import { COVER_KINDS, setGameCover } from '../services/game-cover.ts'
import { itemKeyQuery } from './shapes.ts'

const coverInput = () => z.strictObject({ ...itemKeyQuery().shape, kind: z.enum(COVER_KINDS), file: z.file() })

export const gameCoverRoutes = new Hono<AppEnv>().post(
  '/',
  requirePermission('upload'),
  validate('form', coverInput),
  answers(200, () => z.object({ coverUrl: z.string() }), 'Where the new picture is'),
  async (c) => c.json({ coverUrl: await setGameCover(c.var.deps, c.var.viewer, c.req.valid('form')) }, 200),
)
