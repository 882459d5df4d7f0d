import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderContents } from '../support/folder-contents.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { NOTHING_PLAYS, type ScanScene, startScene } from '../support/scan-scene.ts'
import { startServer, waitFor } from '../support/test-server.ts'

setDefaultTimeout(60_000)
const LIMIT_MS = 20_000

const SERIES = {
  'Season 01': { 'Firefly S01E01.mkv': 'one', 'Firefly S01E02.mkv': 'two' },
  'Season 02': { 'Firefly S02E01.mkv': 'three' },
}

let scene: ScanScene
let admin: HttpClient
let root: string
let seriesKey: string
const movieKey = (path: string): string => `movie:${scene.idOf('movies')}:${path}`
const episodeKey = (path: string): string => `tv_episode:${scene.idOf('tv')}:Firefly/${path}`

beforeAll(async () => {
  scene = await startScene({
    tv: { Firefly: SERIES, Other: { 'S01E01.mkv': 'x' } },
    movies: { 'Saga/One (1990)': { 'a.mkv': 'a' }, 'Saga/Two (1991)': { 'b.mkv': 'b' } },
  })
  admin = scene.admin
  root = scene.rootOf('tv')
  seriesKey = `tv_series:${scene.idOf('tv')}:Firefly`
  for (const type of ['tv', 'movies'] as const) await admin.patch(`/api/libraries/${scene.idOf(type)}`, { trashDays: 7 })
})
afterAll(() => scene[Symbol.asyncDispose]())

const trash = async (): Promise<Json[]> => (await admin.get('/api/trash')).body.entries
const remove = (itemKey: string) => admin.delete('/api/items', { itemKey })
const restore = (id: number) => admin.post(`/api/trash/${id}/restore`)
const isHeld = (type: 'tv' | 'movies'): boolean => readdirSync(scene.rootOf(type)).some((name) => name.startsWith('.vitrine-trash-'))

beforeEach(async () => expect(await trash()).toEqual([]))

test('nothing can be restored that is not in the trash, or by those who may not', async () => {
  expect((await restore(4711)).status).toBe(404)
  expect((await admin.post('/api/trash/x/restore')).status).toBe(400)
  await remove(movieKey('Saga/One (1990)'))
  const [{ id }] = await trash()
  const [without, elsewhere] = [
    await scene.server.as('someone'),
    await scene.server.as('elsewhere', { permissions: { delete: true }, libraryIds: [scene.idOf('tv')] }),
  ]
  expect((await without.post(`/api/trash/${id}/restore`)).status).toBe(403)
  expect((await elsewhere.post(`/api/trash/${id}/restore`)).status).toBe(404)
  expect((await elsewhere.get('/api/trash')).body.entries).toEqual([])
  expect((await restore(id)).body).toEqual({ itemKey: movieKey('Saga/One (1990)') })
  expect((await restore(id)).status).toBe(404)
})

test('a series comes back byte for byte, with ids, tags, texts and progress, and the next scan changes nothing', async () => {
  const keys = [seriesKey, episodeKey('Season 01/Firefly S01E01.mkv'), episodeKey('Season 02/Firefly S02E01.mkv')]
  await scene.index.mark(Object.fromEntries(keys.map((key, index) => [key, `mark ${index}`])))
  await scene.scan('tv')
  const [contents, rows, listed, marks] = [
    folderContents(root),
    await scene.index.dump(),
    await scene.keys('tv'),
    await scene.index.marks(),
  ]

  expect((await remove(seriesKey)).status).toBe(204)
  expect(existsSync(join(root, 'Firefly'))).toBe(false)
  expect(await scene.keys('tv')).toEqual(listed.filter((key) => key.includes(':Other')))
  expect((await admin.get('/api/browse', { libraryId: scene.idOf('tv'), q: 'serenity' })).body.entries).toEqual([])
  expect((await remove(seriesKey)).status).toBe(404)
  const [entry, ...others] = await trash()
  expect(others).toEqual([])
  expect(entry).toMatchObject({
    itemKey: seriesKey,
    itemType: 'tv_series',
    title: 'Firefly',
    folder: 'Firefly',
    files: 3,
    bytes: 11,
    deletedBy: 'admin',
  })
  expect(Date.parse(entry.expiresAt) - Date.parse(entry.deletedAt)).toBe(7 * 24 * 3_600_000)
  const whileAway = await scene.scan('tv')
  expect(whileAway).toMatchObject({ status: 'done' })
  expect((await admin.post(`/api/libraries/${scene.idOf('tv')}/purge-missing`)).body).toEqual({ purged: 0 })
  expect(await trash()).toHaveLength(1)

  expect((await restore(entry.id)).status).toBe(200)
  expect(folderContents(root)).toEqual(contents)
  expect(await scene.keys('tv')).toEqual(listed)
  expect(await scene.index.marks()).toEqual(marks)
  const again = await scene.scan('tv')
  expect(again).toEqual({ status: 'done', found: listed.length })
  expect(await scene.index.dump()).toEqual(rows)
  expect((await admin.get(`/api/libraries/${scene.idOf('tv')}`)).body.library.itemCount).toBe(2)
})

