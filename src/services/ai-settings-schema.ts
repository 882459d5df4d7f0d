/** What AI settings may hold: what administrators send, and what is kept. Everything absent is the default. */

import { z } from 'zod'
import { endpointProblem } from '../ai/endpoint-address.ts'
import { AI_ACTIVITIES, type AiActivity, byActivity } from '../domain/ai-activity.ts'
import { AI_LIMITS, type AiOverrides, type AiSettings, defaultAiSettings, OCR_MODES } from '../domain/ai-settings.ts'

const DEFAULTS = defaultAiSettings()

/** SQLite's text functions stop at NUL, and no prompt means one. */
const text = (max: number) =>
  z
    .string()
    .max(max, `At most ${max} characters`)
    .refine((value) => !value.includes('\0'), 'Control characters are not allowed')

const model = text(AI_LIMITS.model).trim()
const language = text(64).trim()
const prompt = text(AI_LIMITS.prompt)
/** People read the message beside the field. */
const wholeNumber = ({ min, max }: { min: number; max: number }) => {
  const message = `A whole number from ${min} to ${max}`
  return z.int(message).min(min, message).max(max, message)
}
const maxTokens = wholeNumber(AI_LIMITS.maxTokens)
const ocrMode = z.enum(OCR_MODES)
/** Names of language data joined with "+"; which of them are installed may change at any time. */
const ocrLanguages = text(120)
  .trim()
  .regex(/^(?:[A-Za-z]\w*(?:\+[A-Za-z]\w*){0,9})?$/, 'names of languages such as eng, at most ten, joined with +')

const endpoint = text(2000)
  .trim()
  .superRefine((value, context) => {
    const problem = value === '' ? undefined : endpointProblem(value)
    if (problem !== undefined) context.addIssue(problem)
  })

const apiKey = text(1000)
  .trim()
  .regex(/^[\x21-\x7e]*$/, 'must be printable characters without spaces')

/** Of settings that are kept, what another version of the server knows is passed over. */
const activity = (name: AiActivity) => {
  const defaults = DEFAULTS.activities[name]
  const promptShape = z.object({
    system: prompt.default(defaults.prompt.system),
    instructions: prompt.default(defaults.prompt.instructions),
  })
  const members = { model: model.default(''), maxTokens: maxTokens.default(defaults.maxTokens) }
  return {
    kept: z.object({ ...members, prompt: promptShape.prefault({}) }).prefault({}),
    sent: z.strictObject({ ...members, prompt: promptShape.strict().prefault({}) }).prefault({}),
  }
}

const members = {
  endpoint: endpoint.default(DEFAULTS.endpoint),
  model: model.default(DEFAULTS.model),
  enabled: z.boolean().default(DEFAULTS.enabled),
  targetLanguage: language.default('').transform((value) => value || DEFAULTS.targetLanguage),
  concurrency: wholeNumber(AI_LIMITS.concurrency).default(DEFAULTS.concurrency),
  timeoutSeconds: wholeNumber(AI_LIMITS.timeoutSeconds).default(DEFAULTS.timeoutSeconds),
  ocrMode: ocrMode.default(DEFAULTS.ocrMode),
  ocrLanguages: ocrLanguages.default('').transform((value) => value || DEFAULTS.ocrLanguages),
}

export const aiSettingsSchema: z.ZodType<AiSettings, unknown> = z.object({
  ...members,
  activities: z.object(byActivity((name) => activity(name).kept)).prefault({}),
})

/**
 * The key is write-only: absent it stays, empty it goes. Whatever an answer holds may be sent back; what no answer holds
 * is a mistake, and must not replace every setting with its default.
 */
export const aiSettingsInput = z
  .strictObject({
    ...members,
    activities: z.strictObject(byActivity((name) => activity(name).sent)).prefault({}),
    apiKey: apiKey.nullish(),
    apiKeySet: z.boolean().nullish(),
  })
  .transform(({ apiKeySet: _, ...input }) => input)
export type AiSettingsInput = z.infer<typeof aiSettingsInput>

/** An empty text or null says nothing. */
const unsaid = <T extends z.ZodType>(schema: T) => z.union([schema, z.literal(''), z.null()]).optional()

const activityOverrides = z
  .strictObject({
    model: unsaid(model),
    maxTokens: unsaid(maxTokens),
    prompt: z.strictObject({ system: unsaid(prompt), instructions: unsaid(prompt) }).nullish(),
  })
  .nullish()

export const aiOverridesSchema: z.ZodType<AiOverrides, unknown> = z.strictObject({
  enabled: unsaid(z.literal(false)),
  model: unsaid(model),
  ocrMode: unsaid(ocrMode),
  ocrLanguages: unsaid(ocrLanguages),
  targetLanguage: unsaid(language),
  activities: z
    .strictObject(byActivity(() => activityOverrides))
    .partial()
    .nullish(),
})

/** What to test: as saved, where it says nothing. */
export const aiTestInput = z.strictObject({ endpoint: endpoint.optional(), apiKey: apiKey.nullish() })
export type AiTestInput = z.infer<typeof aiTestInput>

export const aiPreviewInput = z.strictObject({
  itemKey: z.string().min(1).max(4096),
  activity: z.enum(AI_ACTIVITIES),
  prompt: z.strictObject({ system: prompt.optional(), instructions: prompt.optional() }).optional(),
  sourceLanguage: language.optional(),
  targetLanguage: language.optional(),
})
