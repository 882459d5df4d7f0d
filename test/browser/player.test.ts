/** The player in a real browser: keys, fingers and mouse, subtitles, sound, and what comes next (UI.md 1.2). */

import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { DemoCollection } from '../support/demo-collection.ts'
import { addChapters, makeDubbedClip, makeMultiTrackClip, makePictureSubtitledClip } from '../support/odd-clips.ts'
import { runProgram } from '../support/program.ts'
import { makeClip } from '../support/real-media.ts'
import { waitFor } from '../support/test-server.ts'
import { axeFindings } from './axe.ts'
import { focusedName } from './focus.ts'
import {
  createHistoryBack,
  createOutage,
  createSystemBack,
  holdRequests,
  isTitled,
  MOVING,
  onPage,
  SETTLED_MS,
  sees,
  TEST_LIMIT_MS,
  WAIT_LIMIT_MS,
} from './on-page.ts'
import { openScene, type Scene } from './scene.ts'
import { doubleTapUntil, hold, tap } from './touch.ts'

setDefaultTimeout(TEST_LIMIT_MS)

const SHOW = 'Long Show'
/** Over ten minutes: long enough for a card before its end. */
const LONG_SECONDS = 640
const FILM = 'Two Tongues (2001)'
/** English, as its file says, and German. */
const DUBBED_FILM = 'Dubbed Film (2005)'
const LONG_FILM = 'Long Film (2002)'
/** Too large to be fetched whole before it is looked at. */
const LARGE_FILM = 'Large Film (2003)'
const LARGE_SECONDS = 90
const PICTURED_FILM = 'Pictured Film (2005)'
/** Black, with words over all of it. */
const SAID_FILM = 'Said Film (2004)'
const WORDS = `1
00:00:00,000 --> 00:02:00,000
Somebody says something

2
00:00:00,000 --> 00:02:00,000
{\\an8}A sign at the top
`
/** As the recorder of a browser writes them: the file does not say how long it is. */
const RECORDED_FILM = 'Recorded Film (2006)'
const CHAPTERS = [
  [0, 'Opening'],
  [8, 'Salt & <i>sand</i>'],
  [20, ''],
] as const
const TINY = { width: 64, height: 36, rate: 8, source: 'black', audioCodec: 'none' } as const

const prepare = async ({ root, libraries }: DemoCollection): Promise<void> => {
  await makeClip(join(libraries.tv, SHOW, 'Season 01', `${SHOW} S01E01.mp4`), { ...TINY, seconds: LONG_SECONDS })
  await makeClip(join(libraries.tv, SHOW, 'Season 02', `${SHOW} S02E01.mp4`), { ...TINY, seconds: 5 })
  await makeMultiTrackClip(join(libraries.movies, FILM, `${FILM}.mkv`), 30)
  await addChapters(join(libraries.movies, FILM, `${FILM}.mkv`), CHAPTERS, 30)
  await makeDubbedClip(join(libraries.movies, DUBBED_FILM, `${DUBBED_FILM}.mp4`), [{ language: 'eng' }, { language: 'ger' }], 30)
  await makeClip(join(libraries.movies, LONG_FILM, `${LONG_FILM}.mp4`), { ...TINY, audioCodec: 'aac', seconds: 200 })
  await makeClip(join(libraries.movies, SAID_FILM, `${SAID_FILM}.mp4`), { ...TINY, seconds: 120 })
  await addChapters(join(libraries.movies, SAID_FILM, `${SAID_FILM}.mp4`), CHAPTERS, 120)
  await Bun.write(join(libraries.movies, SAID_FILM, `${SAID_FILM}.en.srt`), WORDS)
  await makePictureSubtitledClip(join(libraries.movies, PICTURED_FILM, `${PICTURED_FILM}.mkv`))
  const recorded = await makeClip(join(root, 'recorded.webm'), { ...TINY, videoCodec: 'libvpx-vp9', seconds: 30 })
  await mkdir(join(libraries.movies, RECORDED_FILM))
  // biome-ignore format: one option and its value a pair
  await runProgram([
    'ffmpeg', '-nostdin', '-loglevel', 'error', '-i', recorded, '-c', 'copy', '-live', '1',
    join(libraries.movies, RECORDED_FILM, `${RECORDED_FILM}.webm`),
  ])
  await makeClip(join(libraries.movies, LARGE_FILM, `${LARGE_FILM}.mp4`), { width: 960, height: 540, seconds: LARGE_SECONDS })
}

let scene: Scene
beforeAll(async () => {
  scene = await openScene({ size: 'small', types: ['movies', 'tv'], prepare })
}, 180_000)
afterAll(() => scene?.[Symbol.asyncDispose]())

const watch = (page: Page, type: 'movie' | 'tv_episode', path: string, query = '') =>
  page.goto(`/watch/${encodeURIComponent(scene.keyOf(type, path))}${query}`)
const film = (page: Page, query = '') => watch(page, 'movie', LONG_FILM, query)
const firstEpisode = (page: Page, query = '') => watch(page, 'tv_episode', `${SHOW}/Season 01/${SHOW} S01E01.mp4`, query)

const plays = (page: Page, from = 0) => page.waitForFunction((start) => (document.querySelector('video')?.currentTime ?? 0) > start, from)
const videoState = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('video')
    if (!video) throw new Error('There is no video')
    const { currentTime, paused, playbackRate, muted, volume } = video
    return { time: Math.round(currentTime), paused, playbackRate, muted, volume: Math.round(volume * 100) }
  })
const paused = (page: Page) => page.waitForFunction(() => document.querySelector('video')?.paused)
/** By no key and no press. */
const stop = (page: Page) => page.evaluate(() => document.querySelector('video')?.pause())
const jump = (page: Page, seconds: number) =>
  page.evaluate((time) => {
    const video = document.querySelector('video')
    if (video) video.currentTime = time
  }, seconds)
/** Whether they can be seen, or are on their way. */
const hasControls = (page: Page, wanted: boolean) =>
  page.waitForFunction(
    (isShown) => Number(document.querySelector('[data-controls]')?.computedStyleMap().get('opacity')?.toString()) > 0.5 === isShown,
    wanted,
  )
const middle = { x: 195, y: 420 }

test('that the server opens the film is seen and heard, until it has', () =>
  onPage(scene, { isIntercepted: true }, async (page) => {
    const playback = await holdRequests(page, 'GET', /\/api\/playback\b/)
    await film(page)
    await playback.asked
    const waiting = page.locator('.player-wait')
    await waiting.waitFor()
    const ring = waiting.locator('[slot=icon]')
    expect(await waiting.getByRole('status').textContent()).toBe('Loading')
    expect(await ring.evaluate((shown) => getComputedStyle(shown).opacity)).toBe('1')
    const { x = 0, y = 0, width = 0, height = 0 } = (await ring.boundingBox()) ?? {}
    expect([x + width / 2, y + height / 2]).toEqual([640, 400])
    playback.letGo()
    await plays(page)
    expect(await waiting.count()).toBe(0)
  }))

