import { Hono } from 'hono'
import { z } from 'zod'
import { isRelativePath } from '../domain/relative-path.ts'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireAdmin } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import { applyHeldScan, listLosses } from '../services/held-scans.ts'
import { cancelScan, getScan, listScans, requestScans } from '../services/scans.ts'
import { cursorField, idParam, idQueryField, limitField, scanShape } from './shapes.ts'

const libraryId = z.int().positive()
/** As in the keys of items: relative to the root, "/" between the names. */
const folderPath = z.string().max(4096).refine(isRelativePath, 'must be the path of a folder below the root of the library')
const scanRequest = () =>
  z
    .strictObject({ libraryId: libraryId.optional(), path: folderPath.optional() })
    .refine(({ libraryId: id, path }) => path === undefined || id !== undefined, { path: ['libraryId'], message: 'needed with a path' })
const listQuery = () => z.object({ libraryId: idQueryField.optional(), limit: limitField })
const lossesQuery = () => z.object({ limit: limitField, cursor: cursorField })
const oneScan = () => z.object({ scan: scanShape() })
const losses = () =>
  z.object({
    entries: z.array(z.object({ itemKey: z.string(), title: z.string(), tagCount: z.int() })),
    nextCursor: z.string().nullable(),
  })

export const scanRoutes = new Hono<AppEnv>()
  .post(
    '/',
    requireAdmin(),
    validate('json', scanRequest),
    answers(202, () => z.object({ scans: z.array(scanShape()) }), 'Queued scans, or the active ones; with a path, of that folder alone'),
    async (c) => c.json({ scans: await requestScans(c.var.deps, { ...c.req.valid('json'), trigger: 'manual' }) }, 202),
  )
  .get(
    '/',
    requireAdmin(),
    validate('query', listQuery),
    answers(
      200,
      () => z.object({ scans: z.array(scanShape()), held: scanShape().nullable().describe('Of one library: what may still be applied') }),
      'Scans, newest first: the last hundred of each library, the last done of all of it, and one that may still be applied',
    ),
    async (c) => jsonWithEtag(c, await listScans(c.var.deps, c.var.viewer, c.req.valid('query'))),
  )
  .get('/:id', requireAdmin(), validate('param', idParam), answers(200, oneScan, 'One scan'), async (c) =>
    jsonWithEtag(c, { scan: await getScan(c.var.deps, c.req.valid('param').id) }),
  )
  .delete('/:id', requireAdmin(), validate('param', idParam), answersBytes(204, null, 'Cancelled'), async (c) => {
    await cancelScan(c.var.deps, c.req.valid('param').id)
    return c.body(null, 204)
  })
  .get(
    '/:id/losses',
    requireAdmin(),
    validate('param', idParam),
    validate('query', lossesQuery),
    answers(200, losses, 'What a held scan would mark missing'),
    async (c) => jsonWithEtag(c, await listLosses(c.var.deps, { scanId: c.req.valid('param').id, ...c.req.valid('query') })),
  )
  .post('/:id/apply', requireAdmin(), validate('param', idParam), answers(200, oneScan, 'The scan, its losses applied'), async (c) =>
    c.json({ scan: await applyHeldScan(c.var.deps, c.req.valid('param').id) }, 200),
  )
