import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { ALL_PERMISSIONS } from '../../src/domain/permissions.ts'
import { importTags } from '../../src/services/tag-import.ts'
import type { Json } from '../support/http-client.ts'
import { startTaggedApp, type TaggedApp } from '../support/tagged-app.ts'

/** How much an import may bring, and what becomes of one while others change the tags. */
setDefaultTimeout(60_000)

const MOST = 200_000
const LIMIT_MS = 20_000
/** Parsing takes several times as long. */
const SHAPE_LIMIT_MS = 4000
const LONGEST_WAIT_MS = 1000

let scene: TaggedApp
beforeAll(async () => {
  scene = await startTaggedApp()
})
afterAll(() => scene[Symbol.asyncDispose]())

const send = async (body: string, type: string, query = ''): Promise<{ status: number; body: Json }> => {
  const response = await scene.admin.fetch(`/api/tags/import${query}`, { method: 'POST', body, headers: { 'content-type': type } })
  return { status: response.status, body: await response.json() }
}
const refused = async (body: string, type: string, query = ''): Promise<void> => {
  const begun = performance.now()
  const answer = await send(body, type, query)
  expect([answer.status, answer.body.code]).toEqual([422, 'too_many_tags'])
  expect(performance.now() - begun).toBeLessThan(LIMIT_MS)
}
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => index.toString(36))
const rowsOf = async (table: string): Promise<number> =>
  Number((await scene.app.database.client.execute(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.n)
const total = async (): Promise<number> => (await rowsOf('tags')) + (await rowsOf('tag_mappings')) + (await rowsOf('tag_categories'))

test('a file of millions of names is refused soon, and changes nothing', async () => {
  const before = await total()
  await refused(
    names(2_000_000)
      .map((name) => `c,${name}`)
      .join('\n'),
    'text/csv',
  )
  await refused(`c,t,${names(110_000).join(';')}\nc,u,${names(110_000).join('|')}`, 'text/csv')
  await refused(JSON.stringify({ categories: [{ name: 'c', tags: names(MOST).map((name) => ({ name })) }] }), 'application/json')
  await refused(JSON.stringify({ categories: [{ name: 'c', tags: [{ name: 't', aliases: names(MOST) }] }] }), 'application/json')
  expect(await total()).toBe(before)
})

test('nor may many files make a vocabulary larger; what adds nothing is let through', async () => {
  const categoryId = await scene.category('Many')
  await scene.app.database.client.execute(
    `INSERT INTO tags (category_id, name, name_key) SELECT ${categoryId}, 'many ' || value, 'many ' || value FROM generate_series(1, ${MOST - 1})`,
  )
  expect(await total()).toBe(MOST)
  for (const query of ['', '?dryRun=1']) await refused('Many,one more', 'text/csv', query)
  expect(await total()).toBe(MOST)
  expect((await send('Many,many 7', 'text/csv')).body).toMatchObject({ createdTags: 0, unchanged: 1 })
  await scene.app.database.client.execute("DELETE FROM tags WHERE name = 'many 7'")
  expect((await send('Many,one more', 'text/csv')).body).toMatchObject({ createdTags: 1 })
  await scene.app.database.client.execute('DELETE FROM tag_categories')
})

/** Imports two tags and another name, and does `change` each time before they are written, but so often at most. */
const importWhile = async (change: (times: number) => Promise<unknown>, most = 1) => {
  const { deps, database } = scene.app
  let times = 0
  const transaction: typeof deps.write.transaction = async (...given) => {
    if (times < most) await change(++times)
    return deps.write.transaction(...given)
  }
  const { rows } = await database.client.execute("SELECT id FROM users WHERE username = 'admin'")
  const admin = { userId: Number(rows[0]?.id), username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null } as const
  const input = { format: 'csv', bytes: new TextEncoder().encode('Race,One,Uno\nRace,Two'), dryRun: false } as const
  return importTags({ ...deps, write: { ...deps.write, transaction } }, admin, input)
}
const listed = async (): Promise<unknown[]> => {
  const { rows } = await scene.app.database.client.execute(
    'SELECT c.name AS category, t.name AS tag FROM tags t JOIN tag_categories c ON c.id = t.category_id ORDER BY 1, 2',
  )
  return rows.map(({ category, tag }) => `${category}/${tag}`)
}

test('a tag that somebody adds meanwhile is the one that the file means', async () => {
  expect(await importWhile(() => scene.tag('Race/One'))).toMatchObject({ createdCategories: 0, createdTags: 1, unchanged: 1 })
  expect(await listed()).toEqual(['Race/One', 'Race/Two'])
})

test('so is one that gets its name meanwhile, and a category that goes is made again', async () => {
  const { client } = scene.app.database
  await client.execute("DELETE FROM tags WHERE name = 'Two'")
  await client.execute("UPDATE tags SET name = 'Three', name_key = 'three'")
  const rename = () => client.execute("UPDATE tags SET name = 'Two', name_key = 'two'")
  expect(await importWhile(rename)).toMatchObject({ createdTags: 1, unchanged: 1 })
  expect(await listed()).toEqual(['Race/One', 'Race/Two'])
  await client.execute('DELETE FROM tags')
  expect(await importWhile(() => client.execute('DELETE FROM tag_categories'))).toMatchObject({ createdCategories: 1, createdTags: 2 })
  expect(await listed()).toEqual(['Race/One', 'Race/Two'])
})

test('where the tags change all the time nothing is imported', async () => {
  const { client } = scene.app.database
  await client.execute('DELETE FROM tag_categories')
  const imported = importWhile((times) => scene.tag(`Other/${times}`), Number.POSITIVE_INFINITY)
  expect(await imported.catch(({ code }) => code)).toBe('conflict')
  expect((await listed()).filter((name) => !String(name).startsWith('Other/'))).toEqual([])
})

const shapeRefused = async (body: string, type: string, expected: readonly unknown[], path = '/api/tags/import'): Promise<void> => {
  const begun = performance.now()
  const method = path.endsWith('mappings') ? 'PUT' : 'POST'
  const response = await scene.admin.fetch(path, { method, body, headers: { 'content-type': type } })
  const { code, errors }: Json = await response.json()
  expect([response.status, code, errors?.[0]?.message]).toEqual([...expected])
  expect(performance.now() - begun).toBeLessThan(SHAPE_LIMIT_MS)
}

test('bytes that can be no file of tags are refused before anybody parses them', async () => {
  const deep = [400, 'invalid_request', 'is nested too deeply'] as const
  for (const path of ['/api/tags/import', '/api/tags/mappings']) {
    await shapeRefused('['.repeat(30_000_000), 'application/json', deep, path)
    await shapeRefused('{"a":'.repeat(6_000_000), 'application/json', deep, path)
    await shapeRefused(`[${'0,'.repeat(15_000_000)}0]`, 'application/json', [422, 'too_many_tags', undefined], path)
  }
  const keys = Array.from({ length: 1_000_000 }, (_, index) => `"${index}":0`).join(',')
  await shapeRefused(`{"assignments":[{${keys}}]}`, 'application/json', [400, 'invalid_request', 'has an object with too many keys'])
  await shapeRefused(`${','.repeat(990_000)}\n`.repeat(30), 'text/csv', [400, 'invalid_request', 'has too many cells'])
})

test('so are more tags of one item than there may be', async () => {
  await refused(JSON.stringify({ categories: [], assignments: [{ itemKey: 'x', tags: names(MOST + 1) }] }), 'application/json')
})

/** How long everybody else had to wait for their turn at most. */
const heldUp = async (work: Promise<unknown>): Promise<number> => {
  let isDone = false
  let longest = 0
  const settled = work.finally(() => {
    isDone = true
  })
  for (let last = performance.now(); !isDone; last = performance.now()) {
    await new Promise(setImmediate)
    longest = Math.max(longest, performance.now() - last)
  }
  await settled
  return longest
}

test('texts of nothing but separators hold nobody else up, in an import and in an export', async () => {
  const itemKey = await scene.film('Many tags')
  for (const tags of [['/'.repeat(16_000)], names(2000).map((name) => `.${name}${'/'.repeat(300)}`)]) {
    const body = JSON.stringify({ assignments: [{ itemKey, tags }] })
    const sent = send(body, 'application/json', '?dryRun=1')
    expect(await heldUp(sent)).toBeLessThan(LONGEST_WAIT_MS)
    expect((await sent).body).toMatchObject({ assigned: 0, skippedCount: tags.length })
  }
  const tags = names(10_000).map((name) => ({ name: `${name}${'/'.repeat(90)}` }))
  await send(JSON.stringify({ categories: [{ name: '/'.repeat(100), tags }] }), 'application/json')
  expect(await heldUp(scene.admin.get('/api/tags/export'))).toBeLessThan(LONGEST_WAIT_MS)
  await scene.app.database.client.execute('DELETE FROM tag_categories')
})

test('brackets and commas in a name are no shape', async () => {
  const name = `${'[{'.repeat(10)}\\",:"`
  expect((await send(JSON.stringify({ categories: [{ name: 'Odd', tags: [{ name }] }] }), 'application/json')).body).toMatchObject({
    createdTags: 1,
  })
  expect(await listed()).toContain(`Odd/${name}`)
})

test('of other names there may be as many as of tags, and those that are too many change nothing', async () => {
  await scene.app.database.client.execute('DELETE FROM tag_categories')
  const tagId = await scene.tag('Named/One')
  const put = (count: number) => scene.admin.put('/api/tags/mappings', { mappings: names(count).map((source) => ({ source, tagId })) })
  // The tag and its category are two.
  const { status, body } = await put(MOST - 2)
  expect([status, body.mappings.length, await total()]).toEqual([200, MOST - 2, MOST])
  expect((await scene.admin.get('/api/tags/mappings')).body).toEqual(body)
  for (const count of [MOST - 1, MOST + 1]) expect((await put(count)).body.code).toBe('too_many_tags')
  expect(await total()).toBe(MOST)
  // Fewer are let through however many there are.
  await scene.app.database.client.execute("INSERT INTO tag_categories (name, name_key) VALUES ('Late', 'late')")
  expect((await put(MOST - 3)).status).toBe(200)
  expect((await put(MOST - 2)).body.code).toBe('too_many_tags')
  expect((await put(0)).body).toEqual({ mappings: [] })
})
