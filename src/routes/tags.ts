import { Hono } from 'hono'
import { z } from 'zod'
import { SKIP_REASONS } from '../domain/tag-file.ts'
import { answers } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requirePermission, requireUser } from '../http/guards.ts'
import { smallShape } from '../http/json-shape.ts'
import { jsonStream, jsonText, jsonWithEtag } from '../http/json-text.ts'
import { inOwnTurn } from '../http/own-turn.ts'
import { tagFileOf, takesTagFile } from '../http/tag-file-body.ts'
import { unhurried } from '../http/unhurried.ts'
import { validate } from '../http/validate.ts'
import { listLibraryAssignments } from '../services/library-assignments.ts'
import { exportTags } from '../services/tag-export.ts'
import { tagFileShape } from '../services/tag-file-json.ts'
import { importTags } from '../services/tag-import.ts'
import { listTagMappings, replaceTagMappings } from '../services/tag-mappings.ts'
import { flagField, idQueryField, readOnly } from './shapes.ts'
import { tagAssignmentRoutes } from './tag-assignments.ts'
import { tagCategoryRoutes } from './tag-categories.ts'
import { tagItemRoutes } from './tag-items.ts'
import { idField, mappingSource } from './tag-shapes.ts'

const assignmentsShape = () => z.object({ assignments: z.record(z.string(), z.array(z.int())) })
const mappingInput = (isPresent: (source: string) => boolean) =>
  z
    .strictObject({ source: mappingSource(isPresent), tagId: idField, tagName: readOnly, categoryName: readOnly })
    .transform(({ source, tagId }) => ({ source, tagId }))
const newMapping = mappingInput(() => false)
/** What is wrong in it is told by its service, as there may be very many. */
const mappingsInput = () => z.strictObject({ mappings: z.array(z.custom<z.input<typeof newMapping>>()) })
const mappingsShape = () =>
  z.object({
    mappings: z.array(z.object({ source: z.string(), tagId: z.int(), tagName: z.string(), categoryName: z.string() })),
  })

const importShape = () =>
  z.object({
    createdCategories: z.int(),
    createdTags: z.int(),
    createdMappings: z.int(),
    assigned: z.int(),
    unchanged: z.int().describe('Tags and assignments that were there already'),
    skipped: z
      .array(z.object({ row: z.int(), reason: z.enum(SKIP_REASONS), value: z.string() }))
      .describe('The first thousand; row counts from 1: the line of a table, the place in the list of categories or assignments'),
    skippedCount: z.int(),
  })

/** Of 200,000, with all that a mapping may say. */
const MAX_MAPPING_VALUES = 1_000_000
/** As many tags, and more assigned ones than 32 MiB hold of real names. */
const MAX_FILE_VALUES = 3_000_000

export const tagRoutes = new Hono<AppEnv>()
  .route('/categories', tagCategoryRoutes)
  .route('/items', tagItemRoutes)
  .route('/assignments', tagAssignmentRoutes)
  .get(
    '/library-assignments',
    requireUser(),
    inOwnTurn(),
    validate('query', () => z.object({ libraryId: idQueryField })),
    answers(200, assignmentsShape, 'Every assignment of a library: ids of tags by item key'),
    async (c) =>
      jsonText<z.infer<ReturnType<typeof assignmentsShape>>>(
        c,
        (await listLibraryAssignments(c.var.deps, c.var.viewer, c.req.valid('query').libraryId)).json,
      ),
  )
  .get('/mappings', requirePermission('manageTags'), answers(200, mappingsShape, 'Other names that stand for a tag'), async (c) =>
    jsonWithEtag(c, { mappings: await listTagMappings(c.var.deps) }),
  )
  .put(
    '/mappings',
    requirePermission('manageTags'),
    smallShape(MAX_MAPPING_VALUES),
    validate('json', mappingsInput, () => z.strictObject({ mappings: z.array(newMapping) })),
    answers(200, mappingsShape, 'The mappings that stand from now on: these and no others'),
    async (c) => c.json({ mappings: await replaceTagMappings(c.var.deps, c.req.valid('json').mappings, mappingInput) }, 200),
  )
  .post(
    '/import',
    requirePermission('manageTags'),
    validate('query', () => z.object({ dryRun: flagField.optional() })),
    smallShape(MAX_FILE_VALUES),
    takesTagFile(tagFileShape),
    answers(200, importShape, 'What the file adds, or would add (dryRun)'),
    async (c) =>
      c.json(await importTags(c.var.deps, c.var.viewer, { ...(await tagFileOf(c)), dryRun: c.req.valid('query').dryRun ?? false }), 200),
  )
  .get(
    '/export',
    requireUser(),
    validate('query', () => z.object({ libraryId: idQueryField.optional() })),
    answers(200, () => tagFileShape, 'All tags, and the assignments that the caller may see, as a file that imports to the same'),
    async (c) => {
      return jsonStream(
        c,
        await unhurried(c, () => exportTags(c.var.deps, c.var.viewer, { ...c.req.valid('query'), signal: c.req.raw.signal })),
        'vitrine-tags.json',
      )
    },
  )
