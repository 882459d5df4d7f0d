/**
 * Whether the endpoint can be asked now. One that cannot be reached is asked for its models every few seconds until it
 * answers; one that wants to be asked less is left in peace for as long as it says. Jobs wait meanwhile and do not fail.
 */

import { retryDelayMs } from '../domain/ai-job.ts'
import { setNewest } from '../domain/bounded-map.ts'
import type { Company } from './ai-company.ts'

/** API.md, 9: at least every 10 seconds. A probe takes its time too. */
export const PROBE_INTERVAL_MS = 5_000

/** Jobs whose refusals are remembered. */
const MAX_REFUSED = 10_000
/** As after so many refusals waits a job that was to be asked alone and was not, so that others come first. */
const UNCLEAR_REFUSALS = 3

interface Refusal extends Company {
  jobId: number
  message: string
  /** As the endpoint asked for; null where it did not. */
  retryAfterMs: number | null
  /** It is an error of the endpoint, which may be the fault of the job. */
  isServerError: boolean
}

export interface AiEndpoint {
  /** Why it cannot be asked now, for people; null where it can. */
  waiting(): string | null
  /** Whether one question at a time is to be asked: what is refused in company may be so for want of a place. */
  isCareful(): boolean
  /** An answer came, whatever it said, to what began at this time. */
  answered(begunAt: number): void
  unreachable(message: string): void
  /**
   * Answers whether the job's own start counts: not while others get answers, but for a job whose fault it is. That is so
   * where others were answered since it was refused before, and it is refused again while it is alone; nobody else waits then
   * (`untilMs` null).
   */
  rateLimited(refusal: Refusal): { counts: boolean; untilMs: number | null }
  /** Another endpoint, another key: nothing is known about it. */
  forget(): void
  /** How often it was forgotten: what was asked before says nothing about it. */
  generation(): number
  stop(): void
}

interface AiEndpointParts {
  /** Whether somebody answers there, and if not, why. */
  probe: () => Promise<string | null>
  /** There is news: jobs may be started, or have to wait. */
  changed: () => void
}

export const createAiEndpoint = ({ probe, changed }: AiEndpointParts): AiEndpoint => {
  let away: string | null = null
  /** `until` is on the clock that nobody sets. */
  let cooling: { until: number; message: string } | null = null
  /** Rate limits without an answer in between. */
  let refusals = 0
  /** What began before and is under way still has outlived the last wait: it is being answered. */
  let waitedUntil = Number.NEGATIVE_INFINITY
  let isCareful = false
  let answers = 0
  /** How many answers there had been when each job was refused last by an error of the endpoint. */
  const refusedAt = new Map<number, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let generation = 0
  let isStopped = false

  const later = (work: () => void, delayMs: number): void => {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(work, delayMs)
    timer.unref()
  }

  /** Others were answered since it was refused before: by its own fault, or because they have taken all places. */
  const isSuspect = (jobId: number): boolean => {
    const before = refusedAt.get(jobId)
    setNewest(refusedAt, jobId, answers, MAX_REFUSED)
    return before !== undefined && before < answers
  }

  const isCooling = (): boolean => cooling !== null && cooling.until > performance.now()

  const tellWhenCool = (): void => {
    if (cooling !== null && isCooling()) later(changed, cooling.until - performance.now() + 1)
  }

  const back = (): void => {
    if (away === null) return
    away = null
    clearTimeout(timer)
    tellWhenCool()
    changed()
  }

  const look = async (): Promise<void> => {
    const asked = generation
    const reason = await probe().catch((error: unknown) => String(error))
    if (asked !== generation || isStopped || away === null) return
    if (reason === null) return back()
    away = reason
    later(() => void look(), PROBE_INTERVAL_MS)
  }

  return {
    waiting: () => away ?? (isCooling() ? (cooling?.message ?? null) : null),
    isCareful: () => isCareful,
    answered: (begunAt) => {
      refusals = 0
      answers += 1
      if (begunAt >= (cooling?.until ?? 0)) isCareful = false
      back()
    },
    unreachable: (message) => {
      const isNews = away === null
      away = message
      if (!isNews) return
      later(() => void look(), PROBE_INTERVAL_MS)
      changed()
    },
    rateLimited: ({ jobId, message, retryAfterMs, isServerError, begunAt, isAlone, othersBegunAt }) => {
      const isDoubtful = isServerError && isSuspect(jobId)
      if (isDoubtful && isAlone) {
        isCareful = false
        return { counts: true, untilMs: null }
      }
      const isUnclear = isDoubtful && isCareful && begunAt >= (cooling?.until ?? 0)
      isCareful ||= isDoubtful
      // Several requests that were under way together are one refusal.
      if (!isCooling()) {
        refusals += 1
        waitedUntil = cooling?.until ?? waitedUntil
      }
      const now = performance.now()
      const until = Math.max(cooling?.until ?? 0, now + retryDelayMs(refusals, retryAfterMs))
      cooling = { until, message }
      if (away === null) tellWhenCool()
      const own = isUnclear ? retryDelayMs(UNCLEAR_REFUSALS, retryAfterMs) : 0
      return { counts: refusals > 1 && othersBegunAt >= waitedUntil, untilMs: Math.ceil(Date.now() + until + own - now) }
    },
    forget: () => {
      generation += 1
      refusals = 0
      isCareful = false
      refusedAt.clear()
      cooling = null
      // Optimistic: the first job finds out, and at once.
      back()
    },
    generation: () => generation,
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
