import { Hono } from 'hono'
import { z } from 'zod'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requirePermission, requireUser } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { inOwnTurn } from '../http/own-turn.ts'
import { validate } from '../http/validate.ts'
import { createTagCategory, deleteTagCategory, listTagCategories, updateTagCategory } from '../services/tag-categories.ts'
import { mergeTagCategories } from '../services/tag-merge.ts'
import { planCategoryDelete } from '../services/tag-plans.ts'
import { idParam, idQueryField, readOnly } from './shapes.ts'
import { categoryShape, deletePlanShape, idField, tagColor, tagName } from './tag-shapes.ts'

const categoryInput = () => z.strictObject({ name: tagName, color: tagColor.optional() })
const categoryPatch = () =>
  z
    .strictObject({ name: tagName.optional(), color: tagColor.optional(), id: readOnly, tagCount: readOnly })
    .transform(({ id: _id, tagCount: _tagCount, ...patch }) => patch)
const mergeInput = () => z.strictObject({ intoCategoryId: idField, dryRun: z.boolean().optional() })

const oneCategory = () => z.object({ category: categoryShape() })

export const tagCategoryRoutes = new Hono<AppEnv>()
  .get(
    '/',
    requireUser(),
    inOwnTurn(),
    validate('query', () => z.object({ libraryId: idQueryField.optional() })),
    answers(200, () => z.object({ categories: z.array(categoryShape()) }), 'Categories by name; with libraryId only what is used there'),
    async (c) => jsonWithEtag(c, { categories: await listTagCategories(c.var.deps, c.var.viewer, c.req.valid('query')) }),
  )
  .post('/', requirePermission('manageTags'), validate('json', categoryInput), answers(201, oneCategory, 'A new category'), async (c) =>
    c.json({ category: await createTagCategory(c.var.deps, c.req.valid('json')) }, 201),
  )
  .patch(
    '/:id',
    requirePermission('manageTags'),
    validate('param', idParam),
    validate('json', categoryPatch),
    answers(200, oneCategory, 'The changed category'),
    async (c) =>
      c.json({ category: await updateTagCategory(c.var.deps, { id: c.req.valid('param').id, patch: c.req.valid('json') }) }, 200),
  )
  .delete(
    '/:id',
    requirePermission('manageTags'),
    validate('param', idParam),
    answersBytes(204, null, 'Gone, with its tags and their assignments'),
    async (c) => {
      await deleteTagCategory(c.var.deps, c.req.valid('param').id)
      return c.body(null, 204)
    },
  )
  .get(
    '/:id/delete-plan',
    requirePermission('manageTags'),
    validate('param', idParam),
    answers(200, deletePlanShape, 'What would go with the category, as far as the caller may see it'),
    async (c) => jsonWithEtag(c, await planCategoryDelete(c.var.deps, c.var.viewer, c.req.valid('param').id)),
  )
  .post(
    '/:id/merge',
    requirePermission('manageTags'),
    validate('param', idParam),
    validate('json', mergeInput),
    answers(200, () => z.object({ movedTags: z.int(), mergedTags: z.int() }), 'The category is gone, its tags are in the other one'),
    async (c) => c.json(await mergeTagCategories(c.var.deps, { id: c.req.valid('param').id, ...c.req.valid('json') }), 200),
  )
