import { expect } from 'bun:test'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LIBRARY_TYPES } from '../../src/domain/item-type.ts'
import { assignTags } from '../../src/services/tag-assignments.ts'
import { seeded } from '../bench/seeded.ts'
import type { HttpClient, Json } from './http-client.ts'
import { scanInProcess } from './scan-in-process.ts'
import type { Model, ModelCategory, ModelItem, ModelTag } from './tag-model.ts'
import * as is from './tag-model.ts'
import { createModelDisk, type ModelDisk } from './tag-sequence-disk.ts'
import type { TestApp } from './test-app.ts'

/**
 * One random sequence of what people do with tags and files, done to the server over HTTP and to real folders, and to the
 * model: after every step both say the same, of the vocabulary, of every item, and of a random filter.
 */

const STEPS = 12
const FIRST_ITEMS = 5
const NAMES = ['Red', 'red hair', 'Blue', 'Old', 'New', 'ÄRGER', 'ärger', 'a_b', '100%']

interface Scene {
  app: TestApp
  admin: HttpClient
  model: Model
  disk: ModelDisk
  random: (below: number) => number
}

const pick = <T>({ random }: Scene, values: Iterable<T>): T | undefined => {
  const all = [...values]
  return all[random(all.length)]
}
const some = <T>({ random }: Scene, values: Iterable<T>, most: number): T[] =>
  [...values]
    .map((value) => [random(1000), value] as const)
    .sort((a, b) => a[0] - b[0])
    .slice(0, random(most + 1))
    .map(([, value]) => value)

const nameOf = (scene: Scene): string => pick(scene, NAMES) ?? ''

/** Case and composition alone make no other name; a colour and a place in the alphabet do not matter here. */
const isTaken = (scene: Scene, category: ModelCategory, name: string, own?: ModelTag): boolean => {
  const same = is.findTag(scene.model, category, name)
  return same !== undefined && same !== own
}

type Step = (scene: Scene) => Promise<void>

