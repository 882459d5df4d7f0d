/** What a job of the AI queue does, in its thread: from the item to what the model or the recognition made of it. */

import type { AiTask } from '../ai/ai-task.ts'
import { type ChatAnswer, type ChatRequest, type ContentPart, chat, imagePart } from '../ai/chat-client.ts'
import { ChatError } from '../ai/chat-failure.ts'
import { readDescription } from '../ai/description.ts'
import type { Endpoint } from '../ai/endpoint-request.ts'
import { buildRequest, type PromptInput, wordsOfItem } from '../ai/prompts.ts'
import { readTagAnswer } from '../ai/tagging.ts'
import { translateText } from '../ai/translation.ts'
import { offerVocabulary, type VocabularyTag } from '../ai/vocabulary.ts'
import type { AiJobResult } from '../domain/ai-job.ts'
import { activitySettings } from '../domain/ai-settings.ts'
import { folderOf } from '../domain/relative-path.ts'
import { MediaError } from '../media/inside.ts'
import { isRootAway, RootAway } from '../media/root-away.ts'

/** Enough to see what is in a picture. */
const SHOWN_SIDE = 1024
const MAX_SHOWN_PICTURES = 4

/** An answer that cannot be kept: another attempt may bring a better one. */
export class UselessAnswer extends Error {}
/** Nothing will make it work. */
export class Impossible extends Error {}

export interface Work {
  task: AiTask
  /** Whether any model has answered. */
  state: { askedModel: boolean }
  signal: AbortSignal
}

const endpointOf = ({ settings, apiKey }: AiTask): Endpoint => ({
  url: settings.endpoint,
  apiKey,
  timeoutSeconds: settings.timeoutSeconds,
})

/** The only way out to a model. Throws `ChatError` or `Impossible`. */
export const askModel = async ({ task, state, signal }: Work, question: ChatRequest): Promise<ChatAnswer> => {
  if (!task.settings.enabled) throw new Impossible('AI enrichment is switched off.')
  if (question.model === '') throw new Impossible('There is no model for this yet.')
  const answer = await chat(endpointOf(task), question, signal)
  state.askedModel = true
  return answer
}

/** A text as it is kept: no longer than allowed, and without NUL and halves of surrogate pairs, which databases and clients stumble over. */
export const keptText = (text: string, { maxCharacters }: AiTask): string =>
  text.replaceAll('\0', '').slice(0, maxCharacters).toWellFormed().trim()

const isOfFile = (error: unknown): error is Error => error instanceof Error && 'code' in error

/** The error; `RootAway` where a file cannot be opened or read because the whole library is away. */
export const whyOf = async (error: unknown, { root, pictures }: AiTask): Promise<unknown> =>
  root !== null && isOfFile(error) && (await isRootAway(root, folderOf(pictures[0]?.path ?? ''))) ? new RootAway(error) : error

/** Of a film the title alone tells something too; of a picture or a video nothing but itself does, and of no file that is gone. */
const isTold = ({ activity, item }: AiTask, error: Error): boolean => {
  if (activity !== 'description' || item.itemType !== 'mixed_file') return true
  const isSeen = item.mediaKind === 'image' || item.mediaKind === 'video'
  return !isSeen && !(error instanceof MediaError && error.code === 'not_found')
}

/**
 * Pictures that cannot be opened are left out. Throws `RootAway`, and `MediaError` or `DecodeError` where without the picture
 * there is nothing to tell.
 */
const showPictures = async (task: AiTask): Promise<ContentPart[]> => {
  const { root, ffmpegPath, pictures } = task
  const { jpegForModel, openAiPictures } = await import('../media/ai-pictures.ts')
  const parts: ContentPart[] = []
  for (const source of pictures) {
    try {
      for await (const { use } of openAiPictures({ root, ffmpegPath }, [source])) {
        if (parts.length >= MAX_SHOWN_PICTURES) return parts
        parts.push(imagePart(await use((picture) => jpegForModel(picture, SHOWN_SIDE)), 'image/jpeg'))
      }
    } catch (error) {
      const why = await whyOf(error, task)
      if (!isOfFile(why) || (parts.length === 0 && !isTold(task, why))) throw why
    }
  }
  return parts
}