test('and so it is while the first of the film is on its way', () =>
  onPage(scene, { isIntercepted: true }, async (page) => {
    const bytes = await holdRequests(page, 'GET', /\/api\/files\b/)
    await film(page)
    await bytes.asked
    await page.locator('video').waitFor()
    await page.waitForTimeout(SETTLED_MS)
    const ring = page.locator('.player-wait [slot=icon]')
    expect(await ring.evaluate((shown) => getComputedStyle(shown).opacity)).toBe('1')
    bytes.letGo()
    await plays(page)
    expect(await ring.count()).toBe(0)
  }))

test('whoever presses play meanwhile sees one ring', () =>
  onPage(scene, { isIntercepted: true }, async (page) => {
    const bytes = await holdRequests(page, 'GET', /\/api\/files\b/)
    await film(page)
    await bytes.asked
    await page.locator('.player-wait').waitFor()
    await page.keyboard.press('k')
    await page.waitForTimeout(SETTLED_MS)
    const rings = page.locator('media-loading-indicator [slot=icon]')
    expect(await rings.evaluateAll((all) => all.map((ring) => getComputedStyle(ring).opacity))).toEqual(['1'])
    bytes.letGo()
    await plays(page)
  }))

test('a film that stands still leaves the page alone', () =>
  onPage(scene, MOVING, async (page) => {
    await film(page)
    await plays(page)
    await stop(page)
    await page.waitForTimeout(SETTLED_MS)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Performance.enable')
    const styled = async () =>
      (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'RecalcStyleCount')?.value ?? 0
    const before = await styled()
    await page.waitForTimeout(SETTLED_MS)
    expect((await styled()) - before).toBeLessThan(10)
  }))

test('there is a way back before it is known what is to be played', () =>
  onPage(scene, { isIntercepted: true }, async (page) => {
    const item = await holdRequests(page, 'GET', /\/api\/items\b/)
    await film(page)
    await item.asked
    await page.locator('.player-wait').waitFor()
    const [back, library] = [page.getByRole('link', { name: 'Back', exact: true }), `/l/${scene.idOf('movies')}`]
    expect(await back.getAttribute('href')).toBe(library)
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.pathname === library)
    item.letGo()
  }))

test('who has found the way back before the film is there keeps it', () =>
  onPage(scene, { isIntercepted: true }, async (page) => {
    const playback = await holdRequests(page, 'GET', /\/api\/playback\b/)
    await watch(page, 'movie', SAID_FILM)
    await playback.asked
    await page.getByRole('link', { name: 'Back', exact: true }).focus()
    playback.letGo()
    await plays(page)
    expect(await focusedName(page)).toBe('Back')
  }))

describe('chapters', () => {
  /** As the time range has them. */
  const marks = (page: Page, count: number) =>
    page.waitForFunction(
      (wanted) => document.querySelector('media-time-range')?.shadowRoot?.querySelectorAll('#segments-clipping rect').length === wanted,
      count,
    )
  const isAt = (page: Page, seconds: number) =>
    page.waitForFunction((wanted) => Math.round(document.querySelector('video')?.currentTime ?? -1) === wanted, seconds)

  test.each([
    ['as it is', SAID_FILM],
    ['in pieces', FILM],
  ])('of a film that is played %s are marked, named and gone to by keys', (_, name) =>
    onPage(scene, {}, async (page) => {
      await watch(page, 'movie', name)
      await plays(page)
      await page.keyboard.press('k')
      await paused(page)
      await marks(page, 3)
      const press = async (key: string, seconds: number) => {
        await page.keyboard.press(key)
        await isAt(page, seconds)
      }
      await press('PageUp', 8)
      await page.getByText('Salt & <i>sand</i>').first().waitFor()
      await press('PageUp', 20)
      await press('PageUp', 20)
      await page.getByText('Chapter 3').first().waitFor()
      await jump(page, 22)
      await press('PageDown', 8)
      await jump(page, 14)
      await press('PageDown', 8)
      await press('PageDown', 0)
      // What subtitles do to their tracks is no matter of these.
      await page.keyboard.press('c')
      await page.keyboard.press('c')
      await marks(page, 3)
    }),
  )

  test('are chosen from a list, and a film without any has none', () =>
    onPage(scene, { screen: 'phone' }, async (page) => {
      const stop = async () => {
        await plays(page)
        await page.keyboard.press('k')
        await paused(page)
      }
      await watch(page, 'movie', SAID_FILM)
      await stop()
      await page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
      const list = page.getByLabel('Chapter')
      expect(await list.locator('option').allInnerTexts()).toEqual(['0:00 Opening', '0:08 Salt & <i>sand</i>', '0:20 Chapter 3'])
      await list.selectOption('2')
      await isAt(page, 20)
      await film(page)
      await stop()
      await marks(page, 0)
      await page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
      await page.getByLabel('Speed', { exact: true }).waitFor()
      expect(await page.getByLabel('Chapter').count()).toBe(0)
    }))
})

test('a film that does not say how long it is shows no other length, and keys that go to a part of it do nothing', () =>
  onPage(scene, {}, async (page) => {
    await watch(page, 'movie', RECORDED_FILM)
    await plays(page)
    await page.keyboard.press('k')
    await paused(page)
    expect(await page.evaluate(() => document.querySelector('video')?.duration)).toBe(Number.POSITIVE_INFINITY)
    const { time } = await videoState(page)
    for (const key of ['5', 'End']) await page.keyboard.press(key)
    expect((await videoState(page)).time).toBe(time)
    expect(await page.locator('[data-controls]').textContent()).not.toMatch(/Infinity|NaN/)
  }))

test('who reloads the page of a film that was to begin elsewhere goes on where they were', () =>
  onPage(scene, {}, async (page) => {
    await firstEpisode(page, '?t=20')
    await plays(page, 20)
    await jump(page, 300)
    // A busy browser does not ask a page that is left: what was jumped to is told before.
    await page.waitForResponse((answer) => answer.request().postDataJSON()?.positionSeconds >= 300)
    await page.reload()
    await plays(page, 299)
  }))