const STEP: Record<string, Step> = {
  async createCategory({ admin, model, ...scene }) {
    const name = nameOf({ admin, model, ...scene })
    const { status, body } = await admin.post('/api/tags/categories', { name, color: '#123456' })
    const isFree = ![...model.categories].some((category) => is.isSameName(category.name, name))
    expect(status).toBe(isFree ? 201 : 409)
    if (isFree) model.categories.add({ id: body.category.id, name, color: '#123456' })
  },
  async renameCategory(scene) {
    const { admin, model } = scene
    const category = pick(scene, model.categories)
    if (!category) return
    const name = nameOf(scene)
    const isFree = ![...model.categories].some((other) => other !== category && is.isSameName(other.name, name))
    expect((await admin.patch(`/api/tags/categories/${category.id}`, { name, color: null })).status).toBe(isFree ? 200 : 409)
    if (isFree) Object.assign(category, { name, color: null })
  },
  async createTag(scene) {
    const { admin, model } = scene
    const category = pick(scene, model.categories)
    const item = scene.random(2) ? pick(scene, is.present(model)) : undefined
    if (!category) return
    const name = nameOf(scene)
    const itemKey = item && is.keyOf(model, item)
    const { status, body } = await admin.post('/api/tags/items', { name, categoryId: category.id, ...(itemKey ? { itemKey } : {}) })
    const isFree = !isTaken(scene, category, name)
    expect(status).toBe(isFree ? 201 : 409)
    if (!isFree) return
    const tag = { id: body.tag.id, name, category }
    model.tags.add(tag)
    if (item) is.assign(item, tag, 'user')
  },
  async changeTag(scene) {
    const { admin, model } = scene
    const [tag, category] = [pick(scene, model.tags), pick(scene, model.categories)]
    if (!tag || !category) return
    const name = nameOf(scene)
    const isFree = !isTaken(scene, category, name, tag)
    const { status } = await admin.patch(`/api/tags/items/${tag.id}`, { name, categoryId: category.id })
    expect(status).toBe(isFree ? 200 : 409)
    if (isFree) Object.assign(tag, { name, category })
  },
  async deleteTag(scene) {
    const tag = pick(scene, scene.model.tags)
    if (!tag) return
    expect((await scene.admin.delete(`/api/tags/items/${tag.id}`)).status).toBe(204)
    is.deleteTag(scene.model, tag)
  },
  async deleteCategory(scene) {
    const category = scene.random(3) === 0 ? pick(scene, scene.model.categories) : undefined
    if (!category) return
    expect((await scene.admin.delete(`/api/tags/categories/${category.id}`)).status).toBe(204)
    is.deleteCategory(scene.model, category)
  },
  async mergeTags(scene) {
    const [from, into] = [pick(scene, scene.model.tags), pick(scene, scene.model.tags)]
    if (!from || !into) return
    const { status } = await scene.admin.post(`/api/tags/items/${from.id}/merge`, { intoTagId: into.id })
    expect(status).toBe(from === into ? 400 : 200)
    if (from !== into) is.mergeTagByHand(scene.model, from, into)
  },
  async mergeCategories(scene) {
    const { model } = scene
    const [from, into] = [pick(scene, model.categories), pick(scene, model.categories)]
    if (!from || !into || from === into) return
    const mergedTags = is.tagsIn(model, from).filter((tag) => is.findTag(model, into, tag.name)).length
    const count = { movedTags: is.tagsIn(model, from).length - mergedTags, mergedTags }
    expect((await scene.admin.post(`/api/tags/categories/${from.id}/merge`, { intoCategoryId: into.id })).body).toEqual(count)
    is.mergeCategory(model, from, into)
  },
  async assign(scene) {
    const [item, tag] = [pick(scene, scene.model.items), pick(scene, scene.model.tags)]
    if (!item || !tag) return
    expect((await scene.admin.put('/api/tags/assignments', { itemKey: is.keyOf(scene.model, item), tagId: tag.id })).status).toBe(204)
    is.assign(item, tag, 'user')
  },
  async unassign(scene) {
    const [item, tag] = [pick(scene, scene.model.items), pick(scene, scene.model.tags)]
    if (!item || !tag) return
    expect((await scene.admin.delete('/api/tags/assignments', { itemKey: is.keyOf(scene.model, item), tagId: tag.id })).status).toBe(204)
    is.unassign(item, tag)
  },
  async changeInBulk(scene) {
    const { admin, model } = scene
    const items = some(scene, model.items, 6)
    const tags = some(scene, model.tags, 4)
    const [add, remove] = [tags.slice(0, 2), tags.slice(2)]
    const { body } = await admin.post('/api/tags/assignments/bulk', {
      itemKeys: items.map((item) => is.keyOf(model, item)),
      add: add.map(({ id }) => id),
      remove: remove.map(({ id }) => id),
    })
    const changes = items.flatMap((item) => [
      ...add.map((tag) => is.assign(item, tag, 'user')),
      ...remove.map((tag) => is.unassign(item, tag)),
    ])
    expect(body).toEqual({ changed: changes.filter(Boolean).length })
  },
  async tagByAi(scene) {
    const { app, model } = scene
    const [items, tags] = [some(scene, model.items, 3), some(scene, model.tags, 2)]
    const { rows } = await app.database.client.execute({
      sql: 'SELECT id FROM media_items WHERE item_key IN (SELECT value FROM json_each(?))',
      args: [JSON.stringify(items.map((item) => is.keyOf(model, item)))],
    })
    const given = { itemIds: rows.map((row) => Number(row.id)), tagIds: tags.map(({ id }) => id) }
    await app.deps.write.transaction((tx) => assignTags(tx, { ...given, source: 'ai', createdBy: null }))
    for (const item of items) for (const tag of tags) is.assign(item, tag, 'ai')
  },
  async importFile(scene) {
    const { admin, model } = scene
    const [items, tags] = [some(scene, model.items, 3), some(scene, model.tags, 3)]
    const assignments = items.map((item) => ({
      itemKey: is.keyOf(model, item),
      tags: tags.map(({ name, category }) => ({ category: category.name, tag: name })),
    }))
    const { status } = await admin.post('/api/tags/import', { assignments })
    expect(status).toBe(200)
    for (const item of items) for (const tag of tags) if (!item.tags.has(tag) || item.tags.get(tag) === 'ai') is.assign(item, tag, 'import')
  },
  async changeFiles(scene) {
    const { disk, random } = scene
    // What comes and goes between two scans was never there, so what is new is scanned first.
    if (random(2)) {
      disk.add()
      await scan(scene)
    }
    for (let change = random(4); change >= 0; change--) [disk.rename, disk.rename, disk.takeAway, disk.bringBack][random(4)]?.()
    await scan(scene)
  },
}

