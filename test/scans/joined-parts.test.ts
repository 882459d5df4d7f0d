import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeTag } from '../support/ai-scene.ts'
import { file, makeTree } from '../support/library-tree.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'

/**
 * What was an item of its own and is a part of another one now, because its files or the rules for names have changed: what
 * people put on it is seen on the whole, as the item itself is in no list any more.
 */

let scene: ScanScene

beforeAll(async () => {
  scene = await startScene({
    tv: { Show: { 'Season 1': { 'Show S01E03.mkv': 901, 'Show S01E03 Part 2.mkv': 902, 'Show S01E04.mkv': 903 } } },
    games: { Saga: { One: { 'one.zip': 701 }, Two: { 'two.zip': 702 } }, Other: { Three: { 'three.zip': 703 } } },
    manga: { Always: { 'Always v01.cbz': 904 } },
    movies: { Film: { '1080p': { 'f.mkv': 801 }, '2160p': { 'f.mkv': 802 } }, Saga: { 'One (2001)': { 'a.mkv': 803 } } },
  })
})
afterAll(() => scene[Symbol.asyncDispose]())

test('the tags of an episode that became the second part of another are on the whole', async () => {
  const keyOf = (name: string): string => `tv_episode:${scene.idOf('tv')}:Show/Season 1/${name}`
  const tagsOf = async (name: string): Promise<string[]> =>
    (await scene.admin.get('/api/tags/assignments', { itemKey: keyOf(name) })).body.tags.map((tag: { name: string }) => tag.name)
  const put = async (name: string, tagId: number): Promise<void> => {
    await scene.admin.put('/api/tags/assignments', { itemKey: keyOf(name), tagId })
  }
  const [both, second, refused] = [
    await makeTag(scene.admin, 'Both'),
    await makeTag(scene.admin, 'Second'),
    await makeTag(scene.admin, 'Refused'),
  ]
  await put('Show S01E03.mkv', both)
  for (const tagId of [both, second, refused]) await put('Show S01E03 Part 2.mkv', tagId)

  const season = join(scene.rootOf('tv'), 'Show/Season 1')
  renameSync(join(season, 'Show S01E03.mkv'), join(season, 'Show S01E03 Part 1.mkv'))
  expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 1, missing: 1 })
  expect((await tagsOf('Show S01E03 Part 1.mkv')).toSorted()).toEqual(['Both', 'Refused', 'Second'])
  expect(await tagsOf('Show S01E04.mkv')).toEqual([])

  // What somebody takes off stays off.
  await scene.admin.delete('/api/tags/assignments', { itemKey: keyOf('Show S01E03 Part 1.mkv'), tagId: refused })
  expect(await scene.scan('tv')).toMatchObject({ status: 'done' })
  expect((await tagsOf('Show S01E03 Part 1.mkv')).toSorted()).toEqual(['Both', 'Second'])
})

test('the tags of episodes that became extras of their series, and of their season, are on that', async () => {
  const { admin } = scene
  const root = scene.rootOf('tv')
  const keyOf = (type: string, path: string): string => `${type}:${scene.idOf('tv')}:${path}`
  makeTree(root, { Talks: { 'Season 1 Bonus': { 'Making "Of".mkv': 911, '02.mkv': 912 } } })
  expect(await scene.scan('tv')).toMatchObject({ status: 'done', added: 4 })
  for (const [key, name] of [
    [keyOf('tv_season', 'Talks/Season 1 Bonus'), 'Of season'],
    [keyOf('tv_episode', 'Talks/Season 1 Bonus/Making "Of".mkv'), 'Stays'],
    [keyOf('tv_episode', 'Talks/Season 1 Bonus/02.mkv'), 'Goes'],
  ] as const)
    await admin.put('/api/tags/assignments', { itemKey: key, tagId: await makeTag(admin, name) })

  rmSync(join(root, 'Talks/Season 1 Bonus/02.mkv'))
  makeTree(root, { Talks: { 'Season 2': { 'Talks S02E01.mkv': 913 } } })
  expect(await scene.scan('tv')).toMatchObject({ status: 'done', missing: 3 })
  const { body } = await admin.get('/api/tags/assignments', { itemKey: keyOf('tv_series', 'Talks') })
  expect(body.tags.map((tag: { name: string }) => tag.name).toSorted()).toEqual(['Of season', 'Stays'])
})

test('the tags of a series of games, and of its games, are on the game that its folder became', async () => {
  const { admin } = scene
  const keyOf = (type: string, path: string): string => `${type}:${scene.idOf('games')}:${path}`
  for (const [key, name] of [
    [keyOf('game_series', 'Saga'), 'Series'],
    [keyOf('game', 'Saga/One'), 'First'],
    [keyOf('game', 'Saga/Two'), 'Elsewhere'],
    [keyOf('game', 'Other/Three'), 'Third'],
  ] as const)
    await admin.put('/api/tags/assignments', { itemKey: key, tagId: await makeTag(admin, name) })

  const root = scene.rootOf('games')
  renameSync(join(root, 'Saga/Two'), join(root, 'Other/Two'))
  writeFileSync(join(root, 'Saga/saga.zip'), 'both of them')
  expect(await scene.scan('games')).toMatchObject({ status: 'done', added: 1, moved: 1, missing: 2 })
  const tags = async (key: string): Promise<string[]> =>
    (await admin.get('/api/tags/assignments', { itemKey: key })).body.tags.map((tag: { name: string }) => tag.name).toSorted()
  expect(await tags(keyOf('game', 'Saga'))).toEqual(['First', 'Series'])
  expect(await tags(keyOf('game', 'Other/Two'))).toEqual(['Elsewhere'])
  expect(await tags(keyOf('game', 'Other/Three'))).toEqual(['Third'])
})

