import { expect, test } from 'bun:test'
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
  const { untilMs } = endpoint.rateLimited('Asked to wait.', null, null)
  endpoint.unreachable('Away.')
  endpoint.answered()
  expect([endpoint.waiting(), news()]).toEqual(['Asked to wait.', 2])
  await Bun.sleep(untilMs - Date.now() + 100)
  expect([endpoint.waiting(), news()]).toEqual([null, 3])
  endpoint.stop()
})

test('an error that says when to come back counts for the job that has it again and again while others are answered', () => {
  const { endpoint } = startEndpoint()
  const counts = (jobId: number | null): boolean => endpoint.rateLimited('Not ready.', 0, jobId).counts
  // An endpoint that restarts, or loads its model: no job is at fault.
  endpoint.answered()
  expect([counts(1), counts(2)]).toEqual([false, false])
  endpoint.answered()
  expect([counts(1), counts(3)]).toEqual([true, false])
  endpoint.answered()
  expect(counts(1)).toBe(true)
  // That the endpoint wants to be asked less is nobody's fault, nor is what another one said.
  endpoint.answered()
  expect([counts(null), counts(null)]).toEqual([false, false])
  endpoint.forget()
  endpoint.answered()
  expect(counts(1)).toBe(false)
  endpoint.stop()
})
