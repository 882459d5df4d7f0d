import { Hono } from 'hono'
import { z } from 'zod'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requirePermission, requireUser } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { inOwnTurn } from '../http/own-turn.ts'
import { validate } from '../http/validate.ts'
import { listTags, TAG_SORTS } from '../services/tag-list.ts'
import { mergeTags } from '../services/tag-merge.ts'
import { planTagDelete } from '../services/tag-plans.ts'
import { createTag, deleteTag, updateTag } from '../services/tags.ts'
import { cursorField, idParam, idQueryField, itemKeyQuery, limitField, readOnly, searchField } from './shapes.ts'
import { deletePlanShape, idField, tagName, usedTagShape } from './tag-shapes.ts'

const tagQuery = () =>
  z.object({
    sort: z.enum(TAG_SORTS).default('name'),
    categoryId: idQueryField.optional(),
    q: searchField.optional(),
    libraryId: idQueryField.optional(),
    limit: limitField,
    cursor: cursorField,
  })
const tagInput = () => z.strictObject({ name: tagName, categoryId: idField, itemKey: itemKeyQuery().shape.itemKey.optional() })
const tagPatch = () =>
  z
    .strictObject({
      name: tagName.optional(),
      categoryId: idField.optional(),
      id: readOnly,
      categoryName: readOnly,
      color: readOnly,
      usage: readOnly,
      alias: readOnly,
      onlyLibraryId: readOnly,
    })
    .transform(
      ({ id: _id, categoryName: _categoryName, color: _color, usage: _usage, alias: _alias, onlyLibraryId: _onlyLibraryId, ...patch }) =>
        patch,
    )
const mergeInput = () => z.strictObject({ intoTagId: idField, dryRun: z.boolean().optional() })

const oneTag = () => z.object({ tag: usedTagShape() })
const listedTagShape = () =>
  z.object({
    ...usedTagShape().shape,
    alias: z.string().optional().describe('The other name by which q found it, where its own name is not what was asked for'),
    onlyLibraryId: z.int().optional().describe('The library that has all of its uses, where it is one'),
  })
const tagsShape = () =>
  z.object({
    tags: z.array(listedTagShape()),
    nextCursor: z.string().nullable(),
    total: z.int(),
  })
const mergedShape = () =>
  z.object({
    tag: usedTagShape(),
    moved: z.int().describe('Assignments that have got the other tag'),
    merged: z.int().describe('Assignments of items that had both'),
  })

export const tagItemRoutes = new Hono<AppEnv>()
  .get(
    '/',
    requireUser(),
    inOwnTurn(),
    validate('query', tagQuery),
    answers(
      200,
      tagsShape,
      'Tags, counted in the libraries that the caller may see; with libraryId in that one, and only what is used there',
    ),
    async (c) => jsonWithEtag(c, await listTags(c.var.deps, c.var.viewer, c.req.valid('query'))),
  )
  .post(
    '/',
    requirePermission('manageTags'),
    validate('json', tagInput),
    answers(201, oneTag, 'A new tag, with itemKey on that item at once (then the caller also needs "tag")'),
    async (c) => c.json({ tag: await createTag(c.var.deps, c.var.viewer, c.req.valid('json')) }, 201),
  )
  .patch(
    '/:id',
    requirePermission('manageTags'),
    validate('param', idParam),
    validate('json', tagPatch),
    answers(200, oneTag, 'The changed tag'),
    async (c) =>
      c.json({ tag: await updateTag(c.var.deps, c.var.viewer, { id: c.req.valid('param').id, patch: c.req.valid('json') }) }, 200),
  )
  .delete(
    '/:id',
    requirePermission('manageTags'),
    validate('param', idParam),
    answersBytes(204, null, 'Gone, with its assignments'),
    async (c) => {
      await deleteTag(c.var.deps, c.req.valid('param').id)
      return c.body(null, 204)
    },
  )
  .get(
    '/:id/delete-plan',
    requirePermission('manageTags'),
    validate('param', idParam),
    answers(200, deletePlanShape, 'What would go with the tag, as far as the caller may see it'),
    async (c) => jsonWithEtag(c, await planTagDelete(c.var.deps, c.var.viewer, c.req.valid('param').id)),
  )
  .post(
    '/:id/merge',
    requirePermission('manageTags'),
    validate('param', idParam),
    validate('json', mergeInput),
    answers(200, mergedShape, 'The tag is gone, its items carry the other one, its name stands for the other one'),
    async (c) => c.json(await mergeTags(c.var.deps, c.var.viewer, { id: c.req.valid('param').id, ...c.req.valid('json') }), 200),
  )
