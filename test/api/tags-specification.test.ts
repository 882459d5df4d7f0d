import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpClient, Json } from '../support/http-client.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'

/**
 * What the user's specification says of tags, rule by rule, through a real server on real folders. Its behaviours of
 * filters are in the tests of browsing and of the client.
 */

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

let scene: ScanScene
let admin: HttpClient
beforeAll(async () => {
  scene = await startScene({
    games: { 'Saga/One/one.zip': 10, 'Alone/alone.zip': 11 },
    movies: { 'Alien (1979)/Alien.mkv': 20 },
    tv: { 'First/Season 01/S01E01.mkv': 30, 'Second/Season 01/S01E01.mkv': 31 },
    manga: { 'Ink/Ink v01/001.jpg': 40 },
    mixed: { '2020/beach.jpg': 50, 'moving.jpg': 51 },
  })
  admin = scene.admin
})
afterAll(() => scene[Symbol.asyncDispose]())

let names = 0
const newCategory = async (): Promise<number> => {
  const { status, body } = await admin.post('/api/tags/categories', { name: `Category ${++names}` })
  expect(status).toBe(201)
  return body.category.id
}
const newTag = async (categoryId: number, itemKey?: string): Promise<number> => {
  const { status, body } = await admin.post('/api/tags/items', { name: `Tag ${++names}`, categoryId, ...(itemKey ? { itemKey } : {}) })
  expect(status).toBe(201)
  return body.tag.id
}
const assign = async (itemKey: string, tagId: number): Promise<void> =>
  expect((await admin.put('/api/tags/assignments', { itemKey, tagId })).status).toBe(204)
const tagsOf = async (itemKey: string): Promise<number[]> =>
  (await admin.get('/api/tags/assignments', { itemKey })).body.tags.map(({ id }: Json) => id)
const assignmentsOf = async (type: Parameters<ScanScene['idOf']>[0]): Promise<Record<string, number[]>> =>
  (await admin.get('/api/tags/library-assignments', { libraryId: scene.idOf(type) })).body.assignments

const ANY_TYPE = (): string[] => [
  `game:${scene.idOf('games')}:Alone`,
  `game:${scene.idOf('games')}:Saga/One`,
  `game_series:${scene.idOf('games')}:Saga`,
  `movie:${scene.idOf('movies')}:Alien (1979)`,
  `tv_series:${scene.idOf('tv')}:First`,
  `tv_season:${scene.idOf('tv')}:First/Season 01`,
  `tv_episode:${scene.idOf('tv')}:First/Season 01/S01E01.mkv`,
  `manga_series:${scene.idOf('manga')}:Ink`,
  `manga_volume:${scene.idOf('manga')}:Ink/Ink v01`,
  `mixed_file:${scene.idOf('mixed')}:2020/beach.jpg`,
]

describe('What the service does, 8', () => {
  test('users define categories and tags, and assign tags to items of any library type', async () => {
    const user = await scene.server.as('somebody')
    const { category } = (await user.post('/api/tags/categories', { name: 'Of somebody' })).body
    const { tag } = (await user.post('/api/tags/items', { name: 'For all', categoryId: category.id })).body
    for (const itemKey of ANY_TYPE()) {
      expect([itemKey, (await user.put('/api/tags/assignments', { itemKey, tagId: tag.id })).status]).toEqual([itemKey, 204])
      expect([itemKey, await tagsOf(itemKey)]).toEqual([itemKey, [tag.id]])
    }
    const [counted] = (await user.get('/api/tags/items', { sort: 'usage' })).body.tags
    expect([counted.id, counted.usage]).toEqual([tag.id, ANY_TYPE().length])
    await user.delete(`/api/tags/categories/${category.id}`)
  })
})

describe('Media item, item_key', () => {
  test('two episodes of one file name in different series have tags of their own', async () => {
    const [first, second] = ['First', 'Second'].map((series) => `tv_episode:${scene.idOf('tv')}:${series}/Season 01/S01E01.mkv`)
    if (!first || !second) throw new Error('An episode is missing')
    const [a, b] = [await newTag(await newCategory()), await newTag(await newCategory())]
    await assign(first, a)
    await assign(second, b)
    expect([await tagsOf(first), await tagsOf(second)]).toEqual([[a], [b]])
    for (const [itemKey, tagId] of [
      [first, a],
      [second, b],
    ] as const)
      await admin.delete('/api/tags/assignments', { itemKey, tagId })
  })

  test('the short form of a key is none', async () => {
    const tagId = await newTag(await newCategory())
    for (const itemKey of [`${scene.idOf('movies')}:Alien (1979)`, `${scene.idOf('tv')}:S01E01.mkv`])
      expect((await admin.put('/api/tags/assignments', { itemKey, tagId })).status).toBe(404)
  })
})

