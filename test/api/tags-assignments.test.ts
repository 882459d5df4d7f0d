import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { assignTags } from '../../src/services/tag-assignments.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { FILMS, GAMES, startTaggedApp, type TaggedApp } from '../support/tagged-app.ts'

/** API.md, 8: which item carries which tag. A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

let scene: TaggedApp
let films: HttpClient
beforeAll(async () => {
  scene = await startTaggedApp()
  films = await scene.app.as('films only', { libraryIds: [FILMS] })
})
afterAll(() => scene[Symbol.asyncDispose]())

const bulk = (client: HttpClient, body: Json) => client.post('/api/tags/assignments/bulk', body)
const problem = ({ status, body }: { status: number; body: Json }) => [status, body.code]

const idOf = async (itemKey: string): Promise<number> => {
  const { rows } = await scene.app.database.client.execute({ sql: 'SELECT id FROM media_items WHERE item_key = ?', args: [itemKey] })
  return Number(rows[0]?.id)
}
/** As the AI tagger or an import does it. */
const assignAs = async (source: 'ai' | 'import', itemKey: string, tagId: number): Promise<number> => {
  const itemIds = [await idOf(itemKey)]
  return scene.app.deps.write.transaction((tx) => assignTags(tx, { itemIds, tagIds: [tagId], source, createdBy: null }))
}
const unassign = (itemKey: string, tagId: number) => scene.admin.delete('/api/tags/assignments', { itemKey, tagId })

describe('refused is an assignment', () => {
  test('of what does not exist, or not for this person', async () => {
    const tagId = await scene.tag('Refused/Tag')
    const [seen, hidden] = [await scene.film('Seen'), await scene.game('Hidden')]
    const answers = [
      await films.put('/api/tags/assignments', { itemKey: hidden, tagId }),
      await films.put('/api/tags/assignments', { itemKey: 'movie:1:None', tagId }),
      await films.put('/api/tags/assignments', { itemKey: 'nonsense', tagId }),
      await films.put('/api/tags/assignments', { itemKey: seen, tagId: 9999 }),
      await films.delete('/api/tags/assignments', { itemKey: hidden, tagId }),
      await films.delete('/api/tags/assignments', { itemKey: seen, tagId: 9999 }),
      await films.get('/api/tags/assignments', { itemKey: hidden }),
      await films.get('/api/tags/library-assignments', { libraryId: GAMES }),
      await films.get('/api/tags/library-assignments', { libraryId: 9999 }),
      await films.post('/api/tags/items', { name: 'x', categoryId: await scene.category('Refused'), itemKey: hidden }),
    ]
    expect(answers.map(problem)).toEqual(answers.map(() => [404, 'not_found']))
    expect([await scene.tagsOf(seen), await scene.tagsOf(hidden)]).toEqual([[], []])
  })

  test('in bulk where one of the items or tags does not exist, and then nothing changes', async () => {
    const [tagId, carried] = [await scene.tag('Refused/Bulk'), await scene.tag('Refused/Carried')]
    const [seen, hidden] = [await scene.film('Bulk seen'), await scene.game('Bulk hidden')]
    await scene.assign(seen, carried)
    for (const body of [
      { itemKeys: [seen, hidden], add: [tagId], remove: [carried] },
      { itemKeys: [seen, 'movie:1:None'], add: [tagId], remove: [carried] },
      { itemKeys: [seen], add: [tagId, 9999], remove: [carried] },
      { itemKeys: [seen], add: [tagId], remove: [carried, 9999] },
    ])
      expect([body, ...problem(await bulk(films, body))]).toEqual([body, 404, 'not_found'])
    expect(problem(await bulk(films, { itemKeys: [seen], add: [tagId], remove: [tagId] }))).toEqual([400, 'invalid_request'])
    expect(problem(await bulk(films, { itemKeys: [seen], add: ['x'] }))).toEqual([400, 'invalid_request'])
    expect(await scene.tagsOf(seen)).toEqual(['Refused/Carried (user)'])
  })
})

