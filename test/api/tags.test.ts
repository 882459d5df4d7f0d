import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Json } from '../support/http-client.ts'
import { FILMS, GAMES, startTaggedApp, type TaggedApp } from '../support/tagged-app.ts'

/** API.md, 8: categories and tags. A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

let scene: TaggedApp
beforeAll(async () => {
  scene = await startTaggedApp()
})
afterAll(() => scene[Symbol.asyncDispose]())

const post = (path: string, body: unknown) => scene.admin.post(`/api/tags/${path}`, body)
const problem = ({ status, body }: { status: number; body: Json }) => [status, body.code]

describe('a name is refused', () => {
  const BAD = ['', '   ', '\u00a0', 'x'.repeat(101), 'a\nb', 'a\tb', 'a\u0000b', 'a\u007fb', 'a\u0085b', '\u2028', '\ud800']
  for (const name of BAD)
    test(`${JSON.stringify(name.slice(0, 20))}, of a category, a tag or a mapping`, async () => {
      const categoryId = await scene.category('Names')
      const tagId = (await post('items', { name: `t${BAD.indexOf(name)}`, categoryId })).body.tag.id
      const answers = [
        await post('categories', { name }),
        await post('items', { name, categoryId }),
        await scene.admin.patch(`/api/tags/categories/${categoryId}`, { name }),
        await scene.admin.patch(`/api/tags/items/${tagId}`, { name }),
        await scene.admin.put('/api/tags/mappings', { mappings: [{ source: name, tagId }] }),
      ]
      expect(answers.map(problem)).toEqual(answers.map(() => [400, 'invalid_request']))
    })

  test('that another one of its kind has, whatever the case and the spelling of its letters', async () => {
    const pairs = [
      ['Größe', 'GRÖSSE'],
      ['Café', 'CAFE\u0301'],
      ['ΟΔΟΣ', 'οδος'],
      ['ﬁlm', 'FILM'],
      ['İzmir', 'i̇zmir'],
    ]
    for (const [first, second] of pairs) {
      const { category } = (await post('categories', { name: first })).body
      expect([second, ...problem(await post('categories', { name: ` ${second} ` }))]).toEqual([second, 409, 'duplicate_name'])
      const { tag } = (await post('items', { name: first, categoryId: category.id })).body
      const other = (await post('items', { name: 'Other', categoryId: category.id })).body.tag
      expect([second, ...problem(await post('items', { name: second, categoryId: category.id }))]).toEqual([second, 409, 'duplicate_name'])
      expect(problem(await scene.admin.patch(`/api/tags/items/${other.id}`, { name: second }))).toEqual([409, 'duplicate_name'])
      expect((await scene.admin.patch(`/api/tags/items/${tag.id}`, { name: second })).status).toBe(200)
    }
  })

  test('but not for what only looks alike: accents, dots and the name of a tag of another category', async () => {
    for (const name of ['Resume', 'Résumé', 'sıcak', 'sicak'])
      expect([name, (await post('categories', { name })).status]).toEqual([name, 201])
    const [one, two] = [await scene.category('One'), await scene.category('Two')]
    for (const categoryId of [one, two]) expect((await post('items', { name: 'Same', categoryId })).status).toBe(201)
  })
})

describe('refused as well', () => {
  test('is a colour that is none', async () => {
    for (const color of ['red', '#ff', '#gggggg', '#ff0000;', 'url(x)', 7])
      expect([color, (await post('categories', { name: `Colour ${color}`, color })).status]).toEqual([color, 400])
  })

  test('is a category, a tag or an item that does not exist', async () => {
    const tagId = await scene.tag('Refused/Here')
    const { admin } = scene
    const answers = [
      await post('items', { name: 'x', categoryId: 9999 }),
      await admin.patch(`/api/tags/items/${tagId}`, { categoryId: 9999 }),
      await admin.patch('/api/tags/items/9999', { name: 'x' }),
      await admin.delete('/api/tags/items/9999'),
      await admin.get('/api/tags/items/9999/delete-plan'),
      await admin.patch('/api/tags/categories/9999', { name: 'x' }),
      await admin.delete('/api/tags/categories/9999'),
      await admin.get('/api/tags/categories/9999/delete-plan'),
      await post('items', { name: 'x', categoryId: await scene.category('Refused'), itemKey: 'movie:1:None' }),
      await admin.get('/api/tags/categories', { libraryId: 9999 }),
      await admin.get('/api/tags/items', { libraryId: 9999 }),
    ]
    expect(answers.map(problem)).toEqual(answers.map(() => [404, 'not_found']))
    expect(await scene.usage({ q: 'x', categoryId: await scene.category('Refused') })).toEqual([])
  })

  test('is putting a new tag on an item without the permission to tag, and then there is no such tag', async () => {
    const may = await scene.app.as('only manages', { permissions: { tag: false } })
    const categoryId = await scene.category('Inline')
    const itemKey = await scene.film('Inline')
    expect(problem(await may.post('/api/tags/items', { name: 'Put', categoryId, itemKey }))).toEqual([403, 'forbidden'])
    expect(await scene.usage({ categoryId })).toEqual([])
    expect((await may.post('/api/tags/items', { name: 'Put', categoryId })).status).toBe(201)
  })
})

describe('a category', () => {
  test('keeps its name trimmed, and its colour; both can change, and the colour can go', async () => {
    const { body } = await post('categories', { name: '  Mood ', color: '#AbCdEf' })
    const { id } = body.category
    expect(body).toEqual({ category: { id, name: 'Mood', color: '#AbCdEf', tagCount: 0 } })
    const patch = async (change: Json) => (await scene.admin.patch(`/api/tags/categories/${id}`, change)).body.category
    expect(await patch({ name: ' Feeling' })).toEqual({ id, name: 'Feeling', color: '#AbCdEf', tagCount: 0 })
    expect(await patch({ color: null })).toEqual({ id, name: 'Feeling', color: null, tagCount: 0 })
    expect(await patch({ id: 7, name: 'FEELING', color: '#123', tagCount: 9 })).toEqual({ id, name: 'FEELING', color: '#123', tagCount: 0 })
  })

  test('goes with its tags, their assignments and their other names, and with nothing else', async () => {
    const [gone, alsoGone, stays] = [await scene.tag('Going/A'), await scene.tag('Going/B'), await scene.tag('Staying/A')]
    const itemKey = await scene.film('Carrier')
    await scene.assign(itemKey, gone, alsoGone, stays)
    await scene.admin.put('/api/tags/mappings', {
      mappings: [
        { source: 'Old a', tagId: gone },
        { source: 'Stay', tagId: stays },
      ],
    })
    const id = await scene.category('Going')
    expect((await scene.admin.get(`/api/tags/categories/${id}/delete-plan`)).body).toEqual({ tags: 2, assignments: 2, mappings: 1 })
    expect((await scene.admin.delete(`/api/tags/categories/${id}`)).status).toBe(204)
    expect(await scene.tagsOf(itemKey)).toEqual(['Staying/A (user)'])
    expect((await scene.admin.get('/api/tags/mappings')).body.mappings).toEqual([
      { source: 'Stay', tagId: stays, tagName: 'A', categoryName: 'Staying' },
    ])
    const { rows } = await scene.app.database.client.execute({
      sql: 'SELECT * FROM item_tags WHERE tag_id IN (?, ?)',
      args: [gone, alsoGone],
    })
    expect(rows).toEqual([])
  })
})

describe('a tag', () => {
  test('made while an item is tagged is on that item at once', async () => {
    const itemKey = await scene.film('Tagged at once')
    const { status, body } = await post('items', { name: ' New one ', categoryId: await scene.category('At once'), itemKey })
    expect(status).toBe(201)
    expect(body.tag).toEqual({
      id: expect.any(Number),
      name: 'New one',
      categoryId: await scene.category('At once'),
      categoryName: 'At once',
      color: null,
      usage: 1,
    })
    expect((await scene.admin.get('/api/tags/items', { categoryId: body.tag.categoryId })).body.tags).toEqual([
      { ...body.tag, onlyLibraryId: FILMS },
    ])
    expect(await scene.tagsOf(itemKey)).toEqual(['At once/New one (user)'])
  })

  test('can be renamed and moved, and keeps what it is on', async () => {
    const id = await scene.tag('From here/Moving')
    const categoryId = await scene.category('To there')
    const itemKey = await scene.film('Moved')
    await scene.assign(itemKey, id)
    const { body } = await scene.admin.patch(`/api/tags/items/${id}`, { name: 'Moved', categoryId, usage: 5, color: 'x', id: 1 })
    expect(body.tag).toEqual({ id, name: 'Moved', categoryId, categoryName: 'To there', color: null, usage: 1 })
    expect(await scene.tagsOf(itemKey)).toEqual(['To there/Moved (user)'])
    await post('items', { name: 'Moved', categoryId: await scene.category('From here') })
    expect(problem(await scene.admin.patch(`/api/tags/items/${id}`, { categoryId: await scene.category('From here') }))).toEqual([
      409,
      'duplicate_name',
    ])
  })

  test('goes with its assignments; the plan says how many before', async () => {
    const [id, other] = [await scene.tag('Deleted/One'), await scene.tag('Deleted/Two')]
    for (const name of ['x', 'y']) await scene.assign(await scene.film(name), id, other)
    expect((await scene.admin.get(`/api/tags/items/${id}/delete-plan`)).body).toEqual({ tags: 1, assignments: 2, mappings: 0 })
    expect((await scene.admin.delete(`/api/tags/items/${id}`)).status).toBe(204)
    expect(problem(await scene.admin.delete(`/api/tags/items/${id}`))).toEqual([404, 'not_found'])
    expect(await scene.tagsOf(await scene.film('x'))).toEqual(['Deleted/Two (user)'])
  })
})

describe('the list of tags', () => {
  let categoryId: number
  beforeAll(async () => {
    for (const [name, films, games] of [
      ['often', 3, 0],
      ['Beta', 1, 1],
      ['alpha', 2, 0],
      ['100%', 0, 0],
      ['1000', 0, 0],
      ['a_b', 0, 0],
      ['axb', 0, 0],
    ] as const) {
      const id = await scene.tag(`Listed/${name}`)
      for (let index = 0; index < films; index++) await scene.assign(await scene.film(`listed ${index}`), id)
      for (let index = 0; index < games; index++) await scene.assign(await scene.game(`listed ${index}`), id)
    }
    categoryId = await scene.category('Listed')
  })

  test('comes by name, or with the most used first and then by name', async () => {
    expect(await scene.usage({ categoryId })).toEqual(
      ['100%: 0', '1000: 0', 'a_b: 0', 'alpha: 2', 'axb: 0', 'Beta: 2', 'often: 3'].map((line) => `Listed/${line}`),
    )
    expect(await scene.usage({ categoryId, sort: 'usage' })).toEqual(
      ['often: 3', 'alpha: 2', 'Beta: 2', '100%: 0', '1000: 0', 'a_b: 0', 'axb: 0'].map((line) => `Listed/${line}`),
    )
  })

  test('comes in natural order, as do categories, also of a library and where it is renamed or imported', async () => {
    const films = (await scene.admin.get('/api/browse', { libraryId: FILMS })).body.entries
    const names = ['Zoo', 'Ärger', 'Chapter 10', 'A cappella', 'Chapter 2', 'zoo 2']
    const inOrder = ['A cappella', 'Ärger', 'Chapter 2', 'Chapter 10', 'Zoo', 'zoo 2']
    const ids: number[] = []
    for (const name of names) ids.push(await scene.tag(`${name}/only`))
    for (const name of names.slice(0, 3)) ids.push(await scene.tag(`Zoo/${name}`))
    await scene.admin.patch(`/api/tags/items/${await scene.tag('Zoo/to be renamed')}`, { name: 'Chapter 2' })
    const categories = [{ name: 'Zoo', tags: [{ name: 'zoo 2' }, { name: 'A cappella' }] }]
    expect((await scene.admin.post('/api/tags/import', { categories })).status).toBe(200)
    await scene.assign(films[0].itemKey, ...ids)

    const ofThese = (found: Json[]) => found.map(({ name }) => name).filter((name) => names.includes(name))
    expect(ofThese((await scene.admin.get('/api/tags/categories')).body.categories)).toEqual(inOrder)
    expect(ofThese((await scene.admin.get('/api/tags/categories', { libraryId: FILMS })).body.categories)).toEqual(inOrder)
    expect(ofThese((await scene.admin.get('/api/facets', { libraryId: FILMS })).body.categories)).toEqual(inOrder)
    const zoo = await scene.category('Zoo')
    for (const sort of ['name', 'usage']) {
      const { tags } = (await scene.admin.get('/api/tags/items', { categoryId: zoo, sort })).body
      const used = sort === 'usage' ? ['Ärger', 'Chapter 10', 'Zoo', 'A cappella', 'Chapter 2', 'zoo 2'] : inOrder
      expect(ofThese(tags)).toEqual(used)
    }
    for (const name of names) await scene.admin.delete(`/api/tags/categories/${await scene.category(name)}`)
  })

  test('finds by any part of the name, in any case; % and _ are letters', async () => {
    for (const [q, found] of [
      ['ALPH', ['alpha: 2']],
      ['0%', ['100%: 0']],
      ['_', ['a_b: 0']],
      ['none', []],
      ["'", []],
    ] as const)
      expect([q, await scene.usage({ categoryId, q })]).toEqual([q, found.map((line) => `Listed/${line}`)])
  })

  test('comes in pages that hold every tag once, with the total on each', async () => {
    const whole = await scene.usage({ sort: 'usage', limit: 500 })
    for (const [sort, limit] of [
      ['usage', 1],
      ['usage', 3],
      ['name', 2],
    ] as const) {
      const expected = sort === 'usage' ? whole : await scene.usage({ limit: 500 })
      const seen: string[] = []
      for (let cursor: string | undefined; ; ) {
        const { body } = await scene.admin.get('/api/tags/items', { sort, limit, cursor })
        expect([body.total, body.tags.length <= limit]).toEqual([whole.length, true])
        seen.push(...body.tags.map(({ categoryName, name, usage }: Json) => `${categoryName}/${name}: ${usage}`))
        if (body.nextCursor === null) break
        cursor = body.nextCursor
      }
      expect(seen).toEqual(expected)
    }
    const { nextCursor } = (await scene.admin.get('/api/tags/items', { sort: 'usage', limit: 1 })).body
    for (const other of [{ sort: 'name' }, { sort: 'usage', q: 'a' }, { sort: 'usage', libraryId: FILMS }])
      expect((await scene.admin.get('/api/tags/items', { ...other, cursor: nextCursor })).body.errors[0].path).toBe('cursor')
  })

  test('of one library counts there, and holds only what is used there', async () => {
    expect(await scene.usage({ categoryId, libraryId: GAMES })).toEqual(['Listed/Beta: 1'])
    expect(await scene.usage({ categoryId, libraryId: FILMS, sort: 'usage' })).toEqual([
      'Listed/often: 3',
      'Listed/alpha: 2',
      'Listed/Beta: 1',
    ])
    const { categories } = (await scene.admin.get('/api/tags/categories', { libraryId: GAMES })).body
    expect(categories).toEqual([{ id: categoryId, name: 'Listed', color: null, tagCount: 1 }])
  })

  test('finds a part of a name, or of another one, with or without accents, and the names stay as different as they are', async () => {
    const places = ['Accents/Komödie', 'Accents/Pokémon', 'Accents/Straße', 'Accents/Resume', 'Accents/Re\u0301sume\u0301']
    const id = await scene.category('Accents')
    const [comedy] = await Promise.all(places.map((place) => scene.tag(place)))
    const mappings = [{ source: 'Lustspiel für Größere', tagId: comedy }]
    expect((await scene.admin.put('/api/tags/mappings', { mappings })).status).toBe(200)
    const found = async (q: string): Promise<string[]> =>
      (await scene.admin.get('/api/tags/items', { categoryId: id, q, sort: 'name' })).body.tags.map(({ name }: Json) =>
        name.normalize('NFC'),
      )
    const finds: [q: string, names: string[]][] = [
      ['komo', ['Komödie']],
      ['KOMÖ', ['Komödie']],
      ['kömo', ['Komödie']],
      ['komo\u0308', ['Komödie']],
      ['pokemon', ['Pokémon']],
      ['STRASSE', ['Straße']],
      ['straß', ['Straße']],
      ['resume', ['Resume', 'Résumé']],
      ['résumé', ['Resume', 'Résumé']],
      ['fur grossere', ['Komödie']],
      ['komoe', []],
    ]
    for (const [q, names] of finds) expect([q, await found(q)]).toEqual([q, names])
    const { tags } = (await scene.admin.get('/api/tags/items', { categoryId: id, q: 'fur gross' })).body
    expect(tags[0].alias).toBe('Lustspiel für Größere')
    // As it is renamed, imported and merged.
    await scene.admin.patch(`/api/tags/items/${comedy}`, { name: 'Tragödie' })
    expect([await found('komo'), await found('tragod')]).toEqual([[], ['Tragödie']])
    const categories = [{ name: 'Accents', tags: [{ name: 'Épopée', aliases: ['Große Erzählung'] }] }]
    expect((await scene.admin.post('/api/tags/import', { categories })).status).toBe(200)
    expect([await found('epopee'), await found('grosse erz')]).toEqual([['Épopée'], ['Épopée']])
    const epic = (await scene.admin.get('/api/tags/items', { q: 'epopee' })).body.tags[0].id
    expect((await scene.admin.post(`/api/tags/items/${epic}/merge`, { intoTagId: comedy })).status).toBe(200)
    expect([await found('epopee'), await found('grosse erz')]).toEqual([['Tragödie'], ['Tragödie']])
    await scene.admin.put('/api/tags/mappings', { mappings: [] })
    await scene.admin.delete(`/api/tags/categories/${id}`)
  })

  test('counts what somebody may see, and nothing else', async () => {
    const films = await scene.app.as('films only', { libraryIds: [FILMS] })
    const nothing = await scene.app.as('nothing', { libraryIds: [] })
    expect(await scene.usage({ categoryId, q: 'Beta' }, films)).toEqual(['Listed/Beta: 1'])
    expect(await scene.usage({ categoryId, q: 'Beta' }, nothing)).toEqual(['Listed/Beta: 0'])
    expect(problem(await films.get('/api/tags/items', { libraryId: GAMES }))).toEqual([404, 'not_found'])
    expect(problem(await films.get('/api/tags/categories', { libraryId: GAMES }))).toEqual([404, 'not_found'])
    const id = (await scene.admin.get('/api/tags/items', { categoryId, q: 'Beta' })).body.tags[0].id
    expect((await films.get(`/api/tags/items/${id}/delete-plan`)).body.assignments).toBe(1)
    expect((await scene.admin.get(`/api/tags/items/${id}/delete-plan`)).body.assignments).toBe(2)
  })

  test('says which library has all the uses, where it is one that the person may see', async () => {
    const films = await scene.app.as('films alone', { libraryIds: [FILMS] })
    const libraryOf = async (q: string, person = scene.admin) =>
      (await person.get('/api/tags/items', { categoryId, q })).body.tags[0].onlyLibraryId
    expect([await libraryOf('often'), await libraryOf('Beta'), await libraryOf('Beta', films)]).toEqual([FILMS, undefined, FILMS])
    const [tag] = (await scene.admin.get('/api/tags/items', { categoryId, q: 'often' })).body.tags
    expect((await scene.admin.patch(`/api/tags/items/${tag.id}`, tag)).status).toBe(200)
  })

  test('does not count what is missing', async () => {
    const { client } = scene.app.database
    await client.execute("UPDATE media_items SET missing_since = 1 WHERE item_key = 'movie:1:listed 2'")
    expect(await scene.usage({ categoryId, q: 'often' })).toEqual(['Listed/often: 2'])
    await client.execute("UPDATE media_items SET missing_since = NULL WHERE item_key = 'movie:1:listed 2'")
    expect(await scene.usage({ categoryId, q: 'often' })).toEqual(['Listed/often: 3'])
  })
})

describe('mappings', () => {
  test('are replaced as a whole, and come back as they can be sent again', async () => {
    const id = await scene.tag('Mapped/Science fiction')
    const put = (mappings: unknown) => scene.admin.put('/api/tags/mappings', { mappings })
    const first = await put([
      { source: ' SF ', tagId: id },
      { source: 'Sci-Fi', tagId: id },
    ])
    expect(first.body.mappings.map(({ source }: Json) => source)).toEqual(['Sci-Fi', 'SF'])
    expect((await put(first.body.mappings)).body).toEqual(first.body)
    expect((await put([])).body).toEqual({ mappings: [] })
  })

  test('are refused where a name comes twice or a tag does not exist, and then all stay', async () => {
    const id = await scene.tag('Mapped/Kept')
    await scene.admin.put('/api/tags/mappings', { mappings: [{ source: 'Kept too', tagId: id }] })
    const bad = [
      { source: 'Twice', tagId: id },
      { source: 'TWICE', tagId: id },
      { source: 'Nowhere', tagId: 9999 },
    ]
    const { status, body } = await scene.admin.put('/api/tags/mappings', { mappings: bad })
    expect([status, body.errors]).toEqual([
      400,
      [
        { path: 'mappings.1.source', message: 'is the same name as mappings.0.source' },
        { path: 'mappings.2.tagId', message: 'There is no such tag' },
      ],
    ])
    expect((await scene.admin.get('/api/tags/mappings')).body.mappings.map(({ source }: Json) => source)).toEqual(['Kept too'])
  })

  test('are read up to the first that is wrong: a body of millions would hold everybody up', async () => {
    const { status, body } = await scene.admin.put('/api/tags/mappings', { mappings: [{ source: 'Fine', tagId: 1 }, {}, {}, {}] })
    expect([status, body.errors.map(({ path }: Json) => path)]).toEqual([400, ['mappings.1.source', 'mappings.1.tagId']])
  })
})
