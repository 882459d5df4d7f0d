import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpClient, Json } from '../support/http-client.ts'
import { type IndexDatabase, openIndexOf } from '../support/index-database.ts'
import { makeTree } from '../support/library-tree.ts'
import { listEntries } from '../support/scan-scene.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer } from '../support/test-server.ts'

/** Libraries over HTTP (API.md, 4): who makes them, of which folders, and what becomes of the folders. */

let folder: TemporaryFolder
let server: TestServer
let admin: HttpClient
let index: IndexDatabase

const at = (...names: string[]): string => join(folder.path, 'media', ...names)

beforeAll(async () => {
  folder = await temporaryFolder('libraries')
  makeTree(folder.path, {
    media: {
      films: { 'Alien (1979)/Alien.mkv': 1000, 'Heat (1995)/Heat.mkv': 2000 },
      'films-private': { 'Secret (2000)/Secret.mkv': 500 },
      photos: { 'beach.jpg': 10, '2020': { 'hill.jpg': 20 } },
      plain: 'a file',
      '.hidden': {},
      outer: { inner: { 'x.txt': 5 } },
    },
    second: { 'y.txt': 5 },
    outside: { 'z.txt': 5 },
  })
  symlinkSync(join(folder.path, 'outside'), at('way-out'))
  symlinkSync(at('films'), at('films-link'))
  // The data lies below a media root, as it may on a small machine.
  server = await startServer({ dataDir: at('data'), args: ['--media-roots', `${at()}:${join(folder.path, 'second')}`] })
  admin = await server.as('admin')
  index = openIndexOf(server)
})
afterAll(async () => {
  index.close()
  await server.stop()
  await folder.remove()
})

const problem = ({ status, body }: Json): string => `${status} ${body?.code}`
const make = (body: Json) => admin.post('/api/libraries', body)
const forget = async (id: number) => expect((await admin.delete(`/api/libraries/${id}`)).status).toBe(204)
/** A library that is there for one test. */
const withLibrary = async (body: Json, work: (library: Json) => Promise<void>): Promise<void> => {
  const answer = await make(body)
  expect(answer.status).toBe(201)
  await work(answer.body.library).finally(() => forget(answer.body.library.id))
}

test('nobody without a session and no ordinary user makes, changes, deletes, purges or picks a library', async () => {
  const user = await server.as('member', { libraryIds: null, permissions: { delete: true } })
  await withLibrary({ name: 'Films', type: 'movies', path: at('films') }, async ({ id }) => {
    for (const [client, expected] of [
      [server.anonymous, '401 not_signed_in'],
      [user, '403 forbidden'],
    ] as const) {
      const answers = [
        await client.post('/api/libraries', { name: 'X', type: 'mixed', path: at('photos') }),
        await client.patch(`/api/libraries/${id}`, { name: 'X' }),
        await client.delete(`/api/libraries/${id}`),
        await client.post(`/api/libraries/${id}/purge-missing`),
        await client.get('/api/filesystem'),
        await client.post('/api/scans', {}),
      ]
      expect(answers.map(problem)).toEqual(answers.map(() => expected))
    }
    expect((await admin.get(`/api/libraries/${id}`)).body.library.name).toBe('Films')
  })
})

test.each([
  ['a relative path', 'films', 'path_not_found'],
  ['a folder that is not there', '/no/such/folder', 'path_not_found'],
  ['a NUL in the path', '/media\0', 'path_not_found'],
  ['a file', () => at('plain'), 'path_not_a_directory'],
  ['something below a file', () => at('plain', 'x'), 'path_not_a_directory'],
  ['a folder outside the media roots', () => join(folder.path, 'outside'), 'path_not_allowed'],
  ['a way around the media roots', () => at('photos', '..', '..', 'outside'), 'path_not_allowed'],
  ['a link that leads out of the media roots', () => at('way-out'), 'path_not_allowed'],
  ["the service's own data", () => at('data'), 'path_not_allowed'],
  ['a folder around its data', () => at(), 'path_not_allowed'],
  ['a kernel file system', '/proc', 'path_not_allowed'],
])('%s cannot be a library', async (_, path, code) => {
  const wanted = typeof path === 'string' ? path : path()
  expect(problem(await make({ name: 'X', type: 'mixed', path: wanted }))).toBe(`400 ${code}`)
  expect((await admin.get('/api/libraries')).body).toEqual({ libraries: [] })
})

