import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import sharp from 'sharp'
import { type FakeModel, MISBEHAVIOURS, says, startFakeModel } from '../support/fake-model.ts'
import type { Json } from '../support/http-client.ts'
import { makeClip, writtenPage } from '../support/real-media.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

/** Which pictures of an item are read, what is kept of each page, and what survives; how well text is read is in test/ai. */

const LIMIT_MS = 120_000

let scene: ScanScene
let model: FakeModel

beforeAll(async () => {
  const [cover, shot, poster, first, second, third, unsure] = await Promise.all(
    [
      'The cover of the game',
      'Press start to begin',
      'The poster of the film',
      'Page one speaks',
      'Page two answers',
      'Page three ends',
      'Ab 1',
    ].map(writtenPage),
  )
  if (!cover || !shot || !poster || !first || !second || !third || !unsure) throw new Error('The pages were not drawn')
  const volume = zipSync({ '1.png': first, '2.png': new TextEncoder().encode('no picture'), '3.png': second, '4.png': third }, { level: 0 })
  const unsureVolume = zipSync({ '1.png': unsure, '2.png': unsure, '3.png': unsure, '4.png': unsure }, { level: 0 })
  scene = await startScene(
    {
      games: {
        Game: {
          'game.zip': 9,
          'cover.jpg': await sharp(cover).jpeg().toBuffer(),
          'screenshots/shot-1.jpg': await sharp(shot).jpeg().toBuffer(),
        },
        'A series': { First: { 'first.zip': 9, 'cover.jpg': await sharp(first).jpeg().toBuffer() }, Second: { 'second.zip': 9 } },
      },
      movies: { 'Film (2000)': { 'Film.mkv': 9, 'poster.jpg': await sharp(poster).jpeg().toBuffer() } },
      manga: { Series: { 'Series v01.cbz': volume }, Unsure: { 'Unsure v01.cbz': unsureVolume } },
      mixed: { 'note.txt': 'no picture', 'sign.png': first },
    },
    { hasVideos: true },
  )
  mkdirSync(scene.rootOf('mixed'), { recursive: true })
  await makeClip(join(scene.rootOf('mixed'), 'clip.mp4'), { seconds: 4, audioCodec: 'none' })
  await scene.scan('mixed')
  model = await startFakeModel()
}, LIMIT_MS)
afterAll(async () => {
  await scene[Symbol.asyncDispose]()
  await model.stop()
})

const configure = async (settings: Record<string, unknown>): Promise<void> => {
  const { status, body } = await scene.admin.put('/api/ai-settings', { endpoint: model.url, model: 'fake', enabled: true, ...settings })
  if (status !== 200) throw new Error(JSON.stringify(body))
}
beforeEach(() => configure({ ocrMode: 'tesseract' }))

const GAME = (): string => `game:${scene.idOf('games')}:Game`
const FILM = (): string => `movie:${scene.idOf('movies')}:Film (2000)`
const VOLUME = (): string => `manga_volume:${scene.idOf('manga')}:Series/Series v01.cbz`
const FILE = (name: string): string => `mixed_file:${scene.idOf('mixed')}:${name}`