test('what lies in the trash is not there for whoever asks by its key, nor is anything below it', async () => {
  const [filmKey, partKey] = [movieKey('Saga/One (1990)'), episodeKey('Season 02/Firefly S02E01.mkv')]
  const keys = [filmKey, seriesKey, `tv_season:${scene.idOf('tv')}:Firefly/Season 02`, partKey]
  await scene.index.mark({ [filmKey]: 'trashed film' })
  const tagId = (await admin.get('/api/tags/items')).body.tags[0].id
  const looks = ['items', 'tags/assignments', 'ai-tagging/fields', 'ai-tagging/pages', 'progress', 'thumbnails', 'files', 'playback']
  const answers = async (itemKey: string) => [
    ...(await Promise.all(
      looks.map(async (path) => [
        path,
        (await admin.get(`/api/${path}`, { itemKey, size: path === 'thumbnails' ? 'small' : undefined })).body?.code,
      ]),
    )),
    ['tag', (await admin.put('/api/tags/assignments', { itemKey, tagId })).body?.code],
    ['untag', (await admin.delete('/api/tags/assignments', { itemKey, tagId })).body?.code],
    ['text', (await admin.patch('/api/ai-tagging/fields', { itemKey, extractedText: 'late' })).body?.code],
    ['progress', (await admin.put('/api/progress', { itemKey, completed: true })).body?.code],
    ['bulk', (await admin.post('/api/tags/assignments/bulk', { itemKeys: [itemKey], add: [tagId], remove: [] })).body?.code],
    ['extract', (await admin.post('/api/ai-tagging/extract', { itemKey })).body?.code],
  ]
  const missing = async (type: 'tv' | 'movies') =>
    (await admin.get('/api/browse', { libraryId: scene.idOf(type), missing: 1 })).body.entries.map(({ itemKey }: Json) => itemKey)
  const known = async (itemKey: string): Promise<Json> => {
    const { title, tags, description, extractedText, progress, missingSince } = (await admin.get('/api/items', { itemKey })).body.item
    return { title, tags, description, extractedText, progress, missingSince }
  }
  const [marks, before, lost] = [
    await scene.index.marks(),
    await Promise.all(keys.map(known)),
    await Promise.all((['tv', 'movies'] as const).map(missing)),
  ]
  const take = async (): Promise<void> => {
    for (const key of [filmKey, seriesKey]) expect((await remove(key)).status).toBe(204)
  }
  const giveBack = async (): Promise<void> => {
    for (const { id } of await trash()) expect((await restore(id)).status).toBe(200)
    expect(await Promise.all(keys.map(known))).toEqual(before)
    expect(await scene.index.marks()).toEqual(marks)
  }
  // At once, as whoever has pressed the wrong button does.
  await take()
  await giveBack()
  await take()
  for (const key of keys) expect([key, (await answers(key)).filter(([, code]) => code !== 'not_found')]).toEqual([key, []])
  expect((await admin.get('/api/browse', { libraryId: scene.idOf('tv'), parentKey: seriesKey })).status).toBe(404)
  expect(await Promise.all((['tv', 'movies'] as const).map(missing))).toEqual(lost)
  const file = { categories: [], assignments: [{ itemKey: filmKey, tags: [] }] }
  expect((await admin.post('/api/tags/import', file)).body.skipped).toHaveLength(1)
  await giveBack()
})

