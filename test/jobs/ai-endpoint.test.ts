import { expect, test } from 'bun:test'
import type { Company } from '../../src/jobs/ai-company.ts'
import { createAiEndpoint } from '../../src/jobs/ai-endpoint.ts'

const startEndpoint = () => {
  let news = 0
  const changed = (): void => {
    news += 1
  }
  const endpoint = createAiEndpoint({ probe: async () => null, changed })
  return { endpoint, news: () => news }
}

test('the end of a refusal is told although the endpoint was away meanwhile', async () => {
  const { endpoint, news } = startEndpoint()
  const { untilMs } = endpoint.rateLimited({ ...ALONE, jobId: 1, message: 'Asked to wait.', retryAfterMs: null, isServerError: false })
  endpoint.unreachable('Away.')
  endpoint.answered(0)
  expect([endpoint.waiting(), news()]).toEqual(['Asked to wait.', 2])
  await Bun.sleep((untilMs ?? 0) - Date.now() + 100)
  expect([endpoint.waiting(), news()]).toEqual([null, 3])
  endpoint.stop()
})

const ALONE = { begunAt: 0, isAlone: true, othersBegunAt: Number.POSITIVE_INFINITY }
const IN_COMPANY = { begunAt: 0, isAlone: false, othersBegunAt: 0 }

test('an error that says when to come back counts for the job that has it again while it is alone, where others are answered', () => {
  const { endpoint } = startEndpoint()
  const refuse = (jobId: number, company: Company, isServerError = true) =>
    endpoint.rateLimited({ ...company, jobId, message: 'Not ready.', retryAfterMs: 0, isServerError })
  const counts = (jobId: number, company = ALONE): boolean => refuse(jobId, company).counts
  // An endpoint that restarts, or loads its model: no job is at fault.
  endpoint.answered(0)
  expect([counts(1), counts(2)]).toEqual([false, false])
  endpoint.answered(0)
  // Others may have taken every place: one at a time is asked until that is clear.
  expect([endpoint.isCareful(), counts(1, IN_COMPANY), endpoint.isCareful()]).toEqual([false, false, true])
  endpoint.answered(0)
  expect([endpoint.isCareful(), counts(3)]).toEqual([true, false])
  // It alone waits.
  expect(refuse(1, ALONE)).toEqual({ counts: true, untilMs: null })
  expect(endpoint.isCareful()).toBe(false)
  endpoint.answered(0)
  expect(counts(1)).toBe(true)
  // That the endpoint wants to be asked less is nobody's fault, nor is what another one said.
  endpoint.answered(0)
  expect([refuse(1, ALONE, false).counts, refuse(2, ALONE, false).counts]).toEqual([false, false])
  endpoint.forget()
  endpoint.answered(0)
  expect(counts(1)).toBe(false)
  endpoint.stop()
})

test('what is answered alone ends the care', () => {
  const { endpoint } = startEndpoint()
  const refuse = () => endpoint.rateLimited({ ...IN_COMPANY, jobId: 1, message: 'Not ready.', retryAfterMs: 0, isServerError: true })
  refuse()
  endpoint.answered(0)
  refuse()
  endpoint.answered(performance.now())
  expect(endpoint.isCareful()).toBe(true)
  // It began after the wait that the refusal asked for.
  endpoint.answered(performance.now() + 60_000)
  expect(endpoint.isCareful()).toBe(false)
  endpoint.stop()
})
