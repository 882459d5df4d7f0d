import { expect } from 'bun:test'
import { mkdirSync, rmSync } from 'node:fs'
import { LIBRARY_TYPES } from '../../src/domain/item-type.ts'
import { seeded } from '../bench/seeded.ts'
import type { HttpClient, Json } from './http-client.ts'
import type { Model, ModelItem, ModelTag } from './tag-model.ts'
import * as is from './tag-model.ts'
import { createModelDisk } from './tag-sequence-disk.ts'
import { pick, rootOf, type Scene, STEP, scan, some } from './tag-sequence-steps.ts'
import type { TestApp } from './test-app.ts'

/**
 * One random sequence of what people do with tags and files: after every step the server and the model say the same, of
 * the vocabulary, of every item, and of a random filter.
 */

const STEPS = 12
const FIRST_ITEMS = 5

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
