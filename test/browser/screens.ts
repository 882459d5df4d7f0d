import type { Page } from 'playwright-core'
import type { Screen } from '../support/browser.ts'
import { waitFor } from '../support/test-server.ts'
import type { Scene } from './scene.ts'

/** What a button of a screen opens over it. */
interface Opening {
  name: string
  /** The button's name. */
  button: string | RegExp
  /** What is there once it is open: a selector; a dialog where it is missing. */
  until?: string
  /** Elsewhere the button is not shown. */
  screen?: Screen
}

/** A screen by its address: for what must hold on all of them. */
export interface ScreenSpec {
  name: string
  path: string
  /** What is there once the screen is: a selector. */
  until: string
  /** What else it takes for it to stand still. */
  settle?: (page: Page) => Promise<unknown>
  isSignedOut?: boolean
  opens?: readonly Opening[]
}

/** Once it has begun: its controls would go while they are looked at, and the next one come. */
const stopVideo = (page: Page) =>
  page.waitForFunction(() => {
    const video = document.querySelector('video')
    if (!video || video.currentTime === 0) return false
    video.pause()
    return true
  })

/** Phones fold it away. */
const unfoldOrder = async (page: Page): Promise<void> => {
  const button = page.getByRole('button', { name: 'Sort and view' })
  if (await button.isVisible()) await button.click()
}

const PICTURES_LIMIT_MS = 20_000

const CARD = 'a[data-item-key]'
/** A line of a list that is not the navigation's, which is there before the screen. */
const LINE = 'main li:not(nav li)'

export const listScreens = ({ idOf, keyOf }: Scene): ScreenSpec[] => {
  const library = (type: Parameters<typeof idOf>[0]): string => `/l/${idOf(type)}`
  const segment = encodeURIComponent
  const photo = segment(keyOf('mixed_file', '2024/IMG_20240603_001.jpg'))
  const episode = segment(keyOf('tv_episode', 'Northline (2018)/Season 01/Northline S01E01 - The First Mile.mkv'))
  const game = `${library('games')}/g/${segment('Pocket Orchard')}`
  const film = (name: string): string => `${library('movies')}/m/${segment(name)}`
  const series = `${library('tv')}/s/${segment('Northline (2018)')}`
  return [
    { name: 'login', path: '/login', until: 'input[name=password]', isSignedOut: true },
    {
      name: 'home',
      path: '/',
      until: CARD,
      opens: [
        { name: 'user-menu', button: /^Account of/, until: '[role=menu]' },
        { name: 'more', button: 'More', screen: 'phone' },
      ],
    },
    { name: 'library-games', path: library('games'), until: CARD },
    { name: 'library-movies', path: library('movies'), until: CARD },
    { name: 'library-tv', path: library('tv'), until: CARD },
    { name: 'library-manga', path: library('manga'), until: CARD },
    { name: 'library-mixed', path: library('mixed'), until: CARD },
    { name: 'no-match', path: `${library('movies')}?q=zzz`, until: 'text=Nothing matches' },
    { name: 'library-filters', path: `${library('movies')}?panel=filters`, until: 'text=Filters' },
    { name: 'library-list', path: `${library('movies')}?view=list`, until: CARD },
    { name: 'library-order', path: `${library('mixed')}?sort=random&seed=1`, until: CARD, settle: unfoldOrder },
    { name: 'search', path: '/search?q=the', until: 'mark' },
    { name: 'search-empty', path: '/search', until: 'h1' },
    { name: 'game', path: game, until: 'h1', opens: [{ name: 'downloads', button: 'Other downloads', until: '[role=menu]' }] },
    { name: 'game-screenshots', path: `${game}?tab=screenshots`, until: '[role=tabpanel] img' },
    { name: 'game-about', path: `${game}?tab=about`, until: '[role=tabpanel] p' },
    { name: 'game-series', path: `${library('games')}/gs/${segment('Emberfall Saga')}`, until: CARD },
    { name: 'movie', path: film('The Salt Meridian (1994)'), until: 'h1', opens: [{ name: 'tag-selector', button: /^(Add tags|Tags)$/ }] },
    { name: 'movie-versions', path: film('Harbour of Glass (2011)'), until: 'h1' },
    { name: 'series', path: series, until: CARD },
    { name: 'season', path: `${series}/season/1`, until: 'ol li', opens: [{ name: 'episode-ai', button: /^AI: / }] },
    { name: 'manga-series', path: `${library('manga')}/b/${segment('Paper Lanterns')}`, until: CARD },
    {
      name: 'reader',
      path: `/read/${segment(keyOf('manga_volume', 'Paper Lanterns/Paper Lanterns v01.cbz'))}?page=3`,
      until: 'img[alt="Page 3"]',
    },
    { name: 'viewer', path: `${library('mixed')}?item=${photo}`, until: '[role=dialog] img' },
    { name: 'feed', path: `${library('mixed')}/feed?i=${photo}`, until: 'article img, article video' },
    { name: 'watch', path: `/watch/${episode}`, until: 'video', settle: stopVideo },
    { name: 'manage-libraries', path: '/manage/libraries', until: 'tbody tr' },
    { name: 'manage-add', path: '/manage/libraries?add=1', until: '[role=dialog] input' },
    {
      name: 'manage-library',
      path: `/manage/libraries/${idOf('movies')}`,
      until: LINE,
      opens: [
        { name: 'edit-library', button: 'Edit' },
        { name: 'delete-library', button: 'Delete library' },
      ],
    },
    { name: 'trash', path: '/trash', until: 'main h1' },
    { name: 'manage-users', path: '/manage/users', until: LINE, opens: [{ name: 'add-user', button: 'Add user' }] },
    { name: 'manage-user', path: '/manage/users/1', until: 'main section' },
    { name: 'manage-ai', path: '/manage/ai-tagging', until: 'main textarea' },
    { name: 'manage-ai-library', path: `/manage/ai-tagging/${idOf('manga')}?activity=translation`, until: 'main textarea' },
    { name: 'manage-jobs', path: '/manage/jobs', until: 'main h1' },
    {
      name: 'manage-tags',
      path: '/manage/tags',
      until: 'main h1',
      opens: [
        { name: 'new-category', button: 'New category' },
        { name: 'import-tags', button: 'Import' },
      ],
    },
    { name: 'manage-system', path: '/manage/system', until: 'main dl' },
    { name: 'settings-profile', path: '/settings/profile', until: 'main section' },
    { name: 'settings-appearance', path: '/settings/appearance', until: 'main section' },
    { name: 'settings-playback', path: '/settings/playback', until: 'main section' },
    { name: 'settings-reader', path: '/settings/reader', until: 'main section' },
    { name: 'settings-devices', path: '/settings/devices', until: 'main section li' },
    { name: 'not-found', path: '/no/such/page', until: 'h1' },
  ]
}

