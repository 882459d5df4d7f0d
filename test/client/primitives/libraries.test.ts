import '../../support/solid-preload.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Window } from 'happy-dom'

// The client's addresses are relative to its document.
const { document } = new Window({ url: 'http://127.0.0.1/' })
Object.assign(globalThis, { document })

const { createComponent, createRoot } = await import('solid-js')
const { environmentManager, QueryClient, QueryClientProvider, timeoutManager } = await import('@tanstack/solid-query')
const { request } = await import('../../../client/src/api/http.ts')
const { queryKeys } = await import('../../../client/src/api/query-keys.ts')
const { createLibraries } = await import('../../../client/src/primitives/libraries.ts')

// Without a window the package takes itself for a server, where nothing is asked for again.
beforeAll(() => environmentManager.setIsServer(() => false))
afterAll(() => {
  environmentManager.setIsServer(() => true)
  Reflect.deleteProperty(globalThis, 'document')
})

const Libraries = () => {
  createLibraries()
  return null
}

test('the server is looked for more often from the moment that it is gone, and less from the moment that it is back', async () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response('{}') })
  const waits: number[] = []
  timeoutManager.setTimeoutProvider({
    setTimeout: (callback, ms) => setTimeout(callback, ms),
    clearTimeout: (timer) => clearTimeout(timer),
    setInterval: (callback, ms) => {
      waits.push(ms)
      return setInterval(callback, ms)
    },
    clearInterval: (timer) => clearInterval(timer),
  })
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(queryKeys.libraries, { libraries: [] })
  const dispose = createRoot((end) => {
    createComponent(QueryClientProvider, {
      client,
      get children() {
        return createComponent(Libraries, {})
      },
    })
    return end
  })
  await request('http://127.0.0.1:1/nobody').catch(() => undefined)
  await request(server.url)
  expect(waits).toEqual([20_000, 4000, 20_000])
  dispose()
  client.clear()
  await server.stop(true)
})