test('who jumps and leaves at once is known to have been there', () =>
  onPage(scene, {}, async (page) => {
    await firstEpisode(page, '?t=20')
    await plays(page, 20)
    const told = page.waitForRequest((request) => request.method() === 'PUT')
    await page.evaluate(() => {
      const video = document.querySelector('video')
      if (video) video.currentTime = 400
      dispatchEvent(new Event('pagehide'))
    })
    expect((await told).postDataJSON().positionSeconds).toBe(400)
  }))

test('who has stood still here while another device went on leaves its place alone, however they leave', () =>
  onPage(scene, {}, async (page) => {
    const itemKey = scene.keyOf('tv_episode', `${SHOW}/Season 01/${SHOW} S01E01.mp4`)
    await firstEpisode(page, '?t=20')
    await plays(page, 20)
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await page.keyboard.press('k')
    await saved
    await scene.admin.put('/api/progress', { itemKey, positionSeconds: 300, durationSeconds: LONG_SECONDS })
    await page.evaluate(() => dispatchEvent(new Event('pagehide')))
    await page.keyboard.press('Escape')
    await page.locator('video').waitFor({ state: 'detached' })
    await page.waitForTimeout(SETTLED_MS)
    expect((await scene.admin.get('/api/progress', { itemKey })).body.positionSeconds).toBe(300)
  }))

test('the place where one was is not lost where it cannot be read as the film begins', () =>
  onPage(scene, { expected: /api\/progress/ }, async (page) => {
    const itemKey = scene.keyOf('tv_episode', `${SHOW}/Season 01/${SHOW} S01E01.mp4`)
    await scene.admin.put('/api/progress', { itemKey, positionSeconds: 100, durationSeconds: LONG_SECONDS })
    await page.route('**/api/progress?**', (route) => route.abort(), { times: 1 })
    await firstEpisode(page)
    await plays(page)
    expect((await videoState(page)).time).toBeLessThan(100)
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) >= 100, undefined, { timeout: 20_000 })
    expect((await scene.admin.get('/api/progress', { itemKey })).body.positionSeconds).toBeGreaterThanOrEqual(100)
  }))

describe('keys', () => {
  test('that belong to the browser or to a field stay there', () =>
    onPage(scene, {}, async (page) => {
      await film(page, '?t=50')
      await plays(page, 50)
      await page.keyboard.press('k')
      await paused(page)
      const { time } = await videoState(page)
      await page.keyboard.press('Alt+ArrowUp')
      await page.keyboard.press('Control+l')
      await page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
      await page.getByLabel('Speed', { exact: true }).focus()
      await page.keyboard.press('l')
      expect((await videoState(page)).time).toBe(time)
    }))

  test('seek, step, change speed and volume, and show what they did', () =>
    onPage(scene, {}, async (page) => {
      await scene.admin.patch('/api/user-settings', { seekShort: 15, seekLong: 30 })
      await film(page, '?t=100')
      await plays(page, 100)
      await page.keyboard.press('k')
      await paused(page)
      const { time } = await videoState(page)
      const press = async (...keys: string[]) => {
        for (const key of keys) await page.keyboard.press(key)
        return videoState(page)
      }
      expect((await press('ArrowRight', 'l')).time).toBe(time + 45)
      expect((await press('j', 'ArrowLeft')).time).toBe(time)
      expect((await press('3')).time).toBe(60)
      expect((await press('Home')).time).toBe(0)
      await sees(page, '0.5×', () => press('Shift+<', 'Shift+<'))
      expect((await videoState(page)).playbackRate).toBe(0.5)
      expect((await press('m')).muted).toBe(true)
      await sees(page, '95 %', () => press('ArrowDown'))
      expect(await videoState(page)).toMatchObject({ muted: false, volume: 95 })
      await page.locator('media-mute-button').hover()
      await sees(page, '100 %', () => page.mouse.wheel(0, -120))
      const exact = () => page.evaluate(() => document.querySelector('video')?.currentTime ?? 0)
      const before = await exact()
      await page.keyboard.press('.')
      const stepped = (await exact()) - before
      expect(stepped).toBeGreaterThan(0)
      expect(stepped).toBeLessThan(0.1)
      await scene.admin.patch('/api/user-settings', { seekShort: 5, seekLong: 10 })
    }))

  test('that are held down do once what is done once, and go on with what goes on', () =>
    onPage(scene, {}, async (page) => {
      await scene.admin.patch('/api/user-settings', { seekShort: 5 })
      await film(page, '?t=60')
      await plays(page, 60)
      const hold = async (key: string) => {
        for (let time = 0; time < 4; time++) await page.keyboard.down(key)
        await page.keyboard.up(key)
        return videoState(page)
      }
      expect((await hold('k')).paused).toBe(true)
      expect((await hold('m')).muted).toBe(true)
      const { time } = await videoState(page)
      expect((await hold('ArrowRight')).time).toBe(time + 20)
    }))

  test('are told by a question mark, and Escape closes the help alone', () =>
    onPage(scene, {}, async (page) => {
      await film(page)
      await plays(page)
      await page.keyboard.press('Shift+?')
      const help = page.getByRole('dialog', { name: 'Keys' })
      await help.getByText('Full screen').waitFor()
      await page.keyboard.press('Escape')
      await help.waitFor({ state: 'detached' })
      expect(new URL(page.url()).pathname).toStartWith('/watch/')
    }))

  test('are told where they do something', () =>
    onPage(scene, {}, async (page) => {
      const told = async (): Promise<string[]> => {
        await plays(page)
        await page.keyboard.press('Shift+?')
        const help = page.getByRole('dialog', { name: 'Keys' })
        await help.getByText('Full screen').waitFor()
        const rows = ['Next or previous chapter', 'Subtitles off or on', 'Subtitles earlier or later', 'Next or previous episode']
        const counts = await Promise.all(rows.map((row) => help.getByText(row).count()))
        return rows.filter((_, index) => counts[index] === 1)
      }
      await film(page)
      expect(await told()).toEqual([])
      await watch(page, 'movie', SAID_FILM)
      expect(await told()).toEqual(['Next or previous chapter', 'Subtitles off or on', 'Subtitles earlier or later'])
      await firstEpisode(page)
      expect(await told()).toContain('Next or previous episode')
    }))
})

