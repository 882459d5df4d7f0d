import '../../support/solid-preload.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { waitFor } from '../../support/test-server.ts'

/** A real server that refuses what it is told. */
let told = 0
const server = Bun.serve({
  port: 0,
  fetch: ({ method }) => {
    if (method === 'GET') return Response.json({ audioLanguage: 'de' })
    told += 1
    return Response.json({ code: 'rate_limited', detail: 'Later.' }, { status: 429 })
  },
})
const { document } = new Window({ url: `http://127.0.0.1:${server.port}/` })
Object.assign(globalThis, { document })

const { createComponent, createRoot } = await import('solid-js')
const { environmentManager, QueryClient, QueryClientProvider, QueryObserver } = await import('@tanstack/solid-query')
const { userSettingsQuery } = await import('../../../client/src/api/user-settings.ts')
/** By its address: what it shows messages with is JSX, which is not compiled with the tests. */
const PRIMITIVES = '../../../client/src/primitives'
const { createTrackLanguage }: { createTrackLanguage: (setting: string) => (track: object) => void } = await import(
  `${PRIMITIVES}/track-language.ts`
)

const LIMIT_MS = 20_000

// Without a window the package takes itself for a server, where nothing is asked for.
beforeAll(() => environmentManager.setIsServer(() => false))
afterAll(async () => {
  environmentManager.setIsServer(() => true)
  Reflect.deleteProperty(globalThis, 'document')
  await server.stop(true)
})

test('a language that the account does not take is not the one that the next video begins with', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const settings = new QueryObserver(client, { ...userSettingsQuery, staleTime: LIMIT_MS })
  const stop = settings.subscribe(() => undefined)
  const language = (): string | null | undefined => settings.getCurrentResult().data?.audioLanguage
  const isLanguage = (wanted: string) =>
    waitFor(
      async () => language() === wanted || undefined,
      LIMIT_MS,
      () => `It is ${language()}`,
    )
  await isLanguage('de')
  createRoot((dispose) => {
    createComponent(QueryClientProvider, {
      client,
      get children() {
        createTrackLanguage('audioLanguage')({ language: 'en' })
        return null
      },
    })
    dispose()
  })
  expect(language()).toBe('en')
  await isLanguage('de')
  expect(told).toBe(1)
  stop()
})
