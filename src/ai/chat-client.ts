/** The OpenAI form of asking a model, and of asking an endpoint for its models. Knows neither items nor prompts. */

import { z } from 'zod'
import { setNewest } from '../domain/bounded-map.ts'
import { cleanAnswer } from './answer-text.ts'
import { ChatError } from './chat-failure.ts'
import { type Endpoint, requestEndpoint } from './endpoint-request.ts'

export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

export interface ChatMessage {
  role: 'system' | 'user'
  content: string | ContentPart[]
}

export interface ChatRequest {
  model: string
  maxTokens: number
  messages: ChatMessage[]
  /** Left out where the endpoint does not take it. */
  temperature?: number
  /** What the answer must look like, where the endpoint can hold a model to that: a JSON schema. */
  answerSchema?: { name: string; schema: Record<string, unknown> }
}

export interface ChatAnswer {
  /** Without what the model thought aloud; never empty. */
  text: string
  /** `stop`, `length`, … as the endpoint says it. */
  finishReason: string | null
}

/** A picture as part of a message. */
export const imagePart = (bytes: Uint8Array, mediaType: string): ContentPart => ({
  type: 'image_url',
  image_url: { url: `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}` },
})

/** What not every endpoint takes. */
interface Dialect {
  hasSchema: boolean
  hasTemperature: boolean
  tokensField: 'max_tokens' | 'max_completion_tokens'
}

const FULL: Dialect = { hasSchema: true, hasTemperature: true, tokensField: 'max_tokens' }
/** By endpoint and model, what has been learnt from refusals. */
const dialects = new Map<string, Dialect>()
const MAX_DIALECTS = 200
const INVALID_REQUEST = new Set([400, 422])

/** As JSON: a batch asks for answers of the same form thousands of times, and the form may name hundreds of tags. */
const formats = new WeakMap<NonNullable<ChatRequest['answerSchema']>, string>()

const formatOf = (schema: NonNullable<ChatRequest['answerSchema']>): string =>
  formats.getOrInsertComputed(schema, (given) => JSON.stringify({ type: 'json_schema', json_schema: { strict: true, ...given } }))

const bodyOf = (request: ChatRequest, dialect: Dialect): string => {
  const body = JSON.stringify({
    model: request.model,
    messages: request.messages,
    [dialect.tokensField]: request.maxTokens,
    stream: false,
    ...(dialect.hasTemperature ? { temperature: request.temperature } : {}),
  })
  return dialect.hasSchema && request.answerSchema ? `${body.slice(0, -1)},"response_format":${formatOf(request.answerSchema)}}` : body
}

/** What to leave out after a refusal; undefined where it cannot have been for that. */
const simpler = (request: ChatRequest, dialect: Dialect, refusal: string): Dialect | undefined => {
  if (dialect.tokensField === 'max_tokens' && refusal.includes('max_completion_tokens'))
    return { ...dialect, tokensField: 'max_completion_tokens' }
  if (dialect.hasTemperature && request.temperature !== undefined && refusal.includes('temperature'))
    return { ...dialect, hasTemperature: false }
  if (dialect.hasSchema && request.answerSchema) return { ...dialect, hasSchema: false }
  return undefined
}

const part = z.object({ type: z.string().optional(), text: z.string().nullish().catch(null) })
const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.union([z.string(), z.array(part)]).nullish(), refusal: z.string().nullish().catch(null) }),
        finish_reason: z.string().max(100).nullish().catch(null),
      }),
    )
    .min(1),
})

const badAnswer = (message: string, cause?: unknown): ChatError => new ChatError({ kind: 'bad_answer', message }, cause)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw badAnswer('The endpoint answered with something that is not whole JSON.', error)
  }
}

const parseCompletion = (text: string): ChatAnswer => {
  const parsed = completion.safeParse(parseJson(text))
  const choice = parsed.data?.choices[0]
  if (!choice) throw badAnswer('The answer of the endpoint is not a chat completion.', parsed.error)
  const { content, refusal } = choice.message
  const said = typeof content === 'string' ? content : (content ?? []).map((piece) => piece.text ?? '').join('')
  const finishReason = choice.finish_reason ?? null
  const answer = cleanAnswer(said)
  if (answer !== '') return { text: answer, finishReason }
  if (finishReason === 'length') throw badAnswer('The model used up its tokens before it came to an answer. Allow it more.')
  throw badAnswer(refusal ? 'The model declined to answer.' : 'The model answered nothing.')
}

const refused = (status: number): ChatError => {
  const hints: Record<number, string> = {
    401: ': it wants a valid key',
    403: ': it wants a valid key',
    404: ': it does not know the address or the model',
  }
  return new ChatError({ kind: 'refused', message: `The endpoint refused the request (${status})${hints[status] ?? ''}.` })
}

/** Throws `ChatError`, or the signal's reason once that is aborted. */
export const chat = async (endpoint: Endpoint, request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer> => {
  const key = `${endpoint.url}\n${request.model}`
  for (let dialect: Dialect | undefined = dialects.get(key) ?? FULL; ; ) {
    const { status, text } = await requestEndpoint(endpoint, { path: 'chat/completions', body: bodyOf(request, dialect) }, signal)
    if (status < 400) {
      if (dialect !== FULL) setNewest(dialects, key, dialect, MAX_DIALECTS)
      return parseCompletion(text)
    }
    const next: Dialect | undefined = INVALID_REQUEST.has(status) ? simpler(request, dialect, text) : undefined
    if (!next) throw refused(status)
    dialect = next
  }
}

const MAX_MODELS = 1000
const modelList = z.looseObject({ data: z.array(z.looseObject({ id: z.string().min(1).max(200) })) })

/** The names of the models that the endpoint offers, sorted. Throws as `chat` does. */
export const listModels = async (endpoint: Endpoint, signal: AbortSignal): Promise<string[]> => {
  const { status, text } = await requestEndpoint(endpoint, { path: 'models' }, signal)
  if (status >= 400) throw refused(status)
  const parsed = modelList.safeParse(parseJson(text))
  if (!parsed.success) throw badAnswer('The endpoint does not list its models in the OpenAI form.', parsed.error)
  return [...new Set(parsed.data.data.map(({ id }) => id))].sort().slice(0, MAX_MODELS)
}
