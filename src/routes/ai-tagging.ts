import { Hono } from 'hono'
import { z } from 'zod'
import { AI_ACTIVITIES } from '../domain/ai-activity.ts'
import { AI_JOB_STATUSES } from '../domain/ai-job.ts'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireAdmin, requirePermission, requireUser } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { limitRequests } from '../http/request-limit.ts'
import { validate } from '../http/validate.ts'
import { countBatch, queueBatch } from '../services/ai-batches.ts'
import { getAiFields, listTextPages, saveExtractedText } from '../services/ai-fields.ts'
import { cancelAiJob, clearAiJobs, retryAiJob, retryFailedJobs, setQueuePaused } from '../services/ai-job-control.ts'
import { getAiQueue, listAiJobs } from '../services/ai-job-list.ts'
import { requestAiJob } from '../services/ai-jobs.ts'
import { listAiRuns, undoAiRun } from '../services/ai-undo.ts'
import { aiSuggestionRoutes } from './ai-suggestions.ts'
import { cursorField, idParam, idQueryField, itemKeyQuery, limitField } from './shapes.ts'

/** A name or a tag of a language. */
const language = z.string().max(100).optional()
const itemInput = () => z.strictObject(itemKeyQuery().shape)
const extractInput = () => itemInput().extend({ ocrLanguages: z.string().max(200).optional() })
const translateInput = () => itemInput().extend({ sourceLanguage: language, targetLanguage: language })
/** The longest text of a volume, of four bytes a character at most, is more than a body may have; the service knows what the item may have. */
const fieldsInput = () => itemInput().extend({ extractedText: z.string().refine((text) => !text.includes('\0'), 'contains NUL') })
const batchInput = () =>
  z.strictObject({
    libraryId: z.int().positive(),
    activity: z.enum(AI_ACTIVITIES),
    scope: z.enum(['untagged', 'all']),
    dryRun: z.boolean().optional(),
  })
const jobsOf = () => z.strictObject({ libraryId: z.int().positive().optional(), activity: z.enum(AI_ACTIVITIES).optional() })
const libraryId = idQueryField.optional()
const jobsQuery = () =>
  z.object({
    status: z.enum(AI_JOB_STATUSES).optional(),
    libraryId,
    activity: z.enum(AI_ACTIVITIES).optional(),
    runId: idQueryField.optional(),
    limit: limitField,
    cursor: cursorField,
  })

const queuedJob = () => z.object({ jobId: z.int(), status: z.enum(['queued', 'running']) })
const fieldsShape = () =>
  z.object({
    itemKey: z.string(),
    description: z.string().nullable(),
    extractedText: z.string().nullable(),
    isTextEdited: z.boolean().describe('A person has edited the extracted text: extracting it again needs editMetadata, too'),
    unreadPages: z.int().describe('Pages, or other pictures, of which the last extraction could read nothing'),
    translation: z.string().nullable(),
    translationStale: z.boolean(),
    aiTaggedAt: z.iso.datetime().nullable(),
    lastTagging: z
      .object({
        jobId: z.int(),
        added: z.int().describe('Tags that were not on the item by the AI before'),
        suggestions: z.array(z.string()).describe('Names that the model chose and that are no tags'),
      })
      .nullable()
      .describe('What came of the last tagging that is done'),
    jobs: z.array(
      z.object({ id: z.int(), activity: z.enum(AI_ACTIVITIES), status: z.enum(AI_JOB_STATUSES), error: z.string().nullable() }),
    ),
    cancelledJobIds: z.array(z.int()).describe('Of each activity the newest job, where that was cancelled'),
  })
const counts = z.object({ queued: z.int(), running: z.int(), done: z.int(), failed: z.int(), cancelled: z.int() })
const jobShape = () =>
  z.object({
    id: z.int(),
    itemKey: z.string(),
    title: z.string(),
    libraryId: z.int(),
    activity: z.enum(AI_ACTIVITIES),
    status: z.enum(AI_JOB_STATUSES),
    attempts: z.int(),
    priority: z.int(),
    payload: z.looseObject({}),
    error: z.string().nullable(),
    suggestions: z.array(z.string()).describe('Names that the model chose and that are no tags'),
    runId: z.int().nullable(),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
  })
const queueState = z.object({ paused: z.boolean(), waiting: z.string().nullable().describe('Why models are not asked now') })
const queueShape = () => queueState.extend({ queued: z.int(), running: z.int() })
const jobsShape = () =>
  z.object({
    jobs: z.array(jobShape()),
    counts,
    queue: queueState,
    nextCursor: z.string().nullable(),
  })
const runsShape = () =>
  z.object({
    runs: z.array(
      z.object({
        id: z.int(),
        libraryId: z.int(),
        activity: z.enum(AI_ACTIVITIES),
        trigger: z.enum(['batch', 'scan']),
        createdAt: z.iso.datetime(),
        undoneAt: z.iso.datetime().nullable(),
        counts,
      }),
    ),
    nextCursor: z.string().nullable(),
  })

const fieldRoutes = new Hono<AppEnv>()
  .get('/', requireUser(), validate('query', itemKeyQuery), answers(200, fieldsShape, 'AI texts, and the jobs for them'), async (c) =>
    jsonWithEtag(c, await getAiFields(c.var.deps, c.var.viewer, c.req.valid('query').itemKey)),
  )
  .patch(
    '/',
    requirePermission('editMetadata'),
    validate('json', fieldsInput),
    answers(200, fieldsShape, 'The fields, with the text as it was saved'),
    async (c) => c.json(await saveExtractedText(c.var.deps, c.var.viewer, c.req.valid('json')), 200),
  )

