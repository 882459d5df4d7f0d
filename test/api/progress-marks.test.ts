import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'

const HOUR = 3600
/** More than are marked in one transaction. */
const EPISODES = 2500
const halfway = { positionSeconds: HOUR / 2, durationSeconds: HOUR }

setDefaultTimeout(60_000)

let scene: ScanScene
beforeAll(async () => {
  const season = (number: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`Show S0${number}E0${at + 1}.mkv`, number * 100 + at]))
  scene = await startScene({
    tv: {
      Show: { 'Season 01': season(1, 3), 'Season 02': season(2, 2) },
      Other: { 'Season 01': { 'Other S01E01.mkv': 7 } },
      Long: {
        'Season 01': { 'Long S01E01.mkv': 21 },
        'Season 02': { 'Long S02E01.mkv': 22 },
        Specials: { 'Long S00E01.mkv': 23 },
      },
      Story: {
        'Season 01': { 'Story S01E01.mkv': 25 },
        'Season 02': { 'Story S02E01.mkv': 26 },
        Specials: { 'Story S00E01.mkv': 27 },
      },
      Extra: { Specials: { 'Extra S00E01.mkv': 24 } },
      Endless: { 'Season 01': Object.fromEntries(Array.from({ length: EPISODES }, (_, at) => [`Endless S01E${at + 1}.mkv`, 1])) },
    },
    movies: { 'Alien (1979)': { 'Alien.mkv': 10 }, 'Brazil (1985)': { 'Brazil.mkv': 20 } },
    manga: { Berserk: { 'Berserk v01': { '1.jpg': 1, '2.jpg': 2 }, 'Berserk v02': { '1.jpg': 3, '2.jpg': 4 } } },
  })
})
afterAll(() => scene[Symbol.asyncDispose]())

const movie = (name: string): string => `movie:${scene.idOf('movies')}:${name}`
const series = (name: string): string => `tv_series:${scene.idOf('tv')}:${name}`
const season = (number: number): string => `tv_season:${scene.idOf('tv')}:Show/Season 0${number}`
const episode = (number: number, at: number): string => `tv_episode:${scene.idOf('tv')}:Show/Season 0${number}/Show S0${number}E0${at}.mkv`
const volume = (name: string): string => `manga_volume:${scene.idOf('manga')}:Berserk/Berserk ${name}`

let people = 0
const somebody = (spec = {}): Promise<HttpClient> => scene.server.as(`viewer ${++people}`, spec)
const save = async (client: HttpClient, itemKey: string, report: Json): Promise<void> => {
  const { status, body } = await client.put('/api/progress', { itemKey, ...report })
  expect([status, itemKey]).toEqual([200, itemKey])
  while (Date.now() <= Date.parse(body.updatedAt)) await Bun.sleep(1)
}
const mark = async (client: HttpClient, itemKeys: string[], completed: boolean): Promise<Json[]> => {
  const { status, body } = await client.post('/api/progress/bulk', { itemKeys, completed })
  expect([status, body]).toEqual([200, body])
  await Bun.sleep(2)
  return body.marks
}
const progressOf = async (client: HttpClient, itemKey: string): Promise<Json> => (await client.get('/api/progress', { itemKey })).body
const keysOf = (marks: Json[]): string[] => marks.map(({ itemKey }) => itemKey).sort()
const continued = async (client: HttpClient): Promise<string[]> =>
  (await client.get('/api/progress/continue')).body.entries.map(({ itemKey }: Json) => itemKey)

