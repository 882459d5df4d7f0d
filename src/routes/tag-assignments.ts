import { Hono } from 'hono'
import { z } from 'zod'
import { MAX_BULK_ITEMS } from '../domain/tag-filter.ts'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requirePermission, requireUser } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import { assignTag, changeTagsInBulk, listTagsOf, unassignTag } from '../services/tag-assignments.ts'
import { idQueryField, itemKeyQuery } from './shapes.ts'
import { idField, itemTagShape } from './tag-shapes.ts'

const MAX_BULK_TAGS = 100

const bulkInput = () =>
  z.strictObject({
    itemKeys: z.array(itemKeyQuery().shape.itemKey).max(MAX_BULK_ITEMS),
    add: z.array(idField).max(MAX_BULK_TAGS).default([]),
    remove: z.array(idField).max(MAX_BULK_TAGS).default([]),
  })

export const tagAssignmentRoutes = new Hono<AppEnv>()
  .get(
    '/',
    requireUser(),
    validate('query', itemKeyQuery),
    answers(200, () => z.object({ tags: z.array(itemTagShape()) }), 'The tags of one item, and who put them there'),
    async (c) => jsonWithEtag(c, { tags: await listTagsOf(c.var.deps, c.var.viewer, c.req.valid('query').itemKey) }),
  )
  .put(
    '/',
    requirePermission('tag'),
    validate('json', () => z.strictObject({ ...itemKeyQuery().shape, tagId: idField })),
    answersBytes(204, null, 'The item carries the tag'),
    async (c) => {
      await assignTag(c.var.deps, c.var.viewer, c.req.valid('json'))
      return c.body(null, 204)
    },
  )
  .delete(
    '/',
    requirePermission('tag'),
    validate('query', () => z.object({ ...itemKeyQuery().shape, tagId: idQueryField })),
    answersBytes(204, null, 'The item does not carry the tag'),
    async (c) => {
      await unassignTag(c.var.deps, c.var.viewer, c.req.valid('query'))
      return c.body(null, 204)
    },
  )
  .post(
    '/bulk',
    requirePermission('tag'),
    validate('json', bulkInput),
    answers(200, () => z.object({ changed: z.int() }), 'How many assignments changed'),
    async (c) => c.json({ changed: await changeTagsInBulk(c.var.deps, c.var.viewer, c.req.valid('json')) }, 200),
  )
