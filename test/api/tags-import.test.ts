import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { ALL_PERMISSIONS } from '../../src/domain/permissions.ts'
import { assignTags } from '../../src/services/tag-assignments.ts'
import { importTags } from '../../src/services/tag-import.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { FILMS, startTaggedApp, type TaggedApp } from '../support/tagged-app.ts'

/** API.md, 8: import and export. A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

let scene: TaggedApp
beforeAll(async () => {
  scene = await startTaggedApp()
})
afterAll(() => scene[Symbol.asyncDispose]())

const send = async (
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  query = '',
  client: HttpClient = scene.admin,
): Promise<{ status: number; body: Json }> => {
  const response = await client.fetch(`/api/tags/import${query}`, { method: 'POST', body, headers: { 'content-type': type } })
  return { status: response.status, body: await response.json() }
}
const sendJson = (file: Json, query = '', client = scene.admin) => send(JSON.stringify(file), 'application/json', query, client)
const sendCsv = (text: string, query = '') => send(text, 'text/csv', query)
const report = (counts: Json) => ({
  status: 200,
  body: { createdCategories: 0, createdTags: 0, createdMappings: 0, assigned: 0, unchanged: 0, skipped: [], skippedCount: 0, ...counts },
})

/** Everything that an import could change. */
const state = async (from: TaggedApp = scene): Promise<Json> => {
  const { client } = from.app.database
  const read = async (sql: string) => (await client.execute(sql)).rows.map((row) => Object.values(row).join('|'))
  return {
    categories: await read('SELECT name, color FROM tag_categories ORDER BY name_key'),
    tags: await read(
      'SELECT c.name AS category, t.name AS tag FROM tags t JOIN tag_categories c ON c.id = t.category_id ORDER BY c.name_key, t.name_key',
    ),
    mappings: await read(
      'SELECT m.source, c.name AS category, t.name AS tag FROM tag_mappings m JOIN tags t ON t.id = m.tag_id JOIN tag_categories c ON c.id = t.category_id ORDER BY source_key',
    ),
    assignments: await read(
      `SELECT m.item_key, c.name AS category, t.name AS tag, i.source FROM item_tags i JOIN media_items m ON m.id = i.item_id JOIN tags t ON t.id = i.tag_id
        JOIN tag_categories c ON c.id = t.category_id ORDER BY 1, 2, 3`,
    ),
  }
}

describe('a file that cannot be read changes nothing', () => {
  const bad: [what: string, type: string, body: string | Uint8Array<ArrayBuffer>, path: string][] = [
    ['no JSON', 'application/json', '{"categories":[{"name":"Bad"}', ''],
    ['nothing', 'application/json', '', ''],
    ['a list', 'application/json', '[]', ''],
    ['a member that is none', 'application/json', '{"categories":[],"tags":[]}', ''],
    ['a category without a name', 'application/json', '{"categories":[{"name":"Bad"},{"tags":[]}]}', 'categories.1.name'],
    ['a tag that is a number', 'application/json', '{"categories":[{"name":"Bad","tags":[{"name":7}]}]}', 'categories.0.tags.0.name'],
    ['a colour that is none', 'application/json', '{"categories":[{"name":"Bad","color":"red"}]}', 'categories.0.color'],
    [
      'an assignment without tags',
      'application/json',
      '{"categories":[{"name":"Bad"}],"assignments":[{"itemKey":"x"}]}',
      'assignments.0.tags',
    ],
    ['nothing at all', 'application/json', '{}', ''],
    ['nothing but libraries', 'application/json', '{"libraries":[]}', ''],
    ['a quote that does not end', 'text/csv', 'category,tag,aliases\nBad,"One\nBad,Two\n', 'line'],
    ['text after a quote', 'text/csv', 'Bad,"One"x\n', 'line'],
    ['a line without a tag', 'text/csv', 'category,tag\nBad,One\nBad\n', 'line 3'],
    ['a first line that names no column of tags', 'text/csv', 'category,aliases\nBad,One\n', 'line 1'],
    ['bytes that are no text', 'text/csv', new Uint8Array([0x42, 0x61, 0x64, 0x2c, 0xff, 0xfe]), ''],
    ['bytes that are no text in JSON', 'application/json', new Uint8Array([0x7b, 0xff, 0x7d]), ''],
  ]
  for (const [what, type, body, path] of bad)
    test(what, async () => {
      const before = await state()
      for (const query of ['', '?dryRun=1']) {
        const answer = await send(body, type, query)
        expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
        expect(answer.body.errors[0].path).toStartWith(path)
      }
      expect(await state()).toEqual(before)
    })

  test('nor does one with very many wrong entries, of which the first is told, and soon', async () => {
    const before = await state()
    const wrong = Array.from({ length: 50_000 }, () => 7)
    const files: [file: Json, path: string][] = [
      [{ assignments: [{ itemKey: 'x', tags: ['Good', ...wrong] }] }, 'assignments.0.tags.1'],
      [{ sources: { ai: [{ itemKey: 'x', tags: wrong }] } }, 'sources.ai.0.tags.0'],
      [{ categories: [{ name: 'Bad', tags: wrong }] }, 'categories.0.tags.0'],
      [{ categories: [{ name: 'Bad', tags: [{ name: 'One', aliases: wrong }] }] }, 'categories.0.tags.0.aliases.0'],
    ]
    for (const [file, path] of files) {
      const { status, body } = await sendJson(file)
      expect([status, body.errors]).toEqual([400, [{ path, message: expect.stringMatching(/\S/) }]])
    }
    expect(await state()).toEqual(before)
  })

  test('nor does one of another type, or one that is too large', async () => {
    const before = await state()
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/xml'])
      expect([type, (await send('{}', type)).status]).toEqual([type, 415])
    expect((await send(`{"categories":[${' '.repeat(33 * 1024 * 1024)}]}`, 'application/json')).status).toBe(413)
    expect(await state()).toEqual(before)
  })
})

