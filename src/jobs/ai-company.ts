/** Which jobs were under way beside each other, of those that may ask a model: what it refuses to one may be another's doing. */

import { needsModel } from '../domain/ai-job.ts'
import type { ClaimedItem, ClaimedJob } from '../services/ai-job-queue.ts'
import type { AiQueueSettings } from '../services/ai-queue-settings.ts'
import type { LaneJob } from './ai-claims.ts'

/** A job that this server works on. */
export interface Running extends LaneJob {
  job: ClaimedJob
  stopper: AbortController
  /** Of the endpoint that it asks. */
  generation: number
  itemKey: string
  libraryId: number
  /** It needs a model, or asks one on its way. */
  mayAsk: boolean
  /** Since it was begun, a page that it need not read again. */
  hasRead: boolean
}

/** `generation`: of the endpoint now. */
export const runningOf = (
  { job, item: { itemKey, libraryId } }: ClaimedItem,
  { settings, generation }: { settings: AiQueueSettings; generation: number },
): Running => {
  const { enabled, ocrMode } = settings.ofLibrary(libraryId)
  const isOfModel = needsModel(job.activity, ocrMode)
  const mayAsk = isOfModel || (enabled && ocrMode === 'hybrid')
  return {
    job,
    itemKey,
    libraryId,
    lane: isOfModel ? 'model' : 'recognition',
    mayAsk,
    hasRead: false,
    stopper: new AbortController(),
    generation,
  }
}

export interface Company {
  /** By the clock that nobody sets. */
  begunAt: number
  /** No other one was under way at any time since it began. */
  isAlone: boolean
  /** When the oldest of the others that are under way began; `Infinity` where there is none. */
  othersBegunAt: number
}

interface AiCompany {
  began(entry: Running): void
  hasBegun(entry: Running): boolean
  begunAt(entry: Running): number
  of(entry: Running): Company
}

/** `running`: in the order in which they began. */
export const createAiCompany = (running: ReadonlyMap<number, Running>): AiCompany => {
  const begun = new WeakMap<Running, { at: number; number: number; isFirst: boolean }>()
  let count = 0
  const begunAt = (entry: Running | undefined): number => (entry && begun.get(entry)?.at) ?? Number.POSITIVE_INFINITY
  const oldestBeside = (entry: Running): Running | undefined =>
    running.values().find((other) => other !== entry && other.mayAsk && begun.has(other))
  return {
    began: (entry) => {
      if (entry.mayAsk) count += 1
      begun.set(entry, { at: performance.now(), number: count, isFirst: oldestBeside(entry) === undefined })
    },
    hasBegun: (entry) => begun.has(entry),
    begunAt,
    of: (entry) => {
      const own = begun.get(entry)
      const isAlone = own?.number === count && own.isFirst
      return { begunAt: begunAt(entry), isAlone, othersBegunAt: begunAt(oldestBeside(entry)) }
    },
  }
}
