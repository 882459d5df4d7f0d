import { Hono } from 'hono'
import { z } from 'zod'
import { answers } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import { jsonText, jsonWithEtag } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import { getProgress, listContinue, saveProgress } from '../services/progress.ts'
import { type BrowseAnswer, entryShape, itemKeyQuery, wholeNumberField } from './shapes.ts'

/** Thirty years: a slip, and not a film, would be longer. */
const MAX_SECONDS = 1e9
const MAX_PAGE = 1e6
const MAX_CONTINUED = 100
const DEFAULT_CONTINUED = 20

const seconds = z.number().min(0).max(MAX_SECONDS).nullish()
const progressInput = z.strictObject({
  ...itemKeyQuery.shape,
  positionSeconds: seconds,
  durationSeconds: seconds,
  page: z.int().min(0).max(MAX_PAGE).nullish().describe('Counts from 0'),
  completed: z.boolean().nullish().describe('Left out: concluded from the position or the page'),
})
const progressShape = z.object({
  positionSeconds: z.number().nullable(),
  durationSeconds: z.number().nullable(),
  page: z.int().nullable(),
  completed: z.boolean().nullable(),
  updatedAt: z.iso.datetime().nullable(),
})
const continueQuery = z.object({ limit: wholeNumberField(1, MAX_CONTINUED).default(DEFAULT_CONTINUED) })

export const progressRoutes = new Hono<AppEnv>()
  .get(
    '/',
    requireUser(),
    validate('query', itemKeyQuery),
    answers(200, progressShape, 'How far one has come; nulls for what was never opened'),
    async (c) => jsonWithEtag(c, await getProgress(c.var.deps, c.var.viewer, c.req.valid('query').itemKey)),
  )
  .put('/', requireUser(), validate('json', progressInput), answers(200, progressShape, 'The progress as it was kept'), async (c) =>
    c.json(await saveProgress(c.var.deps, c.var.viewer, c.req.valid('json')), 200),
  )
  .get(
    '/continue',
    requireUser(),
    validate('query', continueQuery),
    answers(200, z.object({ entries: z.array(entryShape) }), 'What to go on with, the latest first'),
    async (c) => jsonText<Pick<BrowseAnswer, 'entries'>>(c, (await listContinue(c.var.deps, c.var.viewer, c.req.valid('query'))).json),
  )