test('the tags that a game has got by lying where a series was are off it again where it gets a place of its own', async () => {
  const { admin } = scene
  const root = scene.rootOf('games')
  const keyOf = (type: string, path: string): string => `${type}:${scene.idOf('games')}:${path}`
  const tagsOf = async (key: string): Promise<string[]> =>
    (await admin.get('/api/tags/assignments', { itemKey: key })).body.tags.map((tag: { name: string }) => tag.name).toSorted()
  makeTree(root, { Zelda: { Ocarina: { 'o.zip': 711 }, Majora: { 'm.zip': 712 } } })
  await scene.scan('games')
  const own = await makeTag(admin, 'Own')
  for (const [key, tagId] of [
    [keyOf('game_series', 'Zelda'), await makeTag(admin, 'Quest')],
    [keyOf('game', 'Zelda/Ocarina'), await makeTag(admin, 'Flute')],
    [keyOf('game', 'Zelda/Majora'), own],
  ] as const)
    await admin.put('/api/tags/assignments', { itemKey: key, tagId })
  writeFileSync(join(root, 'Zelda/Waker.zip'), 'w'.repeat(713))
  expect(await scene.scan('games')).toMatchObject({ status: 'done', added: 1, missing: 3 })
  expect(await tagsOf(keyOf('game', 'Zelda'))).toEqual(['Flute', 'Own', 'Quest'])
  // What somebody puts on it meanwhile is its own.
  await admin.delete('/api/tags/assignments', { itemKey: keyOf('game', 'Zelda'), tagId: own })
  await admin.put('/api/tags/assignments', { itemKey: keyOf('game', 'Zelda'), tagId: own })

  mkdirSync(join(root, 'Zelda/Waker'))
  renameSync(join(root, 'Zelda/Waker.zip'), join(root, 'Zelda/Waker/Waker.zip'))
  expect(await scene.scan('games')).toMatchObject({ status: 'done', moved: 1, restored: 3 })
  expect(await tagsOf(keyOf('game', 'Zelda/Waker'))).toEqual(['Own'])
  expect(await tagsOf(keyOf('game_series', 'Zelda'))).toEqual(['Quest'])
  expect(await tagsOf(keyOf('game', 'Zelda/Ocarina'))).toEqual(['Flute'])
  expect(await tagsOf(keyOf('game', 'Zelda/Majora'))).toEqual(['Own'])
})

test('what people put on a game stays on it where it has been in a series, and so does what it alone has left', async () => {
  const { admin } = scene
  const root = scene.rootOf('games')
  const keyOf = (type: string, path: string): string => `${type}:${scene.idOf('games')}:${path}`
  const tagsOf = async (key: string): Promise<string[]> =>
    (await admin.get('/api/tags/assignments', { itemKey: key })).body.tags.map((tag: { name: string }) => tag.name).toSorted()
  const move = (from: string, to: string): void => renameSync(join(root, from), join(root, to))
  makeTree(root, {
    Incoming: { 'hat.zip': 721 },
    Hats: { Red: { 'r.zip': 722 }, Blue: { 'b.zip': 723 } },
    Wit: { One: { 'one.zip': 731 }, Two: { 'two.zip': 732 } },
  })
  await scene.scan('games')
  const [both, given, merged] = [await makeTag(admin, 'Of both'), await makeTag(admin, 'Given'), await makeTag(admin, 'Merged')]
  const [hat, red] = [keyOf('game', 'Incoming'), keyOf('game', 'Hats/Red')]
  await admin.post('/api/tags/assignments/bulk', { itemKeys: [hat, red], add: [both], remove: [] })
  for (const [itemKey, tagId] of [
    [red, await makeTag(admin, 'Of red')],
    [red, given],
    [red, merged],
    [keyOf('game_series', 'Hats'), await makeTag(admin, 'Of hats')],
    [keyOf('game', 'Wit/One'), await makeTag(admin, 'Of one')],
  ] as const)
    await admin.put('/api/tags/assignments', { itemKey, tagId })
  move('Incoming/hat.zip', 'Hats/hat.zip')
  rmSync(join(root, 'Incoming'), { recursive: true })
  rmSync(join(root, 'Wit/Two'), { recursive: true })
  writeFileSync(join(root, 'Wit/wit.zip'), 'w'.repeat(733))
  expect(await scene.scan('games')).toMatchObject({ status: 'done', moved: 1, added: 1 })
  expect(await tagsOf(keyOf('game', 'Hats'))).toEqual(['Given', 'Merged', 'Of both', 'Of hats', 'Of red'])
  expect(await tagsOf(keyOf('game', 'Wit'))).toEqual(['Of one'])
  // It is there already, and the person's own from now on.
  await admin.put('/api/tags/assignments', { itemKey: keyOf('game', 'Hats'), tagId: given })
  const other = await makeTag(admin, 'Other name')
  await admin.put('/api/tags/assignments', { itemKey: keyOf('game', 'Hats'), tagId: other })
  await admin.post(`/api/tags/items/${other}/merge`, { intoTagId: merged })

  for (const folder of ['Hats/Hat', 'Wit/Game', 'Wit/Next']) mkdirSync(join(root, folder))
  move('Hats/hat.zip', 'Hats/Hat/hat.zip')
  for (const name of ['wit.zip', 'One']) move(`Wit/${name}`, `Wit/Game/${name}`)
  writeFileSync(join(root, 'Wit/Next/next.zip'), 'n'.repeat(734))
  expect(await scene.scan('games')).toMatchObject({ status: 'done', moved: 2 })
  expect(await tagsOf(keyOf('game', 'Hats/Hat'))).toEqual(['Given', 'Merged', 'Of both'])
  expect(await tagsOf(red)).toEqual(['Given', 'Merged', 'Of both', 'Of red'])
  // Nothing else that is there has it.
  expect(await tagsOf(keyOf('game', 'Wit/Game'))).toEqual(['Of one'])
})