/** Addresses of the pictures in the window that are still to come. */
const missingPictures = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.images]
      .filter((image) => {
        const { top, left, bottom, right, width } = image.getBoundingClientRect()
        const isInWindow = width > 0 && bottom > 0 && right > 0 && top < window.innerHeight && left < window.innerWidth
        return isInWindow && !image.complete
      })
      .map(({ src }) => src),
  )

/** Follows a link to it, as whoever is in the client already. */
const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((href) => {
    const link = Object.assign(document.createElement('a'), { href })
    document.body.append(link)
    link.click()
    link.remove()
  }, path)

/** Has nothing of what any other screen is waited for by. */
const NOWHERE = '/no/such/page/at/all'
const NOWHERE_HEADING = /^(There is no such page|Diese Seite gibt es nicht)$/

/** Loads the client there, or goes there in the client that was loaded before, by way of a screen that has nothing on it. */
const goTo = async (page: Page, path: string): Promise<unknown> => {
  if (page.url() === 'about:blank') return page.goto(path)
  await follow(page, NOWHERE)
  await page.getByRole('heading', { name: NOWHERE_HEADING }).waitFor()
  await follow(page, path)
  return page.waitForURL(path)
}

/** Waits until the screen stands still: its heading and content are there, and no picture in the window is still coming. */
export const visit = async (page: Page, { name, path, until, settle }: ScreenSpec): Promise<void> => {
  await goTo(page, path)
  await page.waitForSelector('h1', { state: 'attached' })
  await page.waitForSelector(until)
  await settle?.(page)
  let missing: string[] = []
  await waitFor(
    async () => {
      missing = await missingPictures(page)
      return missing.length === 0 || undefined
    },
    PICTURES_LIMIT_MS,
    () => `${name} still waits for ${missing.join(', ')}`,
  )
}

