import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { tags } from '../../src/db/schema/tags.ts'
import type { Deps } from '../../src/deps.ts'
import { assignTags } from '../../src/services/tag-assignments.ts'
import { addTagMapping } from '../../src/services/tag-mappings.ts'
import { mergeTagCategories } from '../../src/services/tag-merge.ts'
import { loadVocabulary } from '../../src/services/tag-names.ts'
import type { Json } from '../support/http-client.ts'
import { startTaggedApp, type TaggedApp } from '../support/tagged-app.ts'

/** API.md, 8: tags and categories that become one. A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

let scene: TaggedApp
beforeAll(async () => {
  scene = await startTaggedApp()
})
afterAll(() => scene[Symbol.asyncDispose]())

const mergeTag = (id: number, body: Json) => scene.admin.post(`/api/tags/items/${id}/merge`, body)
const mergeCategory = (id: number, body: Json) => scene.admin.post(`/api/tags/categories/${id}/merge`, body)
const problem = ({ status, body }: { status: number; body: Json }) => [status, body.code]
const mappings = async (): Promise<string[]> =>
  (await scene.admin.get('/api/tags/mappings')).body.mappings.map(
    ({ source, categoryName, tagName }: Json) => `${source} -> ${categoryName}/${tagName}`,
  )
const mappingsOf = async (id: number): Promise<Json[]> =>
  (await scene.admin.get('/api/tags/mappings')).body.mappings.filter(({ tagId }: Json) => tagId === id)
const assignByAi = async (itemKey: string, tagId: number): Promise<number> => {
  const { rows } = await scene.app.database.client.execute({ sql: 'SELECT id FROM media_items WHERE item_key = ?', args: [itemKey] })
  const itemIds = [Number(rows[0]?.id)]
  return scene.app.deps.write.transaction((tx) => assignTags(tx, { itemIds, tagIds: [tagId], source: 'ai', createdBy: null }))
}

describe('refused is a merge', () => {
  test('with itself, and with what does not exist', async () => {
    const [tag, category] = [await scene.tag('Refused/Tag'), await scene.category('Refused')]
    expect(problem(await mergeTag(tag, { intoTagId: tag }))).toEqual([400, 'invalid_request'])
    expect(problem(await mergeCategory(category, { intoCategoryId: category }))).toEqual([400, 'invalid_request'])
    for (const answer of [
      await mergeTag(tag, { intoTagId: 9999 }),
      await mergeTag(9999, { intoTagId: tag }),
      await mergeCategory(category, { intoCategoryId: 9999 }),
      await mergeCategory(9999, { intoCategoryId: category }),
    ])
      expect(problem(answer)).toEqual([404, 'not_found'])
    expect(await scene.usage({ categoryId: category })).toEqual(['Refused/Tag: 0'])
  })
})

describe('a tag merged into another', () => {
  test('is told before it is done, and then no assignment is lost or doubled, and its name stands for the other', async () => {
    const [from, into] = [await scene.tag('Genre/Horror'), await scene.tag('Genre/Scary')]
    const [first, both, second] = [await scene.film('first'), await scene.film('both'), await scene.film('second')]
    await scene.assign(first, from)
    await scene.assign(both, from, into)
    await scene.assign(second, into)
    const count = { moved: 1, merged: 1 }
    const tag = { id: into, name: 'Scary', categoryId: await scene.category('Genre'), categoryName: 'Genre', color: null }
    expect((await mergeTag(from, { intoTagId: into, dryRun: true })).body).toEqual({ ...count, tag: { ...tag, usage: 2 } })
    expect(await scene.tagsOf(both)).toEqual(['Genre/Horror (user)', 'Genre/Scary (user)'])
    expect((await mergeTag(from, { intoTagId: into })).body).toEqual({ ...count, tag: { ...tag, usage: 3 } })
    for (const itemKey of [first, both, second]) expect(await scene.tagsOf(itemKey)).toEqual(['Genre/Scary (user)'])
    expect(await scene.usage({ categoryId: tag.categoryId })).toEqual(['Genre/Scary: 3'])
    expect(await mappings()).toEqual(['Horror -> Genre/Scary'])
    expect(problem(await mergeTag(from, { intoTagId: into }))).toEqual([404, 'not_found'])
  })

  test('gives its other names on, and of several categories also the place where it was', async () => {
    const [a, b, c] = [await scene.tag('Chain/A'), await scene.tag('Chain/B'), await scene.tag('Elsewhere/C')]
    await scene.admin.put('/api/tags/mappings', { mappings: [{ source: 'Old a', tagId: a }] })
    await mergeTag(a, { intoTagId: b })
    expect(await mappings()).toEqual(['A -> Chain/B', 'Old a -> Chain/B'])
    await mergeTag(b, { intoTagId: c })
    const names = ['A', 'B', 'Chain/A', 'Chain/B', 'Chain/Old a', 'Old a']
    expect(await mappings()).toEqual(names.map((name) => `${name} -> Elsewhere/C`))
    const texts = ['a', 'B', 'chain/b', 'OLD  A', 'Elsewhere/C', 'elsewhere / c', 'Elsewhere/Old a', 'Chain/A', 'chain/old a', 'nothing']
    const { resolve } = await loadVocabulary(scene.app.deps.db)
    expect(texts.map(resolve)).toEqual([...texts.slice(0, 9).map(() => ({ tagId: c })), 'unknown'])
  })

  test('and then another, in other categories each time, is still meant by every place that its names had', async () => {
    const create = async (categoryName: string, name: string): Promise<number> =>
      (await scene.admin.post('/api/tags/items', { name, categoryId: await scene.category(categoryName) })).body.tag.id
    const [old, mid, end, last] = [
      await create('Way/1', 'Over/Old'),
      await create('Way/1', 'Mid'),
      await create('Way 2', 'End'),
      await create('Way 3', 'Last'),
    ]
    const taken = await create('Way 3', 'Taken')
    await scene.admin.put('/api/tags/mappings', { mappings: [{ source: 'WAY/1/OVER/OLD', tagId: taken }] })
    await mergeTag(old, { intoTagId: mid })
    await mergeTag(mid, { intoTagId: end })
    expect(await mappings()).toEqual([
      'Mid -> Way 2/End',
      'Over/Old -> Way 2/End',
      'Way/1/Mid -> Way 2/End',
      // What somebody has decided stays.
      'WAY/1/OVER/OLD -> Way 3/Taken',
    ])
    await scene.admin.put('/api/tags/mappings', { mappings: (await mappingsOf(end)).concat({ source: 'Way/1/Over/Old', tagId: end }) })
    await mergeTag(end, { intoTagId: last })
    const names = ['End', 'Mid', 'Over/Old', 'Way 2/End', 'Way 2/Mid', 'Way 2/Over/Old', 'Way/1/Mid', 'Way/1/Over/Old']
    expect(await mappings()).toEqual(names.map((name) => `${name} -> Way 3/Last`))
    const categories = [
      { name: 'Way/1', tags: [{ name: 'Over/Old' }, { name: 'Mid' }] },
      { name: 'Way 2', tags: [{ name: 'End' }, { name: 'Over/Old' }] },
    ]
    expect((await scene.admin.post('/api/tags/import', { categories })).body).toMatchObject({ createdTags: 0, unchanged: 4 })
  })

  test('takes along what is given to it in that very moment: another name, with its place, and a name of its own', async () => {
    const [from, into] = [await scene.tag('Moment/Old'), await scene.tag('Other moment/New')]
    const gate = Promise.withResolvers<void>()
    const meanwhile = scene.app.deps.write.transaction(async (tx) => {
      await gate.promise
      await addTagMapping(tx, { source: 'Late name', tagId: from })
      await tx.update(tags).set({ name: 'Renamed', nameKey: 'renamed' }).where(eq(tags.id, from))
    })
    const merged = mergeTag(from, { intoTagId: into })
    // It has read what it reads before its turn.
    await Bun.sleep(300)
    gate.resolve()
    await meanwhile
    expect((await merged).status).toBe(200)
    expect((await mappingsOf(into)).map(({ source }) => source)).toEqual(['Late name', 'Moment/Late name', 'Moment/Renamed', 'Renamed'])
  })

  test('is found by the name that is gone, in any case, also by a part of it and by a further merge', async () => {
    const [a, b, c] = [await scene.tag('Found/Holiday'), await scene.tag('Found/Vacation'), await scene.tag('Found/My holiday at sea')]
    const categoryId = await scene.category('Found')
    const find = async (q: string | undefined, more: Json = {}): Promise<string[]> =>
      (await scene.admin.get('/api/tags/items', { categoryId, q, ...more })).body.tags.map(
        ({ name, alias }: Json) => `${name} (${alias ?? ''})`,
      )
    await mergeTag(a, { intoTagId: b })
    expect(await find(' HOLIday')).toEqual(['My holiday at sea ()', 'Vacation (Holiday)'])
    expect(await find('holid', { sort: 'usage' })).toEqual(['My holiday at sea ()', 'Vacation (Holiday)'])
    expect(await find('ACATIO')).toEqual(['Vacation ()'])
    expect(await find(undefined)).toEqual(['My holiday at sea ()', 'Vacation ()'])
    expect(await find('holidays')).toEqual([])
    const { body } = await scene.admin.get('/api/tags/items', { categoryId, q: 'holiday', limit: 1 })
    expect([body.total, await find('holiday', { limit: 1, cursor: body.nextCursor })]).toEqual([2, ['Vacation (Holiday)']])
    await mergeTag(b, { intoTagId: c })
    // Its own name has both, and is what was asked for in neither.
    expect([await find('holiday'), await find('holi'), await find('vacat')]).toEqual([
      ['My holiday at sea (Holiday)'],
      ['My holiday at sea ()'],
      ['My holiday at sea (Vacation)'],
    ])
    const { tags } = (await scene.admin.get('/api/tags/items', { q: 'holiday', categoryId })).body
    expect((await scene.admin.patch(`/api/tags/items/${c}`, tags[0])).status).toBe(200)
  })

  test('keeps the better source of two, and what people refused of it', async () => {
    const [from, into] = [await scene.tag('Sources/From'), await scene.tag('Sources/Into')]
    const [better, worse, refused, wanted] = await Promise.all(['better', 'worse', 'refused', 'wanted'].map(scene.film))
    if (!better || !worse || !refused || !wanted) throw new Error('A film is missing')
    await assignByAi(better, into)
    await scene.assign(better, from)
    await assignByAi(worse, from)
    await scene.assign(worse, into)
    for (const itemKey of [refused, wanted]) {
      await assignByAi(itemKey, from)
      await scene.admin.delete('/api/tags/assignments', { itemKey, tagId: from })
    }
    await assignByAi(wanted, into)
    await mergeTag(from, { intoTagId: into })
    expect([await scene.tagsOf(better), await scene.tagsOf(worse)]).toEqual([['Sources/Into (user)'], ['Sources/Into (user)']])
    expect([await assignByAi(refused, into), await scene.tagsOf(refused)]).toEqual([0, []])
    expect(await scene.tagsOf(wanted)).toEqual(['Sources/Into (ai)'])
  })

  test('with thousands of assignments moves in several transactions', async () => {
    const [from, into] = [await scene.tag('Thousands/From'), await scene.tag('Thousands/Into')]
    const { client } = scene.app.database
    await client.batch([
      `INSERT INTO media_items (item_key, library_id, item_type, path, title)
        SELECT 'movie:1:thousands ' || value, 1, 'movie', value, value FROM generate_series(1, 5000)`,
      `INSERT INTO item_tags (tag_id, item_id) SELECT ${from}, id FROM media_items WHERE item_key LIKE 'movie:1:thousands %'`,
      `INSERT INTO item_tags (tag_id, item_id) SELECT ${into}, id FROM media_items WHERE item_key LIKE 'movie:1:thousands %1'`,
    ])
    expect((await mergeTag(from, { intoTagId: into })).body).toMatchObject({ moved: 4500, merged: 500 })
    expect(await scene.usage({ categoryId: await scene.category('Thousands') })).toEqual(['Thousands/Into: 5000'])
  })
})

test('two tags merged into each other at once, with thousands of assignments each, become one', async () => {
  const [one, other] = [await scene.tag('Mutual/One'), await scene.tag('Mutual/Other')]
  const { client } = scene.app.database
  await client.batch([
    `INSERT INTO media_items (item_key, library_id, item_type, path, title)
      SELECT 'movie:1:mutual ' || value, 1, 'movie', value, value FROM generate_series(1, 16000)`,
    `INSERT INTO item_tags (tag_id, item_id) SELECT iif(id % 2, ${one}, ${other}), id FROM media_items WHERE item_key LIKE 'movie:1:mutual %'`,
  ])
  const answers = await Promise.all([mergeTag(one, { intoTagId: other }), mergeTag(other, { intoTagId: one })])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  expect(await scene.usage({ categoryId: await scene.category('Mutual') })).toEqual([
    expect.stringMatching(/^Mutual\/(?:One|Other): 16000$/),
  ])
})

describe('a category merged into another', () => {
  /** For whom somebody else does this first, once what is to be written has been read. */
  const overtakenBy = (work: () => Promise<unknown>): Deps => {
    const { deps } = scene.app
    let done: Promise<unknown> | undefined
    const transaction: typeof deps.write.transaction = async (...given) => {
      done ??= work()
      await done
      return deps.write.transaction(...given)
    }
    return { ...deps, write: { ...deps.write, transaction } }
  }

  test("is gone; the target's tags stay with their ids, and no assignment is lost or doubled", async () => {
    const [same, other] = [await scene.tag('Old/Same'), await scene.tag('Old/Other')]
    const [target, untouched] = [await scene.tag('New/SAME'), await scene.tag('New/Untouched')]
    const [one, both] = [await scene.film('one'), await scene.film('of both')]
    await scene.assign(one, same, other)
    await scene.assign(both, same, target, untouched)
    await scene.admin.put('/api/tags/mappings', { mappings: [{ source: 'Like same', tagId: same }] })
    const [from, into] = [await scene.category('Old'), await scene.category('New')]
    const count = { movedTags: 1, mergedTags: 1 }
    expect((await mergeCategory(from, { intoCategoryId: into, dryRun: true })).body).toEqual(count)
    expect((await mergeCategory(from, { intoCategoryId: into })).body).toEqual(count)
    expect(await scene.tagsOf(one)).toEqual(['New/Other (user)', 'New/SAME (user)'])
    expect(await scene.tagsOf(both)).toEqual(['New/SAME (user)', 'New/Untouched (user)'])
    const { tags } = (await scene.admin.get('/api/tags/items', { categoryId: into })).body
    expect(tags.map(({ id }: Json) => id)).toEqual([other, target, untouched])
    expect(problem(await mergeCategory(from, { intoCategoryId: into }))).toEqual([404, 'not_found'])
    expect(await mappings()).toEqual(['Like same -> New/SAME'])
  })

  test('takes along a tag of the same name that is added to either in that very moment', async () => {
    const [twice, item] = [await scene.tag('Late/Twice'), await scene.film('late')]
    await scene.assign(item, twice)
    const [from, into] = [await scene.category('Late'), await scene.category('Into')]
    const meanwhile = overtakenBy(() => scene.tag('Into/TWICE'))
    expect(await mergeTagCategories(meanwhile, { id: from, intoCategoryId: into })).toEqual({ movedTags: 0, mergedTags: 1 })
    expect(await scene.tagsOf(item)).toEqual(['Into/TWICE (user)'])
  })

  test('leaves a tag that somebody renames in that very moment what it is', async () => {
    for (const name of ['Many/First', 'Few/First', 'Few/Second']) await scene.tag(name)
    const [renamed, item] = [await scene.tag('Many/Second'), await scene.film('renamed')]
    await scene.assign(item, renamed)
    const { write } = scene.app.deps
    const batch: Deps['write']['batch'] = async (...given) => {
      const results = await write.batch(...given)
      await scene.admin.patch(`/api/tags/items/${renamed}`, { name: 'Third' })
      return results
    }
    const meanwhile = { ...scene.app.deps, write: { ...write, batch } }
    const [id, intoCategoryId] = [await scene.category('Many'), await scene.category('Few')]
    expect(await mergeTagCategories(meanwhile, { id, intoCategoryId })).toEqual({ movedTags: 1, mergedTags: 1 })
    expect(await scene.tagsOf(item)).toEqual(['Few/Third (user)'])
  })

  test('that somebody else merges into another one in that very moment is gone', async () => {
    await scene.tag('Wanted/By both')
    const [from, first, second] = [await scene.category('Wanted'), await scene.category('First'), await scene.category('Second')]
    const meanwhile = overtakenBy(() => mergeCategory(from, { intoCategoryId: first }))
    await expect(mergeTagCategories(meanwhile, { id: from, intoCategoryId: second })).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('the places of long names that a merge leaves can be given back, and go along with an export', async () => {
  const [long, other] = ['n'.repeat(100), 'o'.repeat(100)]
  const [from, into] = [await scene.tag(`${other}/${long}`), await scene.tag('Short/Short one')]
  await mergeTag(from, { intoTagId: into })
  expect((await mappingsOf(into)).map(({ source }) => source)).toContain(`${other}/${long}`)
  const { mappings: all } = (await scene.admin.get('/api/tags/mappings')).body
  const given = all.map(({ source, tagId }: Json) => ({ source, tagId }))
  expect((await scene.admin.put('/api/tags/mappings', { mappings: given })).body.mappings).toEqual(all)
  const exported = (await scene.admin.get('/api/tags/export')).body
  await scene.admin.put('/api/tags/mappings', { mappings: [] })
  expect((await scene.admin.post('/api/tags/import', exported)).body.skipped).toEqual([])
  expect((await mappingsOf(into)).map(({ source }) => source)).toContain(`${other}/${long}`)
  const tooLong = { mappings: [{ source: `${other}/${long}/${long}/${long}`, tagId: into }] }
  expect(problem(await scene.admin.put('/api/tags/mappings', tooLong))).toEqual([400, 'invalid_request'])
})

test('with each merge come its own places and no more, also where categories are renamed in between', async () => {
  await scene.admin.put('/api/tags/mappings', { mappings: [] })
  const letters = [...'abcdef']
  const ids: number[] = []
  for (const letter of letters) ids.push(await scene.tag(`${letter.repeat(100)}/${letter}`))
  const [first = 0, ...others] = ids
  await scene.admin.put('/api/tags/mappings', { mappings: [{ source: `x/${'y'.repeat(300)}`, tagId: first }] })
  let from = first
  for (const [index, into] of others.entries()) {
    expect((await mergeTag(from, { intoTagId: into })).status).toBe(200)
    const categoryId = await scene.category(letters[index]?.repeat(100) ?? '')
    await scene.admin.patch(`/api/tags/categories/${categoryId}`, { name: `Renamed ${index}` })
    from = into
  }
  const { mappings: all } = (await scene.admin.get('/api/tags/mappings')).body
  // Five names, each in every category that it has been in, and the one that is too long for a place.
  expect(all.map(({ source }: Json) => source).toSorted()).toEqual(
    letters
      .slice(0, -1)
      .flatMap((letter, index) => [letter, ...letters.slice(index, -1).map((category) => `${category.repeat(100)}/${letter}`)])
      .concat(`x/${'y'.repeat(300)}`)
      .toSorted(),
  )
  expect((await scene.admin.put('/api/tags/mappings', { mappings: all })).body.mappings).toEqual(all)
})

test('a longer place, which an earlier version left, can be given back and no other', async () => {
  const into = await scene.tag('Longer/Longer one')
  const old = `${'c'.repeat(100)}/${'d'.repeat(100)}/${'e'.repeat(100)}/f`
  await scene.app.database.client.execute({
    sql: 'INSERT INTO tag_mappings (source_key, source, tag_id) VALUES (?, ?, ?)',
    args: [old, old, into],
  })
  const { mappings: all } = (await scene.admin.get('/api/tags/mappings')).body
  const put = (mappings: Json[]) => scene.admin.put('/api/tags/mappings', { mappings })
  const more = { source: 'One more', tagId: into }
  expect(problem(await put([...all, more, { source: `${old}g`, tagId: into }]))).toEqual([400, 'invalid_request'])
  expect(await put([...all, more])).toMatchObject({
    status: 200,
    body: { mappings: expect.arrayContaining([expect.objectContaining(more)]) },
  })
  expect((await mappingsOf(into)).map(({ source }) => source)).toContain(old)
  expect((await put([more])).status).toBe(200)
  expect(problem(await put([...all, more]))).toEqual([400, 'invalid_request'])
})
