import '../../support/solid-preload.ts'
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { Window } from 'happy-dom'

// The client's addresses are relative to its document.
const { document } = new Window({ url: 'http://127.0.0.1/' })
Object.assign(globalThis, { document })

const { createComponent, createRoot } = await import('solid-js')
const { environmentManager, focusManager, QueryClient, QueryClientProvider } = await import('@tanstack/solid-query')
const { createEntryPages } = await import('../../../client/src/primitives/create-entry-pages.ts')
const { createEntryWindow } = await import('../../../client/src/primitives/create-entry-window.ts')

// Without a window the package takes itself for a server, where nothing is asked for again.
beforeAll(() => environmentManager.setIsServer(() => false))
afterAll(() => {
  environmentManager.setIsServer(() => true)
  focusManager.setFocused(undefined)
  Reflect.deleteProperty(globalThis, 'document')
})

const ANSWER_MS = 20

const LISTS = {
  grid: () => {
    const { query, loadMore } = createEntryPages(() => ({ libraryId: 1 }))
    return { query, loadMore }
  },
  'scroll-through': () => {
    const { query } = createEntryWindow(() => ({ libraryId: 1 }))
    return { query, loadMore: () => void query.fetchNextPage() }
  },
}

test.each(Object.entries(LISTS))(
  'whoever comes back to a %s sees what another device has changed, but dozens of pages are not asked for',
  async (_, create) => {
    const asked = spyOn(globalThis, 'fetch').mockImplementation(
      Object.assign(async () => Response.json({ entries: [], nextCursor: 'next', prevCursor: null, position: 0, total: 0 }), {
        preconnect: () => undefined,
      }),
    )
    const client = new QueryClient()
    client.mount()
    let pages: ReturnType<typeof create> | undefined
    const dispose = createRoot((end) => {
      createComponent(QueryClientProvider, {
        client,
        get children() {
          pages = create()
          return null
        },
      })
      return end
    })
    const comeBack = async () => {
      focusManager.setFocused(false)
      focusManager.setFocused(true)
      await Bun.sleep(ANSWER_MS)
      return asked.mock.calls.length
    }
    await Bun.sleep(ANSWER_MS)
    expect(asked).toHaveBeenCalledTimes(1)
    expect(await comeBack()).toBe(2)
    const go = async () => {
      pages?.loadMore()
      await Bun.sleep(ANSWER_MS)
      return asked.mock.calls.length
    }
    expect(await go()).toBe(3)
    expect(await comeBack()).toBe(5)
    while ((pages?.query.data?.pages.length ?? 0) <= 10) await go()
    const before = asked.mock.calls.length
    expect(await comeBack()).toBe(before)
    dispose()
    client.unmount()
    asked.mockRestore()
  },
)
