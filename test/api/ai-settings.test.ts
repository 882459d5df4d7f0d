import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DEFAULT_PROMPTS } from '../../src/domain/ai-prompts.ts'
import { defaultAiSettings } from '../../src/domain/ai-settings.ts'
import { type AiScene, makeTag, startAiScene } from '../support/ai-scene.ts'
import { answersWith, MISBEHAVIOURS, redirectsTo, startFakeModel } from '../support/fake-model.ts'
import type { HttpClient, Json } from '../support/http-client.ts'

/** How administrators set AI enrichment up, over HTTP. */

const KEY = 'sk-a-very-secret-key'

let ai: AiScene
let admin: HttpClient
beforeAll(async () => {
  ai = await startAiScene({ 'Zürich.jpg': 'no picture', 'b.txt': 'b' })
  ;({ admin } = ai)
}, 60_000)
afterAll(() => ai[Symbol.asyncDispose]())
beforeEach(async () => {
  await admin.put('/api/ai-settings', {})
  await admin.put(`/api/ai-settings/library/${ai.libraryId}`, { overrides: {} })
})

const settings = async (): Promise<Json> => (await admin.get('/api/ai-settings')).body
const put = (body: Record<string, unknown>) => admin.put('/api/ai-settings', body)
const putLibrary = (overrides: unknown, id: number | string = ai.libraryId) => admin.put(`/api/ai-settings/library/${id}`, { overrides })

describe('refused', () => {
  test('nobody but an administrator reads or changes the settings', async () => {
    const user = await ai.scene.server.as('user', {})
    for (const path of ['', `/library/${ai.libraryId}`]) {
      expect((await user.get(`/api/ai-settings${path}`)).status).toBe(403)
      expect((await user.put(`/api/ai-settings${path}`, {})).status).toBe(403)
    }
    expect((await user.post('/api/ai-settings/test')).status).toBe(403)
    expect((await user.post('/api/ai-settings/preview', { itemKey: ai.keyOf('b.txt'), activity: 'tagging' })).status).toBe(403)
    expect((await user.get('/api/ai-settings/ocr')).status).toBe(200)
  })

  test.each<[string, unknown]>([
    ['endpoint', 'ftp://localhost'],
    ['endpoint', 'file:///etc/passwd'],
    ['endpoint', 'localhost:11434'],
    ['endpoint', 'http://name:secret@localhost/v1'],
    ['endpoint', 'http://localhost/v1?key=1'],
    ['endpoint', 'http://169.254.169.254/latest'],
    ['endpoint', 'http://2852039166/'],
    ['endpoint', 'http://[::ffff:169.254.169.254]/'],
    ['endpoint', 7],
    ['apiKey', 'two words'],
    ['apiKey', 'line\nfeed'],
    ['model', 'x'.repeat(201)],
    ['enabled', 'yes'],
    ['concurrency', 0],
    ['concurrency', 17],
    ['timeoutSeconds', 0],
    ['timeoutSeconds', 1.5],
    ['ocrMode', 'magic'],
    ['ocrLanguages', '../../etc'],
    ['ocrLanguages', 'eng+'],
    ['ocrLanguages', Array(11).fill('eng').join('+')],
    ['activities.tagging.maxTokens', 0],
    ['activities.tagging.maxTokens', 'many'],
    ['activities.extraction.prompt.system', 'x'.repeat(20_001)],
    ['activities.extraction.prompt.instructions', 'a\0b'],
  ])('%s cannot be %j, and nothing changes', async (path, value) => {
    const before = await settings()
    const body = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
    const answer = await put({ model: 'changed', ...(body as Record<string, unknown>) })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path }] } })
    expect(await settings()).toEqual(before)
  })

  test('what there is not, at any depth: it must not put the default in the place of what was meant', async () => {
    await put({ activities: { tagging: { maxTokens: 50 } } })
    const before = await settings()
    const prompts = { tagging: { prompt: { user: 'x' } } }
    for (const activities of [{ tags: {} }, { tagging: { max_tokens: 70 } }, prompts]) {
      const answer = await put({ activities })
      expect([activities, answer.status, answer.body.code]).toEqual([activities, 400, 'invalid_request'])
    }
    expect(await settings()).toEqual(before)
  })

  test('overrides of a library that does not exist, or of another kind', async () => {
    expect((await putLibrary({}, 999)).status).toBe(404)
    expect((await admin.get('/api/ai-settings/library/999')).status).toBe(404)
    expect((await admin.get('/api/ai-settings/library/x')).status).toBe(400)
    const misspelt = [{ max_tokens: 5 }, { activities: { tags: {} } }, { activities: { tagging: { max_tokens: 5 } } }]
    for (const overrides of [
      ...misspelt,
      { activities: { tagging: { prompt: { user: 'x' } } } },
      { ocrMode: 'magic' },
      { activities: { tagging: { maxTokens: -1 } } },
      { model: 7 },
      { enabled: true },
      { enabled: 0 },
      null,
    ])
      expect((await putLibrary(overrides)).status).toBe(400)
  })

  test('of what may also be empty it is said what it must be', async () => {
    const said = async (overrides: unknown) => (await putLibrary(overrides)).body.errors
    const { body } = await put({ ocrMode: 'magic', activities: { tagging: { maxTokens: 'x' } } })
    const [maxTokens, ocrMode] = ['activities.tagging.maxTokens', 'ocrMode'].map(
      (path) => body.errors.find((error: Json) => error.path === path).message,
    )
    expect(await said({ ocrMode: 'magic' })).toEqual([{ path: 'overrides.ocrMode', message: ocrMode }])
    const tagging = { maxTokens: 'x' }
    expect(await said({ activities: { tagging } })).toEqual([{ path: 'overrides.activities.tagging.maxTokens', message: maxTokens }])
    const accept = async (suggestion: unknown) => (await admin.post('/api/ai-tagging/suggestions', suggestion)).body.errors
    const aNumber = expect.stringContaining('expected number')
    expect(await accept({ name: 'x', categoryId: 'y' })).toEqual([{ path: 'categoryId', message: aNumber }])
    expect(await accept({ name: 'x' })).toEqual([{ path: 'tagId', message: aNumber }])
  })
})

