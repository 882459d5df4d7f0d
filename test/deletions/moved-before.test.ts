import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeTree } from '../support/library-tree.ts'
import { startScene } from '../support/scan-scene.ts'

/** What was moved out of a folder that is then deleted, before any scan has seen it, is not deleted. */

setDefaultTimeout(60_000)

const startMoved = async (trashDays: number) => {
  const scene = await startScene({
    tv: {
      Old: { 'S01E01.mkv': 'one', 'S01E02.mkv': 'two two' },
      New: { 'S01E01.mkv': 'three' },
      Long: { 'Season 1': { 'S01E01.mkv': 'of the first' }, 'Season 2': { 'S02E01.mkv': 'the second' } },
    },
    movies: {
      'Alien (1979)': { 'Alien.mkv': 'film', 'Alien-trailer.mkv': 'trailer', 'poster.jpg': 'picture' },
      'Brazil (1985)': { 'Brazil.mkv': 'another' },
    },
  })
  const { admin } = scene
  for (const type of ['tv', 'movies'] as const) await admin.patch(`/api/libraries/${scene.idOf(type)}`, { trashDays })
  return {
    scene,
    here: (type: 'tv' | 'movies', path: string): string => join(scene.rootOf(type), path),
    episode: (path: string): string => `tv_episode:${scene.idOf('tv')}:${path}`,
    movie: (path: string): string => `movie:${scene.idOf('movies')}:${path}`,
    remove: async (itemKey: string) => expect((await admin.delete('/api/items', { itemKey })).status).toBe(204),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  }
}

describe.each([0, 7])('with %i days in the trash', (trashDays) => {
  test('an episode that was put into another series is found there, with all that is on it', async () => {
    await using moved = await startMoved(trashDays)
    const { scene, here, episode } = moved
    await scene.index.mark({ [episode('Old/S01E01.mkv')]: 'moved', [episode('Old/S01E02.mkv')]: 'deleted' })
    renameSync(here('tv', 'Old/S01E01.mkv'), here('tv', 'New/S01E09.mkv'))
    await moved.remove(`tv_series:${scene.idOf('tv')}:Old`)
    expect(await scene.scan('tv')).toMatchObject({ moved: 1 })
    const marks = await scene.index.marks()
    expect(marks.moved).toMatchObject({ itemKey: episode('New/S01E09.mkv'), isMissing: false })
    expect(marks.deleted?.isMissing).toBe(trashDays > 0 ? true : undefined)
  })

  test('and so is a film of which the folder was left behind', async () => {
    await using moved = await startMoved(trashDays)
    const { scene, here, movie } = moved
    await scene.index.mark({ [movie('Alien (1979)')]: 'moved' })
    mkdirSync(here('movies', 'Alien'))
    renameSync(here('movies', 'Alien (1979)/Alien.mkv'), here('movies', 'Alien/Alien.mkv'))
    await moved.remove(movie('Alien (1979)'))
    expect(await scene.scan('movies')).toMatchObject({ moved: 1 })
    expect((await scene.index.marks()).moved).toMatchObject({ itemKey: movie('Alien'), isMissing: false })
  })

  test('a season goes along with its episodes', async () => {
    await using moved = await startMoved(trashDays)
    const { scene, here } = moved
    const season = (path: string): string => `tv_season:${scene.idOf('tv')}:${path}`
    await scene.index.mark({ [season('Long/Season 1')]: 'deleted', [season('Long/Season 2')]: 'moved' })
    renameSync(here('tv', 'Long/Season 2'), here('tv', 'New/Season 2'))
    await moved.remove(`tv_series:${scene.idOf('tv')}:Long`)
    await scene.scan('tv')
    const marks = await scene.index.marks()
    expect(marks.moved).toMatchObject({ itemKey: season('New/Season 2'), isMissing: false })
    expect(marks.deleted?.isMissing).toBe(trashDays > 0 ? true : undefined)
  })

  test('and a series with all of its seasons', async () => {
    await using moved = await startMoved(trashDays)
    const { scene, here } = moved
    const series = (path: string): string => `tv_series:${scene.idOf('tv')}:${path}`
    await scene.index.mark({ [series('Long')]: 'moved' })
    mkdirSync(here('tv', 'Longer'))
    for (const name of ['Season 1', 'Season 2']) renameSync(here('tv', `Long/${name}`), here('tv', `Longer/${name}`))
    await moved.remove(series('Long'))
    await scene.scan('tv')
    expect((await scene.index.marks()).moved).toMatchObject({ itemKey: series('Longer'), isMissing: false })
  })

  test('what has only another name or another file in its folder is deleted with it', async () => {
    await using moved = await startMoved(trashDays)
    const { scene, here, episode, movie } = moved
    await scene.index.mark({
      [movie('Alien (1979)')]: 'film',
      [movie('Brazil (1985)')]: 'replaced',
      [episode('Old/S01E01.mkv')]: 'episode',
    })
    renameSync(here('movies', 'Alien (1979)/Alien.mkv'), here('movies', 'Alien (1979)/Alien (1979).mkv'))
    rmSync(here('movies', 'Brazil (1985)/Brazil.mkv'))
    makeTree(here('movies', 'Brazil (1985)'), { 'Brazil 1080p.mkv': 'a better encode' })
    renameSync(here('tv', 'Old/S01E01.mkv'), here('tv', 'Old/Old - S01E01.mkv'))
    for (const key of [movie('Alien (1979)'), movie('Brazil (1985)'), `tv_series:${scene.idOf('tv')}:Old`]) await moved.remove(key)
    const lost = (await scene.admin.get('/api/browse', { libraryId: scene.idOf('movies'), missing: true })).body.entries
    expect(lost).toEqual([])
    for (const { id } of (await scene.admin.get('/api/trash')).body.entries) await scene.admin.delete(`/api/trash/${id}`)
    expect(await scene.index.marks()).toEqual({})
  })

  test('what is nowhere is missing, and is forgotten with the others that are', async () => {
    await using moved = await startMoved(trashDays)
    const { scene, here, episode } = moved
    await scene.index.mark({ [episode('Old/S01E01.mkv')]: 'gone' })
    renameSync(here('tv', 'Old/S01E01.mkv'), join(scene.folder, 'gone.mkv'))
    await moved.remove(`tv_series:${scene.idOf('tv')}:Old`)
    await scene.scan('tv')
    expect(await scene.index.marks()).toMatchObject({ gone: { isMissing: true } })
    expect((await scene.admin.post(`/api/libraries/${scene.idOf('tv')}/purge-missing`)).body).toEqual({ purged: 1 })
    expect(await scene.index.marks()).toEqual({})
  })
})