test('what is being restored is not forgotten in that moment: it comes back with its tags', async () => {
  const itemKey = movieKey('Saga/Two (1991)')
  await remove(itemKey)
  const [{ id }] = await trash()
  const before = await scene.index.marks()
  // As where the disk takes its time for the way back.
  await scene.index.query(`UPDATE deletions SET state = 'restoring' WHERE id = ${id}`)
  expect((await admin.post(`/api/libraries/${scene.idOf('movies')}/purge-missing`)).body).toEqual({ purged: 0 })
  await scene.index.query(`UPDATE deletions SET state = 'trashed' WHERE id = ${id}`)
  expect(await scene.index.marks()).toEqual(before)
  expect((await restore(id)).status).toBe(200)
})

test('what has taken its place stays, and the folder waits in the trash', async () => {
  await remove(movieKey('Saga/Two (1991)'))
  const [{ id }] = await trash()
  makeTree(scene.rootOf('movies'), { 'Saga/Two (1991)': { 'other.mkv': 'other' } })
  const before = folderContents(scene.folder)
  const answer = await restore(id)
  expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
  expect(folderContents(scene.rootOf('movies')).get('Saga/Two (1991)/other.mkv')).toBe(before.get('movies/Saga/Two (1991)/other.mkv') ?? '')
  rmSync(join(scene.rootOf('movies'), 'Saga/Two (1991)'), { recursive: true })
  renameSync(join(scene.rootOf('movies'), 'Saga'), join(scene.folder, 'saga'))
  expect((await restore(id)).status).toBe(409)
  renameSync(join(scene.folder, 'saga'), join(scene.rootOf('movies'), 'Saga'))
  expect((await restore(id)).status).toBe(200)
  expect(await scene.scan('movies')).toMatchObject({ status: 'done', found: 2 })
})