describe('the global settings', () => {
  test('are complete before anybody has set anything', async () => {
    expect(await settings()).toEqual({ ...defaultAiSettings(), apiKeySet: false })
  })

  test('are replaced, and an answer can be sent back', async () => {
    const own = {
      endpoint: 'http://localhost:11434/v1',
      model: 'qwen',
      enabled: true,
      targetLanguage: 'de',
      concurrency: 3,
      timeoutSeconds: 300,
      ocrMode: 'llm-only',
      ocrLanguages: 'eng+jpn',
      activities: {
        ...defaultAiSettings().activities,
        tagging: { model: 'small', maxTokens: 77, prompt: { system: 'S', instructions: 'Only {vocabulary}' } },
      },
    }
    const answer = await put(own)
    expect(answer).toMatchObject({ status: 200, body: { ...own, apiKeySet: false } })
    expect(await settings()).toEqual(answer.body)
    expect((await put(await settings())).body).toEqual(answer.body)
    // What is not named is the default again.
    expect((await put({ endpoint: own.endpoint })).body).toEqual({ ...defaultAiSettings(), endpoint: own.endpoint, apiKeySet: false })
  })

  test('keep an emptied prompt part as it is, and ask with the default', async () => {
    const { activities } = defaultAiSettings()
    const emptied = { ...activities, tagging: { ...activities.tagging, prompt: { system: '', instructions: '' } } }
    await put({ activities: emptied })
    expect((await settings()).activities.tagging.prompt).toEqual({ system: '', instructions: '' })
    const { body } = await admin.post('/api/ai-settings/preview', { itemKey: ai.keyOf('b.txt'), activity: 'tagging' })
    expect(body.messages[0].text).toBe(DEFAULT_PROMPTS.tagging.system)
  })
})

