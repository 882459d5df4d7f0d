/** From the settings, an item and an activity to what a model is asked. Pure: the preview of a prompt is the prompt. */

import type { AiActivity } from '../domain/ai-activity.ts'
import type { AiPrompt, PromptPlaceholder } from '../domain/ai-prompts.ts'
import { PROMPT_PLACEHOLDERS } from '../domain/ai-prompts.ts'
import { type AiSettings, activitySettings } from '../domain/ai-settings.ts'
import { setNewest } from '../domain/bounded-map.ts'
import type { ItemType, MediaKind } from '../domain/item-type.ts'
import { languageName, parseLanguage } from '../domain/language-code.ts'
import type { ChatMessage, ChatRequest, ContentPart } from './chat-client.ts'

/** What a prompt may say of an item. */
export interface PromptItem {
  title: string
  itemType: ItemType
  mediaKind: MediaKind | null
  parentTitle: string | null
  year: number | null
  genres: string[]
  plot: string | null
  /** Names of the tags that it carries, without those that the tagger chose itself. */
  tags: string[]
  /** Relative to the library root. */
  file: string
  description: string | null
  extractedText: string | null
}

/** Everything that is told of an item, for `offerVocabulary`. */
export const wordsOfItem = ({ title, parentTitle, plot, description, file, extractedText, genres }: PromptItem): string =>
  [title, parentTitle, plot, description, file, extractedText, ...genres].filter(Boolean).join('\n')

export interface PromptInput {
  item: PromptItem
  /** Of `imagePart`, in order; put behind the instructions. */
  images?: ContentPart[]
  /** The tags to choose from (tagging), as `offerVocabulary` words them. */
  vocabulary?: readonly string[]
  /** In place of the item's extracted text: the piece to translate (translation). */
  text?: string
  /** What recognition made of the picture (extraction). */
  ocrText?: string | null
  /** Translation; the settings' target holds where none is given. */
  sourceLanguage?: string | null
  targetLanguage?: string | null
}

const MIXED_KINDS: Readonly<Record<MediaKind, string>> = {
  image: 'picture',
  video: 'video',
  audio: 'sound recording',
  document: 'document',
  archive: 'archive',
  other: 'file',
}

const KINDS: Readonly<Record<Exclude<ItemType, 'mixed_file'>, string>> = {
  game: 'computer game',
  game_series: 'series of computer games',
  movie: 'film',
  tv_series: 'television series',
  tv_season: 'season of a television series',
  tv_episode: 'episode of a television series',
  manga_series: 'series of manga or comics',
  manga_volume: 'volume of manga or comics',
}

const kindOf = ({ itemType, mediaKind }: PromptItem): string =>
  itemType === 'mixed_file' ? MIXED_KINDS[mediaKind ?? 'other'] : KINDS[itemType]

/** Characters that are told of each long text: enough to judge by, and little enough for a model with a small context. */
const TOLD = { plot: 4000, description: 2000, text: 6000, ocrText: 12_000, line: 500 } as const

/** White space that is not one blank. */
const UNEVEN = /[^\S ]| {2}/

const clipped = (text: string | null | undefined, characters: number): string => {
  const whole = (text ?? '').trim()
  return whole.length <= characters ? whole : `${whole.slice(0, characters).toWellFormed()} …`
}

const labels = new Map<string, string>()
const MAX_LABELS = 100

/** `ja` and `Japanese` both become "Japanese (ja)"; what names no known language stays as it was given. */
export const languageLabel = (language: string): string => {
  const known = labels.get(language)
  if (known !== undefined) return known
  const tag = parseLanguage(language.trim())
  const name = tag === null ? null : languageName(tag)
  const label = tag === null || name === null ? language.trim() : `${name} (${tag})`
  setNewest(labels, language, label, MAX_LABELS)
  return label
}

type Values = Record<PromptPlaceholder, string>

/** What a vocabulary is in a prompt: a batch puts the same array into thousands of them. */
interface Offered {
  /** One a line. */
  lines: string
  answerSchema: ChatRequest['answerSchema']
}

const NO_VOCABULARY: readonly string[] = []
const offered = new WeakMap<readonly string[], Offered>()

