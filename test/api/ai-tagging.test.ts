import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type AiScene, makeTag, startAiScene } from '../support/ai-scene.ts'
import { MISBEHAVIOURS, says } from '../support/fake-model.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { drawnPicture } from '../support/real-media.ts'
import { waitFor } from '../support/test-server.ts'

/** What people ask of the AI queue over HTTP, one item at a time; how the queue works is in test/ai-queue. */

let ai: AiScene
let user: HttpClient
const LIMIT_MS = 60_000

beforeAll(async () => {
  const pictures = await Promise.all([1, 2, 3].map((seed) => drawnPicture({ seed }).png().toBuffer()))
  ai = await startAiScene({
    'a.txt': 'a',
    'b.txt': 'b',
    'c.txt': 'c',
    'gone.txt': 'gone',
    'lost.png': pictures[2] ?? '',
    'one.png': pictures[0] ?? '',
    'two.png': pictures[1] ?? '',
  })
  user = await ai.scene.server.as('reader', { permissions: { useAi: true, editMetadata: true } })
}, LIMIT_MS)
afterAll(() => ai[Symbol.asyncDispose]())
beforeEach(async () => {
  ai.model.answer(says('A plain text file.'))
  await ai.configure()
})

const post = (path: string, body: unknown, client = ai.admin): Promise<{ status: number; body: Json }> =>
  client.post(`/api/ai-tagging/${path}`, body)

