import { Hono } from 'hono'
import { z } from 'zod'
import { answers } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requirePermission, requireUser } from '../http/guards.ts'
import { jsonText, jsonWithEtag } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import type { Item } from '../services/items.ts'
import { getLibraryRefresh, queueLibraryRefresh, refreshFromNfo } from '../services/nfo-refresh.ts'
import { idQueryField, itemKeyQuery, itemShape } from './shapes.ts'

const queuedShape = () => z.object({ queued: z.int() })
const refreshShape = () =>
  z.object({
    ...queuedShape().shape,
    refreshed: z.int(),
    without: z.int().describe('Items without an NFO file'),
    failed: z.int(),
    unread: z.int().describe('Films or series with an NFO file that nobody has had read, once no jobs are left'),
    failures: z.array(z.object({ itemKey: z.string(), title: z.string(), code: z.string(), detail: z.string() })),
  })

export const nfoRefreshRoutes = new Hono<AppEnv>()
  .post(
    '/',
    requirePermission('editMetadata'),
    validate('json', () => z.strictObject(itemKeyQuery().shape)),
    answers(200, () => z.object({ item: itemShape() }), 'The item, with what its NFO file says'),
    async (c) => jsonText<{ item: Item }>(c, (await refreshFromNfo(c.var.deps, c.var.viewer, c.req.valid('json').itemKey)).json),
  )
  .post(
    '/library',
    requirePermission('editMetadata'),
    validate('json', () => z.strictObject({ libraryId: z.int().positive() })),
    answers(202, queuedShape, 'How many items were queued, one job each'),
    async (c) => c.json(await queueLibraryRefresh(c.var.deps, c.var.viewer, c.req.valid('json').libraryId), 202),
  )
  .get(
    '/library',
    requireUser(),
    validate('query', () => z.object({ libraryId: idQueryField })),
    answers(200, refreshShape, 'How many jobs of the library are not done yet, and what has come of the others'),
    async (c) => jsonWithEtag(c, await getLibraryRefresh(c.var.deps, c.var.viewer, c.req.valid('query').libraryId)),
  )