const offeredOf = (vocabulary: readonly string[] | undefined): Offered =>
  offered.getOrInsertComputed(vocabulary ?? NO_VOCABULARY, (names) => ({ lines: names.join('\n'), answerSchema: tagAnswerSchema(names) }))

const valuesOf = (activity: AiActivity, settings: AiSettings, input: PromptInput): Values => {
  const { item } = input
  const line = (text: string | null): string => clipped(text !== null && UNEVEN.test(text) ? text.replaceAll(/\s+/g, ' ') : text, TOLD.line)
  return {
    title: line(item.title),
    type: kindOf(item),
    parent: line(item.parentTitle),
    year: item.year === null ? '' : String(item.year),
    genres: line(item.genres.join(', ')),
    plot: clipped(item.plot, TOLD.plot),
    tags: line(item.tags.join(', ')),
    file: line(item.file),
    description: clipped(item.description, TOLD.description),
    vocabulary: offeredOf(input.vocabulary).lines,
    text: activity === 'translation' ? (input.text ?? item.extractedText ?? '') : clipped(item.extractedText, TOLD.text),
    ocrText: clipped(input.ocrText, TOLD.ocrText),
    sourceLanguage: input.sourceLanguage?.trim() ? languageLabel(input.sourceLanguage) : 'its own language',
    targetLanguage: languageLabel(input.targetLanguage?.trim() || settings.targetLanguage),
  }
}

const PLACEHOLDER = new RegExp(`\\{(${Object.keys(PROMPT_PLACEHOLDERS).join('|')})\\}`, 'g')
const isPlaceholder = (name: string): name is PromptPlaceholder => Object.hasOwn(PROMPT_PLACEHOLDERS, name)

/** The placeholders that a text holds. */
export const placeholdersIn = (text: string): PromptPlaceholder[] =>
  [...text.matchAll(PLACEHOLDER)].flatMap(([, name = '']) => (isPlaceholder(name) ? [name] : []))

/** A text in which placeholders stand; `names` in the order in which they do. */
interface TemplateText {
  names: readonly PromptPlaceholder[]
}
interface TemplateLine extends TemplateText {
  /** Before the first placeholder. */
  start: string
  /** Each placeholder, and the text behind it. */
  rest: readonly { name: PromptPlaceholder; text: string }[]
}
interface Template extends TemplateText {
  /** Lines without a placeholder that follow each other are one. */
  paragraphs: readonly (TemplateText & { lines: readonly TemplateLine[] })[]
}

const takeApartLine = (line: string): TemplateLine => {
  // Text at even places, names of placeholders at odd ones.
  const pieces = line.split(PLACEHOLDER)
  const rest = pieces.flatMap((name, at) => (at % 2 === 1 && isPlaceholder(name) ? [{ name, text: pieces[at + 1] ?? '' }] : []))
  return { names: rest.map(({ name }) => name), start: pieces[0] ?? '', rest }
}

const takeApartParagraph = (paragraph: string) => {
  const lines: TemplateLine[] = []
  for (const line of paragraph.split('\n').map(takeApartLine)) {
    const before = lines.at(-1)
    if (before && before.rest.length + line.rest.length === 0)
      lines[lines.length - 1] = { ...before, start: `${before.start}\n${line.start}` }
    else lines.push(line)
  }
  return { names: placeholdersIn(paragraph), lines }
}

const takeApart = (template: string): Template => ({
  names: placeholdersIn(template),
  paragraphs: template
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map(takeApartParagraph),
})

/** A batch fills the same prompt in thousands of times. */
const templates = new Map<string, Template>()
const MAX_TEMPLATES = 100

const templateOf = (text: string): Template => {
  const known = templates.get(text)
  if (known) return known
  const template = takeApart(text)
  setNewest(templates, text, template, MAX_TEMPLATES)
  return template
}

const isVoid = ({ names }: TemplateText, values: Values): boolean => {
  for (const name of names) if (values[name] !== '') return false
  return names.length > 0
}

const fillLine = ({ start, rest }: TemplateLine, values: Values): string => {
  let line = start
  for (const { name, text } of rest) line += values[name] + text
  return line
}

