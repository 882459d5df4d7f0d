/**
 * Works off the AI queue: claims jobs by lease, hands them to threads, and writes what came of them. The rows are the
 * truth (services/ai-job-queue.ts); what is held here dies with the process and is taken up by the next one.
 *
 * Each turn writes everything that has finished and claims what fits, in one transaction: with an endpoint that answers
 * at once it is the transactions that take the time.
 */

import { hostname } from 'node:os'
import type { InStatement, ResultSet, Row } from '@libsql/client'
import type { AiQueue, Deps } from '../deps.ts'
import { AI_JOB_PRIORITY, type AiJobFailure, MAX_AI_ATTEMPTS, needsModel, retryDelayMs } from '../domain/ai-job.ts'
import { effectStatements, type FinishedJob } from '../services/ai-job-effects.ts'
import { buildAiRequests, type PreparedJob } from '../services/ai-job-input.ts'
import { isQueuePaused } from '../services/ai-job-list.ts'
import {
  type AiLane,
  type Claim,
  type ClaimedJob,
  claimStatement,
  claimSuspectStatement,
  type FinishedPage,
  forgetOldJobs,
  hasDueJobs,
  heartbeat,
  pagesStatement,
  reclaim,
  toClaimedJob,
  type UnfinishedJob,
  unfinishedStatement,
  type WantedJobs,
} from '../services/ai-job-queue.ts'
import { type AiQueueSettings, loadAiQueueSettings, probeAiEndpoint } from '../services/ai-queue-settings.ts'
import { createAiEndpoint, PROBE_INTERVAL_MS } from './ai-endpoint.ts'
import { createAiThreads } from './ai-threads.ts'

/** A lease ends at most 15 seconds after the last heartbeat, the look at what has run out included (API.md, 9). */
const LEASE_MS = 12_000
const HEARTBEAT_MS = 3_000
const RECLAIM_MS = 2_000
/** Jobs of other servers, delays that end, settings that another server changed. */
const LOOK_MS = 1_000
const FORGET_MS = 3_600_000
/** How long a stopping server waits for jobs that are nearly done. */
const DRAIN_MS = 1_500
/**
 * Jobs that end faster than this, waiting for a thread included, are claimed some ahead, so that no thread waits for a
 * transaction, and ended several at a time.
 */
const QUICK_JOB_MS = 300
const AHEAD = 4
const GATHER_MS = 3

/** What is searched for: a lane's next jobs, those that somebody waits for, and one that a server ended with. */
type Search = AiLane | 'urgent' | 'suspect'

interface Running {
  job: ClaimedJob
  lane: AiLane
  stopper: AbortController
  itemKey: string
  libraryId: number
}

export interface AiQueueJobs extends AiQueue {
  start(): Promise<void>
  stop(): Promise<void>
}

type QueueDeps = Pick<Deps, 'config' | 'db' | 'write' | 'log' | 'events'>

