import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import type { Json } from '../support/http-client.ts'
import { startTaggedApp, type TaggedApp } from '../support/tagged-app.ts'

/** Whatever the file: it is taken in or refused, and a trial says what then happens. A busy machine takes its time. */
setDefaultTimeout(120_000)

const RUNS = 150

let scene: TaggedApp
beforeAll(async () => {
  scene = await startTaggedApp()
  for (const name of ['one', 'two']) await scene.film(name)
})
afterAll(() => scene[Symbol.asyncDispose]())

const importFile = async (body: string | Uint8Array<ArrayBuffer>, type: string, query = ''): Promise<{ status: number; body: Json }> => {
  const response = await scene.admin.fetch(`/api/tags/import${query}`, { method: 'POST', body, headers: { 'content-type': type } })
  return { status: response.status, body: await response.json() }
}
const state = async (): Promise<string> => (await scene.admin.fetch('/api/tags/export')).text()
const forgetAll = async (): Promise<void> => {
  for (const { id } of (await scene.admin.get('/api/tags/categories')).body.categories)
    await scene.admin.delete(`/api/tags/categories/${id}`)
}
const NOTHING = { createdCategories: 0, createdTags: 0, createdMappings: 0, assigned: 0 }

const tryFile = async (body: string | Uint8Array<ArrayBuffer>, type: string): Promise<void> => {
  const before = await state()
  const trial = await importFile(body, type, '?dryRun=1')
  expect(await state()).toBe(before)
  const real = await importFile(body, type)
  expect(real).toEqual(trial)
  if (real.status !== 200) {
    expect([real.status, real.body.code]).toEqual([400, 'invalid_request'])
    expect(await state()).toBe(before)
    return
  }
  const after = await state()
  expect((await importFile(body, type)).body).toMatchObject(NOTHING)
  expect(await state()).toBe(after)
  await forgetAll()
  // What was exported brings it back.
  expect((await importFile(after, 'application/json')).status).toBe(200)
  expect(await state()).toBe(after)
  await forgetAll()
}

/** Few names, so that they meet; some of them none. */
const name = fc.oneof(
  fc.constantFrom('Genre', 'genre', 'Mood', 'A', 'A/B', 'B/C', 'C', 'Straße', 'STRASSE', ' x ', '', '\u0000', '__proto__', 'constructor'),
  fc.string({ maxLength: 6, unit: 'binary' }),
)
const tagText = fc.oneof(
  fc.tuple(name, name).map(([category, tag]) => `${category}/${tag}`),
  name,
  fc.record({ category: name, tag: name }),
)
const assignments = fc.array(
  fc.record({
    itemKey: fc.oneof(fc.constantFrom('movie:1:one', 'movie:1:two', 'movie:1:three'), name),
    tags: fc.array(tagText, { maxLength: 4 }),
  }),
  { maxLength: 4 },
)
const jsonFile = fc.record(
  {
    categories: fc.array(
      fc.record({ name, tags: fc.array(fc.record({ name, aliases: fc.array(name, { maxLength: 3 }) }), { maxLength: 4 }) }),
      { maxLength: 4 },
    ),
    assignments,
    sources: fc.record({ default: fc.constantFrom('user', 'import'), ai: assignments, import: assignments }),
  },
  { requiredKeys: ['categories'] },
)

test('a JSON file of any names', async () => {
  await fc.assert(
    fc.asyncProperty(jsonFile, (file) => tryFile(JSON.stringify(file), 'application/json')),
    { numRuns: RUNS },
  )
})

test('any JSON, and any text for JSON', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), fc.string({ unit: 'binary' })), (text) => tryFile(text, 'application/json')),
    { numRuns: RUNS },
  )
})

test('any table, and any bytes for one', async () => {
  const cell = fc.oneof(name, fc.constantFrom('"', '"a,b"', '"a', 'a;b', 'a|b', '\r\n', ',', ';'))
  const table = fc
    .array(
      fc.array(cell, { maxLength: 5 }).map((cells) => cells.join(',')),
      { maxLength: 5 },
    )
    .map((lines) => lines.join('\n'))
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        table,
        fc.uint8Array({ maxLength: 40 }).map((bytes) => new Uint8Array(bytes)),
      ),
      (body) => tryFile(body, 'text/csv'),
    ),
    { numRuns: RUNS },
  )
})