/** `texts` without those that say nothing but placeholders of no value. */
const fillAll = <Text extends TemplateText>(
  texts: readonly Text[],
  values: Values,
  between: string,
  fillOne: (text: Text, values: Values) => string,
): string => {
  let filled: string | undefined
  for (const text of texts)
    if (!isVoid(text, values)) filled = filled === undefined ? fillOne(text, values) : filled + between + fillOne(text, values)
  return filled ?? ''
}

const fillParagraph = ({ lines }: Template['paragraphs'][number], values: Values): string => fillAll(lines, values, '\n', fillLine)

const fill = (template: string, values: Values): string => fillAll(templateOf(template).paragraphs, values, '\n\n', fillParagraph).trim()

/** What an activity cannot do without, for prompts that an administrator wrote and left it out of. */
const missingParts = (activity: AiActivity, { system, instructions }: AiPrompt, input: PromptInput): string[] => {
  const [inSystem, inInstructions] = [templateOf(system).names, templateOf(instructions).names]
  const has = (...names: PromptPlaceholder[]): boolean => names.some((name) => inSystem.includes(name) || inInstructions.includes(name))
  switch (activity) {
    case 'tagging':
      return has('vocabulary')
        ? []
        : ['The list of tags, one a line:\n{vocabulary}', 'Answer with JSON alone, in this form: {"tags": ["first tag", "second tag"]}']
    case 'description':
      return has('title', 'file') ? [] : ['Title: {title}\nKind: {type}\nYear: {year}\nPlot: {plot}']
    case 'extraction':
      return has('ocrText')
        ? []
        : [
            'An offline recogniser read the following in the same picture. Where it differs from what you see, trust the picture.\n{ocrText}',
          ]
    case 'translation': {
      const isSourceAsked = has('sourceLanguage') || !input.sourceLanguage?.trim()
      const languages = isSourceAsked && has('targetLanguage') ? [] : ['Translate from {sourceLanguage} into {targetLanguage}.']
      return [...languages, ...(has('text') ? [] : ['The text:\n{text}'])]
    }
  }
}

/** The prompt as the model reads it: placeholders filled, and what was left out and is needed put behind. */
export const fillPrompt = (activity: AiActivity, settings: AiSettings, input: PromptInput): AiPrompt => {
  const { prompt } = activitySettings(settings, activity)
  const values = valuesOf(activity, settings, input)
  const parts = [prompt.instructions, ...missingParts(activity, prompt, input)].map((part) => fill(part, values))
  return { system: fill(prompt.system, values), instructions: parts.filter((part) => part !== '').join('\n\n') }
}

/** Strict schemas take no more (the limits of OpenAI's structured outputs). */
const MAX_ENUM_VALUES = 250
const MAX_ENUM_CHARACTERS = 15_000

const tagAnswerSchema = (vocabulary: readonly string[]): ChatRequest['answerSchema'] => {
  const isShort = vocabulary.length > 0 && vocabulary.length <= MAX_ENUM_VALUES && vocabulary.join('').length <= MAX_ENUM_CHARACTERS
  const items = isShort ? { type: 'string', enum: vocabulary } : { type: 'string' }
  return {
    name: 'tags',
    schema: { type: 'object', properties: { tags: { type: 'array', items } }, required: ['tags'], additionalProperties: false },
  }
}

/** One request to a model. `activitySettings(settings, activity).model` may be empty: the caller says so before it asks. */
export const buildRequest = (activity: AiActivity, settings: AiSettings, input: PromptInput): ChatRequest => {
  const { model, maxTokens } = activitySettings(settings, activity)
  const { system, instructions } = fillPrompt(activity, settings, input)
  const images = input.images ?? []
  const messages: ChatMessage[] = [
    { role: 'system', content: system },
    { role: 'user', content: images.length === 0 ? instructions : [{ type: 'text', text: instructions }, ...images] },
  ]
  return {
    model,
    maxTokens,
    messages,
    // Copying and choosing from a list want no imagination; running text reads better with the model's own.
    ...(activity === 'extraction' || activity === 'tagging' ? { temperature: 0 } : {}),
    ...(activity === 'tagging' ? { answerSchema: offeredOf(input.vocabulary).answerSchema } : {}),
  }
}
