/** What becomes of a job that has no result: whether it waits, is tried again, or is given up (API.md, 9). */

import { type AiJobFailure, MAX_AI_ATTEMPTS, retryDelayMs } from '../domain/ai-job.ts'
import type { UnfinishedJob } from '../services/ai-job-queue.ts'
import type { Company, Running } from './ai-company.ts'
import { type AiEndpoint, PROBE_INTERVAL_MS } from './ai-endpoint.ts'

type Fate = Omit<UnfinishedJob, 'id'>

/** It has not been tried at all: as if it had never been claimed. */
export const UNTRIED: Fate = { status: 'queued', error: null, notBefore: null, isUncounted: true }

/** Tells the endpoint what is learnt of it. */
export const fateOf = (
  { job, hasRead }: Pick<Running, 'job' | 'hasRead'>,
  { kind, message, retryAfterMs, isAnswered, isServerError = false }: AiJobFailure,
  { endpoint, company }: { endpoint: AiEndpoint; company: Company },
): Fate => {
  if (kind === 'root_away') return { ...UNTRIED, error: message }
  if (kind === 'unreachable') {
    endpoint.unreachable(message)
    // Recognition goes on without an endpoint, so what needs one after all waits by itself.
    return { status: 'queued', error: message, notBefore: Date.now() + PROBE_INTERVAL_MS, isUncounted: true }
  }
  if (isAnswered && kind !== 'rate_limited') endpoint.answered(company.begunAt)
  const refusal = { ...company, jobId: job.id, message, retryAfterMs, isServerError }
  const limited = kind === 'rate_limited' ? endpoint.rateLimited(refusal) : undefined
  if (limited && !limited.counts) return { status: 'queued', error: message, notBefore: limited.untilMs, isUncounted: true }
  // An endpoint that fails now and then fails three times before all pages of a volume are read.
  const isUncounted = kind === 'temporary' && isAnswered && hasRead
  if (kind === 'final' || (job.attempts >= MAX_AI_ATTEMPTS && !isUncounted))
    return { status: 'failed', error: message, notBefore: null, isUncounted: false }
  const notBefore = limited?.untilMs ?? Date.now() + retryDelayMs(job.attempts, retryAfterMs)
  return { status: 'queued', error: message, notBefore, isUncounted }
}