test('of two that had the same name one comes back, and the other one waits: whoever asks for both at once is told so', async () => {
  const name = 'Twice (2000)'
  for (const content of ['first', 'second']) {
    makeTree(scene.rootOf('movies'), { [name]: { 't.mkv': content } })
    await scene.scan('movies')
    expect((await remove(movieKey(name))).status).toBe(204)
  }
  const [second, first] = await trash()
  await scene.index.query(`UPDATE deletions SET state = 'restoring' WHERE id = ${second.id}`)
  const refused = await restore(first.id)
  await scene.index.query(`UPDATE deletions SET state = 'trashed' WHERE id = ${second.id}`)
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  const answers = await Promise.all([restore(first.id), restore(second.id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const [left] = await trash()
  await admin.delete(`/api/trash/${left.id}`)
  rmSync(join(scene.rootOf('movies'), name), { recursive: true })
  await scene.scan('movies')
})

test('what somebody puts in its place gets its tags, and keeps them when the trash is emptied', async () => {
  const key = movieKey('Saga/Two (1991)')
  await scene.index.mark({ [key]: 'replaced' })
  await remove(key)
  makeTree(scene.rootOf('movies'), { 'Saga/Two (1991)': { 'better.mkv': 'better' } })
  expect(await scene.scan('movies')).toMatchObject({ restored: 1 })
  await scene.index.query('UPDATE deletions SET trash_until = 1')
  await scene.restart()
  admin = scene.admin
  await waitFor(
    () => (isHeld('movies') ? undefined : true),
    LIMIT_MS,
    () => 'The trash was not emptied',
  )
  expect((await scene.index.marks()).replaced).toMatchObject({ itemKey: key, isMissing: false })
})

test('what is restored is what it was, and not what a scan has found in its place meanwhile', async () => {
  const [name, folder] = ['Solaris (1972)', join(scene.rootOf('movies'), 'Solaris (1972)')]
  const files = async () => (await admin.get('/api/items', { itemKey: movieKey(name) })).body.item?.files
  makeTree(scene.rootOf('movies'), { [name]: { 'solaris.mkv': 5000 } })
  await scene.scan('movies')
  expect((await remove(movieKey(name))).status).toBe(204)
  makeTree(scene.rootOf('movies'), { [name]: { 'better.mkv': 7000 } })
  expect(await scene.scan('movies')).toMatchObject({ restored: 1 })
  rmSync(folder, { recursive: true })
  const [{ id }] = await trash()
  expect((await restore(id)).body).toEqual({ itemKey: movieKey(name) })
  await scene.server.waitForScans()
  expect(await files()).toMatchObject([{ name: 'solaris.mkv', size: 5000 }])
  rmSync(folder, { recursive: true })
  await scene.scan('movies')
})

test('what has been there long enough is forgotten, files, item and all', async () => {
  const key = movieKey('Saga/One (1990)')
  await remove(key)
  expect(isHeld('movies')).toBe(true)
  await scene.index.query('UPDATE deletions SET trash_until = ?', [Date.now() - 1])
  await scene.restart()
  admin = scene.admin
  await waitFor(
    () => (isHeld('movies') ? undefined : true),
    LIMIT_MS,
    () => 'The trash was not emptied',
  )
  expect((await admin.get('/api/items', { itemKey: key })).status).toBe(404)
  await waitFor(
    async () => ((await scene.index.query('SELECT 1 FROM deletions')).length === 0 ? true : undefined),
    LIMIT_MS,
    () => 'The journal stays',
  )
})

test('what is deleted in the trash is gone for good, and can be neither restored nor deleted again', async () => {
  const key = movieKey('Saga/Two (1991)')
  expect((await admin.delete('/api/trash/4711')).status).toBe(404)
  expect((await admin.delete('/api/trash/x')).status).toBe(400)
  await remove(key)
  await remove(seriesKey)
  const [{ id: seriesId }, { id }] = await trash()
  const [without, elsewhere] = [
    await scene.server.as('someone'),
    await scene.server.as('elsewhere', { permissions: { delete: true }, libraryIds: [scene.idOf('tv')] }),
  ]
  expect((await without.delete(`/api/trash/${id}`)).status).toBe(403)
  expect((await elsewhere.delete(`/api/trash/${id}`)).status).toBe(404)
  expect((await elsewhere.get('/api/trash', { libraryId: scene.idOf('movies') })).status).toBe(404)
  const ofLibrary = async (type: 'tv' | 'movies') => (await admin.get('/api/trash', { libraryId: scene.idOf(type) })).body.entries
  expect([(await ofLibrary('tv')).map(({ id: found }: Json) => found), (await ofLibrary('movies')).length]).toEqual([[seriesId], 1])

  expect((await admin.delete(`/api/trash/${id}`)).status).toBe(204)
  expect(await ofLibrary('movies')).toEqual([])
  expect((await restore(id)).status).toBe(404)
  expect((await admin.delete(`/api/trash/${id}`)).status).toBe(404)
  await waitFor(
    () => (isHeld('movies') ? undefined : true),
    LIMIT_MS,
    () => 'The files stay',
  )
  expect((await admin.get('/api/items', { itemKey: key })).status).toBe(404)
  expect((await restore(seriesId)).status).toBe(200)
})

test('of what is deleted for good nothing is left in the library when that is answered', async () => {
  const FILES = 400
  const many = (): Record<string, number> => Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`Extras/${index}.jpg`, 1]))
  const place = makeTree(join(scene.folder, 'for good'), {
    'First (2001)': { 'f.mkv': 'first', ...many() },
    'Second (2002)': { 's.mkv': 'second', ...many() },
  })
  const { id } = (await admin.post('/api/libraries', { name: 'For good', type: 'movies', path: place })).body.library
  await scene.server.scanAndWait(id)
  expect((await remove(`movie:${id}:First (2001)`)).status).toBe(204)
  expect(readdirSync(place)).toEqual(['Second (2002)'])
  await admin.patch(`/api/libraries/${id}`, { trashDays: 7 })
  expect((await remove(`movie:${id}:Second (2002)`)).status).toBe(204)
  expect(readdirSync(place).length).toBe(1)
  const [entry] = await trash()
  expect((await admin.delete(`/api/trash/${entry.id}`)).status).toBe(204)
  expect(readdirSync(place)).toEqual([])
  await admin.delete(`/api/libraries/${id}`)
})