describe('mouse and fingers', () => {
  test('one click plays and pauses, two fill the screen', () =>
    onPage(scene, {}, async (page) => {
      await film(page)
      await plays(page)
      await page.mouse.click(640, 300)
      await paused(page)
      await page.mouse.dblclick(640, 300)
      await page.waitForFunction(() => document.fullscreenElement !== null)
      expect((await videoState(page)).paused).toBe(true)
      await page.keyboard.press('f')
      await page.waitForFunction(() => document.fullscreenElement === null)
    }))

  test('a tap shows and hides the controls, two taps on a side skip ten seconds, and holding plays twice as fast', () =>
    onPage(scene, { screen: 'phone' }, async (page) => {
      await film(page, '?t=60')
      await plays(page, 60)
      const isHidden = (wanted: boolean) =>
        page.waitForFunction((hidden) => document.querySelector('media-controller')?.hasAttribute('userinactive') === hidden, wanted)
      await isHidden(true)
      await tap(page, middle)
      await isHidden(false)
      await tap(page, middle)
      await isHidden(true)
      expect((await videoState(page)).paused).toBe(false)
      // Stopped, so that only the taps move it.
      await stop(page)
      const { time } = await videoState(page)
      await doubleTapUntil(page, { x: 350, y: 420 }, (limit) =>
        page.waitForFunction((from) => (document.querySelector('video')?.currentTime ?? 0) > from + 9, time, limit),
      )
      const skipped = (await videoState(page)).time
      await doubleTapUntil(page, { x: 40, y: 420 }, (limit) =>
        page.waitForFunction((from) => (document.querySelector('video')?.currentTime ?? 999) < from - 9, skipped, limit),
      )
      await page.evaluate(() => document.querySelector('video')?.play())
      await hold(page, middle, () => page.waitForFunction(() => document.querySelector('video')?.playbackRate === 2))
      await page.waitForFunction(() => document.querySelector('video')?.playbackRate === 1)
    }))

  test('a tap on controls that nobody sees brings them back, and presses none of them', () =>
    onPage(scene, { screen: 'phone' }, async (page) => {
      await film(page, '?t=60')
      await plays(page, 60)
      // Where it began leaves the address in its own time.
      const path = () => new URL(page.url()).pathname
      const address = path()
      for (const control of ['media-play-button', 'media-time-range', 'a[aria-label="Back"]']) {
        const box = await page.locator(control).boundingBox()
        if (!box) throw new Error(`There is no ${control}`)
        await hasControls(page, false)
        const before = await videoState(page)
        const start = performance.now()
        await tap(page, { x: box.x + box.width / 2, y: box.y + box.height / 2 })
        await hasControls(page, true)
        await Bun.sleep(SETTLED_MS)
        const after = await videoState(page)
        expect(after.paused).toBe(false)
        expect(after.time).toBeGreaterThanOrEqual(before.time)
        expect(after.time).toBeLessThanOrEqual(before.time + 1 + Math.ceil((performance.now() - start) / 1000))
        expect(path()).toBe(address)
      }
    }))

  test('a wide picture in full screen lies across a phone', () =>
    onPage(scene, { screen: 'phone' }, async (page) => {
      await page.addInitScript(() => {
        ScreenOrientation.prototype.lock = async (way) => void Object.assign(window, { lockedWay: way })
      })
      await film(page)
      await plays(page)
      // Beside a picture that stands still the controls stay.
      await stop(page)
      await tap(page, middle)
      await page.locator('media-fullscreen-button').tap()
      await page.waitForFunction(() => 'lockedWay' in window && window.lockedWay === 'landscape')
    }))

  for (const [system, createBack] of Object.entries({ 'a phone': createSystemBack, 'a browser without close requests': createHistoryBack }))
    test(`the way back of ${system} closes the settings, and then the film`, () =>
      onPage(scene, { screen: 'phone' }, async (page) => {
        const back = await createBack(page)
        await page.goto(`/l/${scene.idOf('movies')}/m/${encodeURIComponent(LONG_FILM)}`)
        await page
          .getByRole('link', { name: /Play|Resume/ })
          .first()
          .click()
        await plays(page)
        await stop(page)
        await tap(page, middle)
        await page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
        const settings = page.getByRole('group', { name: 'Speed, sound and subtitles' })
        await settings.waitFor()
        await back()
        await settings.waitFor({ state: 'detached' })
        expect(new URL(page.url()).pathname).toStartWith('/watch/')
        await back()
        await page.getByRole('heading', { level: 1, name: 'Long Film' }).waitFor()
      }))

  test('the controls stay for as long as somebody sets something in them, or points at them', () =>
    onPage(scene, {}, async (page) => {
      await page.clock.install()
      await film(page)
      await plays(page)
      const wait = () => page.clock.runFor(5000)
      await page.mouse.move(640, 300)
      await page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
      await page.mouse.move(640, 310)
      await wait()
      await hasControls(page, true)
      await page.keyboard.press('Escape')
      await wait()
      await hasControls(page, false)
      await page.mouse.move(640, 300)
      await page.locator('media-mute-button').hover()
      await page.keyboard.press('ArrowDown')
      await wait()
      await hasControls(page, true)
      await page.mouse.move(640, 300)
      await wait()
      await hasControls(page, false)
    }))

  test('whoever points at the time range sees what is there, also with subtitles on, and the next place after it', () =>
    onPage(scene, {}, async (page) => {
      const shown = () =>
        page.evaluate(() => {
          const range = document.querySelector('media-time-range')?.shadowRoot
          const image = range?.querySelector('media-preview-thumbnail')?.shadowRoot?.querySelector('img')
          return image?.complete && image.naturalWidth > 0
            ? `${image.naturalWidth}×${image.naturalHeight} ${new URL(image.src).searchParams.get('at')}`
            : ''
        })
      const pointAt = async (part: number) => {
        const box = await page.locator('media-time-range').boundingBox()
        if (!box) throw new Error('There is no time range')
        // A pointer is never still, and media-chrome hears its moves alone.
        await page.mouse.move(box.x + box.width * part, box.y + box.height / 2 + 1)
        await page.mouse.move(box.x + box.width * part, box.y + box.height / 2)
      }
      await watch(page, 'movie', LARGE_FILM)
      await plays(page)
      await pointAt(0.5)
      await waitFor(
        async () => ((await shown()) === '320×180 44' ? true : undefined),
        WAIT_LIMIT_MS,
        () => 'There is no picture of the middle.',
      )
      await pointAt(0.9)
      await waitFor(
        async () => (/^320×180 (?:78|80)$/.test(await shown()) ? true : undefined),
        WAIT_LIMIT_MS,
        () => 'The next one did not come.',
      )

      await watch(page, 'movie', SAID_FILM)
      await plays(page)
      await page.keyboard.press('c')
      await page.waitForFunction(() =>
        [...(document.querySelector('video')?.textTracks ?? [])].some(({ kind, mode }) => kind === 'subtitles' && mode === 'showing'),
      )
      await pointAt(0.25)
      await waitFor(
        async () => (/^320×180 (?:28|30)$/.test(await shown()) ? true : undefined),
        WAIT_LIMIT_MS,
        () => 'There is no picture beside subtitles.',
      )
    }))
})

