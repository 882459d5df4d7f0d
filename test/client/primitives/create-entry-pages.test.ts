import '../../support/solid-preload.ts'
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { Window } from 'happy-dom'

// The client's addresses are relative to its document.
const { document } = new Window({ url: 'http://127.0.0.1/' })
Object.assign(globalThis, { document })

const { createComponent, createRoot } = await import('solid-js')
const { environmentManager, focusManager, QueryClient, QueryClientProvider } = await import('@tanstack/solid-query')
const { createEntryPages } = await import('../../../client/src/primitives/create-entry-pages.ts')

// Without a window the package takes itself for a server, where nothing is asked for again.
beforeAll(() => environmentManager.setIsServer(() => false))
afterAll(() => {
  environmentManager.setIsServer(() => true)
  focusManager.setFocused(undefined)
  Reflect.deleteProperty(globalThis, 'document')
})

const ANSWER_MS = 20

test('whoever comes back to a window sees what another has changed, but not where many pages would be asked for', async () => {
  const asked = spyOn(globalThis, 'fetch').mockImplementation(
    Object.assign(async () => Response.json({ entries: [], nextCursor: 'next', prevCursor: null, position: 0, total: 0 }), {
      preconnect: () => undefined,
    }),
  )
  const client = new QueryClient()
  client.mount()
  let pages: ReturnType<typeof createEntryPages> | undefined
  const dispose = createRoot((end) => {
    createComponent(QueryClientProvider, {
      client,
      get children() {
        pages = createEntryPages(() => ({ libraryId: 1 }))
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
  pages?.loadMore()
  await Bun.sleep(ANSWER_MS)
  expect(asked).toHaveBeenCalledTimes(3)
  expect(await comeBack()).toBe(3)
  dispose()
  client.unmount()
  asked.mockRestore()
})
