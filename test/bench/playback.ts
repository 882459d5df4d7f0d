/** From the wish to play to the first picture in a real Chromium, against ffmpeg alone writing its first piece. */

import { existsSync, linkSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser, openPage } from '../support/browser.ts'
import type { HttpClient } from '../support/http-client.ts'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer } from '../support/test-server.ts'
import type { Bench } from './bench.ts'
import { interleave, median } from './rounds.ts'
import { atMost, type Row } from './table.ts'

const SECONDS = 60
const ALLOWED_MS = 300
const LIMIT_MS = 60_000
const SOURCES = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=24`, '-f', 'lavfi', '-i', 'sine=frequency=330:sample_rate=48000']
const SOUND = ['-c:a', 'aac', '-b:a', '128k']
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '72', '-pix_fmt', 'yuv420p']
const X265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-pix_fmt', 'yuv420p']
/** What Vitrine tells ffmpeg, for ffmpeg alone. */
const COPY = ['-c', 'copy']
const ENCODE = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-force_key_frames', 'expr:gte(t,n_forced*2)', '-c:a', 'copy']

interface Way {
  mode: string
  extension: string
  /** How the video is made, and how ffmpeg alone makes its pieces of it. */
  codecs: string[]
  alone: string[]
  pieceSeconds: number
}

const WAYS: readonly Way[] = [
  { mode: 'direct', extension: 'mp4', codecs: [...X264, ...SOUND, '-movflags', '+faststart'], alone: COPY, pieceSeconds: 6 },
  { mode: 'remux', extension: 'mkv', codecs: [...X264, ...SOUND], alone: COPY, pieceSeconds: 6 },
  { mode: 'transcode', extension: 'hevc.mkv', codecs: [...X265, ...SOUND], alone: ENCODE, pieceSeconds: 2 },
]

/** Milliseconds until ffmpeg has written its first piece. */
const firstPiece = async (video: string, { alone, pieceSeconds }: Way): Promise<number> => {
  await using folder = await temporaryFolder('pieces')
  const start = performance.now()
  const child = Bun.spawn(
    [
      ...['ffmpeg', '-nostdin', '-loglevel', 'error', '-i', video, ...alone, '-f', 'hls', '-hls_time', String(pieceSeconds)],
      ...['-hls_segment_type', 'fmp4', '-hls_flags', 'temp_file', '-hls_segment_filename', join(folder.path, 'seg-%d.m4s')],
      join(folder.path, 'index.m3u8'),
    ],
    { cwd: folder.path, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
  )
  try {
    while (!existsSync(join(folder.path, 'seg-0.m4s'))) {
      if (performance.now() - start > LIMIT_MS) throw new Error('ffmpeg writes no piece.')
      await Bun.sleep(1)
    }
    return performance.now() - start
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
}

/** Milliseconds until the page shows a picture of the video, asking the server how to play it included. */
const firstFrame = async (page: Page, itemKey: string): Promise<{ ms: number; mode: string }> =>
  page.evaluate(async (key) => {
    const start = performance.now()
    const answer = await fetch(`/api/playback?itemKey=${encodeURIComponent(key)}`)
    const { url, mode } = await answer.json()
    const video = document.createElement('video')
    video.muted = true
    document.body.replaceChildren(video)
    const shown = new Promise<number>((resolve, reject) => {
      video.requestVideoFrameCallback(() => resolve(performance.now() - start))
      video.addEventListener('error', () => reject(new Error(video.error?.message)))
    })
    video.src = url
    void video.play()
    const ms = await shown
    video.removeAttribute('src')
    video.load()
    return { ms, mode }
  }, itemKey)

/** As many names of one file as there are rounds: a stream that was watched before would be there already. */
const makeVideos = async (root: string, way: Way, copies: number): Promise<string> => {
  await mkdir(root, { recursive: true })
  const video = join(root, `0.${way.extension}`)
  await runProgram(['ffmpeg', '-nostdin', '-loglevel', 'error', ...SOURCES, '-t', String(SECONDS), ...way.codecs, '-y', video])
  for (let copy = 1; copy < copies; copy += 1) linkSync(video, join(root, `${copy}.${way.extension}`))
  return video
}

/** The background has looked into everything by the time that somebody plays it. */
const probeAll = async (client: HttpClient, keys: readonly string[]): Promise<void> => {
  for (const itemKey of keys) await client.get('/api/playback', { itemKey, caps: 'mp4,mkv,h264,hevc,aac' })
}

export const playbackBench: Bench = async ({ rounds, say }) => {
  await using folder = await temporaryFolder('playback')
  const root = join(folder.path, 'videos')
  const copies = rounds + 1
  const videos: Record<string, string> = {}
  for (const way of WAYS) {
    say(`making a video for ${way.mode}`)
    videos[way.mode] = await makeVideos(root, way, copies)
  }
  await using server = await startServer({ libraries: [{ type: 'mixed', path: root }] })
  await server.waitForScans()
  const client = await server.as('admin')
  const browser = await launchBrowser()
  const rows: Row[] = []
  try {
    const { page } = await openPage(browser, { url: server.url, client })
    await page.goto('/api/health')
    for (const way of WAYS) {
      const keys = Array.from({ length: copies }, (_, copy) => `mixed_file:1:${copy}.${way.extension}`)
      await probeAll(client, keys)
      const waiting = [...keys]
      const watch = async (): Promise<number> => {
        const { ms, mode } = await firstFrame(page, waiting.shift() ?? '')
        if (mode !== way.mode) throw new Error(`${way.extension} was played by ${mode}.`)
        return ms
      }
      const times = await interleave(rounds, {
        vitrine: { measure: watch },
        ffmpeg: { measure: () => firstPiece(videos[way.mode] ?? '', way) },
      })
      const alone = median(times.ffmpeg)
      rows.push({
        what: `${way.mode}: first frame in Chromium, 720p`,
        unit: 'ms',
        vitrine: median(times.vitrine),
        peer: { name: `ffmpeg alone, first piece of ${way.pieceSeconds} s`, value: alone },
        reach: atMost(Math.round(alone + ALLOWED_MS)),
      })
    }
  } finally {
    await browser.close()
    await rm(root, { recursive: true, force: true })
  }
  return rows
}
