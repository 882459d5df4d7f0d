import { Hono } from 'hono'
import { z } from 'zod'
import { AI_ACTIVITIES } from '../domain/ai-activity.ts'
import { LIBRARY_TYPES } from '../domain/item-type.ts'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireAdmin, requireUser } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import { createLibrary, deleteLibrary, getLibrary, listLibraries, updateLibrary } from '../services/libraries.ts'
import { getLibraryContents, purgeMissing } from '../services/library-contents.ts'
import { idParam, libraryShape, readOnly } from './shapes.ts'
import { tagName as name } from './tag-shapes.ts'

const path = z.string().min(1).max(4096)
const scanSchedule = z.string().trim().max(100).nullable()
/** In the order given, each once. */
const aiOnScan = z
  .array(z.enum(AI_ACTIVITIES))
  .max(AI_ACTIVITIES.length)
  .transform((activities) => [...new Set(activities)])
const trashDays = z.int().min(0).max(3650)

const libraryInput = () =>
  z.strictObject({
    name,
    type: z.enum(LIBRARY_TYPES),
    path,
    scanSchedule: scanSchedule.optional(),
    trashDays: trashDays.optional(),
  })

/** Read-only fields are taken and ignored, so that an answer can be sent back; the type is taken as long as it is the library's own. */
const libraryPatch = () =>
  z
    .strictObject({
      name: name.optional(),
      path: path.optional(),
      scanSchedule: scanSchedule.optional(),
      trashDays: trashDays.optional(),
      aiOnScan: aiOnScan.optional(),
      type: z.enum(LIBRARY_TYPES).optional(),
      id: readOnly,
      itemCount: readOnly,
      available: readOnly,
      lastScan: readOnly,
      heldScanId: readOnly,
    })
    .transform(({ id: _id, itemCount: _count, available: _available, lastScan: _last, heldScanId: _held, ...patch }) => patch)

const oneLibrary = () => z.object({ library: libraryShape() })

const contents = z.object({
  items: z.int().describe('Of every level, missing ones included: what deleting the library forgets'),
  assignments: z.int().describe('Tags on them'),
  missing: z.int().describe('Missing ones that no trash holds: what purge-missing forgets'),
  missingAssignments: z.int(),
})

export const libraryRoutes = new Hono<AppEnv>()
  .get(
    '/',
    requireUser(),
    answers(200, () => z.object({ libraries: z.array(libraryShape()) }), 'The libraries that the caller may see'),
    async (c) => jsonWithEtag(c, { libraries: await listLibraries(c.var.deps, c.var.viewer) }),
  )
  .post('/', requireAdmin(), validate('json', libraryInput), answers(201, oneLibrary, 'A new library'), async (c) =>
    c.json({ library: await createLibrary(c.var.deps, c.var.viewer, c.req.valid('json')) }, 201),
  )
  .get('/:id', requireUser(), validate('param', idParam), answers(200, oneLibrary, 'One library'), async (c) =>
    jsonWithEtag(c, { library: await getLibrary(c.var.deps, c.var.viewer, c.req.valid('param').id) }),
  )
  .patch(
    '/:id',
    requireAdmin(),
    validate('param', idParam),
    validate('json', libraryPatch),
    answers(200, oneLibrary, 'The changed library'),
    async (c) =>
      c.json({ library: await updateLibrary(c.var.deps, c.var.viewer, { id: c.req.valid('param').id, patch: c.req.valid('json') }) }, 200),
  )
  .delete('/:id', requireAdmin(), validate('param', idParam), answersBytes(204, null, 'Forgotten; no file is touched'), async (c) => {
    await deleteLibrary(c.var.deps, c.var.viewer, c.req.valid('param').id)
    return c.body(null, 204)
  })
  .get(
    '/:id/contents',
    requireAdmin(),
    validate('param', idParam),
    answers(200, () => z.object({ contents }), 'How much the library holds, and how much of it is missing'),
    async (c) => jsonWithEtag(c, { contents: await getLibraryContents(c.var.deps, c.var.viewer, c.req.valid('param').id) }),
  )
  .post(
    '/:id/purge-missing',
    requireAdmin(),
    validate('param', idParam),
    answers(200, () => z.object({ purged: z.int() }), 'How many missing items were forgotten'),
    async (c) => c.json({ purged: await purgeMissing(c.var.deps, c.var.viewer, c.req.valid('param').id) }, 200),
  )
