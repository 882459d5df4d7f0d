import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, type CDPSession, chromium, type Page } from 'playwright-core'
import type { HttpClient } from './http-client.ts'

/** The system's Chromium, quiet and offline but for the server under test. */

export const CHROMIUM_PATH = process.env.CHROMIUM_PATH ?? Bun.which('chromium-headless-shell') ?? '/usr/bin/chromium'
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  // No process in reserve for a page that may come: it is a tenth of what a page costs.
  '--renderer-process-limit=1',
  // What draws and what fetches are threads of the one process: messages between three are some hundredths of what a page costs.
  '--in-process-gpu',
  // The second is Playwright's own, which would be forgotten: the last such flag counts.
  '--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A look from a test into the page counts as a touch of it, so whether sound would be refused depends on the moment.
  '--autoplay-policy=no-user-gesture-required',
]
/** A page that is at rest answers at once. */
const LOOK_LIMIT_MS = 2000
const SCREENSHOT_FOLDER = join(import.meta.dir, '../../test-results/screenshots')

export type Theme = 'dark' | 'light'
/** The two widths that every view is looked at in, in CSS pixels. */
export const WIDTHS = { desktop: 1280, phone: 390 } as const
const HEIGHTS = { desktop: 800, phone: 844 } as const
export type Screen = keyof typeof WIDTHS

export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM_PATH, args: CHROMIUM_FLAGS })

interface PageSpec {
  /** The server's base address. */
  url: string
  /** Whose session the page has; nobody's where it is missing. */
  client?: HttpClient
  screen?: Screen
  theme?: Theme
  context?: BrowserContextOptions
}

export interface OpenPage {
  page: Page
  /** Console errors, uncaught errors, and requests to any other host, in order: a sound page leaves it empty. */
  problems: string[]
  close: () => Promise<void>
}

export const sessionCookies = (url: string, client: HttpClient): { name: string; value: string; url: string }[] =>
  client
    .cookies()
    .split('; ')
    .filter((pair) => pair !== '')
    .map((pair) => ({ name: pair.slice(0, pair.indexOf('=')), value: pair.slice(pair.indexOf('=') + 1), url }))

const watchPage = (page: Page, url: string): string[] => {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('request', (request) => {
    const address = new URL(request.url())
    if (address.protocol.startsWith('http') && address.origin !== new URL(url).origin) problems.push(`foreign request: ${request.url()}`)
  })
  return problems
}

/** A context, and a page that nobody sees, which keeps its process alive: to start one is a third of what a page costs. */
interface KeptContext {
  context: BrowserContext
  keeper: Page
  devtools: CDPSession
}

/** The contexts that nobody is in, by how they look at what. */
const resting = new WeakMap<Browser, Map<string, KeptContext[]>>()

const restingLike = (browser: Browser, look: string): KeptContext[] => {
  const looks = resting.get(browser) ?? new Map<string, KeptContext[]>()
  resting.set(browser, looks)
  const like = looks.get(look) ?? []
  looks.set(look, like)
  return like
}

const createContext = async (browser: Browser, { url, screen = 'desktop', theme = 'dark', context: options }: PageSpec) => {
  const phone = screen === 'phone' ? { hasTouch: true, isMobile: true } : {}
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: WIDTHS[screen], height: HEIGHTS[screen] },
    colorScheme: theme,
    serviceWorkers: 'block',
    // Sixty frames a second of fading cards, drawn by the processor, are a fifth of what the tests cost.
    reducedMotion: 'reduce',
    ...phone,
    ...options,
  })
  await context.addInitScript((chosen) => localStorage.setItem('vitrine.theme', chosen), theme)
  return context
}

const keepContext = async (context: BrowserContext): Promise<KeptContext> => {
  const keeper = await context.newPage()
  return { context, keeper, devtools: await context.newCDPSession(keeper) }
}

/** Takes everything out of it that whoever was here before has left, but for the files that the server lets any browser keep. */
const clean = async ({ context, keeper, devtools }: KeptContext, url: string): Promise<void> => {
  await Promise.all(context.pages().map((page) => (page === keeper ? undefined : page.close())))
  await context.clearCookies()
  await devtools.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes: 'local_storage,indexeddb,cache_storage' })
}

/** Whether nothing was set that holds for the whole context and would outlive the page: its clock, or that it has no network. */
const isAsItWas = async (page: Page): Promise<boolean> => {
  const look = page.evaluate(() => navigator.onLine && String(setTimeout).includes('[native code]')).catch(() => false)
  return Promise.race([look, Bun.sleep(LOOK_LIMIT_MS).then(() => false)])
}

/** A page as in a browser of its own, signed in as the client's user. */
export const openPage = async (browser: Browser, spec: PageSpec): Promise<OpenPage> => {
  const { url, client, screen = 'desktop', theme = 'dark' } = spec
  // A context of which more is asked has no page but this one.
  const like = spec.context === undefined ? restingLike(browser, `${url} ${screen} ${theme}`) : undefined
  const kept = like === undefined ? undefined : (like.pop() ?? (await keepContext(await createContext(browser, spec))))
  const context = kept?.context ?? (await createContext(browser, spec))
  if (kept) await clean(kept, url)
  if (client !== undefined) {
    // The account's own theme wins over the device's as soon as somebody is signed in.
    await client.patch('/api/user-settings', { theme })
    await context.addCookies(sessionCookies(url, client))
  }
  const page = await context.newPage()
  const close = async (): Promise<void> => {
    if (like === undefined || kept === undefined || !(await isAsItWas(page))) return context.close()
    await page.close()
    like.push(kept)
  }
  return { page, problems: watchPage(page, url), close }
}

/** Saves what the page shows as `test-results/screenshots/<name>.png` and answers the path. */
export const takeScreenshot = async (page: Page, name: string): Promise<string> => {
  await mkdir(SCREENSHOT_FOLDER, { recursive: true })
  const path = join(SCREENSHOT_FOLDER, `${name}.png`)
  await page.screenshot({ path })
  return path
}

interface LookSpec {
  url: string
  client?: HttpClient
  /** The address below the base, e.g. `/libraries/2`. */
  path: string
  name: string
  /** Waits for what the picture must show. */
  until: (page: Page) => Promise<unknown>
}

/** Looks at one address at both widths in both themes: four pictures, and the problems of all four pages. */
export const lookAt = async (
  browser: Browser,
  { url, client, path, name, until }: LookSpec,
): Promise<{ paths: string[]; problems: string[] }> => {
  const paths: string[] = []
  const problems: string[] = []
  for (const screen of ['desktop', 'phone'] as const) {
    for (const theme of ['dark', 'light'] as const) {
      const opened = await openPage(browser, { url, client, screen, theme })
      await opened.page.goto(url + path)
      await until(opened.page)
      paths.push(await takeScreenshot(opened.page, `${name}-${WIDTHS[screen]}-${theme}`))
      problems.push(...opened.problems)
      await opened.close()
    }
  }
  return { paths, problems }
}
