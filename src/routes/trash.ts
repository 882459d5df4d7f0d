import { Hono } from 'hono'
import { z } from 'zod'
import { ITEM_TYPES } from '../domain/item-type.ts'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requirePermission } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { limitRequests } from '../http/request-limit.ts'
import { validate } from '../http/validate.ts'
import { deleteFromTrash, listTrash, restoreFromTrash } from '../services/trash.ts'
import { cursorField, idParam, idQueryField, limitField } from './shapes.ts'

const trashShape = () =>
  z.object({
    entries: z.array(
      z.object({
        id: z.int(),
        libraryId: z.int(),
        itemKey: z.string(),
        itemType: z.enum(ITEM_TYPES),
        title: z.string(),
        folder: z.string().describe('Relative to the library root'),
        files: z.int(),
        bytes: z.int(),
        deletedBy: z.string(),
        deletedAt: z.iso.datetime(),
        expiresAt: z.iso.datetime().nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
  })

export const trashRoutes = new Hono<AppEnv>()
  .get(
    '/',
    requirePermission('delete'),
    validate('query', () => z.object({ libraryId: idQueryField.optional(), limit: limitField, cursor: cursorField })),
    answers(200, trashShape, 'What was deleted and can come back, latest first'),
    async (c) => jsonWithEtag(c, await listTrash(c.var.deps, c.var.viewer, c.req.valid('query'))),
  )
  .post(
    '/:id/restore',
    requirePermission('delete'),
    validate('param', idParam),
    answers(200, () => z.object({ itemKey: z.string() }), 'The item that is back in its place'),
    async (c) => c.json(await restoreFromTrash(c.var.deps, c.var.viewer, c.req.valid('param').id), 200),
  )
  .delete(
    '/:id',
    requirePermission('delete'),
    limitRequests('deletions'),
    validate('param', idParam),
    answersBytes(204, null, 'It is gone for good'),
    async (c) => {
      await deleteFromTrash(c.var.deps, c.var.viewer, c.req.valid('param').id)
      return c.body(null, 204)
    },
  )