test('what was written about a series of games, and when it came, is on the game that its folder became', async () => {
  const { admin, index } = scene
  const root = scene.rootOf('games')
  const keyOf = (type: string, path: string): string => `${type}:${scene.idOf('games')}:${path}`
  makeTree(root, { Gothic: { Base: { 'base.zip': 721 }, Night: { 'night.zip': 722 } }, Plain: { First: { 'first.zip': 723 } } })
  await scene.scan('games')
  for (const [key, text] of [
    [keyOf('game_series', 'Gothic'), 'Of the series'],
    [keyOf('game', 'Gothic/Night'), 'Of the night'],
    [keyOf('game', 'Plain/First'), 'Of the first'],
  ] as const)
    await admin.patch('/api/ai-tagging/fields', { itemKey: key, extractedText: text })
  await index.query(`UPDATE media_items SET added_at = length(path) * 1000 WHERE library_id = ? AND unit IN ('Gothic', 'Plain')`, [
    scene.idOf('games'),
  ])
  await index.query(`UPDATE media_items SET description = 'What it is' WHERE item_key = ?`, [keyOf('game', 'Gothic/Night')])
  for (const name of ['Gothic', 'Plain']) writeFileSync(join(root, name, 'all.zip'), name.repeat(100))
  const itemOf = async (path: string) => (await admin.get('/api/items', { itemKey: keyOf('game', path) })).body.item
  // The second time nothing is missing any more that could be told of again.
  for (let round = 0; round < 2; round += 1) {
    expect((await scene.scan('games')).missing).toBe(round === 0 ? 5 : undefined)
    expect(await itemOf('Gothic')).toMatchObject({
      extractedText: 'Of the series',
      description: 'What it is',
      addedAt: '1970-01-01T00:00:06.000Z',
    })
    expect(await itemOf('Plain')).toMatchObject({ extractedText: 'Of the first', description: null, addedAt: '1970-01-01T00:00:05.000Z' })
  }

  // What has got it by mistake loses it where it gets a place of its own, and keeps what somebody has written of it.
  await admin.patch('/api/ai-tagging/fields', { itemKey: keyOf('game', 'Plain'), extractedText: 'Of all' })
  for (const name of ['Gothic', 'Plain']) {
    mkdirSync(join(root, name, 'All'))
    renameSync(join(root, name, 'all.zip'), join(root, name, 'All/all.zip'))
  }
  expect(await scene.scan('games')).toMatchObject({ status: 'done', moved: 2, restored: 5 })
  expect(await itemOf('Gothic/All')).toMatchObject({ extractedText: null, description: null })
  expect(await itemOf('Gothic/Night')).toMatchObject({ extractedText: 'Of the night', description: 'What it is' })
  expect(await itemOf('Plain/All')).toMatchObject({ extractedText: 'Of all' })
})

test('what was on a game is on the series that its folder became, and what it had got from an older series is not', async () => {
  const { admin, index } = scene
  const root = scene.rootOf('games')
  const keyOf = (type: string, path: string): string => `${type}:${scene.idOf('games')}:${path}`
  const tagsOf = async (key: string): Promise<string[]> =>
    (await admin.get('/api/tags/assignments', { itemKey: key })).body.tags.map((tag: { name: string }) => tag.name).toSorted()
  makeTree(root, { Factory: { 'factory_0.17.tar.gz': 731 }, Prey: { First: { 'f.zip': 732 }, Second: { 's.zip': 733 } } })
  await scene.scan('games')
  const [game, series] = [keyOf('game', 'Factory'), keyOf('game_series', 'Factory')]
  await admin.put('/api/tags/assignments', { itemKey: game, tagId: await makeTag(admin, 'Cosy') })
  await admin.put('/api/tags/assignments', { itemKey: keyOf('game', 'Prey/First'), tagId: await makeTag(admin, 'Scary') })
  await admin.patch('/api/ai-tagging/fields', { itemKey: game, extractedText: 'Of the game' })
  await index.query('UPDATE media_items SET added_at = 1000 WHERE item_key = ?', [game])

  rmSync(join(root, 'Factory/factory_0.17.tar.gz'))
  makeTree(root, { Factory: { '1.1': { 'factory_1.1.tar.gz': 734 } }, Prey: { 'all.zip': 735 } })
  expect(await scene.scan('games')).toMatchObject({ status: 'done', added: 3, missing: 4 })
  rmSync(join(root, 'Prey/all.zip'))
  expect(await scene.scan('games')).toMatchObject({ status: 'done', restored: 3, missing: 1 })
  expect([await tagsOf(series), await tagsOf(keyOf('game_series', 'Prey')), await tagsOf(keyOf('game', 'Prey/First'))]).toEqual([
    ['Cosy'],
    [],
    ['Scary'],
  ])
  const { item } = (await admin.get('/api/items', { itemKey: series })).body
  expect(item).toMatchObject({ extractedText: 'Of the game', addedAt: '1970-01-01T00:00:01.000Z' })
  expect(await scene.scan('games')).toEqual({ status: 'done', found: expect.any(Number), warningCount: expect.any(Number) })
})