test('what is deleted for good while its library lies elsewhere is removed once that is back', async () => {
  const [place, elsewhere] = ['place', 'elsewhere'].map((name) =>
    makeTree(join(scene.folder, name), { 'Here (2002)/h.mkv': 'here', ...(name === 'place' ? { 'Gone (2001)/g.mkv': 'gone' } : {}) }),
  )
  const { id } = (await admin.post('/api/libraries', { name: 'Moving', type: 'movies', path: place })).body.library
  await admin.patch(`/api/libraries/${id}`, { trashDays: 7 })
  await scene.server.scanAndWait(id)
  await remove(`movie:${id}:Gone (2001)`)
  expect((await admin.patch(`/api/libraries/${id}`, { path: elsewhere })).status).toBe(200)
  const [entry] = await trash()
  expect((await admin.delete(`/api/trash/${entry.id}`)).status).toBe(204)
  // Whoever removes this looks at that before.
  await remove(`movie:${id}:Here (2002)`)
  const [{ id: otherId }] = await trash()
  await admin.delete(`/api/trash/${otherId}`)
  const isEmpty = (folder = '') =>
    waitFor(
      () => (readdirSync(folder).some((name) => name.startsWith('.vitrine-trash-')) ? undefined : true),
      LIMIT_MS,
      () => 'The files stay',
    )
  await isEmpty(elsewhere)
  expect(readdirSync(place ?? '').length).toBe(2)
  expect((await admin.patch(`/api/libraries/${id}`, { path: place })).status).toBe(200)
  await isEmpty(place)
  await admin.delete(`/api/libraries/${id}`)
})

test('and while its disk is away, though the system has left something in the folder on which that is mounted', async () => {
  const place = makeTree(join(scene.folder, 'mounted'), { 'Here (2002)/h.mkv': 'here', 'Gone (2001)/g.mkv': 'gone' })
  const { id } = (await admin.post('/api/libraries', { name: 'Mounted', type: 'movies', path: place })).body.library
  await admin.patch(`/api/libraries/${id}`, { trashDays: 7 })
  await scene.server.scanAndWait(id)
  await remove(`movie:${id}:Gone (2001)`)
  const [entry] = await trash()
  renameSync(place, `${place} away`)
  makeTree(place, { '.DS_Store': 'x', 'lost+found': {} })
  expect((await admin.delete(`/api/trash/${entry.id}`)).status).toBe(204)
  // As on every wake: this one has looked.
  await Bun.sleep(200)
  rmSync(place, { recursive: true })
  renameSync(`${place} away`, place)
  await admin.patch(`/api/libraries/${id}`, { path: place })
  await waitFor(
    () => (readdirSync(place).length === 1 ? true : undefined),
    LIMIT_MS,
    () => 'The files stay',
  )
  await admin.delete(`/api/libraries/${id}`)
})

test('what cannot come back while its disk is away stays listed, and comes back with that', async () => {
  const [place, name] = [scene.rootOf('movies'), 'Unplugged (2003)']
  makeTree(place, { [name]: { 'u.mkv': 'unplugged' } })
  await scene.scan('movies')
  await remove(movieKey(name))
  const listed = await trash()
  renameSync(place, `${place} away`)
  mkdirSync(place)
  expect((await restore(listed[0].id)).body.code).toBe('unavailable')
  expect(await trash()).toEqual(listed)
  rmSync(place, { recursive: true })
  renameSync(`${place} away`, place)
  expect((await restore(listed[0].id)).body).toEqual({ itemKey: movieKey(name) })
})

test('what somebody has moved back by hand is in the library again, and in the trash no more, once it is to be restored', async () => {
  const [place, name] = [scene.rootOf('movies'), 'By Hand (2004)']
  makeTree(place, { [name]: { 'h.mkv': 'by hand' } })
  await scene.scan('movies')
  await remove(movieKey(name))
  const [{ id }] = await trash()
  const [holding = ''] = readdirSync(place).filter((entry) => entry.startsWith('.vitrine-trash-'))
  renameSync(join(place, holding), join(place, name))
  expect((await restore(id)).body.code).toBe('conflict')
  expect(await trash()).toEqual([])
  expect(await scene.keys('movies')).toContain(movieKey(name))
})

