import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { DemoCollection } from '../../support/demo-collection.ts'
import { makeClip } from '../../support/real-media.ts'
import { waitFor } from '../../support/test-server.ts'
import { card, onPage, pressTwice, SETTLED_MS, sees, WAIT_LIMIT_MS } from '../on-page.ts'
import type { Scene } from '../scene.ts'

/** Long enough to be resumed (five minutes), small enough to be made at once. */
const LONG_FILM = 'The Long Way (2020)'

/** Lies among the extras of a film, where nobody asks for its picture. */
const TORN = 'extras/Torn.mp4'
const LARGE = 'extras/Large.mp4'

export const addPlayables = async ({ libraries }: DemoCollection): Promise<void> => {
  await makeClip(join(libraries.movies, LONG_FILM, `${LONG_FILM}.mp4`), { seconds: 320, width: 64, height: 36, rate: 8, source: 'black' })
  await makeClip(join(libraries.mixed, 'old camera.avi'), { seconds: 3, videoCodec: 'mpeg4', audioCodec: 'ac3' })
  await makeClip(join(libraries.movies, 'Night Bus to Orlow (2019)', LARGE), {
    seconds: 20,
    width: 1280,
    height: 720,
    rate: 8,
    source: 'black',
  })
  await writeFile(join(libraries.movies, 'Night Bus to Orlow (2019)', TORN), 'this is no film at all')
}

const plays = (page: Page, from = 0) => page.waitForFunction((start) => (document.querySelector('video')?.currentTime ?? 0) > start, from)

