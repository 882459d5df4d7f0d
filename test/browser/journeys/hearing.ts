import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { onPage } from '../on-page.ts'
import type { Scene } from '../scene.ts'

const PHOTO = '2024/IMG_20240603_001.jpg'

/** What somebody hears who does not see the screen. */
export const hearing = (scene: () => Scene): void => {
  test('what lies over a screen has no banner of its own', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('mixed')}?item=${encodeURIComponent(scene().keyOf('mixed_file', PHOTO))}`)
      const viewer = page.getByRole('dialog').first()
      await viewer.getByRole('heading', { name: 'IMG_20240603_001.jpg' }).waitFor()
      expect(await viewer.getByRole('banner').count()).toBe(0)
      await page.keyboard.press('?')
      const help = page.getByRole('dialog', { name: 'Keys' })
      await help.waitFor()
      expect(await help.getByRole('banner').count()).toBe(0)
      await help.getByText('Left arrow').waitFor()
    }))
}