const fields = async (itemKey: string): Promise<Json> => (await scene.admin.get('/api/ai-tagging/fields', { itemKey })).body
const pages = async (itemKey: string): Promise<Json> => (await scene.admin.get('/api/ai-tagging/pages', { itemKey })).body.pages
const extract = async (itemKey: string, more: Record<string, unknown> = {}): Promise<Json> => {
  const { status, body } = await scene.admin.post('/api/ai-tagging/extract', { itemKey, ...more })
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`)
  return waitFor(
    async () => {
      const { jobs } = (await scene.admin.get('/api/ai-tagging/jobs', { limit: 50 })).body
      const job = jobs.find(({ id }: Json) => id === body.jobId)
      return job && job.status !== 'queued' && job.status !== 'running' ? job : undefined
    },
    LIMIT_MS,
    () => `The text of ${itemKey} was not read; the server wrote:\n${scene.server.output()}`,
  )
}

describe('offline', () => {
  test(
    'a file that is no picture any more fails with a reason, and the queue goes on',
    async () => {
      writeFileSync(join(scene.rootOf('mixed'), 'sign.png'), 'no picture at all')
      expect(await extract(FILE('sign.png'))).toMatchObject({ status: 'failed', attempts: 1, error: expect.stringMatching(/\w+ \w+/) })
      writeFileSync(join(scene.rootOf('mixed'), 'sign.png'), await writtenPage('A sign'))
      expect(await extract(FILE('sign.png'))).toMatchObject({ status: 'done' })
      expect((await fields(FILE('sign.png'))).extractedText).toBe('A sign')
    },
    LIMIT_MS,
  )

  test(
    'a game is read by its cover and its screenshots, a film by its poster',
    async () => {
      await extract(GAME())
      expect((await fields(GAME())).extractedText).toBe('The cover of the game\n\nPress start to begin')
      await extract(FILM())
      expect((await fields(FILM())).extractedText).toBe('The poster of the film')
      expect(model.chats()).toEqual([])
    },
    LIMIT_MS,
  )

  test(
    'a series of games that has no cover is read, and shown, by that of its first game',
    async () => {
      const series = `game_series:${scene.idOf('games')}:A series`
      expect(await extract(series)).toMatchObject({ status: 'done' })
      expect((await fields(series)).extractedText).toBe('Page one speaks')
      const { body } = await scene.admin.post('/api/ai-settings/preview', { itemKey: series, activity: 'description' })
      expect(body.pictureSources).toBe(1)
    },
    LIMIT_MS,
  )

  test(
    'a volume is read page by page, in order; a page that is broken takes nothing else along',
    async () => {
      expect(await extract(VOLUME())).toMatchObject({ status: 'done' })
      const read = { extractedText: 'Page one speaks\n\nPage two answers\n\nPage three ends', unreadPages: 1 }
      expect(await fields(VOLUME())).toMatchObject(read)
      expect(await pages(VOLUME())).toEqual([
        { page: 0, text: 'Page one speaks' },
        { page: 1, text: '' },
        { page: 2, text: 'Page two answers' },
        { page: 3, text: 'Page three ends' },
      ])
      const { entries } = (await scene.admin.get('/api/search', { q: 'speaks' })).body
      expect(entries.map(({ itemKey }: Json) => itemKey)).toContain(VOLUME())
    },
    LIMIT_MS,
  )

  test(
    'frames of a video are looked at, and what has no text gets an empty one',
    async () => {
      expect(await extract(FILE('clip.mp4'))).toMatchObject({ status: 'done' })
      expect(typeof (await fields(FILE('clip.mp4'))).extractedText).toBe('string')
    },
    LIMIT_MS,
  )

  test(
    'works with AI switched off',
    async () => {
      await configure({ enabled: false, ocrMode: 'hybrid' })
      expect(await extract(FILM())).toMatchObject({ status: 'done' })
    },
    LIMIT_MS,
  )
})

describe('by a model', () => {
  test.each<[what: string, attempts: number, interrupt: () => Promise<void>]>([
    ['a crash', 2, () => scene.restart({ isKilled: true })],
    ['a restart', 1, () => scene.restart()],
    [
      'the endpoint was away',
      1,
      async () => {
        await model.away()
        const isWaiting = async () => (await scene.admin.get('/api/ai-tagging/jobs', { status: 'queued' })).body.jobs.length === 1
        await waitFor(
          async () => (await isWaiting()) || undefined,
          LIMIT_MS,
          () => 'The volume did not wait for the endpoint',
        )
        await model.back()
      },
    ],
  ])(
    'the pages of a volume are sent one by one; pages that are done are not sent again after %s',
    async (_, attempts, interrupt) => {
      await configure({ ocrMode: 'llm-only' })
      const before = model.chats().length
      model.answer(() => (model.chats().length - before >= 2 ? MISBEHAVIOURS.hang : says('The first page')))
      const { body } = await scene.admin.post('/api/ai-tagging/extract', { itemKey: VOLUME() })
      await waitFor(
        () => (model.chats().length - before === 2 ? true : undefined),
        LIMIT_MS,
        () => 'The second page was not sent',
      )
      const done = async (): Promise<true | undefined> => {
        const [row] = await scene.index.query<{ total: number }>('SELECT count(*) AS total FROM ai_job_pages WHERE job_id = ?', [
          body.jobId,
        ])
        return row?.total === 2 ? true : undefined
      }
      await waitFor(done, LIMIT_MS, () => 'The first page, and the broken one, were not kept')
      model.answer(says('Another page'))
      await interrupt()
      const job = await waitFor(
        async () => {
          const [found] = (await scene.admin.get('/api/ai-tagging/jobs', { limit: 1 })).body.jobs
          return found.status === 'done' ? found : undefined
        },
        LIMIT_MS,
        () => 'The volume was not finished',
      )
      expect(job).toMatchObject({ id: body.jobId, attempts })
      expect((await pages(VOLUME())).map(({ text }: Json) => text)).toEqual(['The first page', '', 'Another page', 'Another page'])
      // One before it was interrupted, the one that hung, and the two that were left.
      expect(model.chats().length - before).toBe(4)
    },
    LIMIT_MS,
  )

  test(
    'a page of which a model makes nothing of use takes no other page along; where it makes nothing of any, it fails',
    async () => {
      await configure({ ocrMode: 'llm-only' })
      const seen: string[] = []
      model.answer(({ body }) => {
        const { url } = body.messages.at(-1).content.find(({ type }: Json) => type === 'image_url').image_url
        if (!seen.includes(url)) seen.push(url)
        return says(seen.indexOf(url) === 1 ? 'The image shows a castle on a hill.' : `Page ${seen.indexOf(url) + 1}`)
      })
      expect(await extract(VOLUME())).toMatchObject({ status: 'done', attempts: 1 })
      // Where the model described a picture there was nothing to read: of the broken page alone nothing is known.
      expect(await fields(VOLUME())).toMatchObject({ extractedText: 'Page 1\n\nPage 3', unreadPages: 1 })
      const edited = await scene.admin.patch('/api/ai-tagging/fields', { itemKey: VOLUME(), extractedText: 'Page 1\n\nPage 3.' })
      expect(edited.body).toMatchObject({ isTextEdited: true, unreadPages: 0 })
      model.answer(says('The image shows a castle on a hill.'))
      expect(await extract(VOLUME())).toMatchObject({ status: 'failed', attempts: 3, error: expect.stringContaining('described') })
      expect((await fields(VOLUME())).extractedText).toBe('Page 1\n\nPage 3.')
    },
    LIMIT_MS,
  )

  test(
    'a volume of which each attempt reads some more is not given up; where one comes no further, it is',
    async () => {
      await configure({ ocrMode: 'llm-only' })
      const seen = new Set<string>()
      model.answer(({ body }) => {
        const { url } = body.messages.at(-1).content.find(({ type }: Json) => type === 'image_url').image_url
        if (seen.has(url)) return says(`Page ${[...seen].indexOf(url) + 1}`)
        seen.add(url)
        return MISBEHAVIOURS.error500
      })
      expect(await extract(VOLUME())).toMatchObject({ status: 'done' })
      expect((await fields(VOLUME())).extractedText).toBe('Page 1\n\nPage 2\n\nPage 3')
      const before = model.chats().length
      model.answer(() => (model.chats().length === before + 1 ? says('Page 1') : MISBEHAVIOURS.error500))
      expect(await extract(VOLUME())).toMatchObject({ status: 'failed', attempts: 3 })
    },
    LIMIT_MS,
  )

  test(
    'in hybrid mode a page that recognition is not sure of is sent with its text, which stands where the model fails',
    async () => {
      await configure({ ocrMode: 'hybrid' })
      const before = model.chats().length
      expect(await extract(GAME())).toMatchObject({ status: 'done' })
      // Clearly printed: nobody has to be asked.
      expect(model.chats().length).toBe(before)
      model.answer(MISBEHAVIOURS.unauthorized)
      writeFileSync(join(scene.rootOf('mixed'), 'sign.png'), await writtenPage('Ab 1'))
      await extract(FILE('sign.png'))
      expect(model.chats().length).toBe(before + 1)
      expect((await fields(FILE('sign.png'))).extractedText).toBe('Ab 1')
    },
    LIMIT_MS,
  )

  test(
    'in hybrid mode a model that failed twice in a row is not asked for the rest of a volume',
    async () => {
      await configure({ ocrMode: 'hybrid' })
      const before = model.chats().length
      model.answer(MISBEHAVIOURS.unauthorized)
      const volume = `manga_volume:${scene.idOf('manga')}:Unsure/Unsure v01.cbz`
      expect(await extract(volume)).toMatchObject({ status: 'done' })
      expect(model.chats().length - before).toBe(2)
      expect((await pages(volume)).map(({ text }: Json) => text)).toEqual(['Ab 1', 'Ab 1', 'Ab 1', 'Ab 1'])
    },
    LIMIT_MS,
  )

  test(
    'in hybrid mode an answer of no use, where nothing was recognised, leaves the text that is there',
    async () => {
      await configure({ ocrMode: 'hybrid' })
      writeFileSync(
        join(scene.rootOf('mixed'), 'sign.png'),
        await sharp({ create: { width: 400, height: 200, channels: 3, background: 'white' } })
          .png()
          .toBuffer(),
      )
      await scene.admin.patch('/api/ai-tagging/fields', { itemKey: FILE('sign.png'), extractedText: 'Typed by hand' })
      model.answer(says('I cannot read this image.'))
      expect(await extract(FILE('sign.png'))).toMatchObject({ status: 'failed', error: 'The model declined to read the picture.' })
      expect((await fields(FILE('sign.png'))).extractedText).toBe('Typed by hand')
      model.answer(says('[no text]'))
      expect(await extract(FILE('sign.png'))).toMatchObject({ status: 'done' })
    },
    LIMIT_MS,
  )
})
