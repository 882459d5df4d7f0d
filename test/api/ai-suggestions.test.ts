import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type AiScene, LIMIT_MS, makeTag, startAiScene } from '../support/ai-scene.ts'
import { says } from '../support/fake-model.ts'
import type { Json } from '../support/http-client.ts'

/** What models would have liked to use, and what administrators make of it. */

let ai: AiScene
const FILES = ['a.txt', 'b.txt', 'c.txt']
const PATH = '/api/ai-tagging/suggestions'

beforeAll(async () => {
  ai = await startAiScene(Object.fromEntries(FILES.map((name) => [name, name])))
  // Without any tag a model is not asked for some.
  await makeTag(ai.admin, 'Any')
}, LIMIT_MS)
afterAll(() => ai[Symbol.asyncDispose]())
/** Each test has names, tags and a category of its own: nothing suggests anything at its beginning. */
beforeEach(async () => {
  for (const { name } of (await list()).body.suggestions) await dismiss(name)
  expect(await names()).toEqual([])
})

const list = (query: Record<string, string | number> = {}): Promise<Json> => ai.admin.get(PATH, query)
const names = async (): Promise<[string, number][]> => (await list()).body.suggestions.map(({ name, itemCount }: Json) => [name, itemCount])
const accept = (body: unknown): Promise<Json> => ai.admin.post(PATH, body)
const dismiss = (name: string): Promise<Json> => ai.admin.delete(PATH, { name })
/** Lets the model answer with these names for this file. */
const tagWith = async (path: string, ...answered: string[]): Promise<Json> => {
  ai.model.answer(says(JSON.stringify({ tags: answered })))
  return ai.ended(await ai.ask('tag', path))
}
const tagsOf = async (path: string): Promise<[number, string][]> => {
  const { tags } = (await ai.admin.get('/api/tags/assignments', { itemKey: ai.keyOf(path) })).body
  return tags.map(({ id, source }: Json) => [id, source])
}
const categoryOf = async (tagId: number): Promise<number> =>
  (await ai.admin.get('/api/tags/items')).body.tags.find(({ id }: Json) => id === tagId).categoryId
const suggestionsOf = async (id: number): Promise<string[]> => (await ai.job(id)).suggestions

describe('the list', () => {
  test('one name however it is spelled, those of most items first, then by name; an item counts once', async () => {
    await tagWith('a.txt', 'Folk Horror', 'Zebra', 'Ärger')
    await tagWith('a.txt', 'folk horror')
    await tagWith('b.txt', 'folk-horror', 'ÄRGER', 'Apple')
    await tagWith('c.txt', 'folk-horror')
    expect(await names()).toEqual([
      ['folk-horror', 3],
      ['Ärger', 2],
      ['Apple', 1],
      ['Zebra', 1],
    ])
    expect((await list({ limit: 2 })).body.suggestions).toHaveLength(2)
    expect((await list({ limit: 0 })).status).toBe(400)
  })

  test('what is a tag by now, or another name of one, is left out', async () => {
    await tagWith('a.txt', 'Giallo', 'Slasher', 'Mumblecore')
    const tag = await makeTag(ai.admin, 'GIALLO')
    await ai.admin.put('/api/tags/mappings', { mappings: [{ source: 'slasher', tagId: tag }] })
    expect(await names()).toEqual([['Mumblecore', 1]])
    await ai.admin.put('/api/tags/mappings', { mappings: [] })
    expect((await names()).map(([name]) => name)).toEqual(['Mumblecore', 'Slasher'])
  })

  test('what was taken back with its run is not asked about', async () => {
    ai.model.answer(says('{"tags": ["Undone"]}'))
    const { body } = await ai.admin.post('/api/ai-tagging/batch', { libraryId: ai.libraryId, activity: 'tagging', scope: 'all' })
    await ai.idle()
    expect(await names()).toEqual([['Undone', FILES.length]])
    await ai.admin.post(`/api/ai-tagging/runs/${body.runId}/undo`)
    expect(await names()).toEqual([])
  })
})

