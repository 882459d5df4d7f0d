/**
 * Works off the AI queue: claims jobs by lease, hands them to threads, and writes what came of them. The rows are the
 * truth (services/ai-job-queue.ts); what is held here dies with the process and is taken up by the next one.
 *
 * Each turn writes everything that has finished and claims what fits, in one transaction: with an endpoint that answers
 * at once it is the transactions that take the time.
 */

import { hostname } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AiQueue, Deps } from '../deps.ts'
import { AI_JOB_PRIORITY, type AiJobFailure, needsModel } from '../domain/ai-job.ts'
import { type AiTask, buildAiTasks } from '../services/ai-job-input.ts'
import { type ClaimedItem, claimedItems, endDelays, type FinishedPage, hasDueJobs, type UnfinishedJob } from '../services/ai-job-queue.ts'
import { type AiQueueSettings, isOutOfDate, loadAiQueueSettings, probeAiEndpoint } from '../services/ai-queue-settings.ts'
import { createVocabularyReader } from '../services/ai-vocabulary.ts'
import { createAiAway } from './ai-away.ts'
import { createAiClaims } from './ai-claims.ts'
import { createAiCompany, type Running, runningOf } from './ai-company.ts'
import { createAiEndpoint } from './ai-endpoint.ts'
import { createAiHold } from './ai-hold.ts'
import { createAiJobEnds, isNothing, writeEnds } from './ai-job-ends.ts'
import { fateOf, UNTRIED } from './ai-job-fate.ts'
import { createAiPace } from './ai-pace.ts'
import { type AiQueueUpkeepParts, createAiQueueUpkeep, JOB_LEASE_MS } from './ai-queue-upkeep.ts'
import { type AiOutcome, createAiThreads } from './ai-threads.ts'

/** How long a stopping server waits for jobs that are nearly done. */
const DRAIN_MS = 1_500
/** Jobs that a transaction ends, and that it claims: some twenty milliseconds, for which somebody else's write waits. */
const MOST_A_TURN = 500
/** Jobs that are begun before whoever opens a page has the thread again. */
const BEGUN_AT_ONCE = 50
const CRASHED: AiJobFailure = { kind: 'temporary', message: 'The work on it failed.', retryAfterMs: null, isAnswered: false }
/** Why a job is stopped that waits from now on. */
const SWITCHED_OFF = Symbol('AI was switched off')

interface AiQueueJobs extends AiQueue {
  start(): Promise<void>
  stop(): Promise<void>
}

type QueueDeps = Pick<Deps, 'config' | 'db' | 'write' | 'log' | 'events'>

interface QueueOptions extends Pick<AiQueueUpkeepParts, 'isShared' | 'clock'> {
  isDiskNearlyFull: () => boolean
  /** The last job for now has ended: what they have changed can be seen to. */
  rested: () => void
}

