import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'
import type { QueryClient } from '@tanstack/solid-query'

const { InfiniteQueryObserver, QueryObserver } = await import('@tanstack/solid-query')
const { keepAnswersAlone } = await import('../../../client/src/api/kept-answers.ts')
const { createQueryClient } = await import('../../../client/src/api/query-client.ts')

const VISITS = 40

/** A screen that asks, gets its answer and goes. */
const visit = async (client: QueryClient, isPaged: boolean, visit: number): Promise<WeakRef<object>> => {
  const screen = { text: `answer ${visit}` }
  const options = { queryKey: ['visits', isPaged, visit], queryFn: async () => screen.text }
  const observer: { subscribe: (listener: (result: { data: unknown }) => void) => () => void } = isPaged
    ? new InfiniteQueryObserver(client, { ...options, initialPageParam: 0, getNextPageParam: () => screen.text.length })
    : new QueryObserver(client, options)
  await new Promise<void>((answered) => {
    const leave = observer.subscribe(({ data }) => {
      if (data === undefined) return
      leave()
      answered()
    })
  })
  return new WeakRef(screen)
}

test.each([false, true])('a screen that was left is not kept with the answers that it got: paged %p', async (isPaged) => {
  const client = createQueryClient()
  keepAnswersAlone(client)
  const screens: WeakRef<object>[] = []
  for (let number = 0; number < VISITS; number++) screens.push(await visit(client, isPaged, number))
  await Bun.sleep(0)
  Bun.gc(true)
  // What lies on the stack may look like one of them.
  expect(screens.filter((screen) => screen.deref()).length).toBeLessThan(VISITS / 2)
  const answers = client
    .getQueryCache()
    .getAll()
    .map(({ state }) => state.data)
  expect(answers).toHaveLength(VISITS)
  expect(answers[1]).toEqual(isPaged ? { pages: ['answer 1'], pageParams: [0] } : 'answer 1')
  client.clear()
})

test('whoever comes back is shown the answer, and can ask anew', async () => {
  const client = createQueryClient()
  keepAnswersAlone(client)
  let asked = 0
  const options = { queryKey: ['count'], queryFn: async () => ++asked }
  const first = new QueryObserver(client, options)
  const leave = first.subscribe(() => undefined)
  await first.refetch()
  leave()
  const before = asked
  const second = new QueryObserver(client, options)
  const leaveAgain = second.subscribe(() => undefined)
  expect(second.getCurrentResult().data).toBe(before)
  await client.invalidateQueries({ queryKey: ['count'] })
  expect(second.getCurrentResult().data).toBe(before + 1)
  leaveAgain()
  client.clear()
})
