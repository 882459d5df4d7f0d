import { Hono } from 'hono'
import { z } from 'zod'
import { answers } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireAdmin } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import { listFolders } from '../services/filesystem.ts'

const folders = () =>
  z.object({
    path: z.string().nullable(),
    parent: z.string().nullable(),
    folders: z.array(z.object({ name: z.string(), path: z.string() })),
  })

export const filesystemRoutes = new Hono<AppEnv>().get(
  '/',
  requireAdmin(),
  validate('query', () => z.object({ path: z.string().max(4096).optional() })),
  answers(200, folders, 'Folders below the media roots, for the folder picker'),
  async (c) => jsonWithEtag(c, await listFolders(c.var.deps, c.req.valid('query').path)),
)
