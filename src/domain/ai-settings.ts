/**
 * How AI enrichment is set up: for the whole service, and what a library sets differently (the user's specification,
 * "AI configuration" and "Library AI settings"; API.md, 9).
 */

import { AI_ACTIVITIES, type AiActivity, byActivity } from './ai-activity.ts'
import { type AiPrompt, DEFAULT_PROMPTS } from './ai-prompts.ts'

/** `llm-only` means that there is no offline recognition. */
export const OCR_MODES = ['hybrid', 'tesseract', 'llm-only'] as const
export type OcrMode = (typeof OCR_MODES)[number]

interface AiActivitySettings {
  /** Empty: the model of all activities. */
  model: string
  /** Sent as `max_tokens`. */
  maxTokens: number
  /** An empty part stands for the default. */
  prompt: AiPrompt
}

/** The key of the endpoint is no part of it: it is never read back (services/ai-settings.ts). */
export interface AiSettings {
  /** Base address of an OpenAI-compatible API, such as `http://localhost:11434/v1`; empty where there is none. */
  endpoint: string
  model: string
  enabled: boolean
  /** A language tag or the name of a language. */
  targetLanguage: string
  /** Requests at a time. */
  concurrency: number
  /** For one whole answer. */
  timeoutSeconds: number
  activities: Record<AiActivity, AiActivitySettings>
  ocrMode: OcrMode
  /** Joined with "+". */
  ocrLanguages: string
}

/** What a library sets itself. Empty texts, nulls and what is absent fall through to the global value, part by part. */
export interface AiOverrides {
  /** `false`: no model is asked about anything in the library. A library cannot switch on what is off for all. */
  enabled?: false | '' | null
  model?: string | null
  ocrMode?: OcrMode | '' | null
  ocrLanguages?: string | null
  targetLanguage?: string | null
  activities?: Partial<Record<AiActivity, AiActivityOverrides | null>> | null
}

interface AiActivityOverrides {
  model?: string | null
  maxTokens?: number | '' | null
  prompt?: { system?: string | null; instructions?: string | null } | null
}

export const AI_LIMITS = {
  concurrency: { min: 1, max: 16 },
  timeoutSeconds: { min: 1, max: 3600 },
  maxTokens: { min: 1, max: 200_000 },
  /** Characters of one prompt part. */
  prompt: 20_000,
  /** Characters of a model's name. */
  model: 200,
} as const

/** Models that think aloud spend tokens on it before they answer, so none of these is as small as the answer itself. */
const DEFAULT_MAX_TOKENS: Readonly<Record<AiActivity, number>> = { tagging: 1024, description: 1024, extraction: 4096, translation: 4096 }

export const defaultAiSettings = (): AiSettings => ({
  endpoint: '',
  model: '',
  enabled: false,
  targetLanguage: 'English',
  concurrency: 1,
  timeoutSeconds: 120,
  activities: byActivity((activity) => ({
    model: '',
    maxTokens: DEFAULT_MAX_TOKENS[activity],
    prompt: { ...DEFAULT_PROMPTS[activity] },
  })),
  ocrMode: 'hybrid',
  ocrLanguages: 'eng',
})

/** Text of nothing but white space says nothing. */
const firstSaid = (...texts: (string | null | undefined)[]): string => texts.find((text) => (text ?? '').trim() !== '') ?? ''

const effectiveActivity = (general: AiActivitySettings, own: AiActivityOverrides | null | undefined): AiActivitySettings => ({
  model: firstSaid(own?.model, general.model),
  maxTokens: own?.maxTokens || general.maxTokens,
  prompt: {
    system: firstSaid(own?.prompt?.system, general.prompt.system),
    instructions: firstSaid(own?.prompt?.instructions, general.prompt.instructions),
  },
})

/** What holds for a library: the global settings with its non-empty overrides applied, each field for itself. */
export const effectiveAiSettings = (global: AiSettings, overrides: AiOverrides = {}): AiSettings => ({
  ...global,
  enabled: global.enabled && overrides.enabled !== false,
  model: firstSaid(overrides.model, global.model),
  ocrMode: overrides.ocrMode || global.ocrMode,
  ocrLanguages: firstSaid(overrides.ocrLanguages, global.ocrLanguages),
  targetLanguage: firstSaid(overrides.targetLanguage, global.targetLanguage),
  activities: byActivity((activity) => effectiveActivity(global.activities[activity], overrides.activities?.[activity])),
})

/** Empty where none is chosen. */
const modelOf = (settings: AiSettings, activity: AiActivity): string => firstSaid(settings.activities[activity].model, settings.model)

/** Why no model can be asked; what has to be done first comes first. */
type ModelObstacle = 'no_endpoint' | 'off' | 'no_model'

/** Undefined where nothing is in the way. */
export const modelObstacle = (settings: AiSettings, activity: AiActivity): ModelObstacle | undefined => {
  if (settings.endpoint === '') return 'no_endpoint'
  if (!settings.enabled) return 'off'
  return modelOf(settings, activity) === '' ? 'no_model' : undefined
}

/** What one activity runs with: an activity without a model of its own takes the general one, an empty prompt part the default. */
export const activitySettings = (settings: AiSettings, activity: AiActivity): AiActivitySettings => {
  const { maxTokens, prompt } = settings.activities[activity]
  return {
    model: modelOf(settings, activity),
    maxTokens,
    prompt: {
      system: firstSaid(prompt.system, DEFAULT_PROMPTS[activity].system),
      instructions: firstSaid(prompt.instructions, DEFAULT_PROMPTS[activity].instructions),
    },
  }
}

/** The overrides without what falls through anyway: what is kept. */
export const saidOverrides = (overrides: AiOverrides): AiOverrides => {
  const activities = Object.fromEntries(
    AI_ACTIVITIES.flatMap((activity) => {
      const own = overrides.activities?.[activity]
      const prompt = said({ system: own?.prompt?.system, instructions: own?.prompt?.instructions })
      const kept = { ...said({ model: own?.model, maxTokens: own?.maxTokens }), ...(Object.keys(prompt).length > 0 ? { prompt } : {}) }
      return Object.keys(kept).length > 0 ? [[activity, kept]] : []
    }),
  )
  const { model, ocrMode, ocrLanguages, targetLanguage } = overrides
  return {
    ...(overrides.enabled === false ? { enabled: false } : {}),
    ...said({ model, ocrMode, ocrLanguages, targetLanguage }),
    ...(Object.keys(activities).length > 0 ? { activities } : {}),
  }
}

const said = <T extends Record<string, unknown>>(fields: T): Partial<T> => {
  const isSaid = (value: unknown): boolean => (typeof value === 'string' ? value.trim() !== '' : Boolean(value))
  const kept: Partial<T> = {}
  for (const name in fields) if (isSaid(fields[name])) kept[name] = fields[name]
  return kept
}