test('the tags of two films that became versions of one are on that, and on no other that takes their place', async () => {
  const keyOf = (path: string): string => `movie:${scene.idOf('movies')}:${path}`
  const tagsOf = async (path: string): Promise<string[]> =>
    (await scene.admin.get('/api/tags/assignments', { itemKey: keyOf(path) })).body.tags.map((tag: { name: string }) => tag.name).toSorted()
  for (const [path, name] of [
    ['Film/1080p', 'Small'],
    ['Film/2160p', 'Large'],
    ['Saga/One (2001)', 'Gone'],
  ] as const)
    await scene.admin.put('/api/tags/assignments', { itemKey: keyOf(path), tagId: await makeTag(scene.admin, name) })

  const root = scene.rootOf('movies')
  writeFileSync(join(root, 'Film/movie.nfo'), '<movie/>')
  rmSync(join(root, 'Saga/One (2001)'), { recursive: true })
  writeFileSync(join(root, 'Saga/Saga.mkv'), 'another')
  expect(await scene.scan('movies')).toMatchObject({ status: 'done', found: 2, moved: 1, added: 1, missing: 2 })
  expect(await scene.keys('movies')).toEqual([keyOf('Film'), keyOf('Saga')])
  expect(await tagsOf('Film')).toEqual(['Large', 'Small'])
  expect(await tagsOf('Saga')).toEqual([])
})

test('the tags of two films that became versions of one when the folder around them got another name are on that', async () => {
  const keyOf = (path: string): string => `movie:${scene.idOf('movies')}:${path}`
  const root = scene.rootOf('movies')
  makeTree(root, {
    Beast: { '1080p': { 'b.mkv': 821 }, '4K': { 'b.mkv': 822 } },
    Other: { '1080p': { 'b.mkv': 823 }, '4K': { 'b.mkv': 824 } },
  })
  expect(await scene.scan('movies')).toMatchObject({ status: 'done', added: 4 })
  for (const path of ['Beast/1080p', 'Beast/4K', 'Other/1080p', 'Other/4K'])
    await scene.admin.put('/api/tags/assignments', { itemKey: keyOf(path), tagId: await makeTag(scene.admin, `On ${path}`) })

  renameSync(join(root, 'Beast'), join(root, 'Beast (1979)'))
  rmSync(join(root, 'Other'), { recursive: true })
  expect(await scene.scan('movies')).toMatchObject({ status: 'done', moved: 1, missing: 3 })
  const { body } = await scene.admin.get('/api/tags/assignments', { itemKey: keyOf('Beast (1979)') })
  expect(body.tags.map((tag: { name: string }) => tag.name).toSorted()).toEqual(['On Beast/1080p', 'On Beast/4K'])
})

test('what was read of, written about and seen of two films that became versions of one is on that', async () => {
  const { admin, index } = scene
  const root = scene.rootOf('movies')
  const keyOf = (path: string): string => `movie:${scene.idOf('movies')}:${path}`
  makeTree(root, {
    Talk: {
      '1080p': { 't.mkv': 811, 'movie.nfo': '<movie><title>The Talk</title><plot>They talk.</plot><year>2011</year></movie>' },
      '4K': { 't.mkv': 812 },
    },
  })
  expect(await scene.scan('movies')).toMatchObject({ status: 'done', added: 2 })
  const [small, large, whole] = [keyOf('Talk/1080p'), keyOf('Talk/4K'), keyOf('Talk')]
  await admin.post('/api/nfo-refresh', { itemKey: small })
  await admin.patch('/api/ai-tagging/fields', { itemKey: small, extractedText: 'Of the small one' })
  await admin.patch('/api/ai-tagging/fields', { itemKey: large, extractedText: 'Of the large one' })
  await index.query(`UPDATE media_items SET description = 'As described' WHERE item_key = ?`, [small])
  await admin.put('/api/progress', { itemKey: small, positionSeconds: 70, durationSeconds: 700 })
  await index.query('UPDATE media_items SET added_at = 1000 * length(item_key) WHERE item_key IN (?, ?)', [small, large])

  writeFileSync(join(root, 'Talk/movie.nfo'), '<movie/>')
  expect(await scene.scan('movies')).toMatchObject({ status: 'done' })
  expect(await scene.keys('movies')).toContain(whole)
  const { item } = (await admin.get('/api/items', { itemKey: whole })).body
  expect([item.title, item.plot, item.year]).toEqual(['The Talk', 'They talk.', 2011])
  expect(item.addedAt).toBe(new Date(1000 * large.length).toISOString())
  const fields = (await admin.get('/api/ai-tagging/fields', { itemKey: whole })).body
  expect(fields).toMatchObject({ description: 'As described', extractedText: 'Of the large one', isTextEdited: true })
  expect((await admin.get('/api/progress', { itemKey: whole })).body).toMatchObject({ positionSeconds: 70 })
})