describe('sound and subtitles', () => {
  // Whoever picks a sound track picks its language for what comes after.
  afterEach(async () => {
    await scene.admin.patch('/api/user-settings', { audioLanguage: null })
  })

  test('sound that the browser refuses is offered, and the video plays on', () =>
    onPage(scene, {}, async (page) => {
      // The browser is started so that it refuses nothing; otherwise it does so in these words until somebody clicks.
      await page.addInitScript(() => {
        const play = HTMLMediaElement.prototype.play
        let isActive = false
        addEventListener('pointerdown', () => (isActive = true), { capture: true })
        HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
          const isRefused = !this.muted && !isActive
          return isRefused ? Promise.reject(new DOMException('a gesture is needed', 'NotAllowedError')) : play.call(this)
        }
      })
      await film(page)
      await plays(page)
      expect((await videoState(page)).muted).toBe(true)
      await page.getByRole('button', { name: 'Turn the sound on' }).click()
      await page.getByRole('button', { name: 'Turn the sound on' }).waitFor({ state: 'detached' })
      expect((await videoState(page)).muted).toBe(false)
    }))

  test('another sound track goes on where the one before was', () =>
    onPage(scene, {}, async (page) => {
      await watch(page, 'movie', FILM, '?t=8')
      await plays(page, 8)
      const list = page.waitForRequest((request) => request.url().includes('audio='))
      await page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
      const before = await videoState(page)
      const start = performance.now()
      await page.getByLabel('Sound track').selectOption({ index: 0 })
      await list
      // The first track is the file as it is, and no list.
      await page.waitForFunction(() => document.querySelector('video')?.src.includes('/api/files'))
      await plays(page)
      const { time } = await videoState(page)
      expect(time).toBeGreaterThanOrEqual(before.time - 1)
      expect(time).toBeLessThanOrEqual(before.time + 1 + Math.ceil((performance.now() - start) / 1000))
    }))

  test('the language of the sound that was picked is that of the next film, until the settings say otherwise', () =>
    onPage(scene, {}, async (page) => {
      const tracks = page.getByLabel('Sound track')
      const openSettings = () => page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
      const hears = async (name: RegExp, isFile: boolean) => {
        await watch(page, 'movie', DUBBED_FILM)
        await plays(page)
        await openSettings()
        expect(await tracks.locator('option:checked').textContent()).toMatch(name)
        expect(await page.evaluate(() => document.querySelector('video')?.src.includes('/api/files'))).toBe(isFile)
      }
      await hears(/^English/, true)
      await watch(page, 'movie', FILM)
      await plays(page)
      await openSettings()
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.url().endsWith('/user-settings'))
      await tracks.selectOption({ label: 'German (AAC Mono)' })
      expect((await saved).status()).toBe(200)
      // The browser itself would play the English track, which comes first.
      await hears(/^German/, false)
      await page.goto('/settings/playback')
      const language = page.getByLabel('Language of sound')
      await language.locator('option:checked[value=de]').waitFor({ state: 'attached' })
      expect(await language.inputValue()).toBe('de')
      await language.selectOption({ label: 'As the file says' })
      await page.getByText('Saved').first().waitFor()
      await hears(/^English/, true)
    }))

  test('another sound track leaves what is paused where it stands, and as fast as it was', () =>
    onPage(scene, {}, async (page) => {
      await watch(page, 'movie', FILM, '?t=8')
      await plays(page, 8)
      await page.keyboard.press('k')
      await paused(page)
      await page.keyboard.press('Shift+>')
      const before = await videoState(page)
      expect(before.playbackRate).toBe(1.25)
      const standsThere = async (isFile: boolean) => {
        await page.waitForFunction((wanted) => {
          const video = document.querySelector('video')
          return video?.src.includes('/api/files') === wanted && video.readyState >= 2 && !video.seeking
        }, isFile)
        // A player that begins does so within this.
        await page.waitForTimeout(500)
        expect(await videoState(page)).toEqual(before)
      }
      await page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
      await page.getByLabel('Sound track').selectOption({ index: 0 })
      await standsThere(true)
      // At once, so that a source comes in the place of one that had not begun.
      for (const index of [1, 0, 1]) await page.getByLabel('Sound track').selectOption({ index })
      await standsThere(false)
      await page.keyboard.press('Escape')
      await page.keyboard.press('k')
      await plays(page, before.time)
    }))

  test('tracks have names in the language of the interface', () =>
    onPage(scene, { context: { locale: 'de-DE' } }, async (page) => {
      await watch(page, 'movie', FILM)
      await page.getByRole('button', { name: 'Tempo, Ton und Untertitel' }).click()
      const names = (label: string) => page.getByRole('combobox', { name: label, exact: true }).locator('option').allTextContents()
      expect((await names('Tonspur')).map((name) => name.replace(/ \(.*/, ''))).toEqual(['Deutsch', 'Englisch – Commentary'])
      expect(await names('Untertitel')).toEqual(['Aus', 'Deutsch (erzwungen)', 'Französisch'])
    }))

  test('subtitles that are pictures are not denied', () =>
    onPage(scene, {}, async (page) => {
      await watch(page, 'movie', PICTURED_FILM)
      await page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
      await page.getByText('This file holds subtitles that are pictures. They cannot be shown here.').waitFor()
      expect(await page.getByText('There are no subtitles').count()).toBe(0)
    }))

  test('subtitles are shown, moved in time, sized, and come back in their language the next time', () =>
    onPage(scene, {}, async (page) => {
      await watch(page, 'movie', FILM)
      await plays(page)
      await page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
      const choice = page.getByRole('combobox', { name: 'Subtitles', exact: true })
      const french = choice.locator('option', { hasText: /French/ })
      await choice.selectOption((await french.getAttribute('value')) ?? '')
      const firstCue = () =>
        page.waitForFunction(() => {
          const shown = [...(document.querySelector('video')?.textTracks ?? [])].find(({ mode }) => mode === 'showing')
          const cue = shown?.cues?.[0]
          return cue ? { language: shown.language, start: cue.startTime } : undefined
        })
      const before = await (await firstCue()).jsonValue()
      expect(before?.language).toBe('fr')
      await page.getByRole('button', { name: 'Subtitles later' }).click()
      await page.getByRole('button', { name: 'Subtitles later' }).click()
      expect((await (await firstCue()).jsonValue())?.start).toBeCloseTo((before?.start ?? 0) + 0.2)
      await page.getByLabel('Size of subtitles').selectOption('large')
      await page.keyboard.press('Escape')
      await page.locator('h1').focus()
      await sees(page, 'Subtitles +0.1 s', () => page.keyboard.press('g'))
      await page.reload()
      await plays(page)
      expect((await (await firstCue()).jsonValue())?.language).toBe('fr')
      expect(await page.locator('video').getAttribute('class')).toContain('cue-large')
      await sees(page, 'Subtitles off', () => page.keyboard.press('c'))
    }))
})