test('what is moved before a scan has seen that it is back takes its tags along', async () => {
  const [before, after] = ['Saga/Back (2001)', 'Back (2001)']
  const here = (path: string): string => join(scene.rootOf('movies'), path)
  makeTree(here(before), { 'back.mkv': 'back' })
  await scene.scan('movies')
  const others = await scene.keys('movies')
  await scene.index.mark({ [movieKey(before)]: 'a mark' })
  expect((await remove(movieKey(before))).status).toBe(204)
  await scene.scan('movies')
  const [{ id }] = await trash()
  expect((await restore(id)).status).toBe(200)
  renameSync(here(before), here(after))
  expect(await scene.scan('movies')).toMatchObject({ moved: 1 })
  expect(await scene.keys('movies')).toEqual(others.map((key) => (key === movieKey(before) ? movieKey(after) : key)).sort())
  expect(await scene.index.marks()).toMatchObject({ 'a mark': { itemKey: movieKey(after) } })
})

test('whoever restores and whoever deletes for good at once: one of them succeeds, wholly', async () => {
  const [restoring, deleting] = [admin, await scene.server.as('second', { role: 'admin' })]
  for (let turn = 0; turn < 8; turn += 1) {
    const name = `Race ${turn} (2000)`
    makeTree(scene.rootOf('movies'), { [name]: { 'r.mkv': 'race' } })
    await scene.scan('movies')
    await scene.index.mark({ [movieKey(name)]: name })
    expect((await remove(movieKey(name))).status).toBe(204)
    const [{ id }] = await trash()
    const [back, gone] = await Promise.all([restoring.post(`/api/trash/${id}/restore`), deleting.delete(`/api/trash/${id}`)])
    const isBack = back.status === 200
    expect([back.status, gone.status].sort()).toEqual(isBack ? [200, 404] : [204, 404])
    expect(existsSync(join(scene.rootOf('movies'), name, 'r.mkv'))).toBe(isBack)
    expect((await admin.get('/api/items', { itemKey: movieKey(name) })).status).toBe(isBack ? 200 : 404)
    expect(name in (await scene.index.marks())).toBe(isBack)
  }
})

test('the list comes page by page, latest first', async () => {
  const names = ['A (2001)', 'B (2002)', 'C (2003)']
  for (const name of names) mkdirSync(join(scene.rootOf('movies'), name))
  for (const name of names) writeFileSync(join(scene.rootOf('movies'), name, 'x.mkv'), name)
  await scene.scan('movies')
  for (const name of names) expect((await remove(movieKey(name))).status).toBe(204)
  const first = (await admin.get('/api/trash', { limit: 2 })).body
  const second = (await admin.get('/api/trash', { limit: 2, cursor: first.nextCursor })).body
  expect([...first.entries, ...second.entries].map(({ title }: Json) => title)).toEqual(names.toReversed())
  expect(second.nextCursor).toBeNull()
  expect((await admin.get('/api/trash', { cursor: 'nonsense' })).status).toBe(400)
  for (const { id } of await trash()) expect((await restore(id)).status).toBe(200)
})

test('a copy that comes into another folder is a film of its own: what is restored has its tags still', async () => {
  const [name, copy] = ['Alien (1979)', 'Alien BD']
  const path = (film: string): string => join(scene.rootOf('movies'), film)
  makeTree(scene.rootOf('movies'), { [name]: { 'alien.mkv': 4000 } })
  cpSync(path(name), join(scene.folder, copy), { recursive: true, preserveTimestamps: true })
  await scene.scan('movies')
  await scene.index.mark({ [movieKey(name)]: 'alien' })
  expect((await remove(movieKey(name))).status).toBe(204)
  renameSync(join(scene.folder, copy), path(copy))
  await scene.scan('movies')
  expect((await admin.get('/api/items', { itemKey: movieKey(copy) })).status).toBe(200)
  const [{ id }] = await trash()
  expect((await restore(id)).body).toEqual({ itemKey: movieKey(name) })
  expect((await scene.index.marks()).alien).toMatchObject({ itemKey: movieKey(name), isMissing: false })
  for (const film of [name, copy]) rmSync(path(film), { recursive: true })
  await scene.scan('movies')
})

