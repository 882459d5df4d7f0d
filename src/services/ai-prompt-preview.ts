/** The very words that a model would be asked about an item, with prompts that need not be saved yet. */

import { buildRequest, type PromptInput, wordsOfItem } from '../ai/prompts.ts'
import { offerVocabulary } from '../ai/vocabulary.ts'
import type { Deps } from '../deps.ts'
import type { AiActivity } from '../domain/ai-activity.ts'
import { aiPictures } from '../domain/ai-picture.ts'
import { type AiOverrides, effectiveAiSettings } from '../domain/ai-settings.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { readAiItem, toPromptItem } from './ai-job-item.ts'
import { getEffectiveAiSettings } from './ai-settings.ts'
import { readVocabulary } from './ai-vocabulary.ts'
import { getVisibleItem } from './visible.ts'

interface PromptPreview {
  model: string
  maxTokens: number
  messages: { role: 'system' | 'user'; text: string }[]
  /** How many places pictures are taken from: a video gives several, a volume all its pages one after the other. */
  pictureSources: number
}

interface PreviewInput {
  itemKey: string
  activity: AiActivity
  /** In place of what is saved, where it says something. */
  prompt?: { system?: string | undefined; instructions?: string | undefined } | undefined
  sourceLanguage?: string | undefined
  targetLanguage?: string | undefined
}

export const previewPrompt = async (deps: Deps, viewer: Viewer, input: PreviewInput): Promise<PromptPreview> => {
  const { id, libraryId } = await getVisibleItem(deps, viewer, input.itemKey)
  const row = await readAiItem(deps, id)
  if (!row) throw new AppError('not_found')
  const { activity } = input
  const unsaved: AiOverrides = input.prompt ? { activities: { [activity]: { prompt: input.prompt } } } : {}
  const settings = effectiveAiSettings(await getEffectiveAiSettings(deps, libraryId), unsaved)
  const item = toPromptItem(row)
  const told: PromptInput = {
    item,
    vocabulary: activity === 'tagging' ? offerVocabulary(await readVocabulary(deps), () => wordsOfItem(item)) : [],
    sourceLanguage: input.sourceLanguage,
    targetLanguage: input.targetLanguage,
  }
  const { model, maxTokens, messages } = buildRequest(activity, settings, told)
  return {
    model,
    maxTokens,
    messages: messages.map(({ role, content }) => ({ role, text: typeof content === 'string' ? content : '' })),
    pictureSources: activity === 'translation' ? 0 : aiPictures(row, activity).length,
  }
}
