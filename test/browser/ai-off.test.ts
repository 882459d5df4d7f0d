import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type AiScene, makeTag, startAiScene } from '../support/ai-scene.ts'
import { launchBrowser, openPage } from '../support/browser.ts'
import { buildClient } from '../support/built.ts'
import { drawnPicture } from '../support/real-media.ts'

/** AI is switched off for one library, and whoever opens an item there is told so. */

const LIMIT_MS = 180_000
const STEP_MS = 30_000

let ai: AiScene
let browser: Browser

beforeAll(async () => {
  await buildClient(join(import.meta.dir, '../..'))
  ai = await startAiScene({ 'one.png': await drawnPicture({ seed: 1 }).png().toBuffer() })
  browser = await launchBrowser()
}, LIMIT_MS)
afterAll(async () => {
  await browser.close()
  await ai[Symbol.asyncDispose]()
})

test(
  'where there is no endpoint only what works is offered, and whoever can change that is told where',
  async () => {
    await ai.configure({ endpoint: '', enabled: false, ocrMode: 'hybrid' })
    for (const client of [ai.admin, await ai.scene.server.as('nora', { permissions: { useAi: true } })]) {
      const opened = await openPage(browser, { url: ai.scene.server.url, client })
      const { page } = opened
      try {
        page.setDefaultTimeout(STEP_MS)
        await page.goto(`/l/${ai.libraryId}?item=${encodeURIComponent(ai.keyOf('one.png'))}`)
        const panel = page.getByRole('region', { name: 'AI' })
        const details = page.getByRole('button', { name: 'Details' }).first()
        await details.waitFor()
        if ((await panel.count()) === 0) await details.click()
        await panel.getByRole('button', { name: 'Extract text' }).waitFor()
        expect(await panel.getByRole('button', { name: /Tag by AI|Describe|Translate/ }).count()).toBe(0)
        expect(await panel.getByText('AI is switched off here').count()).toBe(0)
        expect(await panel.getByRole('link', { name: 'Set one up' }).count()).toBe(client === ai.admin ? 1 : 0)
        expect(opened.problems).toEqual([])
      } finally {
        await opened.close()
      }
    }
    await ai.configure({ ocrMode: 'hybrid' })
  },
  LIMIT_MS,
)

test(
  'the buttons that need a model, or tags to choose from, take no press and say why; text can be read all the same',
  async () => {
    const opened = await openPage(browser, { url: ai.scene.server.url, client: ai.admin })
    const { page } = opened
    try {
      page.setDefaultTimeout(STEP_MS)
      await page.goto(`/manage/ai-tagging/${ai.libraryId}`)
      await page.getByText('This needs tags to choose from').waitFor()
      expect(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true)
      await makeTag(ai.admin, 'Blue')
      await page.reload()
      await page.getByRole('button', { name: 'Start', exact: true, disabled: false }).waitFor()
      const ask = page.getByRole('switch', { name: 'Ask models about this library' })
      expect(await ask.isChecked()).toBe(true)
      await ask.press('Space')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('The AI settings have been saved.').waitFor()
      await page.getByText('it is switched off for this library').waitFor()
      const { body } = await ai.admin.get(`/api/ai-settings/library/${ai.libraryId}`)
      expect(body).toMatchObject({ overrides: { enabled: false }, effective: { enabled: false } })

      await page.goto(`/l/${ai.libraryId}?item=${encodeURIComponent(ai.keyOf('one.png'))}`)
      const panel = page.getByRole('region', { name: 'AI' })
      const details = page.getByRole('button', { name: 'Details' }).first()
      await details.waitFor()
      if ((await panel.count()) === 0) await details.click()
      const reason = panel.getByText('AI is switched off here: no model is asked about it.')
      await reason.waitFor()
      for (const name of ['Tag by AI', 'Describe']) {
        const button = panel.getByRole('button', { name, exact: true })
        expect(await button.getAttribute('aria-disabled')).toBe('true')
        expect(await button.getAttribute('aria-describedby')).toBe(await reason.getAttribute('id'))
        // Pressed all the same: it keeps the focus, and asks for nothing.
        await button.press('Enter')
      }
      const extract = panel.getByRole('button', { name: 'Extract text' })
      expect(await extract.getAttribute('aria-disabled')).toBe(null)
      await extract.click()
      await panel.getByLabel('Extracted text').waitFor()
      await ai.idle()
      const { jobs } = (await ai.admin.get('/api/ai-tagging/jobs', { limit: 10 })).body
      expect(jobs.map(({ activity, status }: { activity: string; status: string }) => [activity, status])).toEqual([['extraction', 'done']])
      expect(ai.model.chats()).toEqual([])
      expect(opened.problems).toEqual([])
    } finally {
      await opened.close()
    }
  },
  LIMIT_MS,
)