export const playing = (scene: () => Scene): void => {
  const watchAddress = (path: string, type: 'movie' | 'tv_episode' = 'movie') => `/watch/${encodeURIComponent(scene().keyOf(type, path))}`

  test('what was begun is gone on with, from the start page too, or begun anew', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent(LONG_FILM)}`)
      await page.getByRole('link', { name: 'Play', exact: true }).first().click()
      await plays(page)
      await page.evaluate(() => {
        const video = document.querySelector('video')
        if (video) video.currentTime = 200
      })
      await plays(page, 200.2)
      await page.getByRole('link', { name: 'Back' }).click()
      await page.getByRole('link', { name: /Resume from 3:2/ }).waitFor()
      await page.getByRole('link', { name: 'Home' }).first().click()
      const row = page.locator('section', { has: page.getByRole('heading', { name: 'Continue' }) })
      await row.locator(`a[title="${LONG_FILM}"]`).click()
      await page
        .getByRole('status')
        .getByText(/Resumed at 3:2/)
        .waitFor()
      await plays(page, 200)
      await page.getByRole('button', { name: 'Start over' }).click()
      await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 99) < 10)
      await page.getByText(/Resumed at/).waitFor({ state: 'detached' })
    }))

  test('Escape ends full screen, closes the settings wherever the focus is, and then leaves the player as its way back does', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent(LONG_FILM)}`)
      await page
        .getByRole('link', { name: /^(Play|Resume)/ })
        .first()
        .click()
      await plays(page)
      const visits = await page.evaluate(() => history.length)
      await page.keyboard.press('f')
      await page.waitForFunction(() => document.fullscreenElement !== null)
      await page.keyboard.press('Escape')
      await page.waitForFunction(() => document.fullscreenElement === null)
      const button = page.getByRole('button', { name: 'Speed, sound and subtitles' })
      const settings = page.getByRole('group', { name: 'Speed, sound and subtitles' })
      await button.press('Enter')
      await settings.waitFor()
      await page.getByRole('link', { name: 'Back', exact: true }).focus()
      await page.keyboard.press('Escape')
      await settings.waitFor({ state: 'detached' })
      expect(new URL(page.url()).pathname).toStartWith('/watch/')
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { level: 1, name: LONG_FILM.slice(0, -' (2020)'.length) }).waitFor()
      expect(await page.evaluate(() => history.length)).toBe(visits)
    }))

  test('the way out of the player leads to the film, also where nothing of ours came before it', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(watchAddress(LONG_FILM))
      // The header moves as the film comes: a press that begins before and ends after that is none.
      await page.locator('video').waitFor()
      await page.getByRole('link', { name: 'Back' }).click()
      await page
        .getByRole('link', { name: /^(Play|Resume)/ })
        .first()
        .waitFor()
      expect(decodeURIComponent(new URL(page.url()).pathname)).toBe(`/l/${scene().idOf('movies')}/m/${LONG_FILM}`)
    }))

  test('two presses of the way out of the player are one step back', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}`)
      await card(page, LONG_FILM).click()
      await page
        .getByRole('link', { name: /^(Play|Resume)/ })
        .first()
        .click()
      await pressTwice(page.getByRole('link', { name: 'Back' }))
      await page.waitForFunction(() => !location.pathname.includes('/watch/'))
      await page.waitForTimeout(SETTLED_MS)
      expect(decodeURIComponent(new URL(page.url()).pathname)).toBe(`/l/${scene().idOf('movies')}/m/${LONG_FILM}`)
    }))

  test('the player has its keys', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`${watchAddress(LONG_FILM)}?t=100`)
      await plays(page, 100)
      await page.keyboard.press('k')
      await page.waitForFunction(() => document.querySelector('video')?.paused)
      const at = () => page.evaluate(() => Math.round(document.querySelector('video')?.currentTime ?? 0))
      const start = await at()
      await page.keyboard.press('l')
      expect(await at()).toBe(start + 10)
      await page.keyboard.press('ArrowLeft')
      expect(await at()).toBe(start + 5)
      await page.keyboard.press('5')
      expect(await at()).toBe(160)
      await sees(page, '1.25×', () => page.keyboard.press('Shift+>'))
    }))

  test('subtitles lie beside the film and are switched by a key', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(watchAddress('The Salt Meridian (1994)'))
      await page.waitForFunction(() => document.querySelectorAll('track').length === 2)
      await plays(page)
      await page.keyboard.press('c')
      await page.waitForFunction(() => {
        const shown = [...(document.querySelector('video')?.textTracks ?? [])].find(({ mode }) => mode === 'showing')
        // Nobody has chosen a language yet: the one of the interface, though the German ones are the first of the list.
        return shown?.language === 'en' && (shown.cues?.length ?? 0) > 0
      })
      await page.keyboard.press('c')
    }))

  test('what the browser cannot play is converted while it plays', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('mixed')}`)
      const list = page.waitForResponse((response) => response.url().endsWith('/index.m3u8'))
      await card(page, 'old camera.avi').click()
      expect((await list).status()).toBe(200)
      await plays(page, 0.5)
    }))

  test('a smaller picture is chosen, goes on where the large one was, and is this device’s choice from then on', () =>
    onPage(scene(), {}, async (page) => {
      const lines = (height: number) => page.waitForFunction((wanted) => document.querySelector('video')?.videoHeight === wanted, height)
      const choose = async (name: string) => {
        await page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
        await page.getByRole('combobox', { name: 'Picture quality' }).selectOption(name)
      }
      await page.goto(`${watchAddress('Night Bus to Orlow (2019)')}?file=${encodeURIComponent(LARGE)}&t=8`)
      await plays(page, 8)
      await lines(720)
      await choose('360p')
      await lines(360)
      await plays(page, 8)
      await page.reload()
      await lines(360)
      await choose('Best possible')
      await lines(720)
    }))

  test('what nobody can play is offered as a download', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`${watchAddress('Night Bus to Orlow (2019)')}?file=${encodeURIComponent(TORN)}`)
      const alert = page.getByRole('alert')
      await alert.getByText('This browser cannot play the file').waitFor()
      expect(await alert.getByRole('link', { name: 'Download' }).getAttribute('href')).toContain('download=1')
    }))

  test('the next episode follows the last one, when that has ended or when somebody presses', () =>
    onPage(scene(), {}, async (page) => {
      const episode = (number: number) => page.getByRole('heading', { name: new RegExp(`S01E0${number}`) })
      // Three seconds of episode end by themselves, and so does the next one: its address is told of, however busy the machine is.
      const ended = page.waitForURL((address) => decodeURIComponent(address.pathname).includes('S01E02'), { timeout: 2 * WAIT_LIMIT_MS })
      await Promise.all([
        episode(1).waitFor(),
        ended,
        page.goto(watchAddress('Northline (2018)/Season 01/Northline S01E01 - The First Mile.mkv', 'tv_episode'), { waitUntil: 'commit' }),
      ])
      await scene().admin.patch('/api/user-settings', { autoplayNext: false })
      try {
        await page.goto(watchAddress('Northline (2018)/Season 01/Northline S01E01 - The First Mile.mkv', 'tv_episode'))
        await episode(1).waitFor()
        await page.getByRole('button', { name: 'Play the next one' }).click()
        await episode(2).waitFor()
      } finally {
        await scene().admin.patch('/api/user-settings', { autoplayNext: true })
      }
    }))

  test('an episode is marked as watched by hand, and as not watched', () =>
    onPage(scene(), { isIntercepted: true }, async (page) => {
      const path = 'Northline (2018)/Season 02/Northline S02E01'
      await page.goto(`/l/${scene().idOf('tv')}/s/${encodeURIComponent('Northline (2018)')}/season/2`)
      const mark = page.getByRole('button', { name: /^Watched: Northline S02E01/ })
      await mark.click()
      await page.waitForFunction(() => document.querySelector('button[aria-pressed=true]'))
      const isKept = async (wanted: boolean) => {
        const { body } = await scene().admin.get('/api/browse', {
          libraryId: scene().idOf('tv'),
          parentKey: scene().keyOf('tv_season', 'Northline (2018)/Season 02'),
        })
        const episode = body.entries.find(({ itemKey }: { itemKey: string }) => itemKey.includes(path))
        return (episode?.progress?.completed ?? false) === wanted || undefined
      }
      await waitFor(
        () => isKept(true),
        WAIT_LIMIT_MS,
        () => 'It was not kept as watched',
      )
      await mark.click()
      await waitFor(
        () => isKept(false),
        WAIT_LIMIT_MS,
        () => 'It was not kept as not watched',
      )
      // Pressed again while the first answer is still on its way: what was pressed last holds.
      const answer = Promise.withResolvers<void>()
      const asked = Promise.withResolvers<void>()
      await page.route(
        '**/api/progress',
        async (route) => {
          asked.resolve()
          await answer.promise
          await route.continue()
        },
        { times: 1 },
      )
      await mark.click()
      await asked.promise
      const correction = page.waitForResponse((response) => response.request().postData()?.includes('"completed":false') === true)
      await mark.click()
      await mark.and(page.locator('[aria-pressed=false]')).waitFor()
      answer.resolve()
      await correction
      await waitFor(
        () => isKept(false),
        WAIT_LIMIT_MS,
        () => 'What was pressed last was not kept',
      )
    }))
}