describe('refused', () => {
  test('nobody without the permission asks for AI work, edits its texts or looks into the queue', async () => {
    const other = await ai.scene.server.as('other', { permissions: { useAi: false, editMetadata: false } })
    const itemKey = ai.keyOf('a.txt')
    for (const route of ['tag', 'describe', 'extract', 'translate']) expect((await post(route, { itemKey }, other)).status).toBe(403)
    expect((await other.patch('/api/ai-tagging/fields', { itemKey, extractedText: 'x' })).status).toBe(403)
    for (const path of ['jobs', 'runs']) expect((await user.get(`/api/ai-tagging/${path}`)).status).toBe(403)
    const batch = { libraryId: ai.libraryId, activity: 'tagging', scope: 'all' }
    expect((await post('batch', batch, user)).status).toBe(403)
    expect((await post('queue', { paused: true }, user)).status).toBe(403)
    expect((await user.get('/api/ai-tagging/fields', { itemKey })).status).toBe(200)
  })

  test('an item that does not exist, or that somebody may not see, has neither jobs nor fields', async () => {
    const blind = await ai.scene.server.as('blind', { permissions: { useAi: true, editMetadata: true }, libraryIds: [] })
    for (const [client, itemKey] of [
      [ai.admin, ai.keyOf('nothing.txt')],
      [blind, ai.keyOf('a.txt')],
    ] as const) {
      expect((await post('describe', { itemKey }, client)).status).toBe(404)
      expect((await client.get('/api/ai-tagging/fields', { itemKey })).status).toBe(404)
      expect((await client.patch('/api/ai-tagging/fields', { itemKey, extractedText: 'x' })).status).toBe(404)
      expect((await client.get('/api/ai-tagging/pages', { itemKey })).status).toBe(404)
    }
  })

  test('what needs a model is refused while AI is switched off', async () => {
    await ai.configure({ enabled: false })
    for (const route of ['tag', 'describe'])
      expect(await post(route, { itemKey: ai.keyOf('a.txt') })).toMatchObject({ status: 409, body: { code: 'ai_disabled' } })
    const batch = { libraryId: ai.libraryId, activity: 'tagging', scope: 'all' }
    expect(await post('batch', batch)).toMatchObject({ status: 409, body: { code: 'ai_disabled' } })
  })

  test('there is nothing to translate without a text, nothing to read without a picture, and no language without its data', async () => {
    expect(await post('translate', { itemKey: ai.keyOf('a.txt') })).toMatchObject({ status: 422, body: { code: 'nothing_to_translate' } })
    expect(await post('extract', { itemKey: ai.keyOf('a.txt') })).toMatchObject({ status: 422, body: { code: 'no_image' } })
    for (const ocrLanguages of ['tlh', 'eng+tlh', '../../etc', `eng${'+eng'.repeat(30)}x`])
      expect(await post('extract', { itemKey: ai.keyOf('one.png'), ocrLanguages })).toMatchObject({
        status: 422,
        body: { code: 'unknown_ocr_language' },
      })
  })

  test('a picture that is missing is neither read nor described, and nothing is queued', async () => {
    const itemKey = ai.keyOf('lost.png')
    await rm(join(ai.scene.rootOf('mixed'), 'lost.png'))
    await ai.scene.server.scanAndWait(ai.libraryId)
    for (const route of ['extract', 'describe'])
      expect(await post(route, { itemKey })).toMatchObject({
        status: 422,
        body: { code: 'no_image', detail: expect.stringContaining('missing') },
      })
    expect((await ai.admin.get('/api/ai-tagging/fields', { itemKey })).body.jobs).toEqual([])
  })

  test.each<[string, unknown]>([
    ['describe', {}],
    ['describe', { itemKey: '' }],
    ['tag', { itemKey: 'x', extra: 1 }],
    ['translate', { itemKey: 'x', targetLanguage: 'x'.repeat(101) }],
    ['batch', { libraryId: 1, activity: 'dancing', scope: 'all' }],
    ['batch', { libraryId: 1, activity: 'tagging', scope: 'some' }],
    ['queue', {}],
    ['jobs/clear', { status: 'done' }],
  ])('a body that is not valid is 400: %s %j', async (route, body) => {
    expect(await post(route, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  test('a text that is too long, or holds NUL, is not saved', async () => {
    const itemKey = ai.keyOf('a.txt')
    expect((await ai.admin.patch('/api/ai-tagging/fields', { itemKey, extractedText: 'x'.repeat(300_000) })).status).toBe(413)
    expect((await ai.admin.patch('/api/ai-tagging/fields', { itemKey, extractedText: 'a\0b' })).status).toBe(400)
    expect((await ai.fields('a.txt')).extractedText).toBe(null)
  })

  test('a job that does not exist is neither retried nor cancelled, and one that is done is not done again', async () => {
    expect((await post('jobs/999999/retry', undefined)).status).toBe(404)
    expect((await ai.admin.delete('/api/ai-tagging/jobs/999999')).status).toBe(404)
    expect((await post('runs/999999/undo', undefined)).status).toBe(404)
    const id = await ai.ask('describe', 'c.txt')
    expect((await ai.ended(id)).status).toBe('done')
    expect(await post(`jobs/${id}/retry`, undefined)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await ai.admin.delete(`/api/ai-tagging/jobs/${id}`)
    expect((await ai.job(id)).status).toBe('done')
  })

  test('one person does not flood the queue', async () => {
    const eager = await ai.scene.server.as('eager', { permissions: { useAi: true } })
    const statuses = new Set<number>()
    for (let i = 0; i < 130; i++) {
      const { status, headers } = await eager.post('/api/ai-tagging/describe', { itemKey: ai.keyOf('a.txt') })
      statuses.add(status)
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(statuses).toEqual(new Set([202, 429]))
    await ai.idle()
  })
})

describe('one item', () => {
  test('a description is queued, and later stands in the fields', async () => {
    const { status, body } = await post('describe', { itemKey: ai.keyOf('a.txt') }, user)
    expect(status).toBe(202)
    expect(body).toEqual({ jobId: expect.any(Number), status: 'queued' })
    const job = await ai.ended(body.jobId)
    expect(job).toMatchObject({
      itemKey: ai.keyOf('a.txt'),
      title: 'a.txt',
      activity: 'description',
      status: 'done',
      attempts: 1,
      error: null,
    })
    const fields = await ai.fields('a.txt')
    expect(fields).toMatchObject({ itemKey: ai.keyOf('a.txt'), description: 'A plain text file.', jobs: [] })
    expect((await ai.admin.get('/api/items', { itemKey: ai.keyOf('a.txt') })).body.item.description).toBe('A plain text file.')
  })

  test('the fields carry an ETag, and say that nothing has changed', async () => {
    const path = `/api/ai-tagging/fields?${new URLSearchParams({ itemKey: ai.keyOf('a.txt') })}`
    const first = await ai.admin.fetch(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).not.toBe('')
    expect((await ai.admin.fetch(path, { headers: { 'If-None-Match': etag } })).status).toBe(304)
    await ai.admin.patch('/api/ai-tagging/fields', { itemKey: ai.keyOf('a.txt'), extractedText: 'words' })
    expect((await ai.admin.fetch(path, { headers: { 'If-None-Match': etag } })).status).toBe(200)
  })

  test('asking again while a job is unfinished answers that job', async () => {
    ai.model.answer(says('Later.'))
    await post('queue', { paused: true })
    const first = await ai.ask('describe', 'b.txt')
    expect(await ai.ask('describe', 'b.txt')).toBe(first)
    expect((await ai.fields('b.txt')).jobs).toEqual([{ id: first, activity: 'description', status: 'queued', error: null }])
    const tagging = await ai.ask('tag', 'b.txt')
    expect(tagging).not.toBe(first)
    await post('queue', { paused: false })
    await ai.idle()
    expect((await ai.fields('b.txt')).jobs).toEqual([])
  })

  test('only tags of the vocabulary are applied, whatever they are called; other names are kept as suggestions', async () => {
    const holiday = await makeTag(ai.admin, 'Summer Holiday')
    const beach = await makeTag(ai.admin, 'Beach')
    await ai.admin.put('/api/tags/mappings', { mappings: [{ source: 'seaside', tagId: beach }] })
    ai.model.answer(says('```json\n{"tags": ["summer  holiday", "Seaside", "admin", "<script>"]}\n```'))
    expect((await ai.fields('a.txt')).lastTagging).toBe(null)
    const first = await ai.ask('tag', 'a.txt')
    expect(await ai.ended(first)).toMatchObject({ status: 'done', suggestions: expect.arrayContaining(['admin']) })
    expect((await ai.fields('a.txt')).lastTagging).toEqual({ jobId: first, added: 2, suggestions: ['admin', '<script>'] })
    const { tags } = (await ai.admin.get('/api/tags/assignments', { itemKey: ai.keyOf('a.txt') })).body
    expect(tags.map(({ id, source }: Json) => [id, source]).sort()).toEqual([
      [holiday, 'ai'],
      [beach, 'ai'],
    ])
    expect((await ai.fields('a.txt')).aiTaggedAt).toEqual(expect.any(String))
    expect((await ai.admin.get('/api/tags/items', { q: 'admin' })).body.tags).toEqual([])
    ai.model.answer(says('["beach"]'))
    const again = await ai.ask('tag', 'a.txt')
    await ai.ended(again)
    expect((await ai.fields('a.txt')).lastTagging).toEqual({ jobId: again, added: 0, suggestions: [] })
  })

  test('tagging again replaces what the AI assigned, keeps what people assigned, and leaves off what people took off', async () => {
    const [kept, refused, fresh] = [await makeTag(ai.admin, 'Kept'), await makeTag(ai.admin, 'Refused'), await makeTag(ai.admin, 'Fresh')]
    const itemKey = ai.keyOf('two.png')
    await ai.admin.put('/api/tags/assignments', { itemKey, tagId: kept })
    ai.model.answer(says('{"tags": ["Kept", "Refused"]}'))
    await ai.ended(await ai.ask('tag', 'two.png'))
    await ai.admin.delete('/api/tags/assignments', { itemKey, tagId: refused })
    ai.model.answer(says('{"tags": ["Refused", "Fresh"]}'))
    await ai.ended(await ai.ask('tag', 'two.png'))
    const { tags } = (await ai.admin.get('/api/tags/assignments', { itemKey })).body
    expect(tags.map(({ id, source }: Json) => [id, source]).sort()).toEqual([
      [kept, 'user'],
      [fresh, 'ai'],
    ])
  })

  test('an extraction by a model alone sends the picture, and what a person edits makes the translation stale', async () => {
    await ai.configure({ ocrMode: 'llm-only' })
    ai.model.answer(says('Bonjour tout le monde'))
    expect(await ai.ended(await ai.ask('extract', 'one.png'))).toMatchObject({ status: 'done' })
    const image = JSON.stringify(ai.model.chats().at(-1)?.body.messages)
    expect(image).toContain('data:image/jpeg;base64,')
    ai.model.answer(says('Hello everybody'))
    expect(await ai.ended(await ai.ask('translate', 'one.png', { sourceLanguage: 'fr', targetLanguage: 'en' }))).toMatchObject({
      status: 'done',
      payload: { sourceLanguage: 'fr', targetLanguage: 'en' },
    })
    expect(await ai.fields('one.png')).toMatchObject({
      extractedText: 'Bonjour tout le monde',
      translation: 'Hello everybody',
      translationStale: false,
    })
    expect(JSON.stringify(ai.model.chats().at(-1)?.body)).toMatch(/from French.* into English/)
    const edited = await user.patch('/api/ai-tagging/fields', { itemKey: ai.keyOf('one.png'), extractedText: 'Bonsoir' })
    expect(edited).toMatchObject({
      status: 200,
      body: { extractedText: 'Bonsoir', translation: 'Hello everybody', translationStale: true },
    })
    const [found] = (await ai.admin.get('/api/browse', { libraryId: ai.libraryId, q: 'one.png' })).body.entries
    expect(found.hasExtractedText).toBe(true)
    ai.model.answer(says('Good evening'))
    await ai.ended(await ai.ask('translate', 'one.png'))
    expect(await ai.fields('one.png')).toMatchObject({ translation: 'Good evening', translationStale: false })
  })

  test('a text of nothing but blanks is none: nothing is said to be translatable that is not', async () => {
    const itemKey = ai.keyOf('one.png')
    const batch = { libraryId: ai.libraryId, activity: 'translation', scope: 'all', dryRun: true }
    const eligible = async (): Promise<number> => (await post('batch', batch)).body.eligible
    for (const blank of ['', '  ', '\n\t\n']) {
      await ai.admin.patch('/api/ai-tagging/fields', { itemKey, extractedText: 'Bonsoir' })
      const before = await eligible()
      const { status, body } = await ai.admin.patch('/api/ai-tagging/fields', { itemKey, extractedText: blank })
      expect([status, body.extractedText]).toEqual([200, ''])
      expect((await ai.admin.get('/api/items', { itemKey })).body.item.hasExtractedText).toBe(false)
      expect((await post('translate', { itemKey })).body.code).toBe('nothing_to_translate')
      expect(await eligible()).toBe(before - 1)
    }
  })

  test('a text that was edited is not overwritten by a job that was asked for before', async () => {
    await ai.configure({ ocrMode: 'llm-only' })
    await post('queue', { paused: true })
    ai.model.answer(says('What the model read'))
    const id = await ai.ask('extract', 'one.png')
    await ai.admin.patch('/api/ai-tagging/fields', { itemKey: ai.keyOf('one.png'), extractedText: 'What a person wrote' })
    await post('queue', { paused: false })
    expect(await ai.ended(id)).toMatchObject({ status: 'cancelled', error: expect.stringContaining('edited') })
    expect((await ai.fields('one.png')).extractedText).toBe('What a person wrote')
    await ai.ended(await ai.ask('extract', 'one.png'))
    expect((await ai.fields('one.png')).extractedText).toBe('What the model read')
  })

  test('nor by one that failed before, when all that failed are retried', async () => {
    await ai.configure({ ocrMode: 'llm-only' })
    ai.model.answer(MISBEHAVIOURS.unauthorized)
    const id = await ai.ask('extract', 'two.png')
    expect((await ai.ended(id)).status).toBe('failed')
    await ai.admin.patch('/api/ai-tagging/fields', { itemKey: ai.keyOf('two.png'), extractedText: 'What a person typed' })
    ai.model.answer(says('What the model read'))
    await post('jobs/retry', { libraryId: ai.libraryId })
    await ai.idle()
    expect(await ai.job(id)).toMatchObject({ status: 'cancelled', error: expect.stringContaining('edited') })
    expect((await ai.fields('two.png')).extractedText).toBe('What a person typed')
  })

  test('nor by somebody who may use AI and edit nothing', async () => {
    await ai.configure({ ocrMode: 'llm-only' })
    const itemKey = ai.keyOf('two.png')
    await ai.admin.patch('/api/ai-tagging/fields', { itemKey, extractedText: 'What a person typed' })
    const asker = await ai.scene.server.as('asker', { permissions: { useAi: true, editMetadata: false } })
    expect(await post('extract', { itemKey }, asker)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const { body } = await asker.get('/api/ai-tagging/fields', { itemKey })
    expect(body).toMatchObject({ extractedText: 'What a person typed', isTextEdited: true })
    ai.model.answer(says('What the model read'))
    expect((await post('extract', { itemKey }, user)).status).toBe(202)
    await ai.idle()
    expect((await ai.fields('c.txt')).isTextEdited).toBe(false)
    // What took its place is anybody's again, and so is an item without a text.
    expect(await ai.fields('two.png')).toMatchObject({ extractedText: 'What the model read', isTextEdited: false })
    expect((await post('extract', { itemKey }, asker)).status).toBe(202)
    await ai.idle()
    const all = { libraryId: ai.libraryId, activity: 'extraction', scope: 'all', dryRun: true }
    const { eligible } = (await post('batch', all)).body
    for (const [extractedText, isTextEdited] of [
      ['What a person typed', true],
      ['', false],
    ]) {
      const { body: saved } = await ai.admin.patch('/api/ai-tagging/fields', { itemKey, extractedText })
      expect(saved.isTextEdited).toBe(isTextEdited)
      expect((await post('batch', all)).body.eligible).toBe(eligible - Number(isTextEdited))
    }
    expect((await post('extract', { itemKey }, asker)).status).toBe(202)
    await ai.idle()
  })

  test('what runs is listed before what came later and waits, on whichever page, and each job once', async () => {
    ai.model.answer(MISBEHAVIOURS.hang)
    const running = await ai.ask('describe', 'a.txt')
    await waitFor(
      async () => (await ai.admin.get('/api/ai-tagging/queue')).body.running === 1 || undefined,
      LIMIT_MS,
      () => 'Nothing began to run',
    )
    await post('queue', { paused: true })
    const waiting = [await ai.ask('describe', 'b.txt'), await ai.ask('describe', 'c.txt')]
    const listed: number[] = []
    let cursor: string | null = null
    do {
      const { body }: { body: Json } = await ai.admin.get('/api/ai-tagging/jobs', { limit: '1', ...(cursor !== null && { cursor }) })
      listed.push(...body.jobs.map(({ id }: Json) => id))
      cursor = body.nextCursor
    } while (cursor !== null)
    expect(listed.slice(0, 3)).toEqual([running, ...waiting.reverse()])
    expect(new Set(listed).size).toBe(listed.length)
    for (const id of [running, ...waiting]) await ai.admin.delete(`/api/ai-tagging/jobs/${id}`)
    await post('queue', { paused: false })
    await ai.idle()
  })

  test('a failure whose later attempt was taken back is retried with the others', async () => {
    await ai.configure()
    ai.model.answer(MISBEHAVIOURS.unauthorized)
    const id = await ai.ask('describe', 'two.png')
    expect((await ai.ended(id)).status).toBe('failed')
    await post('queue', { paused: true })
    const later = await ai.ask('describe', 'two.png')
    expect((await ai.admin.delete(`/api/ai-tagging/jobs/${later}`)).status).toBe(204)
    ai.model.answer(says('A hill.'))
    await post('jobs/retry', { libraryId: ai.libraryId })
    await post('queue', { paused: false })
    expect((await ai.ended(id)).status).toBe('done')
  })

  test('an item that is forgotten takes its jobs along, and the queue goes on', async () => {
    await post('queue', { paused: true })
    const id = await ai.ask('describe', 'gone.txt')
    await ai.scene.index.query('DELETE FROM media_items WHERE item_key = ?', [ai.keyOf('gone.txt')])
    await post('queue', { paused: false })
    expect((await ai.ended(await ai.ask('describe', 'c.txt'))).status).toBe('done')
    expect(await ai.job(id)).toBeUndefined()
  })

  test(
    'the fields tell running from failed, and a later success takes the failure back',
    async () => {
      ai.model.answer(says(''))
      const id = await ai.ask('describe', 'two.png')
      const failed = await waitFor(
        async () => (await ai.fields('two.png')).jobs.find(({ status }: Json) => status === 'failed'),
        LIMIT_MS,
        () => 'The job never failed',
      )
      expect(failed).toEqual({ id, activity: 'description', status: 'failed', error: expect.any(String) })
      ai.model.answer(says('A drawing of hills.'))
      await ai.ended(await ai.ask('describe', 'two.png'))
      expect((await ai.fields('two.png')).jobs).toEqual([])
    },
    LIMIT_MS,
  )
})