export const createAiQueue = (deps: QueueDeps, { isShared }: { isShared: boolean }): AiQueueJobs => {
  const owner = `${hostname()}-${process.pid}-${crypto.randomUUID()}`
  const threads = createAiThreads(deps)
  const running = new Map<number, Running>()
  let finished: FinishedJob[] = []
  let unfinished: UnfinishedJob[] = []
  let pages: FinishedPage[] = []
  /** Whether a claim may find something: not after one that found less than it asked for, until there is news. */
  const mayHave: Record<Search, boolean> = { recognition: true, model: true, urgent: true, suspect: true }
  let news = 0
  let settings: AiQueueSettings | undefined
  let isPaused = false
  let isStarted = false
  let isStopped = false
  let again = false
  let pumping: Promise<void> | undefined
  let meanMs = QUICK_JOB_MS
  const timers: ReturnType<typeof setInterval>[] = []

  const endpoint = createAiEndpoint({
    probe: () => probeAiEndpoint(deps),
    changed: () => wake(),
  })

  const wake = (): void => {
    news += 1
    Object.assign(mayHave, { recognition: true, model: true, urgent: true, suspect: true })
    pump()
  }

  /** Why no model is asked now; null where one is. */
  const waiting = (): string | null => {
    if (!settings) return null
    if (!settings.global.enabled) return 'AI enrichment is switched off.'
    if (settings.global.endpoint === '') return 'There is no endpoint yet.'
    return endpoint.waiting()
  }

  const runningIn = (lane: AiLane): Running[] => [...running.values()].filter((entry) => entry.lane === lane)

  const isStartable = (): boolean => settings !== undefined && isStarted && !isPaused && !isStopped

  const areQuick = (): boolean => meanMs < QUICK_JOB_MS

  /** Models: as many as the settings allow. */
  const modelRoom = (): number => {
    if (!isStartable() || !settings || waiting() !== null) return 0
    return Math.max(0, settings.global.concurrency * (areQuick() ? AHEAD : 1) - runningIn('model').length)
  }

  /** What was claimed ahead does not hold up what somebody waits for: that gets the next free thread. */
  const urgentRoom = (): number => {
    if (!isStartable() || !settings || waiting() !== null || !areQuick() || modelRoom() > 0) return 0
    const urgent = runningIn('model').filter(({ job }) => job.priority >= AI_JOB_PRIORITY.interactive)
    return Math.max(0, settings.global.concurrency - urgent.length)
  }

  /** Recognition: one after the other, for it fills a core; and somebody who waits need not wait for a whole volume. */
  const recognitionRoom = (): Pick<WantedJobs, 'limit' | 'minPriority'> => {
    const busy = runningIn('recognition')
    if (!isStartable() || busy.length > 1) return { limit: 0, minPriority: 0 }
    const isForOthers = busy.every(({ job }) => job.priority < AI_JOB_PRIORITY.interactive)
    return busy.length === 0 ? { limit: 1, minPriority: 0 } : { limit: isForOthers ? 1 : 0, minPriority: AI_JOB_PRIORITY.interactive }
  }

  const claims = (now: number): { search: Search; limit: number; statement: InStatement }[] => {
    const claim: Claim = { owner, now, leaseMs: LEASE_MS, modelOnlyLibraries: settings?.modelOnlyLibraries ?? [] }
    const rooms: (WantedJobs & { search: Search })[] = [
      { search: 'recognition', lane: 'recognition', ...recognitionRoom() },
      { search: 'model', lane: 'model', limit: modelRoom(), minPriority: 0 },
      { search: 'urgent', lane: 'model', limit: urgentRoom(), minPriority: AI_JOB_PRIORITY.interactive },
    ]
    const wanted = rooms.filter(({ search, limit }) => limit > 0 && mayHave[search])
    const suspect = { search: 'suspect', limit: 1, statement: claimSuspectStatement(claim, modelRoom() > 0) } as const
    const canTakeSuspect = mayHave.suspect && (recognitionRoom().limit > 0 || modelRoom() > 0)
    return [...wanted.map((room) => ({ ...room, statement: claimStatement(claim, room) })), ...(canTakeSuspect ? [suspect] : [])]
  }

  /** Writes everything that has finished, and claims what fits. Answers whether there was anything to do. */
  const turn = async (): Promise<boolean> => {
    const now = Date.now()
    const [done, undone, read] = [finished, unfinished, pages]
    finished = []
    unfinished = []
    pages = []
    const ends = [
      ...(read.length > 0 ? [pagesStatement(read, owner)] : []),
      ...effectStatements(done, { owner, now }),
      ...(undone.length > 0 ? [unfinishedStatement(undone, { owner, now })] : []),
    ]
    const asked = claims(now)
    const seen = news
    const forget = (search: Search): void => {
      if (seen === news) mayHave[search] = false
    }
    if (ends.length === 0 && (asked.length === 0 || !(await hasDueJobs(deps, now)))) {
      for (const { search } of asked) forget(search)
      return false
    }
    const ended = new Map([...done, ...undone].map(({ id }) => [id, running.get(id)]))
    // Whatever becomes of the transaction: where it fails their leases run out, and they are done once more. There is one
    // at a time, so that somebody else's write waits for one of them at most.
    const write = deps.write.batch([...ends, ...asked.map(({ statement }) => statement)])
    const results = await write.finally(() => {
      for (const id of ended.keys()) running.delete(id)
    })
    announceEnds(results.slice(0, ends.length), ended)
    if ([...ended.values()].some((entry) => entry && entry.job.crashes > 0)) mayHave.suspect = true
    const claimed = results.slice(ends.length)
    asked.forEach(({ search, limit }, index) => {
      if ((claimed[index]?.rows.length ?? 0) < limit) forget(search)
    })
    await startAll(claimed.flatMap(({ rows }) => rows))
    return true
  }

  const announceEnds = (results: readonly ResultSet[], ended: ReadonlyMap<number, Running | undefined>): void => {
    for (const { id, status } of results.flatMap((result) => result.rows)) {
      const entry = ended.get(Number(id))
      if (entry) announce(entry, String(status))
    }
  }

  const announce = ({ job, itemKey, libraryId }: Running, status: string): void => {
    if (itemKey !== '') deps.events.emit({ type: 'job', itemKey, libraryId, activity: job.activity, status })
  }

  const startAll = async (rows: readonly Row[]): Promise<void> => {
    if (rows.length === 0 || !settings) return
    const jobs = rows.map(toClaimedJob)
    for (const job of jobs) running.set(job.id, { job, lane: 'model', stopper: new AbortController(), itemKey: '', libraryId: 0 })
    const prepared = await buildAiRequests(deps, jobs, settings).catch((error: unknown) => {
      for (const { id } of jobs) running.delete(id)
      throw error
    })
    for (const job of jobs) {
      const request = prepared.get(job.id)
      // The item was forgotten in between, and the job with it.
      if (request) start(job, request)
      else running.delete(job.id)
    }
  }

  const start = (job: ClaimedJob, prepared: PreparedJob): void => {
    const entry = running.get(job.id)
    if (!entry) return
    entry.lane = needsModel(job.activity, prepared.ocrMode) ? 'model' : 'recognition'
    entry.itemKey = prepared.itemKey
    entry.libraryId = prepared.libraryId
    announce(entry, 'running')
    const startedAt = performance.now()
    void threads
      .run(prepared.task, {
        lane: entry.lane,
        isUrgent: job.priority >= AI_JOB_PRIORITY.interactive,
        signal: entry.stopper.signal,
        onPage: keepPage(job.id),
      })
      .then((outcome) => {
        meanMs = meanMs * 0.9 + Math.min(10_000, performance.now() - startedAt) * 0.1
        if (outcome.ok) {
          if (outcome.askedModel) endpoint.answered()
          finished.push({ id: job.id, result: outcome.result })
        } else settle(job, outcome.failure)
      })
      .catch((error: unknown) => {
        if (!entry.stopper.signal.aborted) deps.log.error('ai_job_crashed', { jobId: job.id, error })
        settle(job, { kind: 'temporary', message: 'The work on it failed.', retryAfterMs: null })
      })
      .finally(pump)
  }

  const keepPage = (jobId: number) => (page: Omit<FinishedPage, 'jobId'>) => {
    pages.push({ jobId, ...page })
    pump()
  }

  /** What becomes of a job that has no result. */
  const settle = (job: ClaimedJob, failure: AiJobFailure): void => {
    const entry = running.get(job.id)
    if (!entry) return
    if (entry.stopper.signal.aborted) {
      // Cancelled, or the server stops: then it waits for the next one.
      if (isStopped) unfinished.push({ id: job.id, status: 'queued', error: null, notBefore: null, isUncounted: true })
      else running.delete(job.id)
      return
    }
    // First: what it learns of the endpoint may begin a turn, which takes the list along.
    const fate = fateOf(job, failure)
    unfinished.push({ id: job.id, ...fate })
    deps.log.warn('ai_job_failed', {
      jobId: job.id,
      activity: job.activity,
      attempts: job.attempts,
      kind: failure.kind,
      message: failure.message,
    })
  }

  const fateOf = (job: ClaimedJob, { kind, message, retryAfterMs }: AiJobFailure): Omit<UnfinishedJob, 'id'> => {
    if (kind === 'unreachable') {
      endpoint.unreachable(message)
      // Recognition goes on without an endpoint, so what needs one after all waits by itself.
      return { status: 'queued', error: message, notBefore: Date.now() + PROBE_INTERVAL_MS, isUncounted: true }
    }
    if (kind !== 'rate_limited') endpoint.answered()
    const limited = kind === 'rate_limited' ? endpoint.rateLimited(message, retryAfterMs) : undefined
    if (limited && !limited.counts) return { status: 'queued', error: message, notBefore: limited.untilMs, isUncounted: true }
    if (kind === 'final' || job.attempts >= MAX_AI_ATTEMPTS)
      return { status: 'failed', error: message, notBefore: null, isUncounted: false }
    const notBefore = limited?.untilMs ?? Date.now() + retryDelayMs(job.attempts, retryAfterMs)
    return { status: 'queued', error: message, notBefore, isUncounted: false }
  }

  const loop = async (): Promise<void> => {
    while (again) {
      again = false
      // What comes in while a turn is being written, the next one takes along.
      while (await turn()) if (areQuick() && running.size > 0) await Bun.sleep(GATHER_MS)
    }
  }

  const pump = (): void => {
    again = true
    pumping ??= loop()
      .catch((error: unknown) => deps.log.error('ai_queue_failed', { error }))
      .finally(() => {
        pumping = undefined
        if (again && !isStopped) pump()
      })
  }

  const reload = async (): Promise<void> => {
    settings = await loadAiQueueSettings(deps)
    isPaused = await isQueuePaused(deps)
    threads.resize(settings.global.concurrency)
  }

  const quietly = (name: string, work: () => Promise<unknown>) => (): void =>
    void work().catch((error: unknown) => deps.log.warn('ai_queue_upkeep_failed', { work: name, error }))

  const look = async (): Promise<void> => {
    await reload()
    wake()
  }

  /** Jobs that are not ours any more, or not wanted, are stopped: their threads get free. */
  const beat = async (): Promise<void> => {
    const ids = [...running.keys()]
    if (ids.length === 0) return
    const ours = await heartbeat(deps, { owner, ids, leaseUntil: Date.now() + LEASE_MS })
    for (const id of ids) if (!ours.has(id)) running.get(id)?.stopper.abort()
  }

  const takeUp = async (isOurs = false): Promise<void> => {
    const taken = await reclaim(deps, { now: Date.now(), running: [...running.keys()], isOurs })
    if (taken > 0) wake()
  }

  return {
    wake,
    cancelled: quietly('cancel', beat),
    settingsChanged: async () => {
      await reload()
      endpoint.forget()
      wake()
    },
    reload: look,
    state: () => ({ paused: isPaused, waiting: waiting(), running: running.size }),
    start: async () => {
      await reload()
      // In a database file of our own, whatever runs now is not run by anybody.
      await takeUp(!isShared)
      isStarted = true
      timers.push(setInterval(quietly('heartbeat', beat), HEARTBEAT_MS))
      timers.push(setInterval(quietly('reclaim', takeUp), RECLAIM_MS))
      timers.push(setInterval(quietly('look', look), LOOK_MS))
      timers.push(
        setInterval(
          quietly('forget', () => forgetOldJobs(deps, Date.now())),
          FORGET_MS,
        ),
      )
      wake()
    },
    stop: async () => {
      isStopped = true
      endpoint.stop()
      const deadline = performance.now() + DRAIN_MS
      while (running.size > 0 && performance.now() < deadline) await Bun.sleep(20)
      for (const timer of timers) clearInterval(timer)
      for (const { stopper } of running.values()) stopper.abort()
      // Every stopped thread has rejected by now, and what it worked on is put back.
      await Bun.sleep(0)
      threads.close()
      await pumping
      await turn().catch((error: unknown) => deps.log.warn('ai_queue_not_put_back', { error }))
    },
  }
}