describe('refused', () => {
  test('neither a tag nor another name comes of a name that no job suggests', async () => {
    const tagId = await makeTag(ai.admin, 'Refusing')
    const categoryId = await categoryOf(tagId)
    for (const target of [{ tagId }, { categoryId }]) {
      const { status, body } = await accept({ name: 'Never Said', ...target })
      expect([status, body.detail]).toEqual([404, 'No job suggests that name.'])
    }
    expect((await ai.admin.get('/api/tags/items', { q: 'Never Said' })).body.tags).toEqual([])
    expect((await ai.admin.get('/api/tags/mappings')).body.mappings).toEqual([])
  })

  test('a tag or category that is not there, both, or neither of them; nothing is changed', async () => {
    await tagWith('a.txt', 'Nowhere')
    const before = await tagsOf('a.txt')
    expect((await accept({ name: 'Nowhere', tagId: 999_999 })).status).toBe(404)
    expect((await accept({ name: 'Nowhere', categoryId: 999_999 })).status).toBe(404)
    for (const wrong of [{ name: 'Nowhere' }, { name: 'Nowhere', tagId: 1, categoryId: 1 }, { name: ' ', tagId: 1 }, { tagId: 1 }])
      expect((await accept(wrong)).body).toMatchObject({ status: 400, code: 'invalid_request' })
    expect((await dismiss('')).status).toBe(400)
    expect(await names()).toEqual([['Nowhere', 1]])
    expect(await tagsOf('a.txt')).toEqual(before)
    expect((await ai.admin.get('/api/tags/mappings')).body.mappings).toEqual([])
  })

  test('a name that stands for another tag by now; that of the tag itself is put on the items all the same', async () => {
    await tagWith('b.txt', 'Noir')
    const other = await makeTag(ai.admin, 'Gloomy')
    const noir = await makeTag(ai.admin, 'noir')
    const categoryId = await categoryOf(noir)
    for (const target of [{ tagId: other }, { categoryId }]) {
      const { status, body } = await accept({ name: 'Noir', ...target })
      expect([status, body.code, body.detail]).toEqual([409, 'duplicate_name', 'That name stands for the tag "noir" already.'])
    }
    expect(await tagsOf('b.txt')).toEqual([])
    expect(await accept({ name: 'Noir', tagId: noir })).toMatchObject({ status: 200, body: { tag: { id: noir, usage: 1 }, assigned: 1 } })
    expect((await ai.admin.get('/api/tags/mappings')).body.mappings).toEqual([])
  })
})

describe('accepted', () => {
  test('a tag is made and put on every item that it was suggested for, and the tagger knows it', async () => {
    const categoryId = await categoryOf(await makeTag(ai.admin, 'Some'))
    await tagWith('a.txt', 'Coming of Age')
    await tagWith('b.txt', 'coming-of-age')
    const { status, body } = await accept({ name: '  Coming of Age ', categoryId })
    expect(status).toBe(200)
    expect(body).toMatchObject({ tag: { name: 'Coming of Age', categoryId, categoryName: 'Kind', usage: 2 }, assigned: 2 })
    const { id } = body.tag
    expect(await tagsOf('a.txt')).toContainEqual([id, 'ai'])
    expect(await tagsOf('b.txt')).toContainEqual([id, 'ai'])
    expect(await tagsOf('c.txt')).not.toContainEqual([id, 'ai'])
    expect(await names()).toEqual([])
    // From now on it is in the vocabulary, however a model spells it.
    expect(await suggestionsOf((await tagWith('c.txt', 'coming of age')).id)).toEqual([])
    expect(await tagsOf('c.txt')).toEqual([[id, 'ai']])
  })

  test('it becomes another name of a tag, which the items get, but for those where a person has taken it off', async () => {
    const tagId = await makeTag(ai.admin, 'Science Fiction')
    for (const path of ['a.txt', 'b.txt']) await ai.admin.put('/api/tags/assignments', { itemKey: ai.keyOf(path), tagId })
    await ai.admin.delete('/api/tags/assignments', { itemKey: ai.keyOf('b.txt'), tagId })
    for (const path of FILES) await tagWith(path, 'Space Opera')
    const { status, body } = await accept({ name: 'Space Opera', tagId })
    expect(status).toBe(200)
    expect(body).toMatchObject({ tag: { id: tagId, name: 'Science Fiction', usage: 2 }, assigned: 1 })
    expect(await tagsOf('a.txt')).toEqual([[tagId, 'user']])
    expect(await tagsOf('b.txt')).toEqual([])
    expect(await tagsOf('c.txt')).toEqual([[tagId, 'ai']])
    expect((await ai.admin.get('/api/tags/mappings')).body.mappings).toMatchObject([{ source: 'Space Opera', tagId }])
    expect(await names()).toEqual([])
  })
})

test('what is dismissed goes from every job in all its spellings, and nothing else does; again is no mistake', async () => {
  const jobs = [await tagWith('a.txt', 'Boring', 'Other'), await tagWith('b.txt', 'BORING'), await tagWith('c.txt', 'bor ing', "It's")]
  expect((await dismiss('boring')).status).toBe(204)
  expect(await Promise.all(jobs.map(({ id }) => suggestionsOf(id)))).toEqual([['Other'], [], ["It's"]])
  expect((await names()).map(([name]) => name)).toEqual(["It's", 'Other'])
  expect((await dismiss('boring')).status).toBe(204)
})
