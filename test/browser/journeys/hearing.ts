import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { makeTag } from '../../support/ai-scene.ts'
import { waitForFocusIn } from '../focus.ts'
import { onPage } from '../on-page.ts'
import type { Scene } from '../scene.ts'

const PHOTO = '2024/IMG_20240603_001.jpg'
const FILM = 'Copper Rain (1978)'

/** What somebody hears who does not see the screen. */
export const hearing = (scene: () => Scene): void => {
  const pausedJob = async (): Promise<void> => {
    await scene().admin.post('/api/ai-tagging/queue', { paused: true })
    await scene().admin.post('/api/ai-tagging/extract', { itemKey: scene().keyOf('mixed_file', PHOTO) })
  }
  const live = (page: Page, text: string) =>
    page.getByText(text).evaluate((element) => element.closest('[aria-live]')?.getAttribute('aria-live'))

  test('what lies over a screen has no banner of its own', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('mixed')}?item=${encodeURIComponent(scene().keyOf('mixed_file', PHOTO))}`)
      const viewer = page.getByRole('dialog').first()
      await viewer.getByRole('heading', { name: 'IMG_20240603_001.jpg' }).waitFor()
      expect(await viewer.getByRole('banner').count()).toBe(0)
      await page.keyboard.press('Tab')
      await waitForFocusIn(viewer)
      await page.keyboard.press('?')
      const help = page.getByRole('dialog', { name: 'Keys' })
      await help.waitFor()
      expect(await help.getByRole('banner').count()).toBe(0)
      await help.getByText('Left arrow').waitFor()
      await waitForFocusIn(help)
    }))

  test('all jobs of a state are dealt with by buttons that say which, and what was done does not interrupt', async () => {
    await pausedJob()
    await onPage(scene(), {}, async (page) => {
      await page.goto('/manage/jobs')
      await page.getByRole('group', { name: 'Failed' }).getByRole('button', { name: 'Clear' }).waitFor()
      await page.getByRole('group', { name: 'Waiting' }).getByRole('button', { name: 'Cancel all' }).click()
      await page.getByText('was cancelled.').waitFor()
      expect(await live(page, 'was cancelled.')).toBe('polite')
    })
    await scene().admin.post('/api/ai-tagging/queue', { paused: false })
  })

  test('an error does interrupt', () =>
    onPage(scene(), { expected: /ERR_FAILED|ai-tagging\/queue/ }, async (page) => {
      await page.route('**/api/ai-tagging/queue', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
      await page.goto('/manage/jobs')
      await page.getByRole('button', { name: 'Pause' }).click()
      // The banner, which says the same, comes before it.
      await page.locator('[role=status][aria-live=assertive]').filter({ hasText: 'The server cannot be reached.' }).waitFor()
    }))

  test('a row of the start page is called by its heading, and so is what scrolls it', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto('/')
      await page.getByRole('list', { name: 'Films' }).getByRole('link').first().waitFor()
      const on = page.locator('section', { has: page.getByRole('heading', { name: 'Films' }) }).getByRole('button', { name: 'Scroll on' })
      expect(await on.evaluate((button) => document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent)).toBe(
        'Films',
      )
    }))

  test('how many tags what is typed has found is said once the server has answered', async () => {
    await makeTag(scene().admin, 'Overheard')
    await onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent(FILM)}`)
      await page.getByRole('button', { name: 'Add tags' }).click()
      const selector = page.getByRole('dialog')
      const field = selector.getByPlaceholder('Search or create a tag')
      await field.fill('overhea')
      await selector
        .getByRole('status')
        .filter({ hasText: /^1 tag$/ })
        .waitFor()
      await field.fill('overheat')
      await selector
        .getByRole('status')
        .filter({ hasText: /^0 tags$/ })
        .waitFor()
    })
  })
}