test('what was on a film whose folders are read as films of their own now is on these', async () => {
  const { admin, index } = scene
  const root = scene.rootOf('movies')
  const keyOf = (path: string): string => `movie:${scene.idOf('movies')}:${path}`
  const tagsOf = async (itemKey: string): Promise<string[]> =>
    (await admin.get('/api/tags/assignments', { itemKey })).body.tags.map((tag: { name: string }) => tag.name)
  const folder = join(root, 'Concert (2010)')
  makeTree(root, {
    'Concert (2010)': {
      // As large and as old: the place alone tells them apart.
      '4K': {
        'Concert cd1.mkv': file({ bytes: 821, modified: '2020-01-01' }),
        'Concert cd2.mkv': file({ bytes: 821, modified: '2020-01-01' }),
      },
      HD: { 'Concert.mkv': file({ bytes: 821, modified: '2020-01-01' }) },
      'movie.nfo': '<movie><title>The Concert</title><plot>They play.</plot></movie>',
    },
  })
  expect(await scene.scan('movies')).toMatchObject({ status: 'done', added: 1 })
  const [whole, first, second] = [keyOf('Concert (2010)'), keyOf('Concert (2010)/Day 1'), keyOf('Concert (2010)/Day 2')]
  await admin.put('/api/tags/assignments', { itemKey: whole, tagId: await makeTag(admin, 'Live') })
  await admin.post('/api/nfo-refresh', { itemKey: whole })
  await admin.patch('/api/ai-tagging/fields', { itemKey: whole, extractedText: 'As edited' })
  await admin.put('/api/progress', { itemKey: whole, positionSeconds: 80, durationSeconds: 800, file: '4K/Concert cd2.mkv' })
  await index.query(`UPDATE media_items SET description = 'As described', added_at = 1234 WHERE item_key = ?`, [whole])

  // As another version has read the names.
  renameSync(join(folder, '4K'), join(folder, 'Day 1'))
  renameSync(join(folder, 'HD'), join(folder, 'Day 2'))
  const renamed = (column: string): string => `replace(replace(${column}, '4K/', 'Day 1/'), 'HD/', 'Day 2/')`
  await index.query(`UPDATE media_items SET files = ${renamed('files')}, stored_main_file = ${renamed('main_file')} WHERE item_key = ?`, [
    whole,
  ])
  await index.query(`UPDATE progress SET file = ${renamed('file')}`)
  expect(await scene.scan('movies')).toMatchObject({ status: 'done', moved: 1, added: 1 })
  expect(await scene.keys('movies')).not.toContain(whole)
  const { item } = (await admin.get('/api/items', { itemKey: first })).body
  expect([item.title, item.plot, item.addedAt]).toEqual(['The Concert', 'They play.', new Date(1234).toISOString()])
  const fields = (await admin.get('/api/ai-tagging/fields', { itemKey: first })).body
  expect(fields).toMatchObject({ description: 'As described', extractedText: 'As edited', isTextEdited: true })
  expect((await admin.get('/api/progress', { itemKey: first })).body).toMatchObject({ positionSeconds: 80, file: 'Concert cd2.mkv' })
  expect([await tagsOf(first), await tagsOf(second)]).toEqual([['Live'], ['Live']])
})

test('the tags of two films that are put into one folder as versions are on the film', async () => {
  const keyOf = (path: string): string => `movie:${scene.idOf('movies')}:${path}`
  const root = scene.rootOf('movies')
  makeTree(root, { 'Vertigo (1958) 720p': { 'a.mkv': 811 }, 'Vertigo (1958) 1080p': { 'b.mkv': 812 } })
  await scene.scan('movies')
  for (const name of ['720p', '1080p'])
    await scene.admin.put('/api/tags/assignments', { itemKey: keyOf(`Vertigo (1958) ${name}`), tagId: await makeTag(scene.admin, name) })
  mkdirSync(join(root, 'Vertigo (1958)'))
  for (const [name, file] of [
    ['720p', 'a.mkv'],
    ['1080p', 'b.mkv'],
  ] as const) {
    renameSync(join(root, `Vertigo (1958) ${name}`, file), join(root, 'Vertigo (1958)', `Vertigo (1958) - ${name}.mkv`))
    rmSync(join(root, `Vertigo (1958) ${name}`), { recursive: true })
  }
  expect(await scene.scan('movies')).toMatchObject({ status: 'done', moved: 1, missing: 1 })
  const { tags } = (await scene.admin.get('/api/tags/assignments', { itemKey: keyOf('Vertigo (1958)') })).body
  expect(tags.map(({ name }: { name: string }) => name).toSorted()).toEqual(['1080p', '720p'])
})

test('the tags of a season without a folder are on the one that its episodes are read as now', async () => {
  const keyOf = (path: string): string => `tv_season:${scene.idOf('tv')}:${path}`
  makeTree(scene.rootOf('tv'), { Long: { 'Long - 01.mkv': 921, 'Long - 02.mkv': 922 } })
  await scene.scan('tv')
  await scene.admin.put('/api/tags/assignments', { itemKey: keyOf('Long/#season-1'), tagId: await makeTag(scene.admin, 'Season') })
  // As another version has read the names.
  await scene.index.query('UPDATE media_items SET path = ?, item_key = ?, season_number = 11 WHERE item_key = ?', [
    'Long/#season-11',
    keyOf('Long/#season-11'),
    keyOf('Long/#season-1'),
  ])
  await scene.index.query("UPDATE scan_units SET signature = 'older' WHERE path = 'Long'")
  expect(await scene.scan('tv')).toMatchObject({ status: 'done', missing: 1, added: 1 })
  const { tags } = (await scene.admin.get('/api/tags/assignments', { itemKey: keyOf('Long/#season-1') })).body
  expect(tags.map(({ name }: { name: string }) => name)).toEqual(['Season'])
})

