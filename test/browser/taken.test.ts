/** Photographs in the order in which they were taken. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WIDTHS } from '../support/browser.ts'
import type { Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { drawnPicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/test-server.ts'
import { onPage, TEST_LIMIT_MS } from './on-page.ts'
import { type ServedLibraries, serveLibraries } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)

/** The older, the later by name. */
const TAKEN = { 'a.jpg': '2021:07:08', 'b.jpg': '2019:05:04', 'c.jpg': '2001:02:03' }
/** It tells nothing: its file is older than all of them. */
const UNTOLD = { name: 'd.jpg', changed: new Date('1999-08-09T12:00:00') }

let folder: TemporaryFolder
let scene: ServedLibraries

beforeAll(async () => {
  folder = await temporaryFolder('taken')
  const photographs = makeTree(join(folder.path, 'photographs'), {})
  for (const [name, day] of Object.entries(TAKEN)) {
    const picture = drawnPicture({ width: 64, height: 48 }).withExif({ IFD2: { DateTimeOriginal: `${day} 12:00:00` } })
    await writeFile(join(photographs, name), await picture.jpeg().toBuffer())
  }
  await writeFile(join(photographs, UNTOLD.name), await drawnPicture({ width: 64, height: 48 }).jpeg().toBuffer())
  await utimes(join(photographs, UNTOLD.name), UNTOLD.changed, UNTOLD.changed)
  const films = makeTree(join(folder.path, 'films'), { Alien: { 'Alien.mkv': 10 } })
  scene = await serveLibraries(folder, [
    { type: 'mixed', name: 'Photographs', path: photographs },
    { type: 'movies', name: 'Films', path: films },
  ])
  const isRead = async () => {
    const items = Object.keys(TAKEN).map((name) => scene.admin.get('/api/items', { itemKey: `mixed_file:1:${name}` }))
    return (await Promise.all(items)).every(({ body }: Json) => body.item.takenAt !== null) || undefined
  }
  await waitFor(isRead, 60_000, () => 'Nobody has read when the pictures were taken')
}, 180_000)
afterAll(() => scene?.[Symbol.asyncDispose]())

test('a library of pictures is sorted by it, newest first, and a picture says its day', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/l/1')
    const names = () =>
      page.locator('a[data-item-key]').evaluateAll((cards) => cards.map((card) => card.getAttribute('title') ?? card.textContent))
    await page.locator('a[data-item-key]').nth(3).waitFor()
    const byName = await names()
    await page.getByLabel('Sort by').selectOption({ label: 'Date taken' })
    await page.waitForURL('**sort=taken**')
    await page.waitForFunction(() => document.querySelector('a[data-item-key]')?.getAttribute('data-item-key')?.endsWith('a.jpg'))
    await page.getByRole('button', { name: 'Descending' }).click()
    await page.waitForFunction(() => document.querySelector('a[data-item-key]')?.getAttribute('data-item-key')?.endsWith('d.jpg'))
    expect(await names()).toEqual(byName.toReversed())
    await page.goto(`/l/1?item=${encodeURIComponent('mixed_file:1:b.jpg')}`)
    await page.getByRole('dialog').getByRole('heading', { name: 'b.jpg' }).waitFor()
    await page.keyboard.press('i')
    await page.getByText('May 4, 2019').waitFor()
    await page.keyboard.press('End')
    await page.getByText('File date').waitFor()
    await page.getByText('Aug 9, 1999').waitFor()
  }))

test('a list of them shows the dates that it is sorted by, also on a phone', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/l/1?view=list&sort=taken')
    await page.locator('a[data-item-key]').nth(3).waitFor()
    for (const width of Object.values(WIDTHS)) {
      await page.setViewportSize({ width, height: 800 })
      const rows = await page.locator('a[data-item-key]').allInnerTexts()
      expect(rows.map((row) => row.match(/[A-Z][a-z]{2} \d+, \d{4}/g))).toEqual([
        ['Jul 8, 2021'],
        ['May 4, 2019'],
        ['Feb 3, 2001'],
        ['Aug 9, 1999'],
      ])
    }
  }))

test('films are not', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/l/2')
    await page.getByLabel('Sort by').waitFor()
    const choices = await page.getByLabel('Sort by').locator('option').allTextContents()
    expect([choices.includes('Date added'), choices.includes('Date taken')]).toEqual([true, false])
  }))
