import { Hono } from 'hono'
import { z } from 'zod'
import { answers } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { inOwnTurn } from '../http/own-turn.ts'
import { validate } from '../http/validate.ts'
import { listMixedFolders } from '../services/mixed-folders.ts'
import { flagField, idQueryField } from './shapes.ts'

const foldersQuery = () =>
  z.object({
    libraryId: idQueryField,
    path: z.string().max(4096).default(''),
    pictures: flagField.optional().describe('With a picture out of each folder'),
  })
const folder = z.object({
  name: z.string(),
  path: z.string(),
  itemCount: z.int(),
  thumbnailUrl: z.string().nullable().optional().describe('Where `pictures` are asked for'),
  thumbhash: z.string().nullable().optional(),
})
const folders = () => z.object({ folders: z.array(folder) })

export const mixedRoutes = new Hono<AppEnv>().get(
  '/folders',
  requireUser(),
  inOwnTurn(),
  validate('query', foldersQuery),
  answers(200, folders, 'The folders directly below a folder of a mixed library'),
  async (c) => jsonWithEtag(c, { folders: await listMixedFolders(c.var.deps, c.var.viewer, c.req.valid('query')) }),
)
