import { Hono } from 'hono'
import { z } from 'zod'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requirePermission, requireUser } from '../http/guards.ts'
import { jsonText, jsonWithEtag } from '../http/json-text.ts'
import { limitRequests } from '../http/request-limit.ts'
import { validate } from '../http/validate.ts'
import { deleteItem, planDelete } from '../services/item-delete.ts'
import { followItem, getItem, type Item } from '../services/items.ts'
import { flagField, itemKeyQuery, itemShape } from './shapes.ts'

const planShape = () =>
  z.object({
    files: z.int(),
    bytes: z.int(),
    folder: z.string().describe('Relative to the library root'),
    trashDays: z.int().describe('How long it can be restored; 0: deleting is final'),
  })

const itemQuery = () =>
  z.object({
    ...itemKeyQuery().shape,
    moved: flagField.optional().describe('1: where nothing lies there any more, the item that had this key before it moved'),
  })

export const itemRoutes = new Hono<AppEnv>()
  .get(
    '/',
    requireUser(),
    validate('query', itemQuery),
    answers(200, () => z.object({ item: itemShape() }), 'One item, whole'),
    async (c) => {
      const { itemKey, moved } = c.req.valid('query')
      const get = moved ? followItem : getItem
      return jsonText<{ item: Item }>(c, (await get(c.var.deps, c.var.viewer, itemKey)).json)
    },
  )
  .delete(
    '/',
    requirePermission('delete'),
    limitRequests('deletions'),
    validate('query', itemKeyQuery),
    answersBytes(204, null, 'The folder of the film or series is gone from its place'),
    async (c) => {
      await deleteItem(c.var.deps, c.var.viewer, c.req.valid('query').itemKey)
      return c.body(null, 204)
    },
  )
  .get(
    '/delete-plan',
    requirePermission('delete'),
    validate('query', itemKeyQuery),
    answers(200, planShape, 'What deleting the item would take'),
    async (c) => jsonWithEtag(c, await planDelete(c.var.deps, c.var.viewer, c.req.valid('query').itemKey)),
  )
