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
  const { untilMs } = endpoint.rateLimited('Asked to wait.', null)
  endpoint.unreachable('Away.')
  endpoint.answered()
  expect([endpoint.waiting(), news()]).toEqual(['Asked to wait.', 2])
  await Bun.sleep(untilMs - Date.now() + 100)
  expect([endpoint.waiting(), news()]).toEqual([null, 3])
  endpoint.stop()
})