test('of several requests at once for one place, one gets it', async () => {
  const paths = [at('outer'), at('outer', 'inner'), at('outer'), at('outer', 'inner')]
  const answers = await Promise.all(paths.map((path, place) => make({ name: `Twin ${place}`, type: 'mixed', path })))
  const made = answers.filter(({ status }) => status === 201)
  try {
    expect(made).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 201) expect(problem(answer)).toBe('400 path_overlaps_library')
  } finally {
    for (const { body } of made) await admin.delete(`/api/libraries/${body.library.id}`)
  }
})

test('a folder that lies in, around or at the folder of another library is refused, by its real place', async () => {
  await withLibrary({ name: 'Outer', type: 'mixed', path: at('outer') }, async () => {
    for (const path of [at('outer'), at('outer', 'inner'), `${at('outer')}/`, at('outer', 'inner', '..')])
      expect(problem(await make({ name: 'X', type: 'tv', path }))).toBe('400 path_overlaps_library')
  })
  await withLibrary({ name: 'Inner', type: 'mixed', path: at('outer', 'inner') }, async () => {
    expect(problem(await make({ name: 'X', type: 'tv', path: at('outer') }))).toBe('400 path_overlaps_library')
  })
  await withLibrary({ name: 'Films', type: 'movies', path: at('films') }, async ({ id }) => {
    expect(problem(await make({ name: 'X', type: 'mixed', path: at('films-link') }))).toBe('400 path_overlaps_library')
    // A name that only begins like another one is a place of its own.
    await withLibrary({ name: 'Private', type: 'movies', path: at('films-private') }, async (other) => {
      expect(problem(await admin.patch(`/api/libraries/${other.id}`, { path: at('films') }))).toBe('400 path_overlaps_library')
      expect((await admin.patch(`/api/libraries/${id}`, { path: at('films') })).status).toBe(200)
    })
  })
})

test.each([
  [{ type: 'movies', path: '/x' }, 'name'],
  [{ name: ' ', type: 'movies', path: '/x' }, 'name'],
  [{ name: 'X', path: '/x' }, 'type'],
  [{ name: 'X', type: 'music', path: '/x' }, 'type'],
  [{ name: 'X', type: 'movies' }, 'path'],
  [{ name: 'X', type: 'movies', path: 5 }, 'path'],
])('a library is refused by the name of the wrong field (%j)', async (body, field) => {
  const answer = await make(body)
  expect(problem(answer)).toBe('400 invalid_request')
  expect(answer.body.errors.map(({ path }: Json) => path)).toContain(field)
})

test.each(['', 'often', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '@daily', '*/0 * * * *'])(
  'a schedule of %j is refused, when a library is made and when it is changed',
  async (scanSchedule) => {
    expect(problem(await make({ name: 'X', type: 'mixed', path: at('photos'), scanSchedule }))).toBe('400 invalid_request')
    await withLibrary({ name: 'Photos', type: 'mixed', path: at('photos'), scanSchedule: '30 4 * * 1-5' }, async ({ id }) => {
      expect(problem(await admin.patch(`/api/libraries/${id}`, { scanSchedule }))).toBe('400 invalid_request')
      expect((await admin.get(`/api/libraries/${id}`)).body.library.scanSchedule).toBe('30 4 * * 1-5')
    })
  },
)