describe('an assignment', () => {
  test('is made once however often it is asked for, and is gone after it is taken off, also twice', async () => {
    const tagId = await scene.tag('Once/Tag')
    const itemKey = await scene.film('Once')
    for (let time = 0; time < 3; time++) await scene.assign(itemKey, tagId)
    expect(await scene.tagsOf(itemKey)).toEqual(['Once/Tag (user)'])
    for (let time = 0; time < 2; time++) expect((await unassign(itemKey, tagId)).status).toBe(204)
    expect(await scene.tagsOf(itemKey)).toEqual([])
  })

  test('says who made it and when, also in the whole item', async () => {
    const tagId = await scene.tag('Who/Tag')
    const itemKey = await scene.film('Who')
    const before = Date.now()
    await films.put('/api/tags/assignments', { itemKey, tagId })
    const [tag] = (await scene.admin.get('/api/tags/assignments', { itemKey })).body.tags
    expect(tag).toEqual({
      id: tagId,
      name: 'Tag',
      categoryId: await scene.category('Who'),
      categoryName: 'Who',
      color: null,
      source: 'user',
      assignedAt: expect.any(String),
      assignedBy: 'films only',
    })
    expect(Date.parse(tag.assignedAt)).toBeWithin(before, Date.now() + 1)
    expect((await scene.admin.get('/api/items', { itemKey })).body.item.tags).toEqual([tag])
  })

  test('stands with the others of an item category by category, and in each 2 before 10', async () => {
    const itemKey = await scene.film('Ordered')
    const paths = ['Role/Person 10', 'Era/20s', 'Role/person 2', 'Role/Person 1', 'Role 10/Guest', 'Role 2/The lead', 'Role 2/Stand-in']
    for (const path of paths) await scene.assign(itemKey, await scene.tag(path))
    const names = ['20s', 'Person 1', 'person 2', 'Person 10', 'Stand-in', 'The lead', 'Guest']
    expect((await scene.admin.get('/api/tags/assignments', { itemKey })).body.tags.map(({ name }: Json) => name)).toEqual(names)
    expect((await scene.admin.get('/api/items', { itemKey })).body.item.tags.map(({ name }: Json) => name)).toEqual(names)
  })

  test('of any type of item, with any name that a disk can have', async () => {
    const tagId = await scene.tag('Odd/Tag')
    for (const name of ['a"b', "it's", 'new\nline', '% _ \\', '千と千尋', 'a'.repeat(255), '<img onerror>', ' space ']) {
      const itemKey = await scene.game(name)
      await scene.assign(itemKey, tagId)
      expect([name, await scene.tagsOf(itemKey)]).toEqual([name, ['Odd/Tag (user)']])
      const { assignments } = (await scene.admin.get('/api/tags/library-assignments', { libraryId: GAMES })).body
      expect([name, assignments[itemKey]]).toEqual([name, [tagId]])
    }
  })
})

describe('where an assignment comes from', () => {
  test('a person beats an import, and an import beats the AI tagger; never the other way round', async () => {
    const tagId = await scene.tag('Source/Tag')
    const itemKey = await scene.film('Source')
    const source = async () => (await scene.tagsOf(itemKey))[0]
    expect([await assignAs('ai', itemKey, tagId), await source()]).toEqual([1, 'Source/Tag (ai)'])
    expect([await assignAs('import', itemKey, tagId), await source()]).toEqual([1, 'Source/Tag (import)'])
    expect([await assignAs('ai', itemKey, tagId), await source()]).toEqual([0, 'Source/Tag (import)'])
    await scene.assign(itemKey, tagId)
    expect([await assignAs('import', itemKey, tagId), await source()]).toEqual([0, 'Source/Tag (user)'])
  })

  test('what somebody takes off, whoever had put it there, the AI tagger does not put back', async () => {
    const tagId = await scene.tag('Refusal/Tag')
    const [one, other] = [await scene.film('Refusal'), await scene.film('No refusal')]
    for (const itemKey of [one, other]) await assignAs('ai', itemKey, tagId)
    await unassign(one, tagId)
    expect([await assignAs('ai', one, tagId), await scene.tagsOf(one)]).toEqual([0, []])
    expect(await scene.tagsOf(other)).toEqual(['Refusal/Tag (ai)'])
    await scene.assign(one, tagId)
    await unassign(one, tagId)
    expect([await assignAs('ai', one, tagId), await scene.tagsOf(one)]).toEqual([0, []])
    expect((await bulk(scene.admin, { itemKeys: [one, other], remove: [tagId] })).body).toEqual({ changed: 1 })
    expect([await assignAs('ai', other, tagId), await scene.tagsOf(other)]).toEqual([0, []])
  })

  test('what is gone by the time the AI tagger is done is passed over', async () => {
    const tagId = await scene.tag('Gone/Tag')
    const itemKey = await scene.film('Gone')
    expect(await assignAs('ai', itemKey, 9999)).toBe(0)
    expect(await assignAs('ai', 'movie:1:None', tagId)).toBe(0)
  })
})