describe('the key', () => {
  const here = (): string => ai.model.url
  const authorizations = () => ai.model.requests.map(({ headers }) => headers.authorization)

  test('is never answered, logged or kept beside the settings', async () => {
    const answers = [
      await put({ endpoint: here(), apiKey: KEY }),
      await admin.get('/api/ai-settings'),
      await admin.get('/api/ai-settings/ocr'),
      await admin.get(`/api/ai-settings/library/${ai.libraryId}`),
      await admin.post('/api/ai-settings/test'),
      await admin.get('/api/openapi.json'),
      await admin.get('/api/system'),
    ]
    expect(answers[0]?.body.apiKeySet).toBe(true)
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(KEY)
    ai.model.models(MISBEHAVIOURS.unauthorized)
    const refused = await admin.post('/api/ai-settings/test')
    expect(refused.body.error).toContain('401')
    expect(JSON.stringify(refused.body)).not.toMatch(/sk-/)
    ai.model.models(answersWith(200, { data: [] }))
    expect(ai.scene.server.output()).not.toContain(KEY)
  })

  test('stays where it is not named, and goes where it is empty', async () => {
    await put({ endpoint: here(), apiKey: KEY })
    expect((await put({ endpoint: here(), model: 'x' })).body.apiKeySet).toBe(true)
    expect((await put({ endpoint: here(), apiKey: null })).body.apiKeySet).toBe(true)
    expect((await put({ endpoint: here(), apiKey: '' })).body.apiKeySet).toBe(false)
  })

  test('waits while there is no endpoint, and goes to no other place then', async () => {
    await using elsewhere = await startFakeModel()
    await put({ endpoint: here(), apiKey: KEY })
    expect((await put({ enabled: false })).body).toMatchObject({ endpoint: '', apiKeySet: true })
    expect((await put({ endpoint: here() })).body.apiKeySet).toBe(true)
    await admin.post('/api/ai-settings/test')
    expect(authorizations().at(-1)).toBe(`Bearer ${KEY}`)
    await put({})
    expect((await put({ endpoint: elsewhere.url })).body.apiKeySet).toBe(false)
    await admin.post('/api/ai-settings/test')
    expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })

  test('that is named before there is an endpoint is for the first one', async () => {
    await put({ apiKey: KEY })
    expect((await put({ endpoint: here() })).body.apiKeySet).toBe(true)
    await admin.post('/api/ai-settings/test')
    expect(authorizations().at(-1)).toBe(`Bearer ${KEY}`)
    await using elsewhere = await startFakeModel()
    expect((await put({ endpoint: elsewhere.url })).body.apiKeySet).toBe(false)
  })

  test('goes with its host: another host, port or scheme is sent nothing', async () => {
    await using elsewhere = await startFakeModel()
    await put({ endpoint: here(), apiKey: KEY })
    expect((await put({ endpoint: here().replace('/v1', '/v2') })).body.apiKeySet).toBe(true)
    expect((await put({ endpoint: elsewhere.url })).body.apiKeySet).toBe(false)
    await admin.post('/api/ai-settings/test')
    expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
    // Nor does it come back with the old host.
    expect((await put({ endpoint: here() })).body.apiKeySet).toBe(false)
    expect((await put({ endpoint: elsewhere.url, apiKey: KEY })).body.apiKeySet).toBe(true)
  })

  test('is not sent to an endpoint that is only tried', async () => {
    await using elsewhere = await startFakeModel()
    await put({ endpoint: here(), apiKey: KEY })
    expect((await admin.post('/api/ai-settings/test', { endpoint: elsewhere.url })).body.ok).toBe(true)
    expect((await admin.post('/api/ai-settings/test', { endpoint: elsewhere.url, apiKey: 'sk-new' })).body.ok).toBe(true)
    expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer sk-new'])
    ai.model.requests.length = 0
    await admin.post('/api/ai-settings/test')
    await admin.post('/api/ai-settings/test', { endpoint: `${here()}/` })
    expect(authorizations()).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`])
  })
})

describe('the test of the endpoint', () => {
  test('says which models there are', async () => {
    ai.model.models(answersWith(200, { data: [{ id: 'llava' }, { id: 'qwen' }] }))
    await put({ endpoint: ai.model.url })
    expect((await admin.post('/api/ai-settings/test')).body).toEqual({
      ok: true,
      models: ['llava', 'qwen'],
      latencyMs: expect.any(Number),
      error: null,
    })
  })

  test('says what is wrong, without a word of what was answered', async () => {
    expect((await admin.post('/api/ai-settings/test')).body).toMatchObject({ ok: false, error: 'There is no endpoint yet.' })
    await put({ endpoint: ai.model.url })
    for (const behaviour of [MISBEHAVIOURS.html, MISBEHAVIOURS.error500, MISBEHAVIOURS.reset, redirectsTo('http://127.0.0.1:1/')]) {
      ai.model.models(behaviour)
      const { status, body } = await admin.post('/api/ai-settings/test')
      expect(status).toBe(200)
      expect(body).toMatchObject({ ok: false, models: [], latencyMs: null })
      expect(body.error).toStartWith('The ')
      expect(body.error).not.toMatch(/Sign in|out of memory/)
    }
  })
})

describe('the settings of a library', () => {
  test('fall through where they are empty, part by part', async () => {
    await put({ model: 'global', targetLanguage: 'de', activities: { tagging: { model: 'tagger', maxTokens: 500 } } })
    const { body } = await putLibrary({
      model: '',
      ocrMode: null,
      ocrLanguages: 'jpn',
      activities: { tagging: { model: '', maxTokens: 50, prompt: { system: 'Mine', instructions: '' } }, description: null },
    })
    expect(body.overrides).toEqual({ ocrLanguages: 'jpn', activities: { tagging: { maxTokens: 50, prompt: { system: 'Mine' } } } })
    const global = await settings()
    const { apiKeySet: _, ...rest } = global
    expect(body.effective).toEqual({
      ...rest,
      ocrLanguages: 'jpn',
      activities: {
        ...global.activities,
        tagging: {
          model: 'tagger',
          maxTokens: 50,
          prompt: { system: 'Mine', instructions: global.activities.tagging.prompt.instructions },
        },
      },
    })
    expect((await admin.get(`/api/ai-settings/library/${ai.libraryId}`)).body).toEqual(body)
  })

  test('switch AI off for it, and say so to everybody who may see it', async () => {
    await put({ endpoint: ai.model.url, enabled: true })
    const user = await ai.scene.server.as('looker', { libraryIds: [ai.libraryId] })
    const seen = async () => (await user.get('/api/ai-settings/ocr', { libraryId: ai.libraryId })).body.enabled
    expect(await seen()).toBe(true)
    expect((await putLibrary({ enabled: false })).body).toMatchObject({ overrides: { enabled: false }, effective: { enabled: false } })
    expect(await seen()).toBe(false)
    expect((await settings()).enabled).toBe(true)
    expect((await putLibrary({ enabled: null })).body).toMatchObject({ overrides: {}, effective: { enabled: true } })
    await put({})
    expect((await putLibrary({})).body.effective.enabled).toBe(false)
  })

  test('can be sent back as they came, and what holds is not changed by that', async () => {
    await putLibrary({ targetLanguage: 'fr' })
    const path = `/api/ai-settings/library/${ai.libraryId}`
    const { body } = await admin.get(path)
    expect(await admin.put(path, { ...body, effective: { ...body.effective, model: 'mine' } })).toMatchObject({ status: 200, body })
    expect((await admin.put(path, { ...body, overrules: {} })).status).toBe(400)
  })

  test('follow the global ones where they say nothing themselves', async () => {
    await putLibrary({ targetLanguage: 'fr' })
    await put({ model: 'later', targetLanguage: 'de' })
    expect((await admin.get(`/api/ai-settings/library/${ai.libraryId}`)).body.effective).toMatchObject({
      model: 'later',
      targetLanguage: 'fr',
    })
  })

  test('are what users are told of recognition', async () => {
    await put({ ocrMode: 'tesseract', ocrLanguages: 'eng' })
    await putLibrary({ ocrMode: 'hybrid', ocrLanguages: 'deu' })
    const of = async (query: Record<string, number>) => (await admin.get('/api/ai-settings/ocr', query)).body
    expect(await of({})).toEqual({
      enabled: false,
      hasEndpoint: false,
      ocrMode: 'tesseract',
      ocrLanguages: 'eng',
      availableLanguages: expect.any(Array),
    })
    expect(await of({ libraryId: ai.libraryId })).toMatchObject({ ocrMode: 'hybrid', ocrLanguages: 'deu' })
    const blind = await ai.scene.server.as('blind', { libraryIds: [] })
    expect((await blind.get('/api/ai-settings/ocr', { libraryId: ai.libraryId })).status).toBe(404)
  })
})

describe('the preview of a prompt', () => {
  const preview = (body: Record<string, unknown>) => admin.post('/api/ai-settings/preview', { itemKey: ai.keyOf('Zürich.jpg'), ...body })

  test('is what the model is asked', async () => {
    await makeTag(admin, 'Mountain', 'Place')
    await ai.configure({ activities: { tagging: { model: 'tagger' } } })
    const { body } = await preview({ activity: 'tagging' })
    expect(body).toMatchObject({ model: 'tagger', maxTokens: 1024 })
    expect(body.messages[1].text).toMatch(/Title: Zürich\.jpg\nKind: picture\n[\s\S]*one a line:\n(?:.*\n)*Mountain\n/)
    ai.model.requests.length = 0
    await ai.ended(await ai.ask('tag', 'Zürich.jpg'))
    const [request] = ai.model.chats()
    const asked = request?.body.messages.map(({ role, content }: Json) => ({
      role,
      text: typeof content === 'string' ? content : content[0].text,
    }))
    expect(asked).toEqual(body.messages)
  })

  test('takes a prompt that is not saved yet, part by part', async () => {
    const { body } = await preview({ activity: 'description', prompt: { instructions: 'Say it in {targetLanguage}: {title}' } })
    expect(body.messages).toEqual([
      { role: 'system', text: DEFAULT_PROMPTS.description.system },
      { role: 'user', text: 'Say it in English (en): Zürich.jpg' },
    ])
    expect((await settings()).activities.description.prompt).toEqual(DEFAULT_PROMPTS.description)
  })

  test('goes by the library of the item', async () => {
    await putLibrary({ targetLanguage: 'fr', activities: { translation: { model: 'french' } } })
    const { body } = await preview({ activity: 'translation', sourceLanguage: 'de' })
    expect(body).toMatchObject({ model: 'french', pictureSources: 0 })
    expect(body.messages[1].text).toContain('from German (de) into French (fr)')
  })

  test('of an item that is not there is none', async () => {
    expect((await preview({ activity: 'tagging', itemKey: 'movie:1:nothing' })).status).toBe(404)
    expect((await preview({ activity: 'dancing' })).status).toBe(400)
  })
})
