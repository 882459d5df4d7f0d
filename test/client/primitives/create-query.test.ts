import '../../support/solid-preload.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'

const { createComponent, createRoot, createSignal } = await import('solid-js')
const { environmentManager, QueryClient, QueryClientProvider } = await import('@tanstack/solid-query')
const { createQuery } = await import('../../../client/src/primitives/create-query.ts')

const ANSWER_MS = 20

// Without a window the package takes itself for a server, where nothing polls.
beforeAll(() => environmentManager.setIsServer(() => false))
afterAll(() => environmentManager.setIsServer(() => true))

/** A query over a changing key; `asked` counts what was really asked for. */
const makeQuery = (options: { refetchInterval?: number; fails?: boolean } = {}) => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const asked: string[] = []
  return createRoot((dispose) => {
    const [key, setKey] = createSignal('a')
    let query: ReturnType<typeof createQuery<{ key: string; tags: string[] }>> | undefined
    createComponent(QueryClientProvider, {
      client,
      get children() {
        query = createQuery(() => ({
          queryKey: [key()],
          queryFn: async () => {
            asked.push(key())
            await Bun.sleep(1)
            if (options.fails) throw new Error('refused')
            return { key: key(), tags: ['x'] }
          },
          refetchInterval: options.refetchInterval,
        }))
        return null
      },
    })
    if (!query) throw new Error('the provider drew no children')
    return { query, setKey, asked, dispose, client }
  })
}

test('a refused answer is an error and no data', async () => {
  const { query, dispose } = makeQuery({ fails: true })
  await Bun.sleep(ANSWER_MS)
  expect(query.error?.message).toBe('refused')
  expect(query.data).toBeUndefined()
  dispose()
})

test('disposal stops the polling', async () => {
  const { asked, dispose } = makeQuery({ refetchInterval: 5 })
  await Bun.sleep(ANSWER_MS * 2)
  dispose()
  const before = asked.length
  expect(before).toBeGreaterThan(1)
  await Bun.sleep(ANSWER_MS * 2)
  expect(asked).toHaveLength(before)
})

test('another key is asked for and shows no answer of the key before', async () => {
  const { query, setKey, asked, dispose } = makeQuery()
  expect(query.isPending).toBe(true)
  await Bun.sleep(ANSWER_MS)
  expect(query.data?.key).toBe('a')
  setKey('b')
  expect(query.isPending).toBe(true)
  await Bun.sleep(ANSWER_MS)
  expect(query.data?.key).toBe('b')
  expect(asked).toEqual(['a', 'b'])
  dispose()
})

test('an equal answer keeps its reference', async () => {
  const { query, dispose } = makeQuery()
  await Bun.sleep(ANSWER_MS)
  const before = query.data
  await query.refetch()
  expect(query.data).toBe(before)
  dispose()
})