const jobRoutes = new Hono<AppEnv>()
  .get('/', requireAdmin(), validate('query', jobsQuery), answers(200, jobsShape, 'Jobs, newest first'), async (c) =>
    jsonWithEtag(c, await listAiJobs(c.var.deps, c.var.viewer, c.req.valid('query'))),
  )
  .post(
    '/retry',
    requireAdmin(),
    validate('json', jobsOf),
    answers(202, () => z.object({ queued: z.int() }), 'How many failed jobs start again'),
    async (c) => c.json(await retryFailedJobs(c.var.deps, c.var.viewer, c.req.valid('json')), 202),
  )
  .post(
    '/clear',
    requireAdmin(),
    validate('json', () => jobsOf().extend({ status: z.enum(['failed', 'queued']) })),
    answers(200, () => z.object({ cleared: z.int() }), 'How many failed jobs were put away, or waiting ones cancelled'),
    async (c) => c.json(await clearAiJobs(c.var.deps, c.var.viewer, c.req.valid('json')), 200),
  )
  .post('/:id/retry', requireAdmin(), validate('param', idParam), answers(202, queuedJob, 'The job, queued again'), async (c) =>
    c.json(await retryAiJob(c.var.deps, c.req.valid('param').id), 202),
  )
  .delete('/:id', requireAdmin(), validate('param', idParam), answersBytes(204, null, 'Cancelled'), async (c) => {
    await cancelAiJob(c.var.deps, c.req.valid('param').id)
    return c.body(null, 204)
  })

const runRoutes = new Hono<AppEnv>()
  .get(
    '/',
    requireAdmin(),
    validate('query', () => z.object({ libraryId, limit: limitField, cursor: cursorField })),
    answers(200, runsShape, 'Batches and scans that queued jobs, newest first'),
    async (c) => jsonWithEtag(c, await listAiRuns(c.var.deps, c.var.viewer, c.req.valid('query'))),
  )
  .post(
    '/:id/undo',
    requireAdmin(),
    validate('param', idParam),
    answers(200, () => z.object({ undone: z.int(), kept: z.int(), cancelled: z.int() }), 'What was taken back, and what has changed since'),
    async (c) => c.json(await undoAiRun(c.var.deps, c.req.valid('param').id), 200),
  )

export const aiTaggingRoutes = new Hono<AppEnv>()
  .route('/fields', fieldRoutes)
  .route('/jobs', jobRoutes)
  .route('/runs', runRoutes)
  .route('/suggestions', aiSuggestionRoutes)
  .get(
    '/pages',
    requireUser(),
    validate('query', itemKeyQuery),
    answers(200, () => z.object({ pages: z.array(z.object({ page: z.int(), text: z.string() })) }), 'The extracted text, page by page'),
    async (c) => jsonWithEtag(c, await listTextPages(c.var.deps, c.var.viewer, c.req.valid('query').itemKey)),
  )
  .post(
    '/tag',
    requirePermission('useAi'),
    limitRequests('aiJobs'),
    validate('json', itemInput),
    answers(202, queuedJob, 'Queued'),
    async (c) => c.json(await requestAiJob(c.var.deps, c.var.viewer, 'tagging', c.req.valid('json')), 202),
  )
  .post(
    '/describe',
    requirePermission('useAi'),
    limitRequests('aiJobs'),
    validate('json', itemInput),
    answers(202, queuedJob, 'Queued'),
    async (c) => c.json(await requestAiJob(c.var.deps, c.var.viewer, 'description', c.req.valid('json')), 202),
  )
  .post(
    '/extract',
    requirePermission('useAi'),
    limitRequests('aiJobs'),
    validate('json', extractInput),
    answers(202, queuedJob, 'Queued'),
    async (c) => c.json(await requestAiJob(c.var.deps, c.var.viewer, 'extraction', c.req.valid('json')), 202),
  )
  .post(
    '/translate',
    requirePermission('useAi'),
    limitRequests('aiJobs'),
    validate('json', translateInput),
    answers(202, queuedJob, 'Queued'),
    async (c) => c.json(await requestAiJob(c.var.deps, c.var.viewer, 'translation', c.req.valid('json')), 202),
  )
  .post(
    '/batch',
    requireAdmin(),
    validate('json', batchInput),
    answers(200, () => z.object({ eligible: z.int() }), 'How many a dry run would queue'),
    answers(202, () => z.object({ queued: z.int(), left: z.int(), runId: z.int().nullable() }), 'Queued; a dry run only counts'),
    async (c) => {
      const { dryRun, ...input } = c.req.valid('json')
      return dryRun
        ? c.json(await countBatch(c.var.deps, c.var.viewer, input), 200)
        : c.json(await queueBatch(c.var.deps, c.var.viewer, input), 202)
    },
  )
  .get('/queue', requireAdmin(), answers(200, queueShape, 'What the queue has to do'), async (c) =>
    jsonWithEtag(c, await getAiQueue(c.var.deps)),
  )
  .post(
    '/queue',
    requireAdmin(),
    validate('json', () => z.strictObject({ paused: z.boolean() })),
    answers(200, () => z.object({ paused: z.boolean() }), 'Whether the queue is paused'),
    async (c) => c.json(await setQueuePaused(c.var.deps, c.req.valid('json').paused), 200),
  )
