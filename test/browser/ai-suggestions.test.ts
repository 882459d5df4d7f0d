import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type AiScene, makeTag, startAiScene } from '../support/ai-scene.ts'
import { launchBrowser, openPage } from '../support/browser.ts'
import { buildClient } from '../support/built.ts'
import { says } from '../support/fake-model.ts'
import type { Json } from '../support/http-client.ts'
import { waitFor } from '../support/test-server.ts'
import { axeFindings } from './axe.ts'

/** What a model would have liked to use is decided about where AI is managed. */

const LIMIT_MS = 120_000
const STEP_MS = 30_000

let ai: AiScene
let browser: Browser

beforeAll(async () => {
  await buildClient(join(import.meta.dir, '../..'))
  ai = await startAiScene({ 'a.txt': 'a', 'b.txt': 'b' })
  await makeTag(ai.admin, 'Hills', 'Place')
  await makeTag(ai.admin, 'Sunset', 'Mood')
  browser = await launchBrowser()
}, LIMIT_MS)
afterAll(async () => {
  await browser.close()
  await ai[Symbol.asyncDispose]()
})

const tagsOf = async (path: string): Promise<string[]> => {
  const { tags } = (await ai.admin.get('/api/tags/assignments', { itemKey: ai.keyOf(path) })).body
  return tags.map(({ name, categoryName, source }: Json) => `${categoryName}/${name} ${source}`).sort()
}

test(
  'one becomes a tag, one another name of a tag, one is dismissed; then nothing is left to decide',
  async () => {
    const opened = await openPage(browser, { url: ai.scene.server.url, client: ai.admin })
    const { page } = opened
    page.setDefaultTimeout(STEP_MS)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/manage/ai-tagging')
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor()
    const section = page.getByRole('list', { name: 'Suggested tags' })
    expect(await section.count()).toBe(0)

    ai.model.answer(says('{"tags": ["Gloomy", "Dusk", "Whatever"]}'))
    await page.getByLabel('Activity').selectOption('tagging')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    // It comes by itself when the batch is done.
    await section.waitFor()
    const rows = section.getByRole('listitem')
    let texts: string[] = []
    await waitFor(
      async () => {
        texts = (await rows.allInnerTexts()).map((text) => text.trim().replaceAll(/\s+/g, ' '))
        return Bun.deepEquals(texts, ['Dusk on 2 items', 'Gloomy on 2 items', 'Whatever on 2 items']) || undefined
      },
      STEP_MS,
      () => `There is ${texts.join(', ')}`,
    )
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

    const choosing = page.getByRole('dialog', { name: 'Make Dusk another name of a tag' })
    await section.getByRole('button', { name: 'Make Dusk another name of a tag' }).click()
    await choosing.getByRole('button', { name: /^Hills/ }).waitFor()
    await page.keyboard.press('Escape')
    await choosing.waitFor({ state: 'detached' })

    // By keyboard alone: the first button of the row, the category, the end of the form.
    await section.getByRole('button', { name: 'Make Gloomy a tag' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Make Gloomy a tag' })
    await dialog.getByText('2 items get it at once.').waitFor()
    await dialog.getByLabel('Category').and(page.locator(':focus')).waitFor()
    await dialog.getByLabel('Category').selectOption('Mood')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('2 items have got the tag Gloomy.').waitFor()
    await section.getByText('Gloomy').waitFor({ state: 'detached' })
    // What took its place has the focus.
    await section.getByRole('button', { name: 'Make Whatever a tag' }).and(page.locator(':focus')).waitFor()
    expect(await tagsOf('a.txt')).toEqual(['Mood/Gloomy ai'])

    await section.getByRole('button', { name: 'Make Dusk another name of a tag' }).click()
    // The tag that has just been made is among them.
    await choosing.getByRole('button', { name: /^Gloomy/ }).waitFor()
    await choosing.getByLabel('Find a tag').fill('suns')
    await choosing.getByRole('button', { name: /^Gloomy/ }).waitFor({ state: 'detached' })
    await choosing.getByRole('button', { name: /^Sunset/ }).click()
    await choosing.getByText('Mood / Sunset').waitFor()
    await choosing.getByRole('button', { name: 'Add' }).click()
    // Behind a dialog the list has no role: that nothing is found there would be said too early.
    await page.getByText('2 items have got the tag Sunset.').waitFor()
    await choosing.waitFor({ state: 'detached' })
    await section.getByText('Dusk').waitFor({ state: 'detached' })
    expect(await tagsOf('b.txt')).toEqual(['Mood/Gloomy ai', 'Mood/Sunset ai'])
    expect((await ai.admin.get('/api/tags/mappings')).body.mappings).toMatchObject([{ source: 'Dusk', tagName: 'Sunset' }])

    await section.getByRole('button', { name: 'Dismiss Whatever' }).focus()
    await page.keyboard.press('Enter')
    await section.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'AI Tagging', level: 1 }).and(page.locator(':focus')).waitFor()
    expect((await ai.admin.get('/api/ai-tagging/suggestions')).body.suggestions).toEqual([])
    expect(opened.problems).toEqual([])
    await opened.close()
  },
  LIMIT_MS,
)

test(
  'what cannot be done is said, and the dialog stays',
  async () => {
    ai.model.answer(says('{"tags": ["Fog"]}'))
    await ai.ended(await ai.ask('tag', 'a.txt'))
    const opened = await openPage(browser, { url: ai.scene.server.url, client: ai.admin })
    const { page } = opened
    page.setDefaultTimeout(STEP_MS)
    await page.goto('/manage/ai-tagging')
    await page.getByRole('button', { name: 'Make Fog a tag' }).click()
    // Somebody else is faster.
    await makeTag(ai.admin, 'fog', 'Mood')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'stands for the tag' }).waitFor()
    await page.getByRole('list', { name: 'Suggested tags' }).waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await opened.close()
  },
  LIMIT_MS,
)