describe('subtitles stand in the picture, below and above', () => {
  const isSaidBetween = (page: Page, y: number, until: number) =>
    waitFor(
      async () => (await brightest(page, y, until)) > 200 || undefined,
      WAIT_LIMIT_MS,
      () => `Nothing is said between ${y} and ${until}`,
    )
  /** Of the middle of the screen: the title stands in a corner. */
  const brightest = async (page: Page, y: number, until: number) => {
    const middle = (page.viewportSize()?.width ?? 0) / 2
    const shot = await page.screenshot({ clip: { x: middle - 150, y, width: 300, height: until - y } })
    const { channels } = await sharp(shot).removeAlpha().stats()
    return Math.max(...channels.map(({ max }) => max))
  }
  const showSubtitles = async (page: Page) => {
    await scene.admin.patch('/api/user-settings', { subtitleLanguage: 'en' })
    await watch(page, 'movie', SAID_FILM)
    await plays(page)
    await hasControls(page, false)
  }

  test('on a phone, upright and across, and not at the edges of the screen', () =>
    onPage(scene, { screen: 'phone' }, async (page) => {
      await showSubtitles(page)
      const picture = (390 / 64) * 36
      const [upperEdge, lowerEdge] = [Math.floor((844 - picture) / 2), Math.ceil((844 + picture) / 2)]
      await isSaidBetween(page, 422, lowerEdge)
      await isSaidBetween(page, upperEdge, upperEdge + 40)
      expect(await brightest(page, lowerEdge + 8, 844)).toBeLessThan(100)
      expect(await brightest(page, 0, upperEdge - 8)).toBeLessThan(100)
      await page.setViewportSize({ width: 844, height: 390 })
      await isSaidBetween(page, 0, 40)
    }))

  test('with the bar and without it', () =>
    onPage(scene, {}, async (page) => {
      await showSubtitles(page)
      const [upperEdge, lowerEdge] = [40, 760]
      const bar = 700
      await isSaidBetween(page, upperEdge, upperEdge + 50)
      await isSaidBetween(page, bar, lowerEdge)
      await page.mouse.move(640, 400)
      await page.mouse.move(640, 410)
      await hasControls(page, true)
      // For as long as somebody points at something of it, it stays.
      await page.locator('media-mute-button').hover()
      await isSaidBetween(page, bar - 60, bar)
      await page.waitForTimeout(SETTLED_MS)
      expect(await brightest(page, upperEdge, upperEdge + 50)).toBeGreaterThan(200)
      expect(await brightest(page, upperEdge + 70, bar - 120)).toBeLessThan(100)
    }))
})

describe('what is not there to play', () => {
  test('is not blamed on the browser, and the way back is open', () =>
    onPage(scene, { expected: /status of 404/ }, async (page) => {
      await page.route('**/api/playback?*', (route) =>
        route.fulfill({
          status: 404,
          contentType: 'application/problem+json',
          body: '{"code":"not_found","detail":"There is nothing here"}',
        }),
      )
      await page.goto('/')
      await film(page)
      await page.getByText('It was moved or deleted, or you may not see it').waitFor()
      expect(await page.getByRole('link', { name: 'Download' }).count()).toBe(0)
      await page.getByRole('link', { name: 'Back' }).click()
      await page.waitForURL((url) => !url.pathname.includes('/watch/'))
    }))
})

describe('what the browser cannot play', () => {
  test('is told with what is in it', () =>
    onPage(scene, { expected: /media|theme/ }, async (page) => {
      await page.route('**/api/playback?*', async (route) => {
        const response = await route.fetch()
        const answer = {
          ...(await response.json()),
          mode: 'direct',
          url: '/theme.js',
          obstacle: 'no_ffmpeg',
          container: 'avi',
          videoCodec: 'mpeg4',
        }
        await route.fulfill({ response, json: answer })
      })
      await film(page)
      const alert = page.getByRole('alert')
      await alert.getByText('This browser cannot play the file').waitFor()
      await alert.getByText('Format: AVI · MPEG-4 / AAC', { exact: true }).waitFor()
    }))
})

describe('a connection that breaks', () => {
  test('is tried again from where it broke, and not from where it began', () =>
    onPage(scene, { expected: /ERR_FAILED|failed request.*health/ }, async (page) => {
      // Only the press is to mend it.
      await page.route('**/api/health', (route) => route.abort())
      await film(page, '?t=20')
      await plays(page, 20)
      await jump(page, 150)
      await plays(page, 150)
      // What a browser tells after its own attempts, which take minutes.
      await page.evaluate(() => {
        const video = document.querySelector('video')
        Object.defineProperty(video, 'error', { value: { code: MediaError.MEDIA_ERR_NETWORK } })
        video?.dispatchEvent(new Event('error'))
      })
      await page.getByRole('heading', { name: 'The connection broke' }).waitFor()
      // Nothing lies over the way back.
      await page.getByRole('link', { name: 'Back' }).click({ trial: true })
      await page.getByRole('button', { name: 'Retry' }).click()
      await plays(page)
      expect((await videoState(page)).time).toBeGreaterThanOrEqual(150)
    }))
})