test('the trash that is emptied before the next scan takes nothing along that had been moved', async () => {
  await using moved = await startMoved(7)
  const { scene, here, episode } = moved
  await scene.index.mark({ [episode('Old/S01E01.mkv')]: 'moved', [episode('Old/S01E02.mkv')]: 'deleted' })
  renameSync(here('tv', 'Old/S01E01.mkv'), here('tv', 'New/S01E09.mkv'))
  await moved.remove(`tv_series:${scene.idOf('tv')}:Old`)
  const [entry] = (await scene.admin.get('/api/trash')).body.entries
  expect((await scene.admin.delete(`/api/trash/${entry.id}`)).status).toBe(204)
  await scene.scan('tv')
  expect(await scene.index.marks()).toMatchObject({ moved: { itemKey: episode('New/S01E09.mkv'), isMissing: false } })
  expect(Object.keys(await scene.index.marks())).toEqual(['moved'])
})

test('what had been moved out of folders that are deleted at the same time is found', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `Show ${index + 10}`)
  await using scene = await startScene({
    tv: Object.fromEntries(names.map((name) => [name, { 'S01E01.mkv': `moved of ${name}`, 'S01E02.mkv': `what stays of ${name}` }])),
  })
  const [id, root] = [scene.idOf('tv'), scene.rootOf('tv')]
  await scene.admin.patch(`/api/libraries/${id}`, { trashDays: 7 })
  await scene.index.mark(Object.fromEntries(names.map((name) => [`tv_episode:${id}:${name}/S01E01.mkv`, name])))
  for (const name of names) {
    mkdirSync(join(root, `New ${name}`))
    renameSync(join(root, name, 'S01E01.mkv'), join(root, `New ${name}/S01E01.mkv`))
  }
  await Promise.all(names.map((name) => scene.admin.delete('/api/items', { itemKey: `tv_series:${id}:${name}` })))
  await scene.scan('tv')
  const marks = Object.values(await scene.index.marks())
  expect(marks.map(({ isMissing }) => isMissing)).toEqual(names.map(() => false))
})