describe('in bulk', () => {
  test('tags come on and go off many items, and the answer says how many assignments changed', async () => {
    const [a, b, c] = [await scene.tag('Bulk/A'), await scene.tag('Bulk/B'), await scene.tag('Bulk/C')]
    const itemKeys = await Promise.all(Array.from({ length: 30 }, (_, index) => scene.film(`bulk ${index}`)))
    expect((await bulk(scene.admin, { itemKeys, add: [a, b] })).body).toEqual({ changed: 60 })
    expect((await bulk(scene.admin, { itemKeys: [...itemKeys, ...itemKeys], add: [a, c, c], remove: [b] })).body).toEqual({ changed: 60 })
    for (const itemKey of itemKeys) expect(await scene.tagsOf(itemKey)).toEqual(['Bulk/A (user)', 'Bulk/C (user)'])
    expect((await bulk(scene.admin, { itemKeys: [], add: [a] })).body).toEqual({ changed: 0 })
    expect((await bulk(scene.admin, { itemKeys, add: [], remove: [] })).body).toEqual({ changed: 0 })
  })

  test('thousands of items are changed in more than one transaction', async () => {
    const { client } = scene.app.database
    const count = 4500
    await client.execute({
      sql: `INSERT INTO media_items (item_key, library_id, item_type, path, title)
        SELECT 'movie:1:many ' || value, 1, 'movie', value, value FROM generate_series(1, ?)`,
      args: [count],
    })
    const itemKeys = Array.from({ length: count }, (_, index) => `movie:1:many ${index + 1}`)
    const [a, b] = [await scene.tag('Many/A'), await scene.tag('Many/B')]
    expect((await bulk(scene.admin, { itemKeys, add: [a, b] })).body).toEqual({ changed: 2 * count })
    expect(await scene.usage({ categoryId: await scene.category('Many') })).toEqual([`Many/A: ${count}`, `Many/B: ${count}`])
    expect((await scene.admin.delete(`/api/tags/items/${a}`)).status).toBe(204)
    const { rows } = await client.execute({ sql: 'SELECT count(*) FROM item_tags WHERE tag_id = ?', args: [a] })
    expect(rows[0]?.[0]).toBe(0)
    expect((await scene.admin.delete(`/api/tags/categories/${await scene.category('Many')}`)).status).toBe(204)
    await client.execute("DELETE FROM media_items WHERE item_key LIKE 'movie:1:many %'")
  })
})

describe('the assignments of a library', () => {
  test('come by item key, without what is missing, with a validator that changes when they do', async () => {
    const [a, b] = [await scene.tag('Library/A'), await scene.tag('Library/B')]
    const [one, two] = [await scene.game('library 1'), await scene.game('library 2')]
    await scene.assign(one, a, b)
    await scene.assign(two, b)
    const path = `/api/tags/library-assignments?libraryId=${GAMES}`
    const first = await scene.admin.fetch(path)
    const { assignments } = await first.json()
    expect([assignments[one], assignments[two]]).toEqual([[a, b], [b]])
    const etag = first.headers.get('etag') ?? ''
    const again = () => scene.admin.fetch(path, { headers: { 'if-none-match': etag } })
    expect((await again()).status).toBe(304)
    await unassign(two, b)
    expect([(await again()).status, Object.keys(await (await again()).json())]).toEqual([200, ['assignments']])
    await scene.app.database.client.execute({ sql: 'UPDATE media_items SET missing_since = 1 WHERE item_key = ?', args: [one] })
    expect((await scene.admin.get(path)).body.assignments).not.toHaveProperty([one])
    // Its tags are kept, and are there again with it.
    expect(await scene.tagsOf(one)).toEqual(['Library/A (user)', 'Library/B (user)'])
  })
})