describe('a table', () => {
  test('gives categories, tags and other names, and changes nothing the second time', async () => {
    const text =
      '\ufeffcategory,tag,aliases\r\nGenre, Horror ,Scary|Spooky\r\nGENRE,"Rock, Paper",\r\nMood,"Say ""no""","No; Never"\r\n\r\n'
    const counts = { createdCategories: 2, createdTags: 3, createdMappings: 4 }
    const before = await state()
    expect(await sendCsv(text, '?dryRun=1')).toEqual(report(counts))
    expect(await state()).toEqual(before)
    expect(await sendCsv(text)).toEqual(report(counts))
    const after = await state()
    expect(after).toMatchObject({
      categories: ['Genre|', 'Mood|'],
      tags: ['Genre|Horror', 'Genre|Rock, Paper', 'Mood|Say "no"'],
      mappings: ['Never|Mood|Say "no"', 'No|Mood|Say "no"', 'Scary|Genre|Horror', 'Spooky|Genre|Horror'],
    })
    expect(await sendCsv(text)).toEqual(report({ unchanged: 3 }))
    expect(await state()).toEqual(after)
  })

  test('may have its columns in any order, semicolons between them, no first line, and more names in more columns', async () => {
    expect(await sendCsv('tag,category\nOne,Columns\n')).toEqual(report({ createdCategories: 1, createdTags: 1 }))
    expect(await sendCsv('category;tag;aliases\nColumns;Two;"Dos"\n')).toEqual(report({ createdTags: 1, createdMappings: 1 }))
    expect(await sendCsv('Columns,Three,Tres,Trois,Drei\n')).toEqual(report({ createdTags: 1, createdMappings: 3 }))
    expect(await sendCsv('category,tag,aliases\nColumns,Quoted,"x1, x2"\nColumns,Comma,"Fiction, old;Old books"\n')).toEqual(
      report({ createdTags: 2, createdMappings: 4 }),
    )
    const { mappings } = await state()
    for (const mapping of ['x1|Columns|Quoted', 'x2|Columns|Quoted', 'Fiction, old|Columns|Comma', 'Old books|Columns|Comma'])
      expect(mappings).toContain(mapping)
    // A table that has grown: what else it says is no name of a tag.
    expect(await sendCsv('category,color,tag,aliases,notes\nColumns,#f00,Four,Vier,keep\n')).toEqual(
      report({ createdTags: 1, createdMappings: 1 }),
    )
    expect((await scene.admin.get('/api/tags/categories')).body.categories.filter(({ name }: Json) => name === 'category')).toEqual([])
    expect(await sendCsv('')).toEqual(report({}))
  })

  test('says which lines it passed over, and why', async () => {
    const long = 'x'.repeat(101)
    const text = `category,tag,aliases\nSkips,Good,\nSkips,,\n,Nameless,\nSkips,${long},\nSkips,Other,Taken\nSkips,Third,taken\n"Two\nlines",x,\n`
    expect(await sendCsv(text)).toEqual(
      report({
        createdCategories: 1,
        createdTags: 3,
        createdMappings: 1,
        skippedCount: 5,
        skipped: [
          { row: 3, reason: 'invalid_name', value: '' },
          { row: 4, reason: 'invalid_name', value: '' },
          { row: 5, reason: 'invalid_name', value: long },
          { row: 9, reason: 'invalid_name', value: 'Two\nlines' },
          { row: 7, reason: 'alias_taken', value: 'taken' },
        ],
      }),
    )
  })

  test('makes a category with the first tag that it can make in it', async () => {
    const skipped = (row: number) => ({ row, reason: 'invalid_name', value: '' })
    expect(await sendCsv('category,tag,aliases\nOnly named,,\nNamed first,,Alias\nNamed first,Tag,\n')).toEqual(
      report({ createdCategories: 1, createdTags: 1, skippedCount: 2, skipped: [skipped(2), skipped(3)] }),
    )
    const categories = [
      { name: 'Only named', tags: [{ name: '' }] },
      { name: 'To be filled', tags: [] },
    ]
    expect(await sendJson({ categories })).toEqual(report({ createdCategories: 1, skippedCount: 1, skipped: [skipped(1)] }))
    const names: string[] = (await state()).categories
    expect(names.filter((name) => /^(?:Only|Named|To be)/.test(name))).toEqual(['Named first|', 'To be filled|'])
  })

  test('knows tags by the names that stand for them', async () => {
    const [from, into] = [await scene.tag('Merged/Old name'), await scene.tag('Merged/New name')]
    await scene.admin.post(`/api/tags/items/${from}/merge`, { intoTagId: into })
    const before = await state()
    expect(await sendCsv('Merged,OLD NAME,\n')).toEqual(report({ unchanged: 1 }))
    expect(await state()).toEqual(before)
  })
})