describe('marks of many', () => {
  test('stand for everything in a season or a series, and answer what was changed, as it was', async () => {
    const client = await somebody()
    await save(client, episode(1, 1), { completed: true })
    await save(client, episode(1, 2), halfway)
    const before = await progressOf(client, episode(1, 2))
    const marks = await mark(client, [season(1)], true)
    expect(keysOf(marks)).toEqual([episode(1, 2), episode(1, 3)])
    expect(marks).toContainEqual({ itemKey: episode(1, 2), ...before, leftOut: false })
    const never = { positionSeconds: null, durationSeconds: null, page: null, completed: null, updatedAt: null, leftOut: false }
    expect(marks).toContainEqual({ itemKey: episode(1, 3), ...never })
    for (const at of [1, 2, 3]) expect((await progressOf(client, episode(1, at))).completed).toBe(true)
    expect((await progressOf(client, episode(2, 1))).completed).toBeNull()
    expect(keysOf(await mark(client, [series('Show')], true))).toEqual([episode(2, 1), episode(2, 2)])
    expect(await mark(client, [series('Show'), season(1), episode(1, 1)], true)).toEqual([])
  })

  test('are of films and volumes too, and of nobody else', async () => {
    const [client, other] = [await somebody(), await somebody()]
    const marks = await mark(client, [movie('Alien (1979)'), `manga_series:${scene.idOf('manga')}:Berserk`], true)
    expect(keysOf(marks)).toEqual([volume('v01'), volume('v02'), movie('Alien (1979)')].sort())
    expect((await progressOf(client, volume('v02'))).completed).toBe(true)
    expect((await progressOf(other, volume('v02'))).completed).toBeNull()
  })

  test('as not begun forget places and marks, of what had any', async () => {
    const client = await somebody()
    await save(client, episode(1, 1), { completed: true })
    await save(client, episode(1, 2), halfway)
    expect(keysOf(await mark(client, [series('Show')], false))).toEqual([episode(1, 1), episode(1, 2)])
    expect(await progressOf(client, episode(1, 2))).toMatchObject({ positionSeconds: null, completed: false })
    expect(await continued(client)).toEqual([])
  })

  test('are taken back to the last second, and what had never been opened is that again', async () => {
    const client = await somebody()
    await save(client, episode(1, 1), halfway)
    await save(client, volume('v01'), { page: 1 })
    const all = [episode(1, 1), episode(1, 2), episode(2, 1), volume('v01')]
    const before = await Promise.all(all.map((key) => progressOf(client, key)))
    const row = await continued(client)
    const marks = await mark(client, [series('Show'), volume('v01')], true)
    expect((await progressOf(client, episode(1, 2))).completed).toBe(true)
    expect((await client.post('/api/progress/restore', { marks })).status).toBe(204)
    expect(await Promise.all(all.map((key) => progressOf(client, key)))).toEqual(before)
    expect(await continued(client)).toEqual(row)
  })

  test('lead to what comes after them, and hide nothing that was really begun', async () => {
    const client = await somebody()
    await save(client, movie('Alien (1979)'), halfway)
    await mark(client, [season(1)], true)
    expect(await continued(client)).toEqual([episode(2, 1), movie('Alien (1979)')])
    await mark(client, [series('Show')], true)
    expect(await continued(client)).toEqual([movie('Alien (1979)')])
  })

  test('lead to what is said afterwards not to have been seen, one by one or many at once', async () => {
    const client = await somebody()
    await mark(client, [season(1)], true)
    await save(client, episode(1, 3), { completed: false })
    expect(await continued(client)).toEqual([episode(1, 3)])
    await mark(client, [series('Show')], true)
    await mark(client, [season(2), episode(1, 2), episode(1, 3)], false)
    expect(await continued(client)).toEqual([episode(1, 2)])
    await mark(client, [volume('v01'), volume('v02')], true)
    await mark(client, [volume('v02')], false)
    expect(await continued(client)).toEqual([volume('v02'), episode(1, 2)])
    await mark(client, [season(1), volume('v01')], false)
    expect(await continued(client)).toEqual([])
  })

  test('of a whole series lead to the season that comes next, whatever seasons and specials there are', async () => {
    const client = await somebody()
    await mark(client, [series('Long')], true)
    makeTree(scene.rootOf('tv'), { Long: { 'Season 03': { 'Long S03E01.mkv': 33 } } })
    await scene.scan('tv')
    const next = `tv_episode:${scene.idOf('tv')}:Long/Season 03/Long S03E01.mkv`
    expect(await continued(client)).toEqual([next])
    const ofLong = `item_id IN (SELECT id FROM media_items WHERE path LIKE 'Long/%') AND left_out = 0`
    expect(await scene.index.query(`SELECT count(*) AS listed FROM progress WHERE ${ofLong}`)).toEqual([{ listed: 1 }])
    await mark(client, [`tv_season:${scene.idOf('tv')}:Long/Season 02`], false)
    expect(await continued(client)).toEqual([`tv_episode:${scene.idOf('tv')}:Long/Season 02/Long S02E01.mkv`])
  })

  test('show on what holds them once nothing of it is left, specials aside where there is something else', async () => {
    const client = await somebody()
    const tv = { libraryId: scene.idOf('tv') }
    const story = series('Story')
    const seasonOf = (name: string): string => `tv_season:${scene.idOf('tv')}:Story/${name}`
    const done = { positionSeconds: null, durationSeconds: null, page: null, completed: true }
    const shown = async (query: Json): Promise<Json> => {
      const { body } = await client.get('/api/browse', query)
      return Object.fromEntries(body.entries.map(({ title, progress }: Json) => [title, progress]))
    }
    const unfinished = async (): Promise<string[]> => Object.keys(await shown({ ...tv, unfinished: 1 }))
    const pressed = async (): Promise<Json> => [
      (await shown(tv)).Story,
      (await client.get('/api/items', { itemKey: story })).body.item.progress,
      (await client.get('/api/browse', { ...tv, parentKey: story })).body.parent.progress,
      (await client.get('/api/search', { q: 'Story' })).body.entries.find(({ itemKey }: Json) => itemKey === story).progress,
      !(await unfinished()).includes('Story'),
    ]
    await mark(client, [seasonOf('Season 01')], true)
    expect(await pressed()).toEqual([null, null, null, null, false])
    expect(await shown({ ...tv, parentKey: story })).toEqual({ 'Season 01': done, 'Season 02': null, Specials: null })
    const { headers } = await client.get('/api/browse', tv)
    const marks = await mark(client, [seasonOf('Season 02')], true)
    expect((await client.get('/api/browse', tv)).headers.get('etag')).not.toBe(headers.get('etag'))
    expect(await pressed()).toEqual([done, done, done, done, true])
    expect((await shown({ ...tv, parentKey: story })).Specials).toBeNull()
    expect((await shown(tv)).Show).toBeNull()
    await client.post('/api/progress/restore', { marks })
    expect(await pressed()).toEqual([null, null, null, null, false])

    expect(await unfinished()).toContain('Extra')
    await mark(client, [series('Extra')], true)
    expect(await unfinished()).not.toContain('Extra')
    expect((await shown(tv)).Extra).toEqual(done)

    const manga = { libraryId: scene.idOf('manga') }
    expect(await shown(manga)).toEqual({ Berserk: null })
    await mark(client, [volume('v01')], true)
    expect(await shown(manga)).toEqual({ Berserk: null })
    await mark(client, [volume('v02')], true)
    expect(await shown(manga)).toEqual({ Berserk: done })
    // What holds nothing that is there has not been read.
    const missing = (since: string): string => `UPDATE media_items SET missing_since = ${since} WHERE item_type = 'manga_volume'`
    await scene.index.query(missing('1'))
    expect(await shown(manga)).toEqual({ Berserk: null })
    await scene.index.query(missing('NULL'))
  })

  test('are refused where one may not see all of it, and change nothing then', async () => {
    const client = await somebody({ libraryIds: [scene.idOf('tv')] })
    for (const hidden of [movie('Alien (1979)'), series('None'), 'nonsense']) {
      const { status, body } = await client.post('/api/progress/bulk', { itemKeys: [season(1), hidden], completed: true })
      expect([hidden, status, body.code]).toEqual([hidden, 404, 'not_found'])
    }
    expect((await progressOf(client, episode(1, 1))).completed).toBeNull()
    const mine = {
      positionSeconds: 1,
      durationSeconds: 2,
      page: null,
      completed: false,
      updatedAt: new Date().toISOString(),
      leftOut: false,
    }
    const marks = [
      { itemKey: episode(1, 1), ...mine },
      { itemKey: movie('Alien (1979)'), ...mine },
    ]
    expect((await client.post('/api/progress/restore', { marks })).body.code).toBe('not_found')
    expect((await progressOf(client, episode(1, 1))).completed).toBeNull()
    const wrong = [{ positionSeconds: -1 }, { page: 1.5 }, { updatedAt: 'yesterday' }, { leftOut: null }, { userId: 1 }]
    for (const field of wrong) {
      const { status } = await client.post('/api/progress/restore', { marks: [{ itemKey: episode(1, 1), ...mine, ...field }] })
      expect([field, status]).toEqual([field, 400])
    }
    expect((await client.post('/api/progress/bulk', { itemKeys: [season(1)] })).status).toBe(400)
  })

  test('are kept for single items alone: a series or a season is as far as its episodes are', async () => {
    const client = await somebody()
    const given = { ...halfway, page: null, completed: false, updatedAt: new Date().toISOString(), leftOut: false }
    for (const group of [series('Show'), season(1)]) {
      const marks = [episode(1, 1), group].map((itemKey) => ({ itemKey, ...given }))
      const { status, body } = await client.post('/api/progress/restore', { marks })
      expect([group, status, body.code]).toEqual([group, 400, 'invalid_request'])
    }
    expect((await progressOf(client, episode(1, 1))).updatedAt).toBeNull()
    expect(await continued(client)).toEqual([])
  })

  test('of thousands that break off in the middle tell what was marked, which can be taken back, and why not all of it', async () => {
    const client = await somebody()
    await scene.index.query(`CREATE TRIGGER no_room BEFORE INSERT ON progress WHEN (SELECT count(*) FROM progress WHERE user_id = NEW.user_id) > 2100
      BEGIN SELECT RAISE(ABORT, 'no room'); END`)
    const marking = { itemKeys: [series('Endless')], completed: true }
    const { status, body } = await client.post('/api/progress/bulk', marking)
    expect([status, body.problem.code, body.problem.detail.includes('no room')]).toEqual([200, 'internal_error', false])
    const isMarked = async (at: number) =>
      (await progressOf(client, `tv_episode:${scene.idOf('tv')}:Endless/Season 01/Endless S01E${at}.mkv`)).completed
    expect([body.marks.length, await isMarked(1), await isMarked(EPISODES)]).toEqual([2000, true, null])
    // Nothing was marked by this one: that is no success.
    expect((await client.post('/api/progress/bulk', marking)).body.code).toBe('internal_error')
    await scene.index.query('DROP TRIGGER no_room')
    for (let at = 0; at < body.marks.length; at += 500)
      expect((await client.post('/api/progress/restore', { marks: body.marks.slice(at, at + 500) })).status).toBe(204)
    expect(await isMarked(1)).toBeNull()
    expect((await client.post('/api/progress/bulk', marking)).body).toMatchObject({ marks: { length: EPISODES } })
  })

  test('that say they are of the future are of now', async () => {
    const client = await somebody()
    const marks = await mark(client, [movie('Alien (1979)')], true)
    const [given] = marks
    const future = { ...given, completed: true, updatedAt: '2999-01-01T00:00:00.000Z' }
    expect((await client.post('/api/progress/restore', { marks: [future] })).status).toBe(204)
    expect(Date.parse((await progressOf(client, movie('Alien (1979)'))).updatedAt)).toBeLessThanOrEqual(Date.now())
  })
})