test('a library is answered whole to administrators, and without path and schedule to everybody else', async () => {
  await withLibrary({ name: 'Photos', type: 'mixed', path: at('photos'), scanSchedule: '30 4 29 2 *' }, async (library) => {
    expect(library).toMatchObject({
      name: 'Photos',
      type: 'mixed',
      path: at('photos'),
      scanSchedule: '30 4 29 2 *',
      itemCount: 0,
      available: true,
      lastScan: null,
    })
    await server.scanAndWait(library.id)
    const { libraries } = (await admin.get('/api/libraries')).body
    expect(libraries).toEqual([(await admin.get(`/api/libraries/${library.id}`)).body.library])
    expect(libraries[0]).toMatchObject({
      id: library.id,
      itemCount: 2,
      lastScan: { status: 'done', trigger: 'manual', added: 2, libraryId: library.id },
    })
    const member = await server.as('member')
    const [seen] = (await member.get('/api/libraries')).body.libraries
    expect(seen).toMatchObject({
      id: library.id,
      name: 'Photos',
      type: 'mixed',
      itemCount: 2,
      available: true,
      lastScan: { status: 'done' },
    })
    expect(Object.keys(seen).sort()).toEqual(['available', 'id', 'itemCount', 'lastScan', 'name', 'type'])
    expect(JSON.stringify((await member.get(`/api/libraries/${library.id}`)).body)).not.toContain(folder.path)
  })
})

test('a library that a user may not see does not exist for them', async () => {
  await withLibrary({ name: 'Photos', type: 'mixed', path: at('photos') }, async ({ id }) => {
    const stranger = await server.as('stranger', { libraryIds: [] })
    expect((await stranger.get('/api/libraries')).body).toEqual({ libraries: [] })
    expect(problem(await stranger.get(`/api/libraries/${id}`))).toBe('404 not_found')
    expect(problem(await stranger.get('/api/browse', { libraryId: id }))).toBe('404 not_found')
  })
  expect(problem(await admin.get('/api/libraries/999'))).toBe('404 not_found')
  expect(problem(await admin.patch('/api/libraries/999', { name: 'X' }))).toBe('404 not_found')
  expect(problem(await admin.delete('/api/libraries/999'))).toBe('404 not_found')
  expect(problem(await admin.post('/api/scans', { libraryId: 999 }))).toBe('404 not_found')
})

test('name, schedule, trash days and AI at scan can be changed; the type is fixed, and unknown fields are refused', async () => {
  await withLibrary({ name: 'Photos', type: 'mixed', path: at('photos') }, async ({ id }) => {
    const patch = { name: 'Pictures', scanSchedule: '5 3 * * *', trashDays: 30, aiOnScan: ['tagging', 'extraction'] }
    expect((await admin.patch(`/api/libraries/${id}`, patch)).body.library).toMatchObject(patch)
    expect(problem(await admin.patch(`/api/libraries/${id}`, { type: 'movies', scanSchedule: null }))).toBe('422 library_type_fixed')
    const answer = await admin.patch(`/api/libraries/${id}`, { type: 'mixed', scanSchedule: null })
    expect(answer.body.library).toMatchObject({ type: 'mixed', scanSchedule: null, name: 'Pictures' })
    for (const wrong of [{ aiOnScan: ['dancing'] }, { trashDays: -1 }, { trashDays: 1.5 }, { name: '' }, { colour: 'red' }])
      expect(problem(await admin.patch(`/api/libraries/${id}`, wrong))).toBe('400 invalid_request')
    expect(problem(await admin.patch(`/api/libraries/${id}`, { path: at('nowhere') }))).toBe('400 path_not_found')
    expect((await admin.get(`/api/libraries/${id}`)).body.library).toMatchObject({ ...patch, scanSchedule: null, path: at('photos') })
  })
})

test('a library whose folder has moved keeps its items at the new path', async () => {
  await withLibrary({ name: 'Films', type: 'movies', path: at('films') }, async ({ id }) => {
    await server.scanAndWait(id)
    await index.mark({ [`movie:${id}:Alien (1979)`]: 'alien' })
    const before = await index.marks()
    renameSync(at('films'), at('cinema'))
    try {
      expect((await admin.get(`/api/libraries/${id}`)).body.library.available).toBe(false)
      expect(await server.scanAndWait(id)).toMatchObject({ status: 'failed', error: 'root_unavailable' })
      expect((await admin.patch(`/api/libraries/${id}`, { path: at('cinema') })).body.library).toMatchObject({
        path: at('cinema'),
        available: true,
      })
      expect(await server.scanAndWait(id)).toMatchObject({ status: 'done', found: 2, added: 0, updated: 0, moved: 0, missing: 0 })
      expect(await index.marks()).toEqual(before)
    } finally {
      renameSync(at('cinema'), at('films'))
    }
  })
})