/** Opens it, lets `work` look at it, and closes it again. */
export const withOpen = async (page: Page, { button, until = '[role=dialog]' }: Opening, work: () => Promise<unknown>): Promise<void> => {
  await page.getByRole('button', { name: button, exact: true }).first().click()
  await page.waitForSelector(until)
  await work()
  await page.keyboard.press('Escape')
  await page.waitForSelector(until, { state: 'detached' })
}

/** Whether its button has the focus again within the next frames, as it must after it was closed. */
export const getsFocus = (page: Page, { button }: Opening): Promise<boolean> =>
  page
    .getByRole('button', { name: button, exact: true })
    .first()
    .evaluate(async (element) => {
      for (let frame = 0; frame < 30 && document.activeElement !== element; frame++) await new Promise(requestAnimationFrame)
      return document.activeElement === element
    })

/** Pixels that a finger needs either way (UI.md 1.5); of choices that stand wall to wall a phone has no room for more than `segment` across. */
const FINGER = { target: 44, segment: 40 }

/** What a finger may miss: with its size, each control in the window that is smaller than it should be, its label counted in. */
export const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(({ target, segment }) => {
    const found: string[] = []
    for (const control of document.querySelectorAll('button, a[href], summary, input, select, textarea, [role=menuitem], [role=tab]')) {
      const { display, visibility } = getComputedStyle(control)
      // Links within a text are as high as the text, and what is for screen readers alone is one pixel high.
      if (display === 'inline' || visibility === 'hidden') continue
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
      const boxes = [control, ...labels]
        .map((element) => element.getBoundingClientRect())
        .filter(({ width, height }) => width > 1 && height > 1)
      if (boxes.length === 0) continue
      const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left))
      const height = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top))
      // A link that only the keyboard brings into the window.
      if (Math.max(...boxes.map(({ bottom }) => bottom)) <= 0 && getComputedStyle(control).position === 'fixed') continue
      const isSegment = control.closest('fieldset') !== null && control.matches('[type=radio]')
      if (Math.round(width) >= (isSegment ? segment : target) && Math.round(height) >= target) continue
      const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? ''
      found.push(`${control.localName} “${name.slice(0, 40)}” is ${Math.round(width)} by ${Math.round(height)}`)
    }
    return found
  }, FINGER)

/** Controls that begin left of the window, where nobody can scroll to them; not those that a row of tabs has scrolled away. */
const cutOnTheLeft = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isInRow = (element: Element | null): boolean =>
      element !== null &&
      ((element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX)) ||
        isInRow(element.parentElement))
    return [...document.querySelectorAll<HTMLElement>('a, button, input, select, textarea')].flatMap((control) => {
      const { left, right, width } = control.getBoundingClientRect()
      const isCut = width > 1 && left < -1 && right > 0 && control.checkVisibility({ visibilityProperty: true })
      return isCut && !isInRow(control) ? [`“${control.textContent || control.getAttribute('aria-label')}” is cut on the left`] : []
    })
  })

/** By how much the page is wider than its window at each of the widths, and what is cut; the first of them is set again afterwards. */
export const tooWide = async (page: Page, widths: readonly number[]): Promise<string[]> => {
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    const pixels = await page.evaluate(async () => {
      // Lists measure themselves in the frame after the one in which they were resized.
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
      return document.documentElement.scrollWidth - document.documentElement.clientWidth
    })
    if (pixels > 0) found.push(`${pixels} pixels too wide at ${width}`)
    found.push(...(await cutOnTheLeft(page)).map((control) => `${control} at ${width}`))
  }
  await page.setViewportSize({ width: widths[0] ?? 1280, height: 800 })
  return found
}

/** The same at one width for somebody whose browser makes text larger, by the pixels of its usual size (16 where nobody has changed it). */
export const tooWideWithText = async (page: Page, { width, pixels }: { width: number; pixels: number }): Promise<string[]> => {
  const session = await page.context().newCDPSession(page)
  const textOf = (standard: number) => session.send('Page.setFontSizes', { fontSizes: { standard } })
  await textOf(pixels)
  const found = await tooWide(page, [width])
  const seen = await page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).fontSize))
  if (seen !== pixels) found.push(`text of ${seen} pixels where ${pixels} are asked for`)
  await textOf(16)
  await session.detach()
  return found.map((problem) => `${problem}, with text of ${pixels} pixels`)
}
