import { Hono } from 'hono'
import { z } from 'zod'
import { OCR_MODES } from '../domain/ai-settings.ts'
import { answers } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireAdmin, requireUser } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import { testAiEndpoint } from '../services/ai-endpoint-test.ts'
import { previewPrompt } from '../services/ai-prompt-preview.ts'
import {
  getAiSettings,
  getLibraryAiSettings,
  getOcrSettings,
  replaceAiSettings,
  replaceLibraryAiSettings,
} from '../services/ai-settings.ts'
import { aiOverridesSchema, aiPreviewInput, aiSettingsInput, aiTestInput } from '../services/ai-settings-schema.ts'
import { idQueryField } from './shapes.ts'

const activityShape = () =>
  z.object({
    model: z.string().describe('Empty: the model of all activities'),
    maxTokens: z.int(),
    prompt: z.object({ system: z.string(), instructions: z.string() }),
  })

const settingsShape = () =>
  z.object({
    endpoint: z.string(),
    model: z.string(),
    enabled: z.boolean(),
    targetLanguage: z.string(),
    concurrency: z.int(),
    timeoutSeconds: z.int(),
    activities: z.object({
      tagging: activityShape(),
      description: activityShape(),
      extraction: activityShape(),
      translation: activityShape(),
    }),
    ocrMode: z.enum(OCR_MODES),
    ocrLanguages: z.string(),
  })
const globalShape = () => settingsShape().extend({ apiKeySet: z.boolean() })
const libraryShape = () => z.object({ overrides: z.record(z.string(), z.unknown()), effective: settingsShape() })

/** Of the answer; not changed here, and passed over where somebody sends back what they got. */
const libraryInput = () =>
  z
    .strictObject({ overrides: aiOverridesSchema, effective: z.unknown().optional().describe('Passed over') })
    .transform(({ overrides }) => ({ overrides }))

const libraryParam = () => z.object({ libraryId: idQueryField })
const ocrQuery = () => z.object({ libraryId: idQueryField.optional() })

export const aiSettingsRoutes = new Hono<AppEnv>()
  .get('/', requireAdmin(), answers(200, globalShape, 'The global AI settings'), async (c) =>
    jsonWithEtag(c, await getAiSettings(c.var.deps)),
  )
  .put(
    '/',
    requireAdmin(),
    validate('json', () => aiSettingsInput),
    answers(200, globalShape, 'The settings as replaced'),
    async (c) => c.json(await replaceAiSettings(c.var.deps, c.req.valid('json')), 200),
  )
  .get(
    '/library/:libraryId',
    requireAdmin(),
    validate('param', libraryParam),
    answers(200, libraryShape, 'What a library sets itself, and what holds for it'),
    async (c) => jsonWithEtag(c, await getLibraryAiSettings(c.var.deps, c.var.viewer, c.req.valid('param').libraryId)),
  )
  .put(
    '/library/:libraryId',
    requireAdmin(),
    validate('param', libraryParam),
    validate('json', libraryInput),
    answers(200, libraryShape, 'The overrides as replaced'),
    async (c) => {
      const { libraryId } = c.req.valid('param')
      return c.json(await replaceLibraryAiSettings(c.var.deps, c.var.viewer, { libraryId, ...c.req.valid('json') }), 200)
    },
  )
  .post(
    '/test',
    requireAdmin(),
    validate('json', () => aiTestInput),
    answers(
      200,
      () => z.object({ ok: z.boolean(), models: z.array(z.string()), latencyMs: z.int().nullable(), error: z.string().nullable() }),
      'Whether the endpoint answers, and which models it has; without a body the saved endpoint',
    ),
    async (c) => c.json(await testAiEndpoint(c.var.deps, c.req.valid('json'), c.req.raw.signal), 200),
  )
  .get(
    '/ocr',
    requireUser(),
    validate('query', ocrQuery),
    answers(
      200,
      () =>
        z.object({
          enabled: z.boolean().describe('Whether models may be asked'),
          hasEndpoint: z.boolean().describe('Whether there is an endpoint to ask'),
          ocrMode: z.enum(OCR_MODES),
          ocrLanguages: z.string(),
          availableLanguages: z.array(z.string()),
        }),
      'How text is recognised, in a library or by default',
    ),
    async (c) => jsonWithEtag(c, await getOcrSettings(c.var.deps, c.var.viewer, c.req.valid('query').libraryId)),
  )
  .post(
    '/preview',
    requireAdmin(),
    validate('json', () => aiPreviewInput),
    answers(
      200,
      () =>
        z.object({
          model: z.string(),
          maxTokens: z.int(),
          messages: z.array(z.object({ role: z.enum(['system', 'user']), text: z.string() })),
          pictureSources: z.int(),
        }),
      'What a model would be asked about an item',
    ),
    async (c) => c.json(await previewPrompt(c.var.deps, c.var.viewer, c.req.valid('json')), 200),
  )