describe('Tag category, tag, tag assignment', () => {
  test('deleting a category or a tag removes its assignments', async () => {
    const itemKey = `movie:${scene.idOf('movies')}:Alien (1979)`
    const [gone, stays] = [await newCategory(), await newCategory()]
    const [a, b, c] = [await newTag(gone, itemKey), await newTag(stays, itemKey), await newTag(stays, itemKey)]
    expect((await tagsOf(itemKey)).toSorted((x, y) => x - y)).toEqual([a, b, c])
    await admin.delete(`/api/tags/categories/${gone}`)
    await admin.delete(`/api/tags/items/${b}`)
    expect(await tagsOf(itemKey)).toEqual([c])
    expect(await assignmentsOf('movies')).toEqual({ [itemKey]: [c] })
    expect(await scene.index.query('SELECT item_key, tag_id FROM tag_assignments WHERE item_key = ?', [itemKey])).toEqual([
      { item_key: itemKey, tag_id: c },
    ])
  })

  test('an item has many tags, and a tag many items', async () => {
    const categoryId = await newCategory()
    const keys = ANY_TYPE().slice(0, 3)
    const ids = [await newTag(categoryId), await newTag(categoryId)]
    for (const itemKey of keys) for (const id of ids) await assign(itemKey, id)
    for (const itemKey of keys) expect((await tagsOf(itemKey)).toSorted((x, y) => x - y)).toEqual(ids)
    await admin.delete(`/api/tags/categories/${categoryId}`)
  })

  test('a tag that is added while an item is tagged, in a new category or not, is on that item at once', async () => {
    const itemKey = `mixed_file:${scene.idOf('mixed')}:2020/beach.jpg`
    const categoryId = await newCategory()
    const id = await newTag(categoryId, itemKey)
    expect(await tagsOf(itemKey)).toEqual([id])
    await admin.delete(`/api/tags/categories/${categoryId}`)
  })

  test('categories can be merged', async () => {
    const itemKey = `game:${scene.idOf('games')}:Alone`
    const [from, into] = [await newCategory(), await newCategory()]
    const id = await newTag(from, itemKey)
    expect((await admin.post(`/api/tags/categories/${from}/merge`, { intoCategoryId: into })).body).toEqual({ movedTags: 1, mergedTags: 0 })
    const [tag] = (await admin.get('/api/tags/assignments', { itemKey })).body.tags
    expect([tag.id, tag.categoryId]).toEqual([id, into])
  })
})

describe('Endpoints', () => {
  test('GET /api/tags/items?sort=usage: by the number of assignments, the highest first', async () => {
    const categoryId = await newCategory()
    const [once, thrice] = [await newTag(categoryId), await newTag(categoryId)]
    await assign(ANY_TYPE()[0] ?? '', once)
    for (const itemKey of ANY_TYPE().slice(0, 3)) await assign(itemKey, thrice)
    const { tags } = (await admin.get('/api/tags/items', { sort: 'usage', categoryId })).body
    expect(tags.map(({ id, usage }: Json) => [id, usage])).toEqual([
      [thrice, 3],
      [once, 1],
    ])
    const usages = (await admin.get('/api/tags/items', { sort: 'usage', limit: 500 })).body.tags.map(({ usage }: Json) => usage)
    expect(usages).toEqual(usages.toSorted((a: number, b: number) => b - a))
  })

  test('GET /api/tags/library-assignments: all of a library, and of no other, by item key', async () => {
    const id = await newTag(await newCategory())
    const key = `manga_volume:${scene.idOf('manga')}:Ink/Ink v01`
    await assign(key, id)
    expect(await assignmentsOf('manga')).toEqual({ [key]: [id] })
  })

  test('1: the parameter is itemKey, and no longer mediaKey', async () => {
    const tagId = await newTag(await newCategory())
    const mediaKey = ANY_TYPE()[0] ?? ''
    expect((await admin.get('/api/tags/assignments', { mediaKey })).status).toBe(400)
    expect((await admin.put('/api/tags/assignments', { mediaKey, tagId })).status).toBe(400)
    expect((await admin.get('/api/tags/assignments', { itemKey: mediaKey })).status).toBe(200)
  })

  test('need a signed-in person', async () => {
    for (const path of ['categories', 'items', 'assignments?itemKey=x', 'library-assignments?libraryId=1', 'mappings', 'export'])
      expect([path, (await scene.server.anonymous.get(`/api/tags/${path}`)).status]).toEqual([path, 401])
  })
})

describe('scans and tags', () => {
  test('a file that is renamed, or goes and comes back, keeps its tags under the key that it has then', async () => {
    const at = (name: string): string => join(scene.rootOf('mixed'), name)
    const key = (name: string): string => `mixed_file:${scene.idOf('mixed')}:${name}`
    const id = await newTag(await newCategory())
    await assign(key('moving.jpg'), id)
    renameSync(at('moving.jpg'), at('2020/moved.jpg'))
    await scene.scan('mixed')
    expect(await assignmentsOf('mixed')).toEqual({ [key('2020/moved.jpg')]: [id] })
    expect((await admin.get('/api/tags/assignments', { itemKey: key('moving.jpg') })).status).toBe(404)
    renameSync(at('2020/moved.jpg'), join(scene.folder, 'away.jpg'))
    await scene.scan('mixed')
    expect(await assignmentsOf('mixed')).toEqual({})
    renameSync(join(scene.folder, 'away.jpg'), at('back.jpg'))
    await scene.scan('mixed')
    expect(await assignmentsOf('mixed')).toEqual({ [key('back.jpg')]: [id] })
  })
})
