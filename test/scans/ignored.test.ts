import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FakeModel, says, startFakeModel } from '../support/fake-model.ts'
import type { Json } from '../support/http-client.ts'
import { drawnPages, makeClip, makePicture, makeZip } from '../support/real-media.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

/** What a scan has been told not to see is missing though its files be there: no route opens one of them. */

/** An item whose bytes were asked for is remembered for so long. */
const BELIEVED_MS = 1100
const LIMIT_MS = 60_000

let scene: ScanScene
let model: FakeModel

beforeAll(async () => {
  model = await startFakeModel()
  scene = await startScene(
    {
      mixed: { 'stays.txt': 1, 'sub/notes.txt': 2 },
      games: { Stays: { 'stays.zip': 3 }, Doom: { 'doom.zip': 4, 'Doom.app': { x: 5 } } },
      manga: { Stays: { 'v01.zip': 6 } },
      movies: {
        'Stays (1980)': { 'stays.mkv': 7 },
        'Alien (1979)': { 'Alien.srt': '1\n00:00:00,000 --> 00:00:01,000\nHello', 'movie.nfo': '<movie><plot>Secret</plot></movie>' },
      },
    },
    { hasVideos: true },
  )
  const inRoot = (type: 'mixed' | 'games' | 'manga' | 'movies', path: string) => join(scene.rootOf(type), path)
  await makeClip(inRoot('mixed', 'sub/v.mp4'), { seconds: 31, width: 64, height: 36 })
  await makePicture(inRoot('mixed', 'sub/p.jpg'))
  await makeClip(inRoot('movies', 'Alien (1979)/Alien.mkv'), { videoCodec: 'mpeg4' })
  await makePicture(inRoot('movies', 'Alien (1979)/poster.jpg'))
  await makePicture(inRoot('games', 'Doom/screenshots/shot-1.jpg'))
  await makeZip(inRoot('manga', 'Berserk/v01.cbz'), await drawnPages(2))
  for (const type of ['mixed', 'games', 'manga', 'movies'] as const) await scene.scan(type)
}, LIMIT_MS)
afterAll(async () => {
  await scene[Symbol.asyncDispose]()
  await model.stop()
})

const video = (): string => `mixed_file:${scene.idOf('mixed')}:sub/v.mp4`
const picture = (): string => `mixed_file:${scene.idOf('mixed')}:sub/p.jpg`
const game = (): string => `game:${scene.idOf('games')}:Doom`
const volume = (): string => `manga_volume:${scene.idOf('manga')}:Berserk/v01.cbz`
const movie = (): string => `movie:${scene.idOf('movies')}:Alien (1979)`

const asked = (): [path: string, query: Record<string, string | number>][] => [
  ['/api/files', { itemKey: video() }],
  ['/api/files', { itemKey: game(), file: 'doom.zip' }],
  ['/api/playback', { itemKey: video() }],
  ['/api/playback', { itemKey: movie() }],
  ['/api/playback/previews', { itemKey: video() }],
  ['/api/playback/preview', { itemKey: video(), at: 5 }],
  ['/api/subtitles', { itemKey: movie(), track: 'file.srt' }],
  ['/api/game-archive', { itemKey: game(), file: 'doom.zip' }],
  ['/api/game-archive', { itemKey: game(), file: 'Doom.app' }],
  ['/api/manga/pages', { itemKey: volume() }],
  ['/api/manga/page', { itemKey: volume(), index: 0 }],
  ['/api/manga/page', { itemKey: volume(), index: 0, width: 320 }],
  ['/api/artwork', { itemKey: movie(), kind: 'poster' }],
  ['/api/artwork', { itemKey: movie(), kind: 'poster', size: 'small' }],
  ['/api/artwork', { itemKey: game(), kind: 'screenshot', name: 'shot-1.jpg' }],
]

const statuses = async (): Promise<[string, number][]> => {
  const found: [string, number][] = []
  for (const [path, query] of asked()) {
    const { status } = await scene.admin.fetch(
      `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]))}`,
    )
    found.push([`${path} ${JSON.stringify(query)}`, status])
  }
  return found
}

const expectAll = async (status: number): Promise<void> =>
  expect(await statuses()).toEqual((await statuses()).map(([name]) => [name, status]))

const thumbnail = async (itemKey: string): Promise<number> =>
  (await scene.admin.fetch(`/api/thumbnails?${new URLSearchParams({ itemKey, size: 'large' })}`)).status

test(
  'nothing of it is sent, played, read or shown but the thumbnails that are there',
  async () => {
    await expectAll(200)
    expect(await thumbnail(picture())).toBe(200)
    const { body: playback } = await scene.admin.get('/api/playback', { itemKey: movie() })
    expect(playback.url).toStartWith('/api/hls/')

    const ignored = { mixed: 'sub', games: 'Doom', manga: 'Berserk', movies: 'Alien (1979)' } as const
    for (const [type, folder] of Object.entries(ignored) as [keyof typeof ignored, string][]) {
      writeFileSync(join(scene.rootOf(type), folder, '.ignore'), '')
      expect((await scene.scan(type)).missing).toBeGreaterThan(0)
    }
    await Bun.sleep(BELIEVED_MS)

    await expectAll(404)
    expect((await scene.admin.fetch(playback.url.replace('index.m3u8', 'init.mp4'))).status).toBe(404)
    expect(await thumbnail(picture())).toBe(200)
    rmSync(join(scene.folder, 'data/thumbnails'), { recursive: true })
    expect(await thumbnail(picture())).toBe(404)
  },
  LIMIT_MS,
)

test('its NFO file is none', async () => {
  const refreshed = await scene.admin.post('/api/nfo-refresh', { itemKey: movie() })
  expect(refreshed).toMatchObject({ status: 404, body: { code: 'nfo_not_found' } })
})

test('a model is told its title, and shown nothing of it', async () => {
  await scene.admin.put('/api/ai-settings', { endpoint: model.url, model: 'fake', enabled: true })
  model.answer(says('A film about a cat.'))
  expect((await scene.admin.post('/api/ai-tagging/describe', { itemKey: movie() })).status).toBe(202)
  const isDescribed = async () => (await scene.admin.get('/api/ai-tagging/fields', { itemKey: movie() })).body.description ?? undefined
  await waitFor(isDescribed, LIMIT_MS, () => `Nothing was described; the server wrote:\n${scene.server.output()}`)
  expect(model.chats().map(({ body }) => JSON.stringify(body).includes('image_url'))).toEqual([false])
})

test('a job that was asked for before it was ignored reads none of it', async () => {
  const [row] = await scene.index.query<{ id: number }>('SELECT id FROM media_items WHERE item_key = ?', [picture()])
  await scene.index.query(
    `INSERT INTO ai_jobs (item_id, activity, status, priority, payload, error, created_at) VALUES (?, 'description', 'failed', 0, '{}', 'x', 0)`,
    [row?.id ?? 0],
  )
  const lastJob = async () => (await scene.admin.get('/api/ai-tagging/jobs')).body.jobs.find(({ itemKey }: Json) => itemKey === picture())
  expect((await scene.admin.post(`/api/ai-tagging/jobs/${(await lastJob()).id}/retry`)).status).toBe(202)
  const ended = async () => {
    const job = await lastJob()
    return job.status === 'done' || job.status === 'failed' ? job : undefined
  }
  expect(await waitFor(ended, LIMIT_MS, () => scene.server.output())).toMatchObject({
    status: 'failed',
    error: 'The file is not there now.',
  })
})