export const createAiQueue = (deps: QueueDeps, { isDiskNearlyFull, rested, ...options }: QueueOptions): AiQueueJobs => {
  const owner = `${hostname()}-${process.pid}-${crypto.randomUUID()}`
  const threads = createAiThreads(deps)
  const claims = createAiClaims()
  const pace = createAiPace()
  const vocabulary = createVocabularyReader(deps)
  const running = new Map<number, Running>()
  const company = createAiCompany(running)
  const ends = createAiJobEnds()
  const away = createAiAway(() => wake())
  let settings: AiQueueSettings | undefined
  let isStarted = false
  let isStopped = false
  let again = false
  let hasChanged = false
  let pumping: Promise<void> | undefined
  let turning: Promise<boolean> | undefined

  const endpoint = createAiEndpoint({
    probe: () => probeAiEndpoint(deps),
    changed: () => wake(),
  })

  const wake = (): void => {
    claims.news()
    vocabulary.forget()
    pump()
  }

  /** Why nothing is done now, with a model or without. */
  const heldUp = (): string | null => (isDiskNearlyFull() ? 'The disk of the data folder is nearly full.' : null)

  /** Why no model is asked now; null where one is. */
  const waiting = (): string | null => {
    if (!settings || isDiskNearlyFull()) return heldUp()
    if (!settings.global.enabled) return 'AI enrichment is switched off.'
    if (settings.global.endpoint === '') return 'There is no endpoint yet.'
    return endpoint.waiting()
  }

  const isOff = (libraryId: number): boolean => !settings?.ofLibrary(libraryId).enabled

  /** `ending`: jobs whose end the same transaction writes; their places are free. */
  const nextClaims = (now: number, ending: ReadonlySet<number>) => {
    if (!settings || !isStarted || settings.isPaused || isStopped || isDiskNearlyFull() || hold.isHeld()) return undefined
    const claim = { owner, now, leaseMs: JOB_LEASE_MS, ...away.leftOut(settings) }
    const isCareful = endpoint.isCareful()
    const places = isCareful ? 1 : settings.global.concurrency
    const model = waiting() === null ? places : 0
    const rest = [...running].flatMap(([id, entry]) => (ending.has(id) ? [] : [entry]))
    // No more than a turn's worth at a time; what is free beyond that, the next one claims.
    const ahead = isCareful ? 0 : Math.min(pace.ahead(), Math.max(0, rest.length - model) + MOST_A_TURN)
    return claims.next(claim, rest, { model, ahead })
  }

  /** Writes everything that has finished, and claims what fits. Answers whether there was anything to do. */
  const turn = async (): Promise<boolean> => {
    const now = Date.now()
    const ending = ends.take(MOST_A_TURN)
    const ended = new Map([...ending.done, ...ending.undone].map(({ id }) => [id, running.get(id)]))
    const recallsBefore = threads.recalls()
    const next = nextClaims(now, new Set(ended.keys()))
    if (isNothing(ending) && !(next && next.asked.length > 0 && (await hasDueJobs(deps, now)))) {
      next?.found([])
      if (hasChanged && running.size === 0) {
        hasChanged = false
        rested()
      }
      return false
    }
    pace.turned()
    // Whatever becomes of the transaction: where it fails their leases run out, and they are done once more. There is one
    // at a time, so that somebody else's write waits for one of them at most.
    const writing = writeEnds(deps.write, ending, { owner, now, claims: (next?.asked ?? []).map(({ statements }) => statements) })
    const written = await writing.finally(() => {
      for (const id of ended.keys()) running.delete(id)
    })
    hasChanged ||= ended.size > 0
    announceEnds(written.ended, ended)
    for (const { jobId, error } of written.refused) notKept(jobId, { entry: ended.get(jobId), error })
    expectMore(ended, ending.undone)
    const claimed = written.claimed.map(claimedItems)
    if (claimed.length === next?.asked.length) next.found(claimed.map(({ length }) => length))
    await startAll(claimed.flat(), recallsBefore)
    return true
  }

  /** The next attempt may bring something that can be kept. */
  const notKept = (jobId: number, { entry, error }: { entry: Running | undefined; error: unknown }): void => {
    deps.log.error('ai_result_not_kept', { jobId, error })
    if (!entry) return
    const failure = { kind: 'temporary', message: 'What came of it could not be kept.', retryAfterMs: null, isAnswered: false } as const
    ends.unfinished({ id: jobId, ...fateOf(entry, failure, { endpoint, company: company.of(entry) }) })
  }

  /** What has ended may be claimed again, now or later, or has left something behind that may. */
  const expectMore = (ended: ReadonlyMap<number, Running | undefined>, undone: readonly UnfinishedJob[]): void => {
    for (const entry of ended.values()) if (entry?.job.payload.thenTranslate || (entry?.job.crashes ?? 0) > 0) claims.news()
    for (const { status, notBefore } of undone) {
      if (notBefore !== null) upkeep.setAlarm(notBefore)
      else if (status === 'queued') claims.news()
    }
  }

  const announceEnds = (statuses: [id: number, status: string][], ended: ReadonlyMap<number, Running | undefined>): void => {
    for (const [id, status] of statuses) {
      const entry = ended.get(id)
      if (status === 'queued') claims.news()
      if (entry && company.hasBegun(entry)) announce(entry, status)
    }
  }

  const announce = ({ job, itemKey, libraryId }: Running, status: string): void =>
    deps.events.emit({ type: 'job', itemKey, libraryId, activity: job.activity, status })

  /** `recallsBefore`: those until they were claimed. What has been given back since is not begun. */
  const startAll = async (claims: readonly ClaimedItem[], recallsBefore: number): Promise<void> => {
    if (claims.length === 0 || !settings) return
    const ids = claims.map(({ job }) => job.id)
    // Cancelled and asked for again before we knew: what the first one makes is nobody's, nor what it has made already.
    for (const id of ids) running.get(id)?.stopper.abort()
    ends.forget(new Set(ids))
    const generation = endpoint.generation()
    for (const claim of claims) running.set(claim.job.id, runningOf(claim, { settings, generation }))
    const tasks = await buildAiTasks(deps, claims, { settings, readVocabulary: vocabulary.read }).catch((error: unknown) => {
      for (const id of ids) running.delete(id)
      throw error
    })
    for (const [index, task] of tasks.entries()) {
      const entry = running.get(ids[index] ?? Number.NaN)
      if (!entry) continue
      if (threads.recalls() === recallsBefore) start(entry, task)
      else settle(entry, null)
      if ((index + 1) % BEGUN_AT_ONCE === 0) await nextTurn()
    }
  }

  const start = (entry: Running, task: AiTask): void => {
    const { job, stopper } = entry
    // Switched off since it was claimed.
    if (stopper.signal.aborted || (entry.mayAsk && isOff(entry.libraryId))) return settle(entry, null)
    company.began(entry)
    announce(entry, 'running')
    const onPage = (page: Omit<FinishedPage, 'jobId'>): void => {
      if (running.get(job.id) !== entry) return
      entry.hasRead ||= page.source !== 'fallback'
      ends.read({ jobId: job.id, ...page })
      pump()
    }
    const options = { lane: entry.lane, isUrgent: job.priority >= AI_JOB_PRIORITY.interactive, signal: stopper.signal, onPage }
    threads.run(task, options).then(
      (outcome) => end(entry, outcome),
      (error: unknown) => {
        if (!stopper.signal.aborted) deps.log.error('ai_job_crashed', { jobId: job.id, error })
        end(entry, { kind: 'failed', failure: CRASHED })
      },
    )
  }

  const end = (entry: Running, outcome: AiOutcome): void => {
    if (running.get(entry.job.id) !== entry) return
    if (outcome.kind === 'done') {
      pace.ended()
      if (outcome.askedModel) endpoint.answered(company.begunAt(entry))
      ends.finished({ id: entry.job.id, itemKey: entry.itemKey, result: outcome.result })
    } else settle(entry, outcome.kind === 'recalled' ? null : outcome.failure)
    pump()
  }

  /** What becomes of a job that has no result. `failure` is null where it has not begun. An endpoint of before is not waited for. */
  const settle = (entry: Running, failure: AiJobFailure | null): void => {
    const { job, stopper, generation } = entry
    if (running.get(job.id) !== entry) return
    // Cancelled: its row says so already.
    if (stopper.signal.aborted && stopper.signal.reason !== SWITCHED_OFF && !isStopped) return void running.delete(job.id)
    const isElsewhere = generation !== endpoint.generation() && (failure?.kind === 'unreachable' || failure?.kind === 'rate_limited')
    const isTried = failure !== null && !isElsewhere && !stopper.signal.aborted
    ends.unfinished({ id: job.id, ...(isTried ? fateOf(entry, failure, { endpoint, company: company.of(entry) }) : UNTRIED) })
    if (!isTried) return
    const { kind, message } = failure
    if (kind === 'root_away') away.found(entry.libraryId, message)
    // What is ahead would only learn the same.
    if (kind === 'root_away' || endpoint.waiting() !== null) void threads.recall()
    const log = kind === 'root_away' ? deps.log.debug : deps.log.warn
    log('ai_job_failed', { jobId: job.id, activity: job.activity, attempts: job.attempts, kind, message })
  }

  const loop = async (): Promise<void> => {
    while (again) {
      again = false
      // What comes in while a turn is being written, the next one takes along.
      for (turning = turn(); await turning; turning = turn())
        if (running.size > 0) await Bun.sleep(pace.restMs(ends.count() >= MOST_A_TURN))
    }
  }

  const pump = (): void => {
    again = true
    pumping ??= loop()
      .catch((error: unknown) => {
        deps.log.error('ai_queue_failed', { error })
        upkeep.retry()
      })
      .finally(() => {
        pumping = undefined
        if (again && !isStopped) pump()
      })
  }

  const hold = createAiHold({
    // Whoever waits for this turn hears of it when it fails.
    turned: async () => turning?.catch(() => undefined),
    recall: threads.recall,
    write: async () => {
      if (ends.count() === 0) return false
      pump()
      await pumping
      return true
    },
    released: wake,
  })

  const reload = async (): Promise<void> => {
    settings = await loadAiQueueSettings(deps)
    threads.resize(settings.global.concurrency)
    if (settings.isPaused) void threads.recall()
    for (const { mayAsk, libraryId, stopper } of running.values()) if (mayAsk && isOff(libraryId)) stopper.abort(SWITCHED_OFF)
  }

  /** What is ahead was made up for the settings before, and the endpoint may be another one. */
  const beginAnew = async (): Promise<void> => {
    void threads.recall()
    endpoint.forget()
    away.forget()
    await endDelays(deps)
  }

  const look = async (): Promise<void> => {
    const known = settings?.mark
    await reload()
    if (settings?.mark !== known) await beginAnew()
    wake()
  }

  const upkeep = createAiQueueUpkeep(deps, {
    owner,
    ...options,
    running: () => [...running.keys()],
    lost: (id) => running.get(id)?.stopper.abort(),
    look,
    isOutOfDate: () => isOutOfDate(deps, settings),
    wake,
  })

  return {
    wake,
    cancelled: upkeep.beat,
    withNoneAhead: hold.withNoneAhead,
    settingsChanged: async () => {
      await reload()
      await beginAnew()
      wake()
    },
    reload: look,
    state: () => ({ paused: settings?.isPaused ?? false, waiting: waiting() }),
    waitingFor: ({ activity, libraryId }) => {
      const isModelOnly = settings?.modelOnlyLibraries.includes(libraryId) ?? false
      if (!needsModel(activity, isModelOnly ? 'llm-only' : 'hybrid')) return heldUp() ?? away.reason(libraryId)
      return waiting() ?? away.reason(libraryId) ?? (isOff(libraryId) ? 'AI is switched off for this library.' : null)
    },
    start: async () => {
      await reload()
      await upkeep.start()
      isStarted = true
      wake()
      // Libraries come and go, and with them what holds for them.
      deps.events.subscribe(({ type }) => {
        if (type === 'library') void look().catch((error: unknown) => deps.log.warn('ai_queue_not_read', { error }))
      })
    },
    stop: async () => {
      isStopped = true
      endpoint.stop()
      void threads.recall()
      const deadline = performance.now() + DRAIN_MS
      while (running.size > 0 && performance.now() < deadline) await Bun.sleep(20)
      upkeep.stop()
      for (const { stopper } of running.values()) stopper.abort()
      threads.close()
      // Every stopped thread has rejected by now, and what it worked on is put back.
      await Bun.sleep(0)
      await pumping
      try {
        while (ends.count() > 0) await turn()
      } catch (error) {
        deps.log.warn('ai_queue_not_put_back', { error })
      }
    },
  }
}