describe('a JSON file', () => {
  test('also puts tags on items: those that exist, and that the person may see', async () => {
    const [seen, hidden] = [await scene.film('Imported'), await scene.game('Hidden')]
    const films = await scene.app.as('films only', { libraryIds: [FILMS] })
    const file = {
      categories: [{ name: 'Import', color: '#ff0000', tags: [{ name: 'One', aliases: ['Uno'] }, { name: 'A/B' }] }],
      assignments: [
        { itemKey: seen, tags: ['import/ONE', 'Import/A/B', 'Uno', 'Nothing', 'Import/Nothing'] },
        { itemKey: hidden, tags: ['Import/One'] },
        { itemKey: 'movie:1:None', tags: ['Import/One'] },
        { itemKey: 'nonsense', tags: [] },
      ],
    }
    const skipped = [
      { row: 1, reason: 'unknown_tag', value: 'Nothing' },
      { row: 1, reason: 'unknown_tag', value: 'Import/Nothing' },
      { row: 2, reason: 'unknown_item', value: hidden },
      { row: 3, reason: 'unknown_item', value: 'movie:1:None' },
      { row: 4, reason: 'unknown_item', value: 'nonsense' },
    ]
    const counts = { createdCategories: 1, createdTags: 2, createdMappings: 1, assigned: 2, skipped, skippedCount: 5 }
    expect(await sendJson(file, '?dryRun=1', films)).toEqual(report(counts))
    expect(await scene.tagsOf(seen)).toEqual([])
    expect(await sendJson(file, '', films)).toEqual(report(counts))
    expect(await scene.tagsOf(seen)).toEqual(['Import/A/B (import)', 'Import/One (import)'])
    expect((await scene.admin.get('/api/tags/assignments', { itemKey: seen })).body.tags[0].assignedBy).toBe('films only')
    expect(await sendJson(file, '', films)).toEqual(report({ unchanged: 4, skipped, skippedCount: 5 }))
    expect(await scene.tagsOf(hidden)).toEqual([])
  })

  test('puts a tag that is merged while it is read on the items as the other one, and says what went', async () => {
    const [stays, goes] = [await scene.film('Stays'), await scene.film('Goes')]
    const texts = ['Import/Merged', 'Import/Deleted', 'Import/Meanwhile']
    const assignments = [stays, goes].map((itemKey) => ({ itemKey, tags: texts }))
    const [merged, deleted, into] = [await scene.tag('Import/Merged'), await scene.tag('Import/Deleted'), await scene.tag('Import/Into')]
    const file = {
      categories: [{ name: 'Import', tags: [{ name: 'Meanwhile' }] }],
      assignments,
      sources: { ai: [{ itemKey: stays, tags: texts }] },
    }
    const { deps, database } = scene.app
    let transactions = 0
    const transaction: typeof deps.write.transaction = async (...given) => {
      // The second one is that of the assignments, which are known by then.
      if (++transactions === 2) {
        await database.client.execute("DELETE FROM media_items WHERE title = 'Goes'")
        await scene.admin.post(`/api/tags/items/${merged}/merge`, { intoTagId: into })
        await scene.admin.delete(`/api/tags/items/${deleted}`)
      }
      return deps.write.transaction(...given)
    }
    const { rows } = await database.client.execute("SELECT id FROM users WHERE username = 'admin'")
    const admin = { userId: Number(rows[0]?.id), username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null } as const
    const input = { format: 'json', bytes: new TextEncoder().encode(JSON.stringify(file)), dryRun: false } as const
    const gone = { row: 2, reason: 'unknown_item', value: goes } as const
    expect(await importTags({ ...deps, write: { ...deps.write, transaction } }, admin, input)).toMatchObject({
      createdTags: 1,
      assigned: 2,
      skippedCount: 4,
      skipped: [{ row: 1, reason: 'unknown_tag', value: 'Import/Deleted' }, gone, gone, gone],
    })
    expect(await scene.tagsOf(stays)).toEqual(['Import/Into (ai)', 'Import/Meanwhile (ai)'])
  })

  test('does not guess: a name that tags of two categories have is none of them', async () => {
    const itemKey = await scene.film('Ambiguous')
    for (const path of ['First/Both', 'Second/Both']) await scene.tag(path)
    expect((await sendJson({ assignments: [{ itemKey, tags: ['Both', 'Second/Both'] }] })).body).toMatchObject({
      assigned: 1,
      skipped: [{ row: 1, reason: 'ambiguous_tag', value: 'Both' }],
    })
    expect(await scene.tagsOf(itemKey)).toEqual(['Second/Both (import)'])
  })

  test('makes no other name of what a tag is called, but where it tells which of two is meant', async () => {
    const own = { name: 'Own', tags: [{ name: 'Called so', aliases: ['Called so', 'CALLED SO', 'Called  so'] }] }
    expect(await sendJson({ categories: [own] })).toEqual(report({ createdCategories: 1, createdTags: 1, createdMappings: 1 }))
    expect((await state()).mappings).toContain('Called  so|Own|Called so')
    const itemKey = await scene.film('Called so')
    const file = {
      categories: [own, { name: 'Other', tags: [{ name: 'Called so' }] }],
      assignments: [{ itemKey, tags: ['Called so'] }],
    }
    expect(await sendJson(file)).toEqual(report({ createdCategories: 1, createdTags: 1, createdMappings: 1, assigned: 1, unchanged: 1 }))
    expect(await scene.tagsOf(itemKey)).toEqual(['Own/Called so (import)'])
  })

  test('never makes less of what a person did', async () => {
    const itemKey = await scene.film('Mine')
    await scene.assign(itemKey, await scene.tag('Mine/Tag'))
    expect((await sendJson({ assignments: [{ itemKey, tags: ['Mine/Tag'] }] })).body).toMatchObject({ assigned: 0, unchanged: 1 })
    expect(await scene.tagsOf(itemKey)).toEqual(['Mine/Tag (user)'])
  })

  test('says of thousands that were passed over the first thousand, and how many there are', async () => {
    const assignments = Array.from({ length: 3000 }, (_, index) => ({ itemKey: `movie:1:none ${index}`, tags: [] }))
    const { body } = await sendJson({ assignments })
    expect([body.skipped.length, body.skippedCount, body.skipped.at(-1).row]).toEqual([1000, 3000, 1000])
  })
})

