import { expect } from 'bun:test'
import type { HttpClient, Json } from './http-client.ts'
import { startTestApp, type TestApp } from './test-app.ts'

/** People, tags and the rows of two libraries, over real HTTP: films that everybody sees, and games that only some do. */
export interface TaggedApp extends AsyncDisposable {
  app: TestApp
  admin: HttpClient
  /** The key of a film or game of this name; made on first use. */
  film: (name: string) => Promise<string>
  game: (name: string) => Promise<string>
  category: (name: string, color?: string) => Promise<number>
  /** By `Category/Tag`; the category is made on first use. */
  tag: (path: string) => Promise<number>
  assign: (itemKey: string, ...tagIds: number[]) => Promise<void>
  /** What the item carries, as `Category/Tag (source)`. */
  tagsOf: (itemKey: string, client?: HttpClient) => Promise<string[]>
  /** `Category/Tag: usage` by name. */
  usage: (query?: Record<string, string | number>, client?: HttpClient) => Promise<string[]>
}

export const FILMS = 1
export const GAMES = 2

export const startTaggedApp = async (): Promise<TaggedApp> => {
  const app = await startTestApp()
  const { client } = app.database
  await client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '/films'), (2, 'Games', 'games', '/games')",
  ])
  const admin = await app.as('admin')
  const item = (type: string, libraryId: number) => async (name: string) => {
    const key = `${type}:${libraryId}:${name}`
    await client.execute({
      sql: 'INSERT OR IGNORE INTO media_items (item_key, library_id, item_type, path, title) VALUES (?, ?, ?, ?, ?)',
      args: [key, libraryId, type, name, name],
    })
    return key
  }
  const category: TaggedApp['category'] = async (name, color) => {
    const { categories } = (await admin.get('/api/tags/categories')).body
    const known = categories.find((row: Json) => row.name === name)
    if (known) return known.id
    const { status, body } = await admin.post('/api/tags/categories', { name, ...(color ? { color } : {}) })
    expect([status, body]).toEqual([201, { category: { id: expect.any(Number), name, color: color ?? null, tagCount: 0 } }])
    return body.category.id
  }
  const tag: TaggedApp['tag'] = async (path) => {
    const [categoryName = '', name = ''] = path.split('/')
    const { status, body } = await admin.post('/api/tags/items', { name, categoryId: await category(categoryName) })
    expect([path, status]).toEqual([path, 201])
    return body.tag.id
  }
  return {
    app,
    admin,
    film: item('movie', FILMS),
    game: item('game', GAMES),
    category,
    tag,
    assign: async (itemKey, ...tagIds) => {
      for (const tagId of tagIds) expect((await admin.put('/api/tags/assignments', { itemKey, tagId })).status).toBe(204)
    },
    tagsOf: async (itemKey, person = admin) => {
      const { status, body } = await person.get('/api/tags/assignments', { itemKey })
      expect([itemKey, status]).toEqual([itemKey, 200])
      return body.tags.map(({ categoryName, name, source }: Json) => `${categoryName}/${name} (${source})`)
    },
    usage: async (query = {}, person = admin) => {
      const { status, body } = await person.get('/api/tags/items', query)
      expect([query, status]).toEqual([query, 200])
      return body.tags.map(({ categoryName, name, usage }: Json) => `${categoryName}/${name}: ${usage}`)
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}