test('the tags of films that became versions of others are on those also where their loss was held, and is applied', async () => {
  const { admin, index } = scene
  const root = scene.rootOf('movies')
  const films = Array.from({ length: 30 }, (_, i) => `Film ${i} (2000)`)
  makeTree(
    root,
    Object.fromEntries(films.flatMap((film, i) => [[`${film}/${film}.mkv`, 2001 + i] as const, [`${film} 4K/b.mkv`, 3001 + i] as const])),
  )
  await scene.scan('movies')
  const keyOf = (film: string): string => `movie:${scene.idOf('movies')}:${film}`
  await index.mark(Object.fromEntries(films.flatMap((film) => [film, `${film} 4K`].map((name) => [keyOf(name), name]))))
  for (const film of films) {
    renameSync(join(root, `${film} 4K`, 'b.mkv'), join(root, film, `${film} - 4K.mkv`))
    rmSync(join(root, `${film} 4K`), { recursive: true })
  }
  expect(await scene.scan('movies')).toMatchObject({ status: 'held' })
  const [{ id }] = (await admin.get('/api/scans', { libraryId: scene.idOf('movies'), limit: 1 })).body.scans
  expect((await admin.post(`/api/scans/${id}/apply`)).body.scan).toMatchObject({ status: 'done', missing: 30 })
  for (const film of films) {
    const { tags } = (await admin.get('/api/tags/assignments', { itemKey: keyOf(film) })).body
    expect(tags.map(({ name }: { name: string }) => name).toSorted()).toEqual([film, `${film} 4K`])
  }
})

describe('a film of which another folder holds a file', () => {
  const keyOf = (path: string): string => `movie:${scene.idOf('movies')}:${path}`
  const at = (path: string): string => join(scene.rootOf('movies'), path)
  const prepare = async (...paths: string[]): Promise<void> => {
    for (const path of paths) makeTree(scene.rootOf('movies'), { [path]: sizes++ })
    await scene.scan('movies')
    for (const folder of new Set(paths.map(dirname)))
      await scene.admin.put('/api/tags/assignments', { itemKey: keyOf(folder), tagId: await makeTag(scene.admin, `On ${folder}`) })
  }
  let sizes = 4001
  const tagsOf = async (path: string): Promise<string[]> =>
    (await scene.admin.get('/api/tags/assignments', { itemKey: keyOf(path) })).body.tags.map((tag: { name: string }) => tag.name).toSorted()

  test('which becomes the main one there leaves its tags to that, and its text and place where that has none', async () => {
    const [small, large] = ['Heat (1995)', 'Heat (1995) 4K']
    await prepare(`${small}/${small} - 1080p.mkv`, `${large}/${small} - 2160p.mkv`)
    await scene.admin.patch('/api/ai-tagging/fields', { itemKey: keyOf(large), extractedText: 'Of the large one' })
    await scene.admin.put('/api/progress', { itemKey: keyOf(large), positionSeconds: 70, durationSeconds: 700 })
    renameSync(at(`${large}/${small} - 2160p.mkv`), at(`${small}/${small} - 2160p.mkv`))
    rmSync(at(large), { recursive: true })
    expect(await scene.scan('movies')).toMatchObject({ status: 'done', missing: 1 })
    expect((await scene.admin.get('/api/items', { itemKey: keyOf(small) })).body.item.files[0]).toMatchObject({
      label: '2160p',
      role: 'main',
    })
    expect(await tagsOf(small)).toEqual([`On ${small}`, `On ${large}`])
    expect((await scene.admin.get('/api/ai-tagging/fields', { itemKey: keyOf(small) })).body).toMatchObject({
      extractedText: 'Of the large one',
    })
    expect((await scene.admin.get('/api/progress', { itemKey: keyOf(small) })).body).toMatchObject({ positionSeconds: 70 })
    expect(await scene.scan('movies')).toEqual({ status: 'done', found: expect.any(Number) })
  })

  test.each([
    ['leaves its tags to that', 'Ran (1985)', true],
    ['does so too where the disk tells no births', 'Kagemusha (1980)', false],
  ])('which is moved over the old one of the same name %s', async (_, old, isTold) => {
    const better = `${old} 4K`
    await prepare(`${old}/Ran.mkv`, `${better}/Ran.mkv`)
    // As network disks have it: nothing tells a folder from another one of its name.
    if (!isTold) await scene.index.query('UPDATE media_items SET identity = NULL')
    rmSync(at(`${old}/Ran.mkv`))
    renameSync(at(`${better}/Ran.mkv`), at(`${old}/Ran.mkv`))
    rmSync(at(better), { recursive: true })
    expect(await scene.scan('movies')).toMatchObject({ status: 'done', missing: 1 })
    expect(await tagsOf(old)).toEqual([`On ${old}`, `On ${better}`])
  })

  test.each([
    ['goes there with all that is on it', 'Dreams (1990)', true],
    ['does so too where the disk tells no births', 'Madadayo (1993)', false],
  ])('of which the folder gets the name of one that had gone before %s', async (_, old, isTold) => {
    const better = `${old} 4K`
    await prepare(`${old}/a.mkv`, `${better}/b.mkv`)
    for (const [path, positionSeconds] of [
      [old, 10],
      [better, 70],
    ] as const)
      await scene.admin.put('/api/progress', { itemKey: keyOf(path), positionSeconds, durationSeconds: 700 })
    rmSync(at(old), { recursive: true })
    expect(await scene.scan('movies')).toMatchObject({ status: 'done', missing: 1 })
    if (!isTold) await scene.index.query('UPDATE media_items SET identity = NULL')
    renameSync(at(better), at(old))
    expect(await scene.scan('movies')).toMatchObject({ status: 'done', moved: 1 })
    expect(await tagsOf(old)).toEqual([`On ${better}`])
    expect((await scene.admin.get('/api/progress', { itemKey: keyOf(old) })).body).toMatchObject({ positionSeconds: 70 })
  })

  test('leaves nothing to another film, to an extra, or to a film that only has its name', async () => {
    const [other, extra, name] = ['Dune (1984)', 'Solaris (1972) 4K', 'Stalker (1979) 4K']
    await prepare(
      `${other}/Dune.mkv`,
      'Dune (2021)/Dune.mkv',
      `${extra}/a.mkv`,
      'Solaris (1972)/b.mkv',
      `${name}/a.mkv`,
      'Stalker (1979)/b.mkv',
    )
    renameSync(at(`${other}/Dune.mkv`), at('Dune (2021)/Dune 2.mkv'))
    renameSync(at(`${extra}/a.mkv`), at('Solaris (1972)/b-trailer.mkv'))
    for (const path of [other, extra, name]) rmSync(at(path), { recursive: true })
    expect(await scene.scan('movies')).toMatchObject({ status: 'done', missing: 3 })
    for (const path of ['Dune (2021)', 'Solaris (1972)', 'Stalker (1979)']) expect(await tagsOf(path)).toEqual([`On ${path}`])
  })
})

