/** A film in several files: one is played after the other, one goes on in the file where one was, and extras stay out of the way. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { DemoCollection } from '../support/demo-collection.ts'
import { makeClip } from '../support/real-media.ts'
import { waitFor } from '../support/test-server.ts'
import { onPage, TEST_LIMIT_MS, WAIT_LIMIT_MS } from './on-page.ts'
import { openScene, type Scene } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)

const FILM = 'Film in Two (2006)'
const PART_SECONDS = 400
const part = (number: number): string => `${FILM} cd${number}.mp4`

const FULL = 'Film with Extras (2010)'
const CHAPTERS = [1, 2, 3, 4, 9, 10].map((number) => `extras/chapter ${number}.mp4`)

const prepare = async ({ libraries }: DemoCollection): Promise<void> => {
  for (const number of [1, 2])
    await makeClip(join(libraries.movies, FILM, part(number)), {
      width: 64,
      height: 36,
      source: 'black',
      audioCodec: 'none',
      seconds: PART_SECONDS,
    })
  for (const name of [`${FULL}.mp4`, ...CHAPTERS]) await cp(join(libraries.movies, FILM, part(1)), join(libraries.movies, FULL, name))
}

let scene: Scene
beforeAll(async () => {
  scene = await openScene({ size: 'small', types: ['movies'], prepare })
}, 180_000)
afterAll(() => scene?.[Symbol.asyncDispose]())

const film = (): string => scene.keyOf('movie', FILM)
const kept = async () => (await scene.admin.get('/api/progress', { itemKey: film() })).body
/** The first part is what plays where none is named. */
const plays = (page: Page, number: number, from: number) =>
  page.waitForFunction(
    ({ name, seconds }) => {
      const video = document.querySelector('video')
      return video && (new URL(video.src).searchParams.get('file') ?? name.replace('cd2', 'cd1')) === name && video.currentTime > seconds
    },
    { name: part(number), seconds: from },
  )
const jumpTo = (page: Page, seconds: number) =>
  page.evaluate((time) => {
    const video = document.querySelector('video')
    if (video) video.currentTime = time
  }, seconds)
const open = async (page: Page) => {
  await page.goto(`/l/${scene.idOf('movies')}/m/${encodeURIComponent(FILM)}`)
  await page.getByRole('heading', { name: FILM }).waitFor()
}

test('goes on in the part where one was, and from the start in the first', () =>
  onPage(scene, {}, async (page) => {
    await scene.admin.put('/api/progress', { itemKey: film(), file: part(2), positionSeconds: 200, durationSeconds: PART_SECONDS })
    await open(page)
    await page.getByRole('link', { name: 'Resume from 3:20' }).click()
    await plays(page, 2, 200)
    await page.reload()
    await plays(page, 2, 199)
    await open(page)
    await page.getByRole('link', { name: 'Start over' }).click()
    await plays(page, 1, 0.5)
    expect(await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0)).toBeLessThan(60)
  }))

test('another part begins at its own start', () =>
  onPage(scene, {}, async (page) => {
    await scene.admin.put('/api/progress', { itemKey: film(), file: part(2), positionSeconds: 200, durationSeconds: PART_SECONDS })
    await open(page)
    await page.getByRole('link', { name: `Play ${part(1)}` }).click()
    await plays(page, 1, 0.5)
    expect(await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0)).toBeLessThan(60)
  }))

test('has not been seen when the first part ends, the second follows, and is gone on with', () =>
  onPage(scene, {}, async (page) => {
    await scene.admin.put('/api/progress', { itemKey: film(), completed: false })
    await page.goto(`/watch/${encodeURIComponent(film())}?t=${PART_SECONDS - 3}`)
    await plays(page, 2, 1)
    expect((await kept()).completed).toBe(false)
    await page.keyboard.press('k')
    await waitFor(
      async () => (await kept()).file === part(2) || undefined,
      WAIT_LIMIT_MS,
      () => 'the place is not in the second part',
    )
    await open(page)
    await page.getByRole('link', { name: /^Resume/ }).click()
    await plays(page, 2, 1)
  }))

test('goes on in the second part also where it was opened in the first one before', () =>
  onPage(scene, {}, async (page) => {
    await scene.admin.put('/api/progress', { itemKey: film(), file: part(1), positionSeconds: 100, durationSeconds: PART_SECONDS })
    await page.goto('/')
    const toGoOn = page.locator('main a[href*="watch"]')
    await toGoOn.click()
    await plays(page, 1, 100)
    await jumpTo(page, PART_SECONDS - 2)
    await plays(page, 2, 0.5)
    await jumpTo(page, 200)
    await plays(page, 2, 200.5)
    await page.keyboard.press('Escape')
    await toGoOn.click()
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
    await plays(page, 2, 200.5)
    expect((await kept()).file).toBe(part(2))
  }))

test('whose first part is at its end goes on with the second', () =>
  onPage(scene, {}, async (page) => {
    await scene.admin.put('/api/progress', {
      itemKey: film(),
      file: part(1),
      positionSeconds: PART_SECONDS,
      durationSeconds: PART_SECONDS,
    })
    await open(page)
    await page.getByRole('link', { name: /^Resume/ }).click()
    await plays(page, 2, 0.5)
  }))

test('with many extras shows them when it is asked for them', () =>
  onPage(scene, {}, async (page) => {
    await page.goto(`/l/${scene.idOf('movies')}/m/${encodeURIComponent(FULL)}`)
    await page.getByRole('button', { name: `Copy link: ${FULL}.mp4` }).waitFor()
    const rows = page.getByRole('listitem').filter({ hasText: 'chapter' })
    expect(await rows.count()).toBe(0)
    await page.getByRole('heading', { name: 'Extras', exact: true }).click()
    await page.getByRole('button', { name: 'Copy link: extras/chapter 10.mp4' }).waitFor()
    const texts = (await rows.allInnerTexts()).map((text) => text.split(/\n+/))
    expect(texts.map(([name]) => name)).toEqual(CHAPTERS)
    for (const [, facts] of texts) expect(facts).toStartWith('Extra · ')
  }))
