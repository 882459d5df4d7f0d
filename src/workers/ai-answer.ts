/** The end of a job in its thread: what it made, or what went wrong, as the queue decides by it. Whatever happens, there is one. */

import { ChatError, type ChatFailure } from '../ai/chat-failure.ts'
import type { AiJobFailure, AiJobResult } from '../domain/ai-job.ts'
import { DecodeError } from '../media/decode-error.ts'
import { MediaError } from '../media/inside.ts'
import { RootAway } from '../media/root-away.ts'
import { doWork, Impossible, UselessAnswer, type Work, whyOf } from './ai-work.ts'
import type { AiThreadEnd } from './protocol.ts'

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

const failureOf = (error: unknown, askedModel: boolean): AiJobFailure => {
  if (error instanceof ChatError) {
    const { failure } = error
    const kind = KINDS[failure.kind]
    const isServerError = failure.kind === 'rate_limited' && failure.isServerError === true
    return { kind, message: error.message, retryAfterMs: retryAfterMs(failure), isAnswered: kind !== 'unreachable', isServerError }
  }
  const own = { retryAfterMs: null, isAnswered: askedModel }
  if (error instanceof RootAway) return { ...own, kind: 'root_away', message: error.message }
  if (error instanceof MediaError) {
    const kind = error.code === 'unreadable' ? 'temporary' : 'final'
    return { ...own, kind, message: MEDIA_MESSAGES[error.code] }
  }
  // Too slow may be the disk, which wakes up.
  if (error instanceof DecodeError && error.code === 'timeout') return { ...own, kind: 'temporary', message: error.message }
  if (error instanceof DecodeError || error instanceof Impossible) return { ...own, kind: 'final', message: error.message }
  if (error instanceof UselessAnswer) return { ...own, kind: 'temporary', message: error.message }
  return { ...own, kind: 'temporary', message: 'The work on it failed.' }
}

/** For the log alone: it may name paths. */
const detailOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** Never rejects. `extract` is the work on pictures (ai-extraction.ts). */
export const answerTask = async (id: number, work: Work, extract: (work: Work) => Promise<AiJobResult>): Promise<AiThreadEnd> => {
  try {
    const result = await doWork(work, extract)
    return { type: 'done', id, result, askedModel: work.state.askedModel }
  } catch (thrown) {
    const error = await whyOf(thrown, work.task)
    return { type: 'failed', id, failure: failureOf(error, work.state.askedModel), detail: detailOf(error) }
  }
}
