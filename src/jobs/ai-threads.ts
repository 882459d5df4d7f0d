/**
 * The threads that AI jobs run in. What opens pictures has a thread of its own, so that one that dies or hangs takes
 * nothing else along; what only asks shares one.
 */

import type { Deps } from '../deps.ts'
import type { AiActivity } from '../domain/ai-activity.ts'
import type { AiJobFailure, AiJobResult } from '../domain/ai-job.ts'
import type { AiTask } from '../services/ai-job-input.ts'
import type { AiLane, FinishedPage } from '../services/ai-job-queue.ts'
import { isSilent } from '../services/library-root.ts'
import type { AiThreadAnswer, AiThreadEnd, AiThreadRequest } from '../workers/protocol.ts'
import { createAiAsker } from './ai-asker.ts'
import { createAiPlaces } from './ai-places.ts'
import { threadUrl } from './thread-url.ts'
import { createWorkerPool, ThreadError } from './worker-pool.ts'

/** One that reads pictures, and one for somebody who waits. */
const RECOGNISERS = 2
/** On top of what the endpoint may take: opening pictures, recognition (SECURITY, 3.7). */
const OWN_WORK_MS = 150_000
/** A request that an endpoint does not take is put in simpler words, a few times. */
const MAX_QUESTIONS = 2

export type AiOutcome =
  | { kind: 'done'; result: AiJobResult; askedModel: boolean }
  | { kind: 'failed'; failure: AiJobFailure }
  /** It has not begun, as was asked for. */
  | { kind: 'recalled' }

interface AiRunOptions {
  lane: AiLane
  isUrgent: boolean
  /** Ends it; the outcome then says nothing. */
  signal: AbortSignal
  onPage: (page: Omit<FinishedPage, 'jobId'>) => void
}

export interface AiThreads {
  run(task: AiTask, options: AiRunOptions): Promise<AiOutcome>
  /** Jobs that have not begun are given back; resolves once they are. */
  recall(): Promise<void>
  /** How often that was asked for. */
  recalls(): number
  /** Questions to models at a time. */
  resize(size: number): void
  close(): void
}

/** A thread that waits for a disk which hangs is ended, but not what the system does for it, so none is sent there. */
const isOnHangingDisk = async ({ root, pictures }: AiTask): Promise<boolean> =>
  root !== null && pictures.length > 0 && (await isSilent(root))

const rootAway = (): AiOutcome => ({
  kind: 'failed',
  failure: { kind: 'root_away', message: 'The folder of the library is not there now.', retryAfterMs: null, isAnswered: false },
})

type Ran = AiThreadEnd | { type: 'recalled' }

export const createAiThreads = ({ log }: Pick<Deps, 'log'>): AiThreads => {
  const open = (size: number) =>
    createWorkerPool<AiThreadRequest, AiThreadAnswer>({
      url: threadUrl('ai'),
      size,
      timeoutMs: OWN_WORK_MS,
    })
  const pools: Record<AiLane, ReturnType<typeof open>> = { model: open(1), recognition: open(RECOGNISERS) }
  const asker = createAiAsker()
  const places = createAiPlaces()
  let recalls = 0

  const runAlone = async (task: AiTask, { lane, isUrgent, signal, onPage }: AiRunOptions): Promise<Ran> => {
    const onPart = (answer: AiThreadAnswer): boolean => {
      if (answer.type !== 'page') return false
      onPage(answer.page)
      return true
    }
    const timeoutMs = OWN_WORK_MS + MAX_QUESTIONS * task.settings.timeoutSeconds * 1000
    const answer = await pools[lane].ask({ type: 'ai', ...task }, { isUrgent, signal, onPart, timeoutMs })
    if (answer.type === 'page') throw new Error('A page is no end.')
    return answer
  }

  /** In a place of its own, once there is one. */
  const runInPlace = (task: AiTask, options: AiRunOptions): Promise<Ran> => {
    const { promise, resolve } = Promise.withResolvers<Ran>()
    places.take('alone', options.isUrgent, (isTaken) => {
      if (!isTaken) return resolve({ type: 'recalled' })
      const begun = options.signal.aborted ? Promise.resolve<Ran>({ type: 'recalled' }) : runAlone(task, options)
      resolve(begun.finally(() => places.free('alone')))
    })
    return promise
  }

  const outcomeOf = (end: Ran, about: { activity: AiActivity; title: string }): AiOutcome => {
    if (end.type === 'recalled') return { kind: 'recalled' }
    if (end.type === 'done') return { kind: 'done', result: end.result, askedModel: end.askedModel }
    log.debug('ai_work_failed', { ...about, detail: end.detail })
    return { kind: 'failed', failure: end.failure }
  }

  const runApart = async (task: AiTask, options: AiRunOptions): Promise<AiOutcome> => {
    const about = { activity: task.activity, title: task.item.title }
    if (await isOnHangingDisk(task)) return rootAway()
    try {
      return outcomeOf(await (options.lane === 'recognition' ? runAlone(task, options) : runInPlace(task, options)), about)
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error
      log.warn('ai_thread_ended', { ...about, error })
      if (await isOnHangingDisk(task)) return rootAway()
      const message = 'The thread that worked on it ended.'
      return { kind: 'failed', failure: { kind: 'temporary', message, retryAfterMs: null, isAnswered: false } }
    }
  }

  const runTogether = (task: AiTask, options: AiRunOptions): Promise<AiOutcome> => {
    const { promise, resolve, reject } = Promise.withResolvers<AiOutcome>()
    const about = { activity: task.activity, title: task.item.title }
    const failed = (error: Error): void => {
      places.free('together')
      if (!(error instanceof ThreadError)) return reject(error)
      // One of those that were under way together is to blame, or none: each shows by itself.
      log.warn('ai_asking_thread_ended', { ...about, error })
      resolve(runApart(task, options))
    }
    const ended = (end: Ran): void => {
      places.free('together')
      resolve(outcomeOf(end, about))
    }
    places.take('together', options.isUrgent, (isTaken) => {
      if (isTaken) asker.ask(task, options, { ended, failed })
      else resolve({ kind: 'recalled' })
    })
    return promise
  }

  return {
    run: (task, options) => {
      const isAsked = options.lane === 'model' && task.pictures.length === 0 && task.activity !== 'extraction'
      return isAsked ? runTogether(task, options) : runApart(task, options)
    },
    recall: () => {
      recalls += 1
      places.turnAway()
      return asker.recall()
    },
    recalls: () => recalls,
    resize: (size) => {
      places.resize(size)
      pools.model.resize(size)
      asker.resize(size)
    },
    close: () => {
      places.turnAway()
      asker.close()
      for (const pool of Object.values(pools)) pool.close()
    },
  }
}