test('what lives on in another folder by now is found anew when its folder comes back', async () => {
  const [name, elsewhere] = ['Brazil (1985)', 'Brazil UHD']
  makeTree(scene.rootOf('movies'), { [name]: { 'brazil.mkv': 5000 } })
  await scene.scan('movies')
  expect((await remove(movieKey(name))).status).toBe(204)
  // As a database of an earlier version has it.
  await scene.index.query('UPDATE media_items SET item_key = ?, path = ?, missing_since = NULL WHERE item_key = ?', [
    movieKey(elsewhere),
    elsewhere,
    movieKey(name),
  ])
  const [{ id }] = await trash()
  expect((await restore(id)).body).toEqual({ itemKey: movieKey(name) })
  await scene.server.waitForScans()
  expect((await admin.get('/api/items', { itemKey: movieKey(name) })).status).toBe(200)
  rmSync(join(scene.rootOf('movies'), name), { recursive: true })
  await scene.scan('movies')
})

test('the trash of a library that is deleted is that of the next one of the same folder and type', async () => {
  const path = makeTree(join(scene.folder, 'more'), {
    'Kept (2000)/k.mkv': 'kept',
    'Gone (2001)/g.mkv': 'gone',
    'Here (2002)/h.mkv': 'here',
  })
  const create = async (type: string): Promise<number> => (await admin.post('/api/libraries', { name: 'More', type, path })).body.library.id
  const entries = async (libraryId: number): Promise<Json[]> => (await admin.get('/api/trash', { libraryId })).body.entries
  const first = await create('movies')
  await admin.patch(`/api/libraries/${first}`, { trashDays: 7 })
  await scene.server.scanAndWait(first)
  for (const name of ['Kept (2000)', 'Gone (2001)']) expect((await remove(`movie:${first}:${name}`)).status).toBe(204)
  const before = await entries(first)
  const files = folderContents(path)
  expect((await admin.delete(`/api/libraries/${first}`)).status).toBe(204)
  expect([folderContents(path), await trash()]).toEqual([files, []])

  const other = await create('mixed')
  expect(await entries(other)).toEqual([])
  await admin.delete(`/api/libraries/${other}`)
  const second = await create('movies')
  const after = await entries(second)
  const ofSecond = before.map((entry) => ({
    ...entry,
    id: expect.any(Number),
    libraryId: second,
    itemKey: entry.itemKey.replace(`:${first}:`, `:${second}:`),
  }))
  expect(after).toEqual(ofSecond)
  const idOf = (name: string): number => after.find(({ folder }) => folder === name)?.id
  expect((await restore(idOf('Kept (2000)'))).body).toEqual({ itemKey: `movie:${second}:Kept (2000)` })
  expect((await admin.delete(`/api/trash/${idOf('Gone (2001)')}`)).status).toBe(204)
  const isOver = (): true | undefined => (readdirSync(path).some((name) => name.startsWith('.vitrine-trash-')) ? undefined : true)
  await waitFor(isOver, LIMIT_MS, () => 'The files were not removed')
  expect(readdirSync(path).toSorted()).toEqual(['Here (2002)', 'Kept (2000)'])
  await scene.server.scanAndWait(second)
  const { body } = await admin.get('/api/browse', { libraryId: second })
  expect(body.entries.map(({ title }: Json) => title)).toEqual(['Here (2002)', 'Kept (2000)'])
  await admin.delete(`/api/libraries/${second}`)
})

test.each(['moving', 'restoring'])(
  'what a crash left on its way into the trash or out of it (%s) outlives its library too',
  async (state) => {
    const path = makeTree(join(scene.folder, `cut off ${state}`), { 'Cut (1999)/c.mkv': 'cut', 'Here (2002)/h.mkv': 'here' })
    const create = async (): Promise<number> => (await admin.post('/api/libraries', { name: 'Cut', type: 'movies', path })).body.library.id
    const first = await create()
    await admin.patch(`/api/libraries/${first}`, { trashDays: 7 })
    await scene.server.scanAndWait(first)
    await remove(`movie:${first}:Cut (1999)`)
    await scene.index.query('UPDATE deletions SET state = ? WHERE library_id = ?', [state, first])
    expect((await admin.delete(`/api/libraries/${first}`)).status).toBe(204)
    const second = await create()
    const entries = (await admin.get('/api/trash', { libraryId: second })).body.entries
    expect(entries.map(({ folder }: Json) => folder)).toEqual(['Cut (1999)'])
    expect((await restore(entries[0].id)).status).toBe(200)
    expect(existsSync(join(path, 'Cut (1999)/c.mkv'))).toBe(true)
    await admin.delete(`/api/libraries/${second}`)
  },
)