/** Every name below a folder with its inode, size, times and mode. */
const look = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { ino, size, mtimeMs, ctimeMs, mode } = statSync(join(path, name))
      return [name, ino, size, mtimeMs, ctimeMs, mode].join(' ')
    })

test('deleting a library forgets its rows and touches no file', async () => {
  const before = look(at('films'))
  const kept = await make({ name: 'Private', type: 'movies', path: at('films-private') })
  const other = kept.body.library.id
  await server.scanAndWait(other)
  await withLibrary({ name: 'Films', type: 'movies', path: at('films') }, async ({ id }) => {
    await server.scanAndWait(id)
    await index.mark({ [`movie:${id}:Alien (1979)`]: 'forgotten', [`movie:${other}:Secret (2000)`]: 'kept' })
  })
  expect(look(at('films'))).toEqual(before)
  expect((await admin.get('/api/libraries')).body.libraries.map(({ id }: Json) => id)).toEqual([other])
  expect((await listEntries(admin, { libraryId: other })).length).toBe(1)
  for (const table of ['media_items', 'scans', 'scan_units'])
    expect(await index.query(`SELECT DISTINCT library_id AS id FROM ${table}`)).toEqual([{ id: other }])
  expect(Object.keys(await index.marks())).toEqual(['kept'])
  expect(await index.query('SELECT count(*) AS n FROM item_tags')).toEqual([{ n: 1 }])
  await forget(other)
})

test('what a library holds can be asked, also what of it is missing; a purge forgets just that', async () => {
  const held = at('held')
  makeTree(held, { 'a.jpg': 10, 'b.jpg': 20, 'c.jpg': 30 })
  await withLibrary({ name: 'Held', type: 'mixed', path: held }, async ({ id }) => {
    const contents = async (): Promise<Json> => (await admin.get(`/api/libraries/${id}/contents`)).body.contents
    await server.scanAndWait(id)
    await index.mark({ [`mixed_file:${id}:a.jpg`]: 'a', [`mixed_file:${id}:b.jpg`]: 'b' })
    expect(await contents()).toEqual({ items: 3, assignments: 2, missing: 0, missingAssignments: 0 })
    for (const name of ['a.jpg', 'c.jpg']) rmSync(join(held, name))
    await server.scanAndWait(id)
    expect(await contents()).toEqual({ items: 3, assignments: 2, missing: 2, missingAssignments: 1 })
    expect((await admin.post(`/api/libraries/${id}/purge-missing`)).body).toEqual({ purged: 2 })
    expect(await contents()).toEqual({ items: 1, assignments: 1, missing: 0, missingAssignments: 0 })
  })
  rmSync(held, { recursive: true })
  expect((await admin.get('/api/libraries/999/contents')).status).toBe(404)
})

test('tags that were saved before a library was deleted are all there once it is made again and they are imported', async () => {
  const spec = { name: 'Again', type: 'mixed', path: at('photos') }
  const tagsOf = async (id: number): Promise<Json> => {
    const { assignments } = (await admin.get('/api/tags/library-assignments', { libraryId: id })).body
    return Object.fromEntries(Object.entries(assignments).map(([key, ids]) => [key.replace(`:${id}:`, ':'), ids]))
  }
  let saved = ''
  let before: Json
  await withLibrary(spec, async ({ id }) => {
    await server.scanAndWait(id)
    await index.mark({ [`mixed_file:${id}:beach.jpg`]: 'sand', [`mixed_file:${id}:2020/hill.jpg`]: 'grass' })
    saved = await (await admin.fetch(`/api/tags/export?libraryId=${id}`)).text()
    before = await tagsOf(id)
    expect(Object.keys(before).length).toBe(2)
  })
  const send = async (): Promise<Json> => (await admin.post('/api/tags/import', JSON.parse(saved))).body
  // Of another name or type, or twice of the same: nobody can tell.
  await withLibrary({ ...spec, name: 'Something else' }, async ({ id }) => {
    await server.scanAndWait(id)
    expect(await send()).toMatchObject({ assigned: 0, skippedCount: 2 })
  })
  await withLibrary(spec, async ({ id }) => {
    await server.scanAndWait(id)
    expect(await send()).toMatchObject({ assigned: 2, skippedCount: 0 })
    expect(await tagsOf(id)).toEqual(before)
    expect(await send()).toMatchObject({ assigned: 0, skippedCount: 0 })
    const seesOne = await server.as('sees the one that was made again', { libraryIds: [id] })
    await withLibrary({ ...spec, path: at('outer') }, async () => {
      // The number of the file is still nobody's.
      expect(await send()).toMatchObject({ assigned: 0, skippedCount: 2 })
      // What somebody may not see does not exist for them.
      expect((await seesOne.post('/api/tags/import', JSON.parse(saved))).body).toMatchObject({ assigned: 0, skippedCount: 0 })
    })
    // Two of the file, and one now: what was on the other would come upon files that only have the same names.
    const { libraries } = JSON.parse(saved)
    const twice = { ...JSON.parse(saved), libraries: [...libraries, { ...libraries[0], id: 99_999 }] }
    expect((await admin.post('/api/tags/import', twice)).body).toMatchObject({ assigned: 0, skippedCount: 2 })
  })
})

