/** A thread that does jobs of the AI queue, one at a time. Whatever happens, it answers. */

import type { DonePage } from '../ai/ai-task.ts'
import { ChatError, type ChatFailure } from '../ai/chat-failure.ts'
import { AI_ACTIVITIES } from '../domain/ai-activity.ts'
import type { AiJobFailure } from '../domain/ai-job.ts'
import { DecodeError } from '../media/decode-error.ts'
import { MediaError } from '../media/inside.ts'
import { doWork, Impossible, UselessAnswer } from './ai-work.ts'
import type { AiThreadAnswer, AiThreadRequest } from './protocol.ts'

declare const self: Worker

const KINDS: Readonly<Record<ChatFailure['kind'], AiJobFailure['kind']>> = {
  unreachable: 'unreachable',
  rate_limited: 'rate_limited',
  server_error: 'temporary',
  timeout: 'temporary',
  bad_answer: 'temporary',
  too_large: 'temporary',
  refused: 'final',
}

const retryAfterMs = (failure: ChatFailure): number | null =>
  'retryAfterSeconds' in failure && failure.retryAfterSeconds !== null ? failure.retryAfterSeconds * 1000 : null

const MEDIA_MESSAGES: Readonly<Record<MediaError['code'], string>> = {
  not_found: 'The file is not there now.',
  outside: 'The file lies outside its library.',
  not_a_file: 'That is no file.',
  unreadable: 'The file cannot be read now.',
}

const failureOf = (error: unknown): AiJobFailure => {
  if (error instanceof ChatError)
    return { kind: KINDS[error.failure.kind], message: error.message, retryAfterMs: retryAfterMs(error.failure) }
  if (error instanceof MediaError) {
    const kind = error.code === 'unreadable' ? 'temporary' : 'final'
    return { kind, message: MEDIA_MESSAGES[error.code], retryAfterMs: null }
  }
  if (error instanceof DecodeError || error instanceof Impossible) return { kind: 'final', message: error.message, retryAfterMs: null }
  if (error instanceof UselessAnswer) return { kind: 'temporary', message: error.message, retryAfterMs: null }
  return { kind: 'temporary', message: 'The work on it failed.', retryAfterMs: null }
}

/** For the log alone: it may name paths. */
const detailOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

const answer = async (request: AiThreadRequest): Promise<AiThreadAnswer> => {
  const { id } = request
  const work = { task: request, state: { askedModel: false }, signal: new AbortController().signal }
  const onPage = (page: DonePage): void => self.postMessage({ type: 'page', id, page } satisfies AiThreadAnswer)
  try {
    // Recognition and decoders take memory: only a thread that reads pictures pays for them.
    const result = await doWork(work, async () => (await import('./ai-extraction.ts')).extract(work, onPage))
    return { type: 'done', id, result, askedModel: work.state.askedModel }
  } catch (error) {
    return { type: 'failed', id, failure: failureOf(error), detail: detailOf(error) }
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isRequest = (message: unknown): message is AiThreadRequest =>
  isRecord(message) &&
  message.type === 'ai' &&
  typeof message.id === 'number' &&
  AI_ACTIVITIES.some((activity) => activity === message.activity) &&
  isRecord(message.settings) &&
  isRecord(message.payload) &&
  isRecord(message.item) &&
  typeof message.root === 'string' &&
  Array.isArray(message.vocabulary) &&
  Array.isArray(message.pictures) &&
  Array.isArray(message.donePages)

let last: Promise<void> = Promise.resolve()

self.onmessage = ({ data }: MessageEvent<unknown>): void => {
  last = last.then(async () => {
    if (isRequest(data)) self.postMessage(await answer(data))
  })
}
