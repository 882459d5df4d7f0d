/** The threads that AI jobs run in: one job at a time each, so that one that dies or hangs takes nothing else along. */

import type { Deps } from '../deps.ts'
import type { AiJobFailure, AiJobResult } from '../domain/ai-job.ts'
import type { PreparedJob } from '../services/ai-job-input.ts'
import type { AiLane, FinishedPage } from '../services/ai-job-queue.ts'
import type { AiThreadAnswer, AiThreadRequest } from '../workers/protocol.ts'
import { createWorkerPool, ThreadError } from './worker-pool.ts'

/** One that reads pictures, and one for somebody who waits. */
const RECOGNISERS = 2
const THREAD_IDLE_MS = 30_000
/** On top of what the endpoint may take: opening pictures, recognition (SECURITY, 3.7). */
const OWN_WORK_MS = 150_000
/** A request that an endpoint does not take is put in simpler words, a few times. */
const MAX_QUESTIONS = 2

export type AiOutcome = { ok: true; result: AiJobResult; askedModel: boolean } | { ok: false; failure: AiJobFailure }

export interface AiRunOptions {
  lane: AiLane
  isUrgent: boolean
  /** Ends the thread that does it; the outcome then says nothing. */
  signal: AbortSignal
  onPage: (page: Omit<FinishedPage, 'jobId'>) => void
}

export interface AiThreads {
  run(task: PreparedJob['task'], options: AiRunOptions): Promise<AiOutcome>
  /** Threads that ask models. */
  resize(size: number): void
  close(): void
}

export const createAiThreads = ({ log }: Pick<Deps, 'log'>): AiThreads => {
  const open = (size: number) =>
    createWorkerPool<AiThreadRequest, AiThreadAnswer>({
      url: new URL('../workers/ai.ts', import.meta.url).href,
      size,
      timeoutMs: OWN_WORK_MS,
      idleMs: THREAD_IDLE_MS,
    })
  const pools: Record<AiLane, ReturnType<typeof open>> = { model: open(1), recognition: open(RECOGNISERS) }

  return {
    run: async (task, { lane, isUrgent, signal, onPage }) => {
      const onPart = (answer: AiThreadAnswer): boolean => {
        if (answer.type !== 'page') return false
        onPage(answer.page)
        return true
      }
      const timeoutMs = OWN_WORK_MS + MAX_QUESTIONS * task.settings.timeoutSeconds * 1000
      const answer = await pools[lane]
        .ask({ type: 'ai', ...task }, { isUrgent, signal, onPart, timeoutMs })
        .catch((error: unknown): AiOutcome => {
          if (!(error instanceof ThreadError)) throw error
          log.warn('ai_thread_ended', { activity: task.activity, title: task.item.title, error })
          return { ok: false, failure: { kind: 'temporary', message: 'The thread that worked on it ended.', retryAfterMs: null } }
        })
      if (!('type' in answer)) return answer
      if (answer.type === 'page') throw new Error('A page is no end.')
      if (answer.type === 'done') return { ok: true, result: answer.result, askedModel: answer.askedModel }
      log.debug('ai_work_failed', { activity: task.activity, title: task.item.title, detail: answer.detail })
      return { ok: false, failure: answer.failure }
    },
    resize: (size) => pools.model.resize(size),
    close: () => {
      for (const pool of Object.values(pools)) pool.close()
    },
  }
}