test('a deleted library that is made again is a new one', async () => {
  const ids: number[] = []
  for (let round = 0; round < 2; round++)
    await withLibrary({ name: 'Photos', type: 'mixed', path: at('photos') }, async ({ id }) => {
      ids.push(id)
      expect(await server.scanAndWait(id)).toMatchObject({ status: 'done', found: 2, added: 2 })
    })
  expect(ids[1]).toBeGreaterThan(ids[0] ?? 0)
})

test('the folder picker shows folders below the media roots, and nothing else', async () => {
  const list = async (path?: string) => (await admin.get('/api/filesystem', { path })).body
  expect(await list()).toEqual({
    path: null,
    parent: null,
    folders: [at(), join(folder.path, 'second')].map((path) => ({ name: path, path })),
  })
  const { path, parent, folders } = await list(at())
  expect([path, parent]).toEqual([at(), null])
  expect(folders.map(({ name }: Json) => name)).toEqual(['data', 'films', 'films-private', 'outer', 'photos'])
  expect(await list(at('outer'))).toEqual({ path: at('outer'), parent: at(), folders: [{ name: 'inner', path: at('outer', 'inner') }] })
  for (const [wrong, code] of [
    [join(folder.path, 'outside'), 'path_not_allowed'],
    [folder.path, 'path_not_allowed'],
    ['/', 'path_not_allowed'],
    [at('way-out'), 'path_not_allowed'],
    [at('..', 'outside'), 'path_not_allowed'],
    [at('plain'), 'path_not_a_directory'],
    [at('nowhere'), 'path_not_found'],
  ])
    expect({ wrong, answer: problem(await admin.get('/api/filesystem', { path: wrong })) }).toEqual({ wrong, answer: `400 ${code}` })
})

test('a folder made a moment ago can be picked and become a library', async () => {
  mkdirSync(at('photos', 'new'))
  expect((await admin.get('/api/filesystem', { path: at('photos') })).body.folders.map(({ name }: Json) => name)).toContain('new')
  await withLibrary({ name: 'New', type: 'mixed', path: at('photos', 'new') }, async ({ id }) => {
    expect(await server.scanAndWait(id)).toMatchObject({ status: 'done', found: 0 })
  })
})

test('of all libraries, one that is removed while scans of them are being asked for holds up none of the others', async () => {
  const ids: number[] = []
  for (const name of ['films', 'photos']) ids.push((await make({ name, type: 'mixed', path: at(name) })).body.library.id)
  const [gone = 0, other = 0] = ids
  // As a deletion that comes between the list of libraries and the scan.
  await index.query(
    `CREATE TRIGGER removed BEFORE INSERT ON scans WHEN NEW.library_id = ${gone} BEGIN DELETE FROM libraries WHERE id = ${gone}; END`,
  )
  const { status, body } = await admin.post('/api/scans', {})
  const alone = await admin.post('/api/scans', { libraryId: gone })
  await index.query('DROP TRIGGER removed')
  expect([status, body.scans?.map(({ libraryId }: Json) => libraryId)]).toEqual([202, [other]])
  expect([alone.status, alone.body.code]).toEqual([404, 'not_found'])
  await server.waitForScans()
  for (const id of ids) await forget(id)
})