describe('a series or season whose parts were put into another', () => {
  let sizes = 6001
  const sized = (type: 'tv' | 'manga', ...paths: string[]): void => {
    for (const path of paths) makeTree(scene.rootOf(type), { [path]: sizes++ })
  }
  const keyOf = (type: 'tv' | 'manga', place: string): string => place.replace(':', `:${scene.idOf(type)}:`)
  const tagsOf = async (type: 'tv' | 'manga', place: string): Promise<string[]> =>
    (await scene.admin.get('/api/tags/assignments', { itemKey: keyOf(type, place) })).body.tags
      .map((tag: { name: string }) => tag.name)
      .toSorted()
  const tag = async (type: 'tv' | 'manga', ...places: string[]): Promise<void> => {
    for (const place of places)
      await scene.admin.put('/api/tags/assignments', { itemKey: keyOf(type, place), tagId: await makeTag(scene.admin, place) })
  }
  const move = (type: 'tv' | 'manga', from: string, to: string): void => {
    const target = join(scene.rootOf(type), to)
    mkdirSync(dirname(target), { recursive: true })
    renameSync(join(scene.rootOf(type), from), target)
  }
  const remove = (type: 'tv' | 'manga', path: string): void => rmSync(join(scene.rootOf(type), path), { recursive: true })

  test('leaves the tags of the series to the one that has its seasons, and its text', async () => {
    sized('tv', 'Dup/Season 1/Dup S01E01.mkv', 'Dup/Season 2/Dup S02E01.mkv', 'Dup (2019)/Season 3/Dup S03E01.mkv')
    await scene.scan('tv')
    const [old, now] = ['tv_series:Dup', 'tv_series:Dup (2019)']
    await tag('tv', old, now)
    await scene.admin.patch('/api/ai-tagging/fields', { itemKey: keyOf('tv', old), extractedText: 'Of the old one' })
    for (const season of ['Season 1', 'Season 2']) move('tv', `Dup/${season}`, `Dup (2019)/${season}`)
    remove('tv', 'Dup')
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 4, missing: 1 })
    expect(await tagsOf('tv', now)).toEqual([old, now])
    expect((await scene.admin.get('/api/ai-tagging/fields', { itemKey: keyOf('tv', now) })).body).toMatchObject({
      extractedText: 'Of the old one',
    })
    expect(await scene.scan('tv')).toEqual({ status: 'done', found: expect.any(Number) })
  })

  test('leaves them also where much else is gone, so that the scan is held, and is applied', async () => {
    sized('tv', 'Late/Season 1/Late S01E01.mkv', 'Late (2019)/Season 2/Late S02E01.mkv')
    sized('tv', ...Array.from({ length: 40 }, (_, i) => `Gone/Season 1/Gone S01E${i + 1}.mkv`))
    await scene.scan('tv')
    await tag('tv', 'tv_series:Late')
    move('tv', 'Late/Season 1', 'Late (2019)/Season 1')
    for (const path of ['Late', 'Gone']) remove('tv', path)
    expect(await scene.scan('tv')).toMatchObject({ status: 'held', moved: 2 })
    expect(await tagsOf('tv', 'tv_series:Late (2019)')).toEqual([])
    const [{ id }] = (await scene.admin.get('/api/scans', { libraryId: scene.idOf('tv'), limit: 1 })).body.scans
    expect((await scene.admin.post(`/api/scans/${id}/apply`)).body.scan).toMatchObject({ status: 'done', missing: 43 })
    expect(await tagsOf('tv', 'tv_series:Late (2019)')).toEqual(['tv_series:Late'])
  })

  test('leaves those of a season, and of its series, to the season that has its episodes', async () => {
    sized('tv', 'Anime/Season 1/Anime S01E01.mkv', 'Anime/Season 2/Anime S02E01.mkv', 'Anime/Season 2/Anime S02E02.mkv')
    sized('tv', 'Anime OVA/Season 1/Anime OVA S01E01.mkv')
    await scene.scan('tv')
    await tag('tv', 'tv_season:Anime/Season 2', 'tv_series:Anime OVA', 'tv_season:Anime OVA/Season 1')
    for (const number of [1, 2]) move('tv', `Anime/Season 2/Anime S02E0${number}.mkv`, `Anime/Season 1/Anime S01E0${number + 1}.mkv`)
    move('tv', 'Anime OVA/Season 1/Anime OVA S01E01.mkv', 'Anime/Season 1/Anime S01E04.mkv')
    for (const path of ['Anime/Season 2', 'Anime OVA']) remove('tv', path)
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 3, missing: 3 })
    expect(await tagsOf('tv', 'tv_season:Anime/Season 1')).toEqual(['tv_season:Anime OVA/Season 1', 'tv_season:Anime/Season 2'])
    expect(await tagsOf('tv', 'tv_series:Anime')).toEqual(['tv_series:Anime OVA'])
  })

  test('leaves those of a manga to the one that has its volumes', async () => {
    sized('manga', 'Dup/v01/1.png', 'Dup/v02/1.png', 'Dup (2001)/v03/1.png')
    await scene.scan('manga')
    const [old, now] = ['manga_series:Dup', 'manga_series:Dup (2001)']
    await tag('manga', old, now)
    for (const volume of ['v01', 'v02']) move('manga', `Dup/${volume}`, `Dup (2001)/${volume}`)
    remove('manga', 'Dup')
    expect(await scene.scan('manga')).toMatchObject({ status: 'done', moved: 2, missing: 1 })
    expect(await tagsOf('manga', now)).toEqual([old, now])
  })

  test('leaves its tags alone to one that was there with more parts of its own', async () => {
    sized('tv', 'Lone/Season 1/Lone S01E01.mkv', 'Shelf/Season 2/Shelf S02E01.mkv', 'Shelf/Season 3/Shelf S03E01.mkv')
    await scene.scan('tv')
    const [lone, shelf] = ['tv_series:Lone', 'tv_series:Shelf']
    await tag('tv', lone)
    await scene.admin.patch('/api/ai-tagging/fields', { itemKey: keyOf('tv', lone), extractedText: 'Of the lone one' })
    move('tv', 'Lone/Season 1', 'Shelf/Season 1')
    remove('tv', 'Lone')
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 2, missing: 1 })
    expect(await tagsOf('tv', shelf)).toEqual([lone])
    expect((await scene.admin.get('/api/ai-tagging/fields', { itemKey: keyOf('tv', shelf) })).body).toMatchObject({ extractedText: null })
  })

  test('leaves nothing where its parts went to several, or where most are gone', async () => {
    sized('tv', 'Split/Season 1/Split S01E01.mkv', 'Split/Season 2/Split S02E01.mkv')
    sized('tv', 'Few/Season 1/Few S01E01.mkv', 'Few/Season 1/Few S01E02.mkv', 'One/Season 3/One S03E01.mkv', 'Two/Season 4/Two S04E01.mkv')
    await scene.scan('tv')
    await tag('tv', 'tv_series:Split', 'tv_series:Few', 'tv_season:Few/Season 1')
    move('tv', 'Split/Season 1', 'One/Season 1')
    move('tv', 'Split/Season 2', 'Two/Season 2')
    move('tv', 'Few/Season 1/Few S01E01.mkv', 'One/Season 3/One S03E02.mkv')
    for (const path of ['Split', 'Few']) remove('tv', path)
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 5, missing: 4 })
    for (const place of ['tv_series:One', 'tv_series:Two', 'tv_season:One/Season 3']) expect(await tagsOf('tv', place)).toEqual([])
  })
})

