import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import sharp from 'sharp'
import { PREVIEW_SIZE } from '../../src/domain/video-preview.ts'
import type { HttpClient } from '../support/http-client.ts'
import { makeOddClip } from '../support/odd-clips.ts'
import { makeClip } from '../support/real-media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

setDefaultTimeout(120_000)

/** Small pictures along a video: a list as players read it (WebVTT), and each picture, made when somebody points at its place. */

const LIMIT_MS = 30_000
const SECONDS = 61
const BLACK_SECONDS = 30

let server: TestServer
let admin: HttpClient
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder('previews')
  const at = (name: string): string => join(folder.path, 'mixed', name)
  await makeClip(at('dark & bright.mp4'), { seconds: SECONDS, blackSeconds: BLACK_SECONDS })
  await makeClip(at('upright.mp4'), { seconds: 31, width: 90, height: 160 })
  await makeClip(at('short.mp4'), { seconds: 2 })
  await makeOddClip(join(folder.path, 'mixed'), 'pq.mkv', 31)
  await Bun.write(at('none.mp4'), 'no video at all')
  const libraries = [{ type: 'mixed' as const, path: join(folder.path, 'mixed') }]
  server = await startServer({ libraries, dataDir: join(folder.path, 'data'), hasIndex: true })
  await server.waitForScans()
  admin = await server.as('admin')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await folder.remove()
})

const keyOf = (name: string): string => `mixed_file:1:${name}`
const playbackOf = async (name: string, client = admin) => (await client.get('/api/playback', { itemKey: keyOf(name) })).body
const listOf = async (name: string): Promise<{ url: string; cues: [times: string, address: string][] }> => {
  const { previewsUrl } = await playbackOf(name)
  const answer = await admin.fetch(previewsUrl)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/vtt; charset=utf-8'])
  const [head = '', ...cues] = (await answer.text()).trimEnd().split('\n\n')
  expect(head).toBe('WEBVTT')
  return { url: previewsUrl, cues: cues.map((cue) => cue.split('\n') as [string, string]) }
}
/** As a player does it. */
const pathOf = (list: string, address: string): string => {
  const { pathname, search } = new URL(address, server.url + list)
  return pathname + search
}
const pixelsOf = async (bytes: ArrayBuffer) => sharp(bytes).stats()

describe('the list', () => {
  test('divides the whole video, and names a picture of each piece', async () => {
    const { cues } = await listOf('dark & bright.mp4')
    expect(cues).toHaveLength(31)
    expect(cues[0]?.[0]).toBe('00:00:00.000 --> 00:00:02.000')
    expect(cues.at(-1)?.[0]).toBe('00:01:00.000 --> 00:01:02.000')
    for (const [, address] of cues) expect(address).toEndWith(`#xywh=0,0,${PREVIEW_SIZE.width},${PREVIEW_SIZE.height}`)
  })

  test('is offered for videos that are long enough and can be decoded, and for nothing else', async () => {
    expect((await playbackOf('short.mp4')).previewsUrl).toBeNull()
    expect((await playbackOf('none.mp4')).previewsUrl).toBeNull()
    for (const name of ['short.mp4', 'none.mp4']) {
      const { status, body } = await admin.get('/api/playback/previews', { itemKey: keyOf(name) })
      expect([status, body.code]).toEqual([404, 'no_thumbnail'])
    }
  })

  test('is not offered where there is no ffmpeg, which says why no picture comes', async () => {
    const libraries = [{ type: 'mixed' as const, path: join(folder.path, 'mixed') }]
    await using blind = await startServer({ libraries, env: { PATH: '/nowhere' } })
    await blind.waitForScans()
    const client = await blind.as('admin')
    expect((await playbackOf('dark & bright.mp4', client)).previewsUrl).toBeNull()
    const { status, body } = await client.get('/api/playback/preview', { itemKey: keyOf('dark & bright.mp4'), at: 1 })
    expect([status, body.code]).toEqual([404, 'no_thumbnail'])
  })
})

