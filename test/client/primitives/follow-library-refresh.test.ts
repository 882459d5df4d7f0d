import '../../support/solid-preload.ts'
import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { Window } from 'happy-dom'
import { waitFor } from '../../support/test-server.ts'

/** A real server that answers what the test wants, and waits with it where that is wanted. */
let queued = 0
let refusal: number | undefined
let asked = 0
let held: { at: number; until: Promise<void> } | undefined
const server = Bun.serve({
  port: 0,
  fetch: async () => {
    asked += 1
    if (held?.at === asked) await held.until
    if (refusal !== undefined) return Response.json({ status: refusal, code: 'refused' }, { status: refusal })
    return Response.json({ queued, refreshed: 1, without: 0, failed: 0, failures: [] })
  },
})
// The client's addresses are relative to its document.
const { document } = new Window({ url: `http://127.0.0.1:${server.port}/` })
Object.assign(globalThis, { document })

const { createComponent, createRoot } = await import('solid-js')
const { environmentManager, QueryClient, QueryClientProvider } = await import('@tanstack/solid-query')
const { createLibraryRefreshFollowing } = await import('../../../client/src/primitives/follow-library-refresh.ts')
const { queryKeys } = await import('../../../client/src/api/query-keys.ts')

const LIMIT_MS = 60_000

// Without a window the package takes itself for a server, where nothing is asked for again.
beforeAll(() => environmentManager.setIsServer(() => false))
beforeEach(() => {
  queued = 5
  refusal = undefined
  asked = 0
  held = undefined
})
afterAll(async () => {
  environmentManager.setIsServer(() => true)
  Reflect.deleteProperty(globalThis, 'document')
  await server.stop(true)
})

const GRID = [...queryKeys.libraryContent(1), 'browse']
const make = () => {
  const client = new QueryClient()
  client.setQueryData(GRID, 'what the grid shows')
  const follow = createRoot((dispose) => {
    let made: ReturnType<typeof createLibraryRefreshFollowing> | undefined
    createComponent(QueryClientProvider, {
      client,
      get children() {
        made = createLibraryRefreshFollowing()
        return null
      },
    })
    if (!made) throw new Error('the provider drew no children')
    // The page that it was begun on is left.
    dispose()
    return made
  })
  return { client, follow, isGridOld: () => client.getQueryState(GRID)?.isInvalidated === true }
}

const until = (isSo: () => boolean, otherwise: string) =>
  waitFor(
    () => isSo() || undefined,
    LIMIT_MS,
    () => otherwise,
  )

test(
  'the grid is asked for again once the files are read, and once where two have begun to follow',
  async () => {
    const { client, follow, isGridOld } = make()
    const invalidated = spyOn(client, 'invalidateQueries')
    const { promise, resolve } = Promise.withResolvers<void>()
    held = { at: 3, until: promise }
    const ends = [follow(1), follow(1)]
    await until(() => asked === 3, 'It was not followed')
    expect(isGridOld()).toBe(false)
    queued = 0
    resolve()
    await Promise.all(ends)
    expect(isGridOld()).toBe(true)
    expect(asked).toBe(3)
    expect(invalidated.mock.calls.filter(([filters]) => filters?.queryKey?.[0] === 'content')).toHaveLength(1)
  },
  LIMIT_MS,
)

test(
  'a server that refuses is asked no more, and none for somebody who has signed out',
  async () => {
    const refused = make()
    const first = Promise.withResolvers<void>()
    held = { at: 2, until: first.promise }
    const end = refused.follow(1)
    await until(() => asked === 2, 'It was not followed')
    refusal = 403
    first.resolve()
    await end
    expect(asked).toBe(2)
    refusal = undefined
    const signedOut = make()
    const second = Promise.withResolvers<void>()
    held = { at: 3, until: second.promise }
    const next = signedOut.follow(1)
    await until(() => asked === 3, 'The next one was not followed')
    signedOut.client.setQueryData(queryKeys.authStatus, { setupRequired: false, user: null })
    second.resolve()
    await next
    expect(asked).toBe(3)
    expect(refused.isGridOld() || signedOut.isGridOld()).toBe(false)
  },
  LIMIT_MS,
)