describe('what is left out of the list to go on with', () => {
  const leaveOut = async (client: HttpClient, itemKey: string): Promise<void> => {
    expect((await client.delete('/api/progress/continue', { itemKey })).status).toBe(204)
  }

  test('is gone until it is opened again, and keeps its place', async () => {
    const client = await somebody()
    await save(client, movie('Alien (1979)'), halfway)
    await save(client, movie('Brazil (1985)'), halfway)
    await leaveOut(client, movie('Alien (1979)'))
    expect(await continued(client)).toEqual([movie('Brazil (1985)')])
    expect(await progressOf(client, movie('Alien (1979)'))).toMatchObject(halfway)
    await save(client, movie('Alien (1979)'), { positionSeconds: HOUR / 2 + 1 })
    expect(await continued(client)).toEqual([movie('Alien (1979)'), movie('Brazil (1985)')])
  })

  test('is a whole series: neither what was begun, nor what comes after what was seen', async () => {
    const client = await somebody()
    await save(client, episode(1, 1), { completed: true })
    await save(client, episode(1, 2), halfway)
    await leaveOut(client, episode(1, 2))
    expect(await continued(client)).toEqual([])
    await save(client, episode(2, 1), { completed: true })
    expect(await continued(client)).toEqual([episode(2, 2)])
    // Of the next one nothing is kept: it comes from what was seen before it.
    await leaveOut(client, episode(2, 2))
    expect(await continued(client)).toEqual([])
    await save(client, volume('v01'), { page: 1 })
    expect(await continued(client)).toEqual([volume('v02')])
    await leaveOut(client, volume('v02'))
    expect(await continued(client)).toEqual([])
  })

  test('can be taken in again', async () => {
    const client = await somebody()
    await save(client, episode(1, 1), { completed: true })
    await save(client, episode(1, 2), halfway)
    const before = await continued(client)
    await leaveOut(client, episode(1, 2))
    expect((await client.put('/api/progress/continue', { itemKey: episode(1, 2) })).status).toBe(204)
    expect(await continued(client)).toEqual(before)
  })
})
