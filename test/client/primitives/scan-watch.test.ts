import '../../support/solid-preload.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import type { Library, Scan } from '../../../client/src/api/types.ts'

// The client's addresses are relative to its document.
const { document } = new Window({ url: 'http://127.0.0.1/' })
Object.assign(globalThis, { document })

const { createComponent, createRoot } = await import('solid-js')
const { environmentManager, QueryClient, QueryClientProvider, QueryObserver } = await import('@tanstack/solid-query')
const { createScanWatch } = await import('../../../client/src/primitives/scan-watch.ts')
const { queryKeys } = await import('../../../client/src/api/query-keys.ts')

// Without a window the package takes itself for a server, where nothing is asked for again.
beforeAll(() => environmentManager.setIsServer(() => false))
afterAll(() => {
  environmentManager.setIsServer(() => true)
  Reflect.deleteProperty(globalThis, 'document')
})

const libraries = (itemCount: number, status: Scan['status'], id = 1) => ({
  libraries: [{ id: 1, itemCount, lastScan: { id, status } as Scan } as Library],
})
/** Which scans were told of. */
const watch = (client: InstanceType<typeof QueryClient>) => {
  const seen: string[] = []
  const followed: number[] = []
  const dispose = createRoot((end) => {
    createComponent(QueryClientProvider, {
      client,
      get children() {
        createScanWatch(
          (library) => seen.push(library.lastScan?.status ?? ''),
          (scanIds) => followed.push(...scanIds.values()),
        )
        return null
      },
    })
    return end
  })
  return { seen, followed, dispose }
}
const turn = () => Bun.sleep(0)

test('pages that take longer than the next look at a scan come to their end, and are asked for again when it has ended', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(queryKeys.libraries, libraries(1, 'running'))
  const answers: ((text: string) => void)[] = []
  const pages = new QueryObserver(client, {
    queryKey: [...queryKeys.libraryContent(1), 'pages'],
    queryFn: ({ signal }) =>
      new Promise<string>((resolve, reject) => {
        signal.addEventListener('abort', reject)
        answers.push(resolve)
      }),
  })
  const leave = pages.subscribe(() => undefined)
  const { seen, dispose } = watch(client)
  answers[0]?.('first')
  await turn()
  for (const count of [2, 3, 4]) {
    client.setQueryData(queryKeys.libraries, libraries(count, 'running'))
    await turn()
  }
  expect(answers).toHaveLength(2)
  answers[1]?.('second')
  await turn()
  expect(pages.getCurrentResult().data).toBe('second')
  client.setQueryData(queryKeys.libraries, libraries(5, 'running'))
  await turn()
  client.setQueryData(queryKeys.libraries, libraries(5, 'done'))
  await turn()
  expect([answers.length, seen]).toEqual([4, ['done']])
  answers[3]?.('last')
  await turn()
  expect(pages.getCurrentResult().data).toBe('last')
  leave()
  dispose()
})

test('of scans that end between two looks those that have not gone well are told of, each once', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(queryKeys.libraries, libraries(1, 'failed'))
  const { seen, dispose } = watch(client)
  for (const [index, status] of (['done', 'failed', 'failed', 'held'] as const).entries()) {
    client.setQueryData(queryKeys.libraries, libraries(1, status, index + 2))
    await turn()
    client.setQueryData(queryKeys.libraries, libraries(1 + index, status, index + 2))
    await turn()
  }
  expect(seen).toEqual(['failed', 'failed', 'held'])
  dispose()
})

test('of a scan that another one follows at once it is asked how it has ended, and of none that was seen to its end', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(queryKeys.libraries, libraries(1, 'running', 5))
  const { seen, followed, dispose } = watch(client)
  for (const [status, id] of [
    ['queued', 6],
    ['running', 6],
    ['done', 6],
    ['running', 7],
    ['done', 8],
    ['failed', 9],
  ] as const) {
    client.setQueryData(queryKeys.libraries, libraries(1, status, id))
    await turn()
  }
  expect({ seen, followed }).toEqual({ seen: ['done', 'done', 'failed'], followed: [5, 7] })
  dispose()
})
