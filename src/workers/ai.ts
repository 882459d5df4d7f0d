/** A thread that does jobs of the AI queue, one at a time: those that open pictures, which a decoder may die of. */

import type { DonePage } from '../ai/ai-task.ts'
import { AI_ACTIVITIES } from '../domain/ai-activity.ts'
import { createGate } from '../domain/gate.ts'
import { answerTask } from './ai-answer.ts'
import { type AiThreadAnswer, type AiThreadRequest, isRecord, type StopRequest } from './protocol.ts'

declare const self: Worker

let underWay: { id: number; stopper: AbortController } | undefined

const answer = (request: AiThreadRequest): Promise<AiThreadAnswer> => {
  const { id } = request
  const stopper = new AbortController()
  underWay = { id, stopper }
  const work = { task: request, state: { askedModel: false }, signal: stopper.signal }
  const onPage = (page: DonePage): void => self.postMessage({ type: 'page', id, page } satisfies AiThreadAnswer)
  // Recognition and decoders take memory: only a thread that reads pictures pays for them.
  return answerTask(id, work, async () => (await import('./ai-extraction.ts')).extract(work, onPage))
}

const isRequest = (message: unknown): message is AiThreadRequest =>
  isRecord(message) &&
  message.type === 'ai' &&
  typeof message.id === 'number' &&
  AI_ACTIVITIES.some((activity) => activity === message.activity) &&
  isRecord(message.settings) &&
  isRecord(message.payload) &&
  isRecord(message.item) &&
  (message.root === null || typeof message.root === 'string') &&
  Array.isArray(message.vocabulary) &&
  Array.isArray(message.pictures) &&
  Array.isArray(message.donePages)

const isStop = (message: unknown): message is StopRequest => isRecord(message) && message.type === 'stop' && typeof message.id === 'number'

const inTurn = createGate(1)

self.onmessage = ({ data }: MessageEvent<unknown>): void => {
  if (isStop(data)) return underWay?.id === data.id ? underWay.stopper.abort() : undefined
  void inTurn(async () => {
    if (isRequest(data)) self.postMessage(await answer(data))
  })
}