test('as many other names as a file brings can be changed afterwards', async () => {
  await using own = await startTaggedApp()
  const aliases = Array.from({ length: 20_100 }, (_, index) => `Other name ${index}`)
  const file = JSON.stringify({ categories: [{ name: 'Known', tags: [{ name: 'By many', aliases }] }] })
  expect((await send(file, 'application/json', '', own.admin)).body.createdMappings).toBe(aliases.length)
  const { body } = await own.admin.get('/api/tags/mappings')
  const { status, body: changed } = await own.admin.put('/api/tags/mappings', { mappings: body.mappings.slice(1) })
  expect([status, changed.mappings?.length]).toEqual([200, aliases.length - 1])
})

describe('an export', () => {
  /** Names that could be read in several ways, sources of all kinds, and a missing item. */
  const fill = async (own: TaggedApp): Promise<void> => {
    const [one, two, gone] = [await own.film('One "quoted"'), await own.game('Two\nlines'), await own.film('Gone')]
    for (const [category, color] of [
      ['A/B', '#00ff00'],
      ['A', null],
      ['Empty', '#123'],
    ])
      await own.admin.post('/api/tags/categories', { name: category, color })
    const ids: number[] = []
    for (const [category, name] of [
      ['A/B', 'C'],
      ['A', 'B/C'],
      ['A', 'Plain'],
      ['A', 'Two  gaps'],
      ['A', 'Two gaps'],
    ] as const)
      ids.push((await own.admin.post('/api/tags/items', { name, categoryId: await own.category(category) })).body.tag.id)
    const [abc, abc2, plain, gaps, gap] = ids as [number, number, number, number, number]
    await own.assign(one, abc, gaps)
    await own.assign(two, abc2, gap)
    await own.admin.put('/api/tags/mappings', {
      mappings: [
        { source: 'Plain too', tagId: plain },
        { source: 'C', tagId: plain },
      ],
    })
    const { rows } = await own.app.database.client.execute("SELECT id FROM media_items WHERE title IN ('Gone', 'Two\nlines') ORDER BY id")
    const assign = (source: 'ai' | 'import', tagIds: number[]) =>
      own.app.deps.write.transaction((tx) =>
        assignTags(tx, { itemIds: rows.map((row) => Number(row.id)), tagIds, source, createdBy: null }),
      )
    await assign('ai', [plain])
    await assign('import', [abc])
    await own.app.database.client.execute({ sql: 'UPDATE media_items SET missing_since = 5 WHERE item_key = ?', args: [gone] })
  }

  test('imports to the same state elsewhere, and changes nothing where it comes from', async () => {
    await using from = await startTaggedApp()
    await fill(from)
    const response = await from.admin.fetch('/api/tags/export')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="vitrine-tags.json"')
    const text = await response.text()
    const file = JSON.parse(text)
    expect(file.categories).toContainEqual({ name: 'Empty', color: '#123', tags: [] })

    const before = await state(from)
    const again = await from.admin.fetch('/api/tags/import', {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json' },
    })
    expect(await again.json()).toEqual(report({ unchanged: 5 + 8 }).body)
    expect(await state(from)).toEqual(before)

    await using to = await startTaggedApp()
    await to.film('One "quoted"')
    await to.game('Two\nlines')
    await to.film('Gone')
    const { body } = await send(text, 'application/json', '', to.admin)
    expect(body).toEqual(report({ createdCategories: 3, createdTags: 5, createdMappings: 2, assigned: 8 }).body)
    expect(await state(to)).toEqual(before)
    expect(await (await to.admin.fetch('/api/tags/export')).json()).toEqual(file)
  })

  test('holds no item that somebody may not see, and can hold one library alone', async () => {
    await using own = await startTaggedApp()
    await fill(own)
    const keys = async (client: HttpClient, query = ''): Promise<string[]> => {
      const file = (await client.get(`/api/tags/export${query}`)).body
      const { ai, import: imported } = file.sources
      return [...file.assignments, ...ai, ...imported].map(({ itemKey }: Json) => itemKey.split(':')[1])
    }
    const films = await own.app.as('films only', { libraryIds: [FILMS] })
    expect(new Set(await keys(own.admin))).toEqual(new Set(['1', '2']))
    expect(new Set(await keys(films))).toEqual(new Set(['1']))
    expect(new Set(await keys(own.admin, '?libraryId=2'))).toEqual(new Set(['2']))
    expect((await films.get('/api/tags/export', { libraryId: 2 })).status).toBe(404)
  })
})
