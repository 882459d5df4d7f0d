import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, openPage } from '../support/browser.ts'
import type { HttpClient } from '../support/http-client.ts'
import { CLIP_SECONDS, makeMultiTrackClip, makeOddClip } from '../support/odd-clips.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer } from '../support/test-server.ts'
import { TEST_LIMIT_MS } from './on-page.ts'

/** What a browser says of itself is asked of the browser, as the client does it. */
const ASKED: Readonly<Record<string, string>> = {
  mp4: 'video/mp4; codecs="avc1.640028"',
  webm: 'video/webm; codecs="vp9"',
  h264: 'video/mp4; codecs="avc1.640028"',
  hevc: 'video/mp4; codecs="hvc1.1.6.L93.B0"',
  av1: 'video/mp4; codecs="av01.0.04M.08"',
  vp9: 'video/mp4; codecs="vp09.00.10.08"',
  aac: 'audio/mp4; codecs="mp4a.40.2"',
  opus: 'audio/webm; codecs="opus"',
  ac3: 'audio/mp4; codecs="ac-3"',
}

interface Watched {
  /** Once it played from the start, and again after a jump to four fifths of it. */
  times: number[]
  widths: number[]
  soundBytes: number[]
  durationSeconds: number
}

let folder: TemporaryFolder
let server: TestServer
let browser: Browser
let page: Page
let closePage: () => Promise<void>
let client: HttpClient
let caps: string

const keyOf = (name: string): string => `mixed_file:1:${name}`

beforeAll(async () => {
  folder = await temporaryFolder('clips')
  const names = ['h264.mp4', 'h264.mkv', 'ten-bit.mkv', 'hevc.mp4', 'vp9.webm', 'av1.mp4', 'mpeg4.avi', 'ac3.mkv']
  for (const name of names) await makeOddClip(folder.path, name)
  await makeMultiTrackClip(join(folder.path, 'tracks.mkv'))
  server = await startServer({ libraries: [{ type: 'mixed', path: folder.path }] })
  await server.waitForScans()
  client = await server.as('admin')
  browser = await launchBrowser()
  const opened = await openPage(browser, { url: server.url, client })
  page = opened.page
  closePage = opened.close
  await page.goto('/api/health')
  caps = await page.evaluate(
    (asked) =>
      Object.entries(asked)
        .filter(([, type]) => document.createElement('video').canPlayType(type) === 'probably')
        .map(([name]) => name)
        .join(','),
    ASKED,
  )
}, TEST_LIMIT_MS)
afterAll(async () => {
  await closePage()
  await browser.close()
  await server.stop()
  await folder.remove()
})

/** Plays a URL in the page: half a second from the start, and half a second at four fifths. */
const watch = (url: string): Promise<Watched> =>
  page.evaluate(async (source) => {
    const video = document.createElement('video')
    document.body.replaceChildren(video)
    const until = (what: string, isSo: () => boolean): Promise<void> =>
      new Promise((resolve, reject) => {
        const end = performance.now() + 15_000
        const look = (): void => {
          if (video.error) reject(new Error(`${what}: media error ${video.error.code} ${video.error.message}`))
          else if (isSo()) resolve()
          else if (performance.now() > end) reject(new Error(`${what}: too late, at ${video.currentTime}, state ${video.readyState}`))
          else setTimeout(look, 20)
        }
        look()
      })
    const soundBytes = (): number => Number(Reflect.get(video, 'webkitAudioDecodedByteCount'))
    video.muted = true
    video.src = source
    await video.play()
    await until('start', () => video.currentTime > 0.5)
    const start = { time: video.currentTime, width: video.videoWidth, bytes: soundBytes() }
    const target = video.duration * 0.8
    video.currentTime = target
    await until('seek', () => !video.seeking && video.currentTime > target + 0.3)
    const later = { time: video.currentTime, width: video.videoWidth, bytes: soundBytes() }
    video.pause()
    const durationSeconds = video.duration
    video.removeAttribute('src')
    video.load()
    return {
      times: [start.time, later.time],
      widths: [start.width, later.width],
      soundBytes: [start.bytes, later.bytes],
      durationSeconds,
    }
  }, url)

const CASES: [name: string, mode: string][] = [
  ['h264.mp4', 'direct'],
  ['h264.mkv', 'remux'],
  ['ten-bit.mkv', 'transcode'],
  ['hevc.mp4', 'transcode'],
  ['vp9.webm', 'direct'],
  ['av1.mp4', 'direct'],
  ['mpeg4.avi', 'transcode'],
  ['ac3.mkv', 'transcode'],
  ['tracks.mkv', 'remux'],
]

test.each(CASES)(
  'Chromium plays %s (%s) from the start and at four fifths, with picture and sound',
  async (name, mode) => {
    const { status, body } = await client.get('/api/playback', { itemKey: keyOf(name), caps })
    expect([status, body.mode]).toEqual([200, mode])
    const watched = await watch(body.url)
    expect(watched.widths).toEqual([320, 320])
    expect(watched.durationSeconds).toBeCloseTo(CLIP_SECONDS, 0)
    expect(watched.times[1]).toBeGreaterThan(CLIP_SECONDS * 0.8)
    const [before = 0, after = 0] = watched.soundBytes
    expect(before).toBeGreaterThan(0)
    expect(after).toBeGreaterThan(before)
  },
  TEST_LIMIT_MS,
)
