/** The AI settings as forms hold them: every field a text, so that what is half typed is not lost. */

import { AI_ACTIVITIES, type AiActivity, byActivity } from '../../../src/domain/ai-activity.ts'
import type { AiOverrides, AiSettings, OcrMode } from '../../../src/domain/ai-settings.ts'
import { endpointOrigin } from '../../../src/domain/endpoint-origin.ts'
import type { GlobalAiSettings } from '../api/ai-settings.ts'

export interface ActivityForm {
  model: string
  maxTokens: string
  system: string
  instructions: string
}

/** What a library may set too; empty there means the global value. */
export interface SharedForm {
  model: string
  targetLanguage: string
  ocrMode: OcrMode | ''
  ocrLanguages: string
  activities: Record<AiActivity, ActivityForm>
}

interface LibraryForm extends SharedForm {
  /** Whether models may be asked about the library, as far as it goes by that itself. */
  enabled: boolean
}

export interface GlobalForm extends SharedForm {
  endpoint: string
  /** A new key; empty leaves the saved one. */
  apiKey: string
  isKeyRemoved: boolean
  enabled: boolean
  concurrency: string
  timeoutSeconds: string
}

const sharedForm = (settings: Omit<AiOverrides, 'enabled'>): SharedForm => ({
  model: settings.model ?? '',
  targetLanguage: settings.targetLanguage ?? '',
  ocrMode: settings.ocrMode ?? '',
  ocrLanguages: settings.ocrLanguages ?? '',
  activities: byActivity((activity) => {
    const own = settings.activities?.[activity]
    return {
      model: own?.model ?? '',
      maxTokens: String(own?.maxTokens ?? ''),
      system: own?.prompt?.system ?? '',
      instructions: own?.prompt?.instructions ?? '',
    }
  }),
})

export const libraryForm = (overrides: AiOverrides): LibraryForm => ({ ...sharedForm(overrides), enabled: overrides.enabled !== false })

export const globalForm = (settings: GlobalAiSettings): GlobalForm => ({
  ...sharedForm(settings),
  endpoint: settings.endpoint,
  apiKey: '',
  isKeyRemoved: false,
  enabled: settings.enabled,
  concurrency: String(settings.concurrency),
  timeoutSeconds: String(settings.timeoutSeconds),
})

/** What is no number is sent as one that is refused: JSON has null for it, which a library takes for an empty field. */
const number = (text: string): number => {
  const value = Number(text)
  return Number.isFinite(value) ? value : 0
}

export const toOverrides = (form: LibraryForm): AiOverrides => ({
  enabled: form.enabled ? null : false,
  model: form.model,
  targetLanguage: form.targetLanguage,
  ocrMode: form.ocrMode,
  ocrLanguages: form.ocrLanguages,
  activities: byActivity((activity) => {
    const { model, maxTokens, system, instructions } = form.activities[activity]
    return { model, maxTokens: maxTokens.trim() === '' ? null : number(maxTokens), prompt: { system, instructions } }
  }),
})

export const toSettings = (form: GlobalForm): AiSettings & { apiKey?: string } => ({
  endpoint: form.endpoint.trim(),
  model: form.model,
  enabled: form.enabled,
  targetLanguage: form.targetLanguage,
  concurrency: number(form.concurrency),
  timeoutSeconds: number(form.timeoutSeconds),
  ocrMode: form.ocrMode || 'hybrid',
  ocrLanguages: form.ocrLanguages,
  activities: byActivity((activity) => {
    const { model, maxTokens, system, instructions } = form.activities[activity]
    return { model, maxTokens: number(maxTokens), prompt: { system, instructions } }
  }),
  ...(form.apiKey.trim() !== '' ? { apiKey: form.apiKey.trim() } : form.isKeyRemoved ? { apiKey: '' } : {}),
})

/** The server forgets a key whose endpoint moves to another host; while there is no endpoint it keeps it. */
export const losesKey = (
  form: Pick<GlobalForm, 'endpoint' | 'apiKey'>,
  saved: Pick<GlobalAiSettings, 'endpoint' | 'apiKeySet'>,
): boolean => {
  const origin = endpointOrigin(form.endpoint.trim())
  return saved.apiKeySet && form.apiKey.trim() === '' && origin !== '' && origin !== endpointOrigin(saved.endpoint)
}

const pathsOf = (activity: AiActivity): string[] =>
  ['model', 'maxTokens', 'prompt.system', 'prompt.instructions'].map((field) => `activities.${activity}.${field}`)

/** The fields that say themselves why they were refused; that of the languages of recognition is not always there. */
export const AI_FIELDS: readonly string[] = [
  ...['endpoint', 'apiKey', 'model', 'targetLanguage', 'concurrency', 'timeoutSeconds'],
  ...AI_ACTIVITIES.flatMap(pathsOf),
]

/** The activities with a field that the server refused. */
export const refusedActivities = (problemOf: (path: string) => string | undefined): AiActivity[] =>
  AI_ACTIVITIES.filter((activity) => pathsOf(activity).some((path) => problemOf(path) !== undefined))