describe('a picture', () => {
  test('is what the video shows there, and kept by the browser for as long as the file is the same', async () => {
    const { url, cues } = await listOf('dark & bright.mp4')
    const read = async (index: number) => admin.fetch(pathOf(url, cues[index]?.[1] ?? ''))
    const [dark, bright] = [await read(2), await read(25)]
    for (const answer of [dark, bright]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    }
    const brightBytes = await bright.arrayBuffer()
    expect(await sharp(brightBytes).metadata()).toMatchObject({ format: 'jpeg', ...PREVIEW_SIZE })
    expect((await pixelsOf(await dark.arrayBuffer())).channels[0]?.mean).toBeLessThan(10)
    expect((await pixelsOf(brightBytes)).channels[0]?.mean).toBeGreaterThan(60)
    const again = await admin.fetch(pathOf(url, cues[25]?.[1] ?? ''), { headers: { 'If-None-Match': bright.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    // By the version of another file it may not be kept as that one's.
    const query = new URLSearchParams({ itemKey: keyOf('dark & bright.mp4'), at: '50', v: 'older' })
    expect((await admin.fetch(`/api/playback/preview?${query}`)).headers.get('cache-control')).toBe('private, no-cache')
  })

  test('of another shape stands on black', async () => {
    const bytes = await (
      await admin.fetch(`/api/playback/preview?${new URLSearchParams({ itemKey: keyOf('upright.mp4'), at: '10' })}`)
    ).arrayBuffer()
    expect(await sharp(bytes).metadata()).toMatchObject({ ...PREVIEW_SIZE })
    const part = async (left: number) =>
      (await sharp(await sharp(bytes).extract({ left, top: 40, width: 60, height: 100 }).png().toBuffer()).stats()).channels[0]?.mean ?? 0
    expect(await part(5)).toBeLessThan(5)
    expect(await part(130)).toBeGreaterThan(20)
  })

  test('of a high dynamic range is an ordinary one', async () => {
    const answer = await admin.fetch(`/api/playback/preview?${new URLSearchParams({ itemKey: keyOf('pq.mkv'), at: '10' })}`)
    expect(answer.status).toBe(200)
    expect(await sharp(await answer.arrayBuffer()).metadata()).toMatchObject({ ...PREVIEW_SIZE, space: 'srgb' })
  })

  test('behind the end is none, nor is one at a place that is no number', async () => {
    const itemKey = keyOf('dark & bright.mp4')
    const { status, body } = await admin.get('/api/playback/preview', { itemKey, at: 4000 })
    expect([status, body.code]).toEqual([404, 'no_thumbnail'])
    for (const at of ['', '-1', 'x', '1e2'])
      expect([at, (await admin.get('/api/playback/preview', { itemKey, at })).status]).toEqual([at, 400])
  })

  test('that nobody waits for any more is not made, and the next ones come', async () => {
    const path = (at: number): string =>
      `/api/playback/preview?${new URLSearchParams({ itemKey: keyOf('dark & bright.mp4'), at: String(at) })}`
    const along = Array.from({ length: 40 }, (_, index) => {
      const controller = new AbortController()
      const answer = admin.fetch(path(index), { signal: controller.signal }).catch(() => null)
      setTimeout(() => controller.abort(), 20)
      return answer
    })
    await Promise.all(along)
    expect((await admin.fetch(path(59))).status).toBe(200)
    // Neither a program nor an opened file is left.
    const childrenOf = async () =>
      (await Bun.$`ps --ppid ${server.pid} -o comm=`.nothrow().text()).split('\n').filter((name) => name.includes('ffmpeg'))
    await waitFor(
      async () => ((await childrenOf()).length === 0 ? true : undefined),
      LIMIT_MS,
      () => 'ffmpeg still runs',
    )
    expect(server.output()).not.toContain('"level":"error"')
  })
})