test('what has been in a left trash for too long can still be looked at for a day', async () => {
  const path = makeTree(join(scene.folder, 'old'), { 'Old (1999)/o.mkv': 'old', 'Here (2002)/h.mkv': 'here' })
  const create = async (): Promise<number> => (await admin.post('/api/libraries', { name: 'Old', type: 'movies', path })).body.library.id
  const first = await create()
  await admin.patch(`/api/libraries/${first}`, { trashDays: 7 })
  await scene.server.scanAndWait(first)
  await remove(`movie:${first}:Old (1999)`)
  await admin.delete(`/api/libraries/${first}`)
  await scene.index.query('UPDATE left_trash SET trash_until = 1')
  const second = await create()
  const [entry] = (await admin.get('/api/trash', { libraryId: second })).body.entries
  expect(Date.parse(entry.expiresAt)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  expect((await restore(entry.id)).status).toBe(200)
  await admin.delete(`/api/libraries/${second}`)
})

test('a left trash keeps what was known of the clock, and its time is no longer for it', async () => {
  const day = 24 * 3_600_000
  const path = makeTree(join(scene.folder, 'ahead'), { 'Ahead (1999)/a.mkv': 'a', 'Over (2000)/o.mkv': 'o', 'Here (2002)/h.mkv': 'here' })
  const create = async (): Promise<number> => (await admin.post('/api/libraries', { name: 'Ahead', type: 'movies', path })).body.library.id
  const first = await create()
  await admin.patch(`/api/libraries/${first}`, { trashDays: 7 })
  await scene.server.scanAndWait(first)
  for (const name of ['Ahead (1999)', 'Over (2000)']) await remove(`movie:${first}:${name}`)
  const now = Date.now()
  const change = 'UPDATE deletions SET at = ?, trash_until = ?, later_times = ? WHERE folder = ?'
  const ahead = now + 1825 * day
  await scene.index.query(change, [now - day, ahead + 7 * day, JSON.stringify([ahead]), 'Ahead (1999)'])
  await scene.index.query(change, [now - 9 * day, ahead + 7 * day, JSON.stringify([now - 8 * day, ahead]), 'Over (2000)'])
  await admin.delete(`/api/libraries/${first}`)
  const second = await create()
  const { entries } = (await admin.get('/api/trash', { libraryId: second })).body
  const daysLeft = Object.fromEntries(
    entries.map(({ folder, expiresAt }: Json) => [folder, Math.round((Date.parse(expiresAt) - now) / day)]),
  )
  expect(daysLeft).toEqual({ 'Ahead (1999)': 6, 'Over (2000)': 1 })
  for (const { id } of entries) expect((await restore(id)).status).toBe(200)
  await admin.delete(`/api/libraries/${second}`)
})

test('a server that knows nothing of what another one has hidden says so at each scan, and indexes it by another name', async () => {
  const path = makeTree(join(scene.folder, 'lost'), { 'Lost (1999)/l.mkv': 'lost', 'Here (2002)/h.mkv': 'here' })
  const id = (await admin.post('/api/libraries', { name: 'Lost', type: 'movies', path })).body.library.id
  await admin.patch(`/api/libraries/${id}`, { trashDays: 7 })
  await scene.server.scanAndWait(id)
  await remove(`movie:${id}:Lost (1999)`)
  expect((await scene.server.scanAndWait(id)).warnings).toEqual([])
  const [hidden = ''] = readdirSync(path).filter((name) => name.startsWith('.'))

  await using other = await startServer({ libraries: [{ type: 'movies', path, name: 'Found' }], env: NOTHING_PLAYS })
  await other.waitForScans()
  const [{ id: otherId }] = (await (await other.as('admin')).get('/api/libraries')).body.libraries
  const { warnings, warningCount } = await other.scanAndWait(otherId)
  expect([warnings.map(({ path, code }: Json) => [path, code]), warningCount]).toEqual([[[hidden, 'unknown_trash']], 1])

  renameSync(join(path, hidden), join(path, 'Found (1999)'))
  expect(await other.scanAndWait(otherId)).toMatchObject({ found: 2, added: 1, warnings: [] })
  await admin.delete(`/api/libraries/${id}`)
  await scene.index.query('DELETE FROM left_trash')
})
