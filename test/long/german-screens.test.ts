/** Every screen in German: nothing in English is left on it, and it fits. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { flatten } from '@solid-primitives/i18n'
import type { Page } from 'playwright-core'
import { german } from '../../client/src/i18n/de/german.ts'
import { onPage } from '../browser/on-page.ts'
import { LIBRARY_NAMES, openScene, REPOSITORY, type Scene, waitForPictures } from '../browser/scene.ts'
import { listScreens, type ScreenSpec, tooWide, visit } from '../browser/screens.ts'

/** Some forty pages, each in four widths. */
const SCREENS_LIMIT_MS = 300_000
const WIDTHS = [1280, 840, 390, 320]

let scene: Scene
beforeAll(async () => {
  scene = await openScene({ size: 'small' })
  await waitForPictures(scene)
}, 240_000)
afterAll(() => scene?.[Symbol.asyncDispose]())

/** Sentences of the client that are not the same in German, and cannot be the name of somebody's film. */
const englishSentences = async (): Promise<string[]> => {
  const folder = join(REPOSITORY, 'client/src/i18n/en')
  const paths = await Array.fromAsync(new Bun.Glob('*.ts').scan(folder))
  const modules = await Promise.all(paths.map((path): Promise<Record<string, Record<string, unknown>>> => import(join(folder, path))))
  const texts: Record<string, unknown> = Object.assign(
    {},
    ...modules.flatMap((module) => Object.values(module)).map((part) => flatten(part)),
  )
  const foreign: Record<string, unknown> = german
  const alsoGerman = new Set<unknown>([...Object.values(foreign), ...Object.values(LIBRARY_NAMES)])
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' && text !== foreign[key] && !alsoGerman.has(text) ? [text] : [],
  )
}

/** What stands on the page, or is said of something on it, word for word in English. */
const englishOn = (page: Page, sentences: string[]): Promise<string[]> =>
  page.evaluate((known) => {
    const names = new Set(known)
    // Names of libraries and items are what people have called them.
    const isOwn = (element: Element | null) => element?.closest('a[href], [data-own-name]') !== null
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent?.trim() ?? ''
      if (names.has(text) && !isOwn(walker.currentNode.parentElement)) found.push(text)
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        const text = element.getAttribute(name) ?? ''
        if (names.has(text) && !isOwn(element)) found.push(`${name}: ${text}`)
      }
    }
    return found
  }, sentences)

/** A screen is awaited by what is the same in both languages. */
const inGerman = (spec: ScreenSpec): ScreenSpec => ({
  ...spec,
  until: spec.until.startsWith('text=') ? 'h1' : spec.until.replace('Page 3', 'Seite 3'),
})

test(
  'every screen in German fits every width and says nothing in English',
  async () => {
    const found: Record<string, string[]> = {}
    const sentences = await englishSentences()
    for (const isSignedOut of [false, true]) {
      const specs = listScreens(scene).filter((spec) => (spec.isSignedOut ?? false) === isSignedOut)
      await onPage(scene, { context: { locale: 'de-DE' }, ...(isSignedOut && { client: null }) }, async (page) => {
        for (const spec of specs) {
          await visit(page, inGerman(spec))
          expect(await page.locator('html').getAttribute('lang')).toBe('de')
          const problems = [...(await tooWide(page, WIDTHS)), ...(await englishOn(page, sentences))]
          if (problems.length > 0) found[spec.name] = problems
        }
      })
    }
    expect(found).toEqual({})
  },
  SCREENS_LIMIT_MS,
)
