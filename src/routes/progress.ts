import { Hono } from 'hono'
import { z } from 'zod'
import { MAX_BULK_ITEMS } from '../domain/tag-filter.ts'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import { jsonText, jsonWithEtag } from '../http/json-text.ts'
import { inOwnTurn } from '../http/own-turn.ts'
import { problemBody, toAppError } from '../http/problem.ts'
import { validate } from '../http/validate.ts'
import { getProgress, listContinue, saveProgress } from '../services/progress.ts'
import { leaveOut, markInBulk, restoreMarks } from '../services/progress-marks.ts'
import { type BrowseAnswer, entryShape, itemKeyQuery, limitField, playableQuery } from './shapes.ts'

/** Thirty years: a slip, and not a film, would be longer. */
const MAX_SECONDS = 1e9
const MAX_PAGE = 1e6
const DEFAULT_CONTINUED = 20

const seconds = z.number().min(0).max(MAX_SECONDS)
const page = z.int().min(0).max(MAX_PAGE)
const progressInput = () =>
  z.strictObject({
    ...playableQuery().shape,
    positionSeconds: seconds.nullish(),
    durationSeconds: seconds.nullish(),
    page: page.nullish().describe('Counts from 0'),
    completed: z.boolean().nullish().describe('Left out: concluded from the position or the page'),
  })
const progressShape = () =>
  z.object({
    positionSeconds: z.number().nullable(),
    durationSeconds: z.number().nullable(),
    page: z.int().nullable(),
    completed: z.boolean().nullable(),
    file: playableQuery().shape.file.describe('The part of a film that the position is in, where that is not the first'),
    updatedAt: z.iso.datetime().nullable(),
  })
const leftOut = z.boolean().describe('Of what to go on with')
const marksShape = () => z.object({ marks: z.array(z.object({ ...itemKeyQuery().shape, ...progressShape().shape, leftOut })) })
const problem = z.object({ status: z.int(), code: z.string(), detail: z.string() }).optional().describe('Why not all of it was changed')
const bulkShape = () => z.object({ ...marksShape().shape, problem })
/** A mark as it was answered: unlike a report it leaves nothing out, and nothing is concluded from it. */
const markInput = z.strictObject({
  ...itemKeyQuery().shape,
  positionSeconds: seconds.nullable(),
  durationSeconds: seconds.nullable(),
  page: page.nullable(),
  completed: z.boolean().nullable(),
  file: playableQuery().shape.file,
  updatedAt: z.iso.datetime().nullable().describe('Null: it had never been opened'),
  leftOut,
})
const marksInput = () => z.strictObject({ marks: z.array(markInput).max(MAX_BULK_ITEMS) })
const bulkInput = () => z.strictObject({ itemKeys: z.array(itemKeyQuery().shape.itemKey).max(MAX_BULK_ITEMS), completed: z.boolean() })
const continueQuery = () =>
  z.object({
    limit: limitField.default(DEFAULT_CONTINUED),
    seriesKey: itemKeyQuery().shape.itemKey.optional().describe('What to go on with in this series alone'),
  })

export const progressRoutes = new Hono<AppEnv>()
  .get(
    '/',
    requireUser(),
    validate('query', playableQuery),
    answers(200, progressShape, 'How far one has come; nulls for what was never opened'),
    async (c) => jsonWithEtag(c, await getProgress(c.var.deps, c.var.viewer, c.req.valid('query'))),
  )
  .put('/', requireUser(), validate('json', progressInput), answers(200, progressShape, 'The progress as it was kept'), async (c) =>
    c.json(await saveProgress(c.var.deps, c.var.viewer, c.req.valid('json')), 200),
  )
  .get(
    '/continue',
    requireUser(),
    inOwnTurn(),
    validate('query', continueQuery),
    answers(200, () => z.object({ entries: z.array(entryShape()) }), 'What to go on with, the latest first'),
    async (c) => jsonText<Pick<BrowseAnswer, 'entries'>>(c, (await listContinue(c.var.deps, c.var.viewer, c.req.valid('query'))).json),
  )
  .put(
    '/continue',
    requireUser(),
    validate('json', () => z.strictObject(itemKeyQuery().shape)),
    answersBytes(204, null, 'The item, and its series, may be among what to go on with'),
    async (c) => {
      await leaveOut(c.var.deps, c.var.viewer, { ...c.req.valid('json'), leftOut: false })
      return c.body(null, 204)
    },
  )
  .delete(
    '/continue',
    requireUser(),
    validate('query', itemKeyQuery),
    answersBytes(204, null, 'Neither the item nor another part of its series is among what to go on with, until one is opened again'),
    async (c) => {
      await leaveOut(c.var.deps, c.var.viewer, { ...c.req.valid('query'), leftOut: true })
      return c.body(null, 204)
    },
  )
  .post(
    '/bulk',
    requireUser(),
    validate('json', bulkInput),
    answers(200, bulkShape, 'What was changed, as it was before; a series or season stands for all that is in it'),
    async (c) => {
      const { marks, failure } = await markInBulk(c.var.deps, c.var.viewer, c.req.valid('json'))
      return c.json({ marks, ...(failure !== undefined && { problem: problemBody(toAppError(failure)) }) }, 200)
    },
  )
  .post(
    '/restore',
    requireUser(),
    validate('json', marksInput),
    answersBytes(204, null, 'Everything that is named is as far as it was'),
    async (c) => {
      await restoreMarks(c.var.deps, c.var.viewer, c.req.valid('json').marks)
      return c.body(null, 204)
    },
  )