describe('a server that is gone', () => {
  const lost = (page: Page) => page.getByRole('heading', { name: 'The connection broke' })
  const loseServer = async (page: Page) => {
    await watch(page, 'movie', LARGE_FILM)
    await plays(page)
    await cutOff(page)
  }
  const cutOff = async (page: Page) => {
    await page.route('**/api/files?**', (route) => route.abort('internetdisconnected'))
    await page.context().setOffline(true)
    await jump(page, LARGE_SECONDS - 20)
    await lost(page).waitFor()
  }

  test('is told of instead of a spinner for ever, and a further attempt goes on where the picture stood', () =>
    onPage(scene, { expected: /ERR_INTERNET_DISCONNECTED|failed request|dynamically imported/ }, async (page) => {
      await loseServer(page)
      const retry = page.getByRole('button', { name: 'Retry' })
      await retry.click()
      await page.locator('button[aria-busy=true]').waitFor({ state: 'detached' })
      // Still gone: it says so on the same spot.
      expect(await retry.evaluate((button) => button === document.activeElement)).toBe(true)
      expect(await lost(page).count()).toBe(1)
      await page.unroute('**/api/files?**')
      await page.context().setOffline(false)
      await page.keyboard.press('Enter')
      await plays(page)
      expect((await videoState(page)).time).toBeGreaterThanOrEqual(LARGE_SECONDS - 20)
    }))

  test('is waited for: when the network is back it goes on by itself where the picture stood', () =>
    onPage(scene, { expected: /ERR_INTERNET_DISCONNECTED|failed request|dynamically imported/ }, async (page) => {
      await loseServer(page)
      await page.unroute('**/api/files?**')
      await page.context().setOffline(false)
      await lost(page).waitFor({ state: 'detached' })
      await plays(page, LARGE_SECONDS - 20)
    }))

  test('is waited for in the middle of a stream that it makes, too', () =>
    onPage(scene, { isIntercepted: true, expected: /ERR_FAILED|failed request|dynamically imported/ }, async (page) => {
      await page.addInitScript(() => location.protocol === 'http:' && localStorage.setItem('vitrine.videoQuality', '360'))
      const list = page.waitForRequest(/api\/hls/)
      await watch(page, 'movie', LARGE_FILM)
      await list
      await plays(page)
      await page.route('**/api/**', (route) => route.abort())
      await jump(page, LARGE_SECONDS - 20)
      await lost(page).waitFor()
      await page.unroute('**/api/**')
      await lost(page).waitFor({ state: 'detached' })
      await plays(page, LARGE_SECONDS - 20)
      expect(await videoState(page)).toMatchObject({ paused: false })
    }))

  test('is told afterwards how far somebody came who has left the film meanwhile', async () => {
    const client = await scene.server.as('traveller')
    const saved = async (): Promise<number> =>
      (await client.get('/api/progress', { itemKey: scene.keyOf('movie', LONG_FILM) })).body.positionSeconds ?? 0
    await onPage(scene, { client, expected: /ERR_INTERNET_DISCONNECTED|failed request/ }, async (page) => {
      const outage = await createOutage(page)
      await film(page)
      await plays(page)
      await jump(page, 60)
      await plays(page, 60)
      await page.waitForFunction(() => {
        const { buffered, currentTime = 0 } = document.querySelector('video') ?? {}
        return Array.from({ length: buffered?.length ?? 0 }, (_, part) => part).some(
          (part) => buffered && buffered.start(part) <= currentTime && buffered.end(part) > 90,
        )
      })
      outage.begin()
      await jump(page, 80)
      await plays(page, 80)
      const untold = page.waitForEvent('requestfailed', (request) => request.method() === 'PUT')
      await page.getByRole('link', { name: 'Back' }).click()
      await untold
      expect(await saved()).toBeLessThan(80)
      outage.end()
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      await waitFor(
        async () => (await saved()) >= 80 || undefined,
        WAIT_LIMIT_MS,
        () => 'The place was not told',
      )
    })
  })

  test('and comes back without the streams it made, makes another one of the same kind', () =>
    onPage(scene, { isIntercepted: true, expected: /status of (404|503)/ }, async (page) => {
      const caps: (string | null)[] = []
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url())
        if (pathname === '/api/playback') caps.push(searchParams.get('caps'))
      })
      await page.addInitScript(() => location.protocol === 'http:' && localStorage.setItem('vitrine.videoQuality', '360'))
      const list = page.waitForRequest(/api\/hls/)
      await watch(page, 'movie', LARGE_FILM)
      const old = (await list).url().replace(/\/[^/]+$/, '')
      await plays(page)
      // Nothing is missed before it is somewhere else: a stream that breaks goes on where the picture stood.
      const pieces = await holdRequests(page, 'GET', /\/api\/hls\/.*\.m4s/)
      await jump(page, LARGE_SECONDS - 20)
      await pieces.asked
      // As a restart of the server does.
      expect(await page.evaluate(async (stream) => (await fetch(stream, { method: 'DELETE' })).status, old)).toBe(204)
      const another = page.waitForRequest((request) => /api\/hls/.test(request.url()) && !request.url().includes(old))
      pieces.letGo()
      await another
      await plays(page, LARGE_SECONDS - 20)
      expect(caps).toEqual([caps[0] ?? '', caps[0] ?? ''])
      expect(caps[0]).not.toBe('')
    }))

  test('takes no speed, no loudness and no full screen along, and the first thing to do is to try again', () =>
    onPage(scene, { expected: /ERR_INTERNET_DISCONNECTED|failed request|dynamically imported/ }, async (page) => {
      await watch(page, 'movie', LARGE_FILM)
      await plays(page)
      for (const key of ['Shift+>', 'Shift+>', 'ArrowDown', 'ArrowDown', 'f']) await page.keyboard.press(key)
      await page.waitForFunction(() => document.fullscreenElement !== null)
      await cutOff(page)
      const offers = page.getByRole('alert').locator('a, button')
      expect(await offers.allInnerTexts()).toEqual(['Retry', 'Download'])
      expect(await offers.first().evaluate((button) => button === document.activeElement)).toBe(true)
      // The keys have nothing to act on, and what they do must not show later.
      await page.keyboard.press('m')
      await page.unroute('**/api/files?**')
      await page.context().setOffline(false)
      await lost(page).waitFor({ state: 'detached' })
      await plays(page, LARGE_SECONDS - 20)
      expect(await videoState(page)).toMatchObject({ playbackRate: 1.5, volume: 90, muted: false, paused: false })
      expect(await page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
    }))

  test('is looked for without the browser noticing anything, and what was paused stays paused', () =>
    onPage(scene, { isIntercepted: true, expected: /ERR_FAILED|failed request/ }, async (page) => {
      await watch(page, 'movie', LARGE_FILM)
      await plays(page)
      await page.keyboard.press('k')
      await paused(page)
      await page.route('**/api/**', (route) => route.abort())
      await jump(page, LARGE_SECONDS - 20)
      await lost(page).waitFor()
      await page.unroute('**/api/**')
      await lost(page).waitFor({ state: 'detached' })
      await page.waitForFunction((from) => (document.querySelector('video')?.currentTime ?? 0) >= from, LARGE_SECONDS - 20)
      await page.waitForTimeout(1000)
      expect(await videoState(page)).toMatchObject({ paused: true, time: LARGE_SECONDS - 20 })
      await page.keyboard.press('k')
      await plays(page, LARGE_SECONDS - 20)
    }))

  test('is no file that the browser cannot play', () =>
    onPage(scene, { expected: /ERR_INTERNET_DISCONNECTED|failed request|dynamically imported/ }, async (page) => {
      await page.route('**/api/files?**', async (route) => {
        await page.context().setOffline(true)
        await route.abort('internetdisconnected')
      })
      await film(page)
      await lost(page).waitFor()
    }))
})

