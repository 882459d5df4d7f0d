import '../../support/solid-preload.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { waitFor } from '../../support/test-server.ts'

const SLOW_MS = 200

/** A real server that refuses English, and that what it is told first reaches late. */
let told = 0
let asked = 0
let kept = 'de'
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    if (request.method === 'GET') {
      asked += 1
      return Response.json({ audioLanguage: kept })
    }
    told += 1
    if (told === 1) await Bun.sleep(SLOW_MS)
    const { audioLanguage } = await request.json()
    if (audioLanguage === 'en') return Response.json({ code: 'rate_limited', detail: 'Later.' }, { status: 429 })
    kept = audioLanguage
    return Response.json({ audioLanguage: kept })
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

beforeEach(() => {
  told = 0
  asked = 0
  kept = 'de'
})

const isKept = (language: string) =>
  waitFor(
    () => kept === language || undefined,
    LIMIT_MS,
    () => `${kept} is kept`,
  )

/** Chooses one after the other, without waiting; gives what the next video begins with. */
const choose = async (...languages: readonly string[]) => {
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
        const chosen = createTrackLanguage('audioLanguage')
        for (const one of languages) chosen({ language: one })
        return null
      },
    })
    dispose()
  })
  return { language, isLanguage, stop }
}

test('a language that the account does not take is not the one that the next video begins with', async () => {
  const { language, isLanguage, stop } = await choose('en')
  expect(language()).toBe('en')
  await isLanguage('de')
  expect(told).toBe(1)
  stop()
})

test('of two choices in a moment the account keeps the last one', async () => {
  const { language, stop } = await choose('ja', 'fr')
  await isKept('fr')
  // Told beside it, the first one would come behind it.
  await Bun.sleep(2 * SLOW_MS)
  expect({ kept, told, shown: language() }).toEqual({ kept: 'fr', told: 2, shown: 'fr' })
  stop()
})

test('a choice that is refused takes the one after it not along', async () => {
  const { language, stop } = await choose('en', 'fr')
  await isKept('fr')
  // What was refused has the account asked once more what it is.
  await waitFor(
    () => asked === 2 || undefined,
    LIMIT_MS,
    () => 'Nobody asked again',
  )
  await Bun.sleep(SLOW_MS)
  expect({ kept, told, shown: language() }).toEqual({ kept: 'fr', told: 2, shown: 'fr' })
  stop()
})
