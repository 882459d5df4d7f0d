import '../../support/solid-preload.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { waitFor } from '../../support/test-server.ts'

const { createComponent, createRoot } = await import('solid-js')
const { environmentManager, QueryClient, QueryClientProvider, QueryObserver } = await import('@tanstack/solid-query')
const { request } = await import('../../../client/src/api/http.ts')
const { queryKeys } = await import('../../../client/src/api/query-keys.ts')
const { createConnectionWatch } = await import('../../../client/src/primitives/connection-watch.ts')

const ANSWER_MS = 20
const before = Object.getOwnPropertyDescriptor(globalThis, 'window')

// Without a window the package takes itself for a server, where nothing is asked again.
beforeAll(() => {
  environmentManager.setIsServer(() => false)
  Object.defineProperty(globalThis, 'window', { value: new EventTarget(), configurable: true })
})
afterAll(() => {
  environmentManager.setIsServer(() => true)
  if (before) Object.defineProperty(globalThis, 'window', before)
  else Reflect.deleteProperty(globalThis, 'window')
})

const watch = () => {
  const client = new QueryClient({
    defaultOptions: { queries: { networkMode: 'always', retry: false, staleTime: Number.POSITIVE_INFINITY } },
  })
  const asked = { libraries: 0, broken: 0 }
  const observers = [
    new QueryObserver(client, { queryKey: queryKeys.libraries, queryFn: async () => ++asked.libraries }),
    new QueryObserver(client, {
      queryKey: ['broken'],
      queryFn: async () => {
        asked.broken += 1
        throw new Error('refused')
      },
    }),
  ]
  const stops = observers.map((observer) => observer.subscribe(() => undefined))
  const dispose = createRoot((end) => {
    createComponent(QueryClientProvider, {
      client,
      get children() {
        createConnectionWatch()
        return null
      },
    })
    return end
  })
  return {
    asked,
    dispose,
    end: () => {
      dispose()
      for (const stop of stops) stop()
    },
  }
}

const LIMIT_MS = 20_000
const until = (what: string, isSo: () => boolean) =>
  waitFor(
    () => isSo() || undefined,
    LIMIT_MS,
    () => `${what} never happened`,
  )

test('disposal stops the listening', async () => {
  const { asked, dispose, end } = watch()
  await until('the first question', () => asked.libraries === 1)
  dispose()
  window.dispatchEvent(new Event('offline'))
  await Bun.sleep(ANSWER_MS)
  expect(asked.libraries).toBe(1)
  end()
})

test('a browser that says that its network has gone or come is no proof: the server is asked', async () => {
  const { asked, end } = watch()
  await until('the first question', () => asked.libraries === 1)
  for (const [index, name] of ['offline', 'online'].entries()) {
    await Bun.sleep(ANSWER_MS)
    window.dispatchEvent(new Event(name))
    await until(`the question after ${name}`, () => asked.libraries === index + 2)
  }
  end()
})

test('what failed is asked for again when the server is back, and what is there is not', async () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response('{}') })
  const { asked, end } = watch()
  await until('the first answers', () => asked.libraries === 1 && asked.broken === 1)
  await Bun.sleep(ANSWER_MS)
  await request('http://127.0.0.1:1/nobody').catch(() => undefined)
  expect(asked).toEqual({ libraries: 1, broken: 1 })
  await request(server.url)
  await until('the second question', () => asked.broken === 2)
  expect(asked).toEqual({ libraries: 1, broken: 2 })
  end()
  await server.stop(true)
})