const scan = async ({ app, model }: Scene): Promise<void> => {
  await scanInProcess(app.deps, { id: model.libraryId, type: model.type, root: rootOf(app, model) })
  is.markSeen(model)
}

const rootOf = (app: TestApp, { libraryId }: { libraryId: number }): string => join(app.deps.config.dataDir, `library ${libraryId}`)

const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id
const ids = (tags: Iterable<ModelTag>): number[] => [...tags].map(({ id }) => id).sort((a, b) => a - b)

const expectSameVocabulary = async ({ admin, model }: Scene): Promise<void> => {
  const { categories } = (await admin.get('/api/tags/categories')).body
  expect(categories.toSorted(byId)).toEqual(
    [...model.categories].map((category) => ({ ...category, tagCount: is.tagsIn(model, category).length })).sort(byId),
  )
  const { tags } = (await admin.get('/api/tags/items', { sort: 'usage', limit: 500 })).body
  expect(tags.map(({ id, name, categoryId, usage }: Json) => ({ id, name, categoryId, usage })).toSorted(byId)).toEqual(
    [...model.tags].map((tag) => ({ id: tag.id, name: tag.name, categoryId: tag.category.id, usage: is.usageOf(model, tag) })).sort(byId),
  )
  expect(tags.map(({ usage }: Json) => usage)).toEqual(tags.map(({ usage }: Json) => usage).toSorted((a: number, b: number) => b - a))
  const { mappings } = (await admin.get('/api/tags/mappings')).body
  expect(Object.fromEntries(mappings.map(({ source, tagId }: Json) => [source.toLowerCase(), tagId]))).toEqual(
    Object.fromEntries([...model.mappings].map(([key, { tag }]) => [key, tag.id])),
  )
}

const expectSameItems = async ({ app, admin, model }: Scene): Promise<void> => {
  const { assignments } = (await admin.get('/api/tags/library-assignments', { libraryId: model.libraryId })).body
  const tagged = is.present(model).filter((item) => item.tags.size > 0)
  expect(assignments).toEqual(Object.fromEntries(tagged.map((item) => [is.keyOf(model, item), ids(item.tags.keys())])))
  const { rows } = await app.database.client.execute({
    sql: `SELECT m.item_key AS itemKey, it.tag_id AS tagId, it.source AS source FROM item_tags it JOIN media_items m ON m.id = it.item_id WHERE m.library_id = ?`,
    args: [model.libraryId],
  })
  expect(rows.map((row) => `${row.itemKey} ${row.tagId} ${row.source}`).sort()).toEqual(
    [...model.items].flatMap((item) => [...item.tags].map(([tag, source]) => `${is.keyOf(model, item)} ${tag.id} ${source}`)).sort(),
  )
}

/** Levels whose entries are looked at with the items below them; the seasons of a series are but a way to the episodes. */
const levelsOf = (model: Model): (ModelItem | null)[] => [
  null,
  ...is.present(model).filter(({ type }) => ['game_series', 'tv_season', 'manga_series'].includes(type)),
]