describe('what comes next', () => {
  test('is on a card before the end, can be hidden, and is played in the next season', () =>
    onPage(scene, {}, async (page) => {
      const card = page.getByRole('region', { name: 'Next' })
      await firstEpisode(page, `?t=${LONG_SECONDS - 45}`)
      await plays(page, LONG_SECONDS - 45)
      expect(await card.count()).toBe(0)
      // How long it still takes is told by the time of the picture.
      await stop(page)
      await jump(page, LONG_SECONDS - 28)
      await card.getByText(`${SHOW} S02E01`).waitFor()
      await card.getByText(/Starts in 2\d s/).waitFor()
      // It gives way to what is set in the same corner, and comes back.
      const setting = page.getByRole('group', { name: 'Speed, sound and subtitles' })
      await page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
      await setting.waitFor()
      await card.waitFor({ state: 'hidden' })
      await page.keyboard.press('Escape')
      await card.waitFor()
      // It stays to the end: whoever is told that it starts in a moment may still say no.
      await jump(page, LONG_SECONDS - 12)
      await card.getByText(/Starts in (\d|1[012]) s/).waitFor()
      await card.getByRole('button', { name: 'Hide' }).click()
      await card.waitFor({ state: 'detached' })
      await firstEpisode(page, `?t=${LONG_SECONDS - 45}`)
      await plays(page, LONG_SECONDS - 46)
      await stop(page)
      await jump(page, LONG_SECONDS - 28)
      await card.getByRole('button', { name: 'Play now' }).click()
      await page.getByRole('heading', { name: /S02E01/ }).waitFor()
      await isTitled(page, `${SHOW} S02E01 - ${SHOW} - Vitrine`)
      await plays(page)
      await page.keyboard.press('Shift+P')
      await page.getByRole('heading', { name: /S01E01/ }).waitFor()
    }))

  test('is not asked for from where the one before it was left', async () => {
    const client = await scene.server.as('bert')
    const next = scene.keyOf('tv_episode', `${SHOW}/Season 02/${SHOW} S02E01.mp4`)
    await client.put('/api/progress', {
      itemKey: scene.keyOf('tv_episode', `${SHOW}/Season 01/${SHOW} S01E01.mp4`),
      positionSeconds: LONG_SECONDS / 2,
      durationSeconds: LONG_SECONDS,
    })
    await onPage(scene, { client }, async (page) => {
      const asked = (route: string) => (url: URL) => url.pathname === `/api/${route}` && url.searchParams.get('itemKey') === next
      const known = page.waitForResponse((answer) => asked('items')(new URL(answer.url())))
      await firstEpisode(page)
      await (await known).finished()
      await plays(page, LONG_SECONDS / 2)
      const playback = page.waitForRequest((request) => asked('playback')(new URL(request.url())))
      await page.keyboard.press('Shift+N')
      expect(new URL((await playback).url()).searchParams.get('start')).toBeNull()
    })
  })

  test('is as fast, as loud and as large as what was before it, and the next visit is as loud', () =>
    onPage(scene, {}, async (page) => {
      const isFull = (wanted: boolean) => page.waitForFunction((full) => (document.fullscreenElement !== null) === full, wanted)
      await page.goto('/')
      await firstEpisode(page, '?t=20')
      await plays(page, 20)
      await page.keyboard.press('f')
      await isFull(true)
      // In one breath: the element has had no time to tell of anything.
      await page.evaluate(() => {
        for (const key of ['>', 'ArrowDown', 'ArrowDown', 'N'])
          document.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: key === 'N', cancelable: true }))
      })
      await page.getByRole('heading', { name: /S02E01/ }).waitFor()
      await plays(page)
      expect(await videoState(page)).toMatchObject({ playbackRate: 1.25, volume: 90, muted: false })
      await isFull(true)
      await page.keyboard.press('Shift+P')
      await page.getByRole('heading', { name: /S01E01/ }).waitFor()
      await plays(page)
      // The button knows where it is.
      await page.locator('media-fullscreen-button').click()
      await isFull(false)
      await page.keyboard.press('f')
      await isFull(true)
      await page.getByRole('link', { name: 'Back' }).click()
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
      await isFull(false)
      await film(page)
      await plays(page)
      expect(await videoState(page)).toMatchObject({ playbackRate: 1, volume: 90, muted: false })
    }))

  test('stands still where somebody wants it to', async () => {
    await scene.admin.patch('/api/user-settings', { autoplayNext: false })
    try {
      await onPage(scene, {}, async (page) => {
        await firstEpisode(page, `?t=${LONG_SECONDS - 3}`)
        await page.waitForFunction(() => document.querySelector('video')?.ended)
        const card = page.getByRole('region', { name: 'Next' })
        await card.getByText(`${SHOW} S02E01`).waitFor()
        expect(await card.getByText(/Starts in/).count()).toBe(0)
        expect(new URL(page.url()).pathname).toContain('S01E01')
        // Over what would have told of the next one lay the settings.
        await scene.admin.patch('/api/user-settings', { autoplayNext: true })
        await firstEpisode(page, `?t=${LONG_SECONDS - 45}`)
        await plays(page, LONG_SECONDS - 46)
        await stop(page)
        await page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
        await jump(page, LONG_SECONDS - 3)
        await page.evaluate(() => document.querySelector('video')?.play())
        await page.waitForFunction(() => document.querySelector('video')?.ended)
        await page.keyboard.press('Escape')
        await card.getByRole('button', { name: 'Play now' }).waitFor()
        expect(new URL(page.url()).pathname).toContain('S01E01')
        await card.getByRole('button', { name: 'Play now' }).click()
        await page.getByRole('heading', { name: /S02E01/ }).waitFor()
      })
    } finally {
      await scene.admin.patch('/api/user-settings', { autoplayNext: true })
    }
  })
})

describe('for everybody', () => {
  for (const screen of ['desktop', 'phone'] as const) {
    test(`nothing serious is found in the player, its settings and its help (${screen})`, () =>
      onPage(scene, { screen }, async (page) => {
        await watch(page, 'movie', FILM)
        await plays(page)
        await page.keyboard.press('k')
        const found = { player: await axeFindings(page) } as Record<string, string[]>
        await page.getByRole('button', { name: 'Speed, sound and subtitles' }).click()
        found.settings = await axeFindings(page)
        await page.keyboard.press('Escape')
        await page.locator('h1').focus()
        await page.keyboard.press('Shift+?')
        await page.getByRole('dialog', { name: 'Keys' }).waitFor()
        found.help = await axeFindings(page)
        expect(found).toEqual({ player: [], settings: [], help: [] })
      }))
  }
})