const isRefusal = (error: unknown): boolean => error instanceof ChatError && error.failure.kind === 'refused'

const askByWords = (work: Work, input: PromptInput): Promise<ChatAnswer> =>
  askModel(work, buildRequest(work.task.activity, work.task.settings, input))

/** A model without eyes refuses pictures: then it is asked by words alone. */
const askWithPictures = async (work: Work, input: PromptInput): Promise<ChatAnswer> => {
  const { activity, settings } = work.task
  const images = await showPictures(work.task)
  try {
    return await askModel(work, buildRequest(activity, settings, { ...input, images }))
  } catch (error) {
    if (images.length === 0 || !isRefusal(error)) throw error
    return askByWords(work, input)
  }
}

const askAboutItem = (work: Work, input: PromptInput): Promise<ChatAnswer> =>
  work.task.pictures.length === 0 ? askByWords(work, input) : askWithPictures(work, input)

/** A batch of thousands has the same vocabulary. */
const names = new WeakMap<readonly VocabularyTag[], ReadonlyMap<number, string>>()

const namesOf = (vocabulary: readonly VocabularyTag[]): ReadonlyMap<number, string> =>
  names.getOrInsertComputed(vocabulary, (tags) => new Map(tags.map(({ id, name }) => [id, name])))

const tag = async (work: Work): Promise<AiJobResult> => {
  const { item, vocabulary } = work.task
  // Without a single tag there is nothing to choose from.
  if (vocabulary.length === 0) return { activity: 'tagging', tags: [], suggestions: [] }
  const answer = await askAboutItem(work, { item, vocabulary: offerVocabulary(vocabulary, () => wordsOfItem(item)) })
  const { tagIds, suggestions } = readTagAnswer(answer.text, vocabulary)
  const known = namesOf(vocabulary)
  return {
    activity: 'tagging',
    tags: tagIds.map((id) => ({ id, name: known.get(id) ?? '' })),
    suggestions: suggestions.map((name) => keptText(name, work.task)),
  }
}

const describe = async (work: Work): Promise<AiJobResult> => {
  const { item, settings } = work.task
  const answer = await askAboutItem(work, { item })
  const read = readDescription(answer, activitySettings(settings, 'description').prompt.instructions)
  if (!read.ok) throw new UselessAnswer(read.reason)
  return { activity: 'description', text: keptText(read.text, work.task) }
}

const translate = async (work: Work): Promise<AiJobResult> => {
  const { item, settings, payload } = work.task
  const source = item.extractedText ?? ''
  if (source.trim() === '') throw new Impossible('There is no text to translate any more.')
  const { sourceLanguage = null, targetLanguage = null } = payload
  const ask = (piece: string): Promise<ChatAnswer> =>
    askModel(work, buildRequest('translation', settings, { item, text: piece, sourceLanguage, targetLanguage }))
  const { maxTokens, prompt } = activitySettings(settings, 'translation')
  const read = await translateText(source, { maxTokens, instructions: prompt.instructions, ask }, work.signal)
  if (!read.ok) throw new UselessAnswer(read.reason)
  return { activity: 'translation', text: keptText(read.text, work.task), source }
}

/** Throws `ChatError`, `UselessAnswer`, `Impossible`, `DecodeError`, `MediaError` or `RootAway`. `extract` is the work on pictures (ai-extraction.ts). */
export const doWork = (work: Work, extract: (work: Work) => Promise<AiJobResult>): Promise<AiJobResult> => {
  const { activity } = work.task
  switch (activity) {
    case 'tagging':
      return tag(work)
    case 'description':
      return describe(work)
    case 'translation':
      return translate(work)
    case 'extraction':
      return extract(work)
    default:
      return activity satisfies never
  }
}