const expectSameFilter = async (scene: Scene): Promise<void> => {
  const { admin, model } = scene
  const parent = pick(scene, levelsOf(model)) ?? null
  const chosen = some(scene, model.tags, 3)
  const split = scene.random(chosen.length + 1)
  const filter = {
    q: scene.random(2) ? '' : (pick(scene, ['ka', 'RO', '1', 'k', '%', 'arm']) ?? ''),
    tags: chosen.slice(0, split),
    excludeTags: chosen.slice(split),
  }
  const query = {
    libraryId: model.libraryId,
    ...(parent ? { parentKey: is.keyOf(model, parent) } : {}),
    ...(filter.q === '' ? {} : { q: filter.q }),
    tags: ids(filter.tags).join(','),
    excludeTags: ids(filter.excludeTags).join(','),
  }
  const { entries, total } = (await admin.get('/api/browse', { ...query, limit: 500 })).body
  const expected = is.filtered(model, parent, filter).map((item) => [is.keyOf(model, item), ids(item.tags.keys())] as const)
  const seen = entries.map(({ itemKey, tagIds }: Json) => [itemKey, tagIds.toSorted((a: number, b: number) => a - b)])
  expect([query, Object.fromEntries(seen), total]).toEqual([query, Object.fromEntries(expected), expected.length])
  const { categories } = (await admin.get('/api/facets', query)).body
  const counts = categories.flatMap(({ tags }: Json) => tags.map(({ id, count }: Json) => [id, count]))
  expect([query, Object.fromEntries(counts)]).toEqual([query, Object.fromEntries(is.facets(model, parent, filter))])
}

const expectSame = async (scene: Scene): Promise<void> => {
  await expectSameVocabulary(scene)
  await expectSameItems(scene)
  await expectSameFilter(scene)
}

const startScene = async (app: TestApp, admin: HttpClient, seed: number): Promise<Scene> => {
  const next = seeded(seed)
  const random = (below: number): number => Math.floor(next() * below)
  const type = LIBRARY_TYPES[random(LIBRARY_TYPES.length)] ?? 'mixed'
  const { rows } = await app.database.client.execute({
    sql: "INSERT INTO libraries (name, type, path) VALUES ('Model', ?, '/model') RETURNING id",
    args: [type],
  })
  const libraryId = Number(rows[0]?.id)
  const model: Model = { libraryId, type, categories: new Set(), tags: new Set(), mappings: new Map(), items: new Set() }
  const root = rootOf(app, model)
  const away = `${root} away`
  for (const folder of [root, away]) mkdirSync(folder, { recursive: true })
  const scene = { app, admin, model, random, disk: createModelDisk(model, { root, away, random }) }
  for (let item = 0; item < FIRST_ITEMS; item++) scene.disk.add()
  await scan(scene)
  return scene
}

const endScene = async ({ app, admin, model }: Scene): Promise<void> => {
  for (const { id } of model.categories) await admin.delete(`/api/tags/categories/${id}`)
  await app.database.client.execute({ sql: 'DELETE FROM libraries WHERE id = ?', args: [model.libraryId] })
  for (const folder of [rootOf(app, model), `${rootOf(app, model)} away`]) rmSync(folder, { recursive: true })
}

/** Throws where the server and the model differ, with the seed and the steps that led there. */
export const runTagSequence = async (app: TestApp, admin: HttpClient, seed: number): Promise<void> => {
  const scene = await startScene(app, admin, seed)
  const done: string[] = []
  try {
    for (const first of ['createCategory', 'createTag']) await STEP[first]?.(scene)
    for (let step = 0; step < STEPS; step++) {
      const name = pick(scene, Object.keys(STEP)) ?? ''
      done.push(name)
      await STEP[name]?.(scene)
      await expectSame(scene)
    }
  } catch (error) {
    throw new Error(`Seed ${seed} (${scene.model.type}) after ${done.join(', ')}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
  await endScene(scene)
}