test('the tags of chapters whose pages were put into the folder around them are on that volume, which is read where all of them were', async () => {
  const root = scene.rootOf('manga')
  const keyOf = (path: string): string => `manga_volume:${scene.idOf('manga')}:${path}`
  const pages = (size: number) => ({ '1.png': size, '2.png': size + 1 })
  const [chapters, kept] = [
    { 'Chapter 1': pages(7001), 'Chapter 2': pages(7003) },
    { ...pages(7005), 'Chapter 3': pages(7007) },
  ]
  makeTree(root, { Packed: { 'Volume 1': chapters, 'Volume 2': kept, 'Volume 3': { 'Chapter 4': pages(7009), 'Chapter 5': pages(7011) } } })
  await scene.scan('manga')
  for (const path of ['Volume 1/Chapter 1', 'Volume 1/Chapter 2', 'Volume 2/Chapter 3', 'Volume 3/Chapter 4']) {
    const itemKey = keyOf(`Packed/${path}`)
    await scene.admin.put('/api/tags/assignments', { itemKey, tagId: await makeTag(scene.admin, path) })
    await scene.admin.put('/api/progress', { itemKey, page: 1, completed: true })
  }
  const at = (path: string): string => join(root, 'Packed', path)
  for (const [volume, numbers] of [
    ['Volume 1', [1, 2]],
    ['Volume 3', [4, 5]],
  ] as const)
    for (const number of numbers) {
      for (const page of [1, 2]) renameSync(at(`${volume}/Chapter ${number}/${page}.png`), at(`${volume}/${number}${page}.png`))
      rmSync(at(`${volume}/Chapter ${number}`), { recursive: true })
    }
  rmSync(at('Volume 2/Chapter 3'), { recursive: true })
  expect(await scene.scan('manga')).toMatchObject({ status: 'done', added: 2, missing: 5 })
  const seen = async (path: string): Promise<[string[], boolean | null]> => {
    const itemKey = keyOf(`Packed/${path}`)
    const { tags } = (await scene.admin.get('/api/tags/assignments', { itemKey })).body
    const { completed } = (await scene.admin.get('/api/progress', { itemKey })).body
    return [tags.map(({ name }: { name: string }) => name).toSorted(), completed]
  }
  expect(await seen('Volume 1')).toEqual([['Volume 1/Chapter 1', 'Volume 1/Chapter 2'], true])
  expect(await seen('Volume 2')).toEqual([[], null])
  expect(await seen('Volume 3')).toEqual([['Volume 3/Chapter 4'], null])
  expect(await scene.scan('manga')).toEqual({ status: 'done', found: expect.any(Number) })
})
