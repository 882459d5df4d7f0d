import { expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { takeScreenshot } from '../support/browser.ts'
import { waitFor } from '../support/test-server.ts'
import type { Scene, Visit } from './scene.ts'

/** For what a page or the server comes to by itself, on a machine that has other things to do. */
export const WAIT_LIMIT_MS = 20_000
/** A dozen such waits and more: a test that runs out of time would take the browser along. */
export const TEST_LIMIT_MS = 120_000
/** For what must not happen: it would have, by then. */
export const SETTLED_MS = 1000

interface Expectations {
  /** Console errors that belong to what is tested, as the one about an answer 401. */
  expected?: RegExp
  /** For what routes requests later: where that begins while a page is at work, it may miss some. */
  isIntercepted?: boolean
}

/** For what depends on what a browser has not fetched yet: others may have it from a page before. */
export const FRESH = { context: {} } satisfies Visit

/** For what depends on how things move: pages stand still otherwise. */
export const MOVING = { context: { reducedMotion: 'no-preference' } } satisfies Visit

/** Does something on a page of its own, and expects that nothing went wrong on it meanwhile. */
export const onPage = async (
  scene: Pick<Scene, 'open'>,
  look: Visit & Expectations,
  work: (page: Page) => Promise<void>,
): Promise<void> => {
  const { page, problems, close } = await scene.open(look)
  page.setDefaultTimeout(WAIT_LIMIT_MS)
  page.on('requestfailed', (request) => {
    // Whoever leaves a page drops what it was loading.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`failed request: ${request.url()}`)
  })
  try {
    if (look.isIntercepted) await page.route('**/*', (route) => route.fallback())
    await work(page)
  } catch (error) {
    await takeScreenshot(page, `failure-${Date.now()}`)
    if (problems.length > 0) console.error('On this page:', problems)
    throw error
  } finally {
    await close()
  }
  expect(problems.filter((problem) => !look.expected?.test(problem))).toEqual([])
}

/** The way back of a browser that knows no wish to close something: a step in its history. Set up before the first page. */
export const createHistoryBack = async (page: Page): Promise<() => Promise<void>> => {
  await page.addInitScript('delete window.CloseWatcher')
  return () => page.evaluate(() => history.back())
}

/** The way back of an Android phone: what is open is asked to close before the history is gone through. Set up before the first page. */
export const createSystemBack = async (page: Page): Promise<() => Promise<void>> => {
  await page.addInitScript(() => {
    const open: { onclose: (() => void) | null }[] = []
    class CloseWatcher {
      onclose: (() => void) | null = null
      constructor() {
        open.push(this)
      }
      destroy = () => {
        if (open.includes(this)) open.splice(open.indexOf(this), 1)
      }
    }
    Object.assign(window, {
      CloseWatcher,
      systemBack: () => {
        const top = open.pop()
        if (top === undefined) history.back()
        else top.onclose?.()
      },
    })
  })
  return () => page.evaluate('systemBack()')
}

/** Where the built client has a module in a chunk of its own. The names of chunks are cut: some are the same for several. */
export const chunkOf = async (module: string): Promise<string> => {
  const { file } = (await Bun.file('client/dist/.vite/manifest.json').json())[`src/${module}`]
  return `**/${file}`
}

/** A server that can be gone for the page. Set up before the first request: what begins with a page that is at work may miss some. */
export const createOutage = async (page: Page): Promise<{ begin: () => void; end: () => void }> => {
  let isGone = false
  await page.route('**/api/**', (route) => (isGone ? route.abort('internetdisconnected') : route.continue()))
  return {
    begin: () => {
      isGone = true
    },
    end: () => {
      isGone = false
    },
  }
}

/** Keeps the server from hearing of these requests until they are let go; `asked` is when there is one. */
export const holdRequests = async (
  page: Page,
  method: string,
  address: RegExp | string,
): Promise<{ asked: Promise<void>; letGo: () => void }> => {
  const asked = Promise.withResolvers<void>()
  const isLetGo = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (route.request().method() === method) {
      asked.resolve()
      await isLetGo.promise
    }
    await route.fallback()
  })
  return { asked: asked.promise, letGo: isLetGo.resolve }
}

/** In the tab, its bookmark and its history. */
export const isTitled = (page: Page, title: string) => page.waitForFunction((wanted) => document.title === wanted, title)

/**
 * Leaves the search field with the focus. The keys of the whole client come a moment after the first paint, and a test is
 * faster than a person.
 */
export const pressSearchKey = (page: Page): Promise<true> =>
  waitFor(
    async () => {
      await page.keyboard.press('/')
      return (await page.evaluate(() => document.activeElement?.matches('[data-shortcut]'))) || undefined
    },
    WAIT_LIMIT_MS,
    () => 'The keys never came',
  )

/** For other keys, which may not be pressed twice. */
export const waitForKeys = async (page: Page): Promise<void> => {
  await pressSearchKey(page)
  await page.evaluate(() => document.activeElement instanceof HTMLInputElement && document.activeElement.blur())
}

export const card = (page: Page, title: string) => page.locator(`a[data-item-key][title="${title}"]`).first()

/** For what is only there for a moment: begins to look for the words before something brings them. */
export const sees = async (page: Page, text: string, work: () => Promise<unknown>): Promise<void> => {
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden does not count
  const seen = page.waitForFunction((wanted) => document.body.innerText.includes(wanted), text)
  await Promise.all([seen, work()])
}

const FRAMES_AT_REST = 8

/** What is read of a page once it has come to rest: the same before and after some frames. */
export const atRest = async <Value extends object | number | string>(
  page: Page,
  read: () => Promise<Value | undefined>,
): Promise<Value> => {
  let last: Value | undefined
  return waitFor(
    async () => {
      const before = last
      last = await read()
      if (last !== undefined && Bun.deepEquals(last, before)) return last
      await page.evaluate(async (frames) => {
        for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame)
      }, FRAMES_AT_REST)
      return undefined
    },
    WAIT_LIMIT_MS,
    () => `It never came to rest, and was ${JSON.stringify(last)} at the end`,
  )
}

/** In one breath: of two clicks the second may come when the screen has changed, and mean something else. */
export const pressTwice = (locator: Locator): Promise<void> =>
  locator.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
