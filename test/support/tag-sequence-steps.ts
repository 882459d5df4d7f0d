import { expect } from 'bun:test'
import { join } from 'node:path'
import { assignTags } from '../../src/services/tag-assignments.ts'
import type { HttpClient } from './http-client.ts'
import { scanInProcess } from './scan-in-process.ts'
import type { Model, ModelCategory, ModelTag } from './tag-model.ts'
import * as is from './tag-model.ts'
import type { ModelDisk } from './tag-sequence-disk.ts'
import type { TestApp } from './test-app.ts'

/** What people do with tags and files, each done to the server over HTTP and to real folders, and to the model. */

const NAMES = ['Red', 'red hair', 'Blue', 'Old', 'New', 'ÄRGER', 'ärger', 'a_b', '100%']

export interface Scene {
  app: TestApp
  admin: HttpClient
  model: Model
  disk: ModelDisk
  random: (below: number) => number
}

export const pick = <T>({ random }: Scene, values: Iterable<T>): T | undefined => {
  const all = [...values]
  return all[random(all.length)]
}
export const some = <T>({ random }: Scene, values: Iterable<T>, most: number): T[] =>
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

export const STEP: Record<string, Step> = {
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

export const scan = async ({ app, model }: Scene): Promise<void> => {
  await scanInProcess(app.deps, { id: model.libraryId, type: model.type, root: rootOf(app, model) })
  is.markSeen(model)
}

export const rootOf = (app: TestApp, { libraryId }: { libraryId: number }): string => join(app.deps.config.dataDir, `library ${libraryId}`)
