import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { LIBRARY_TYPES } from '../../src/domain/item-type.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { link, makeTree } from '../support/library-tree.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

let folder: TemporaryFolder
let media: string
let server: TestServer
let admin: HttpClient

beforeAll(async () => {
  folder = await temporaryFolder('libraries')
  media = makeTree(join(folder.path, 'media'), {
    ...{ games: { Solo: { 'Solo.zip': 5 } }, movies: {}, tv: {}, manga: {}, mixed: { 'a.txt': 'a', sub: { 'b.txt': 'b' } } },
    ...{ 'movies-private': { 'secret.txt': 's' }, 'a file': 'text', free: {}, 'to mixed': link('mixed'), out: link('../outside') },
  })
  makeTree(folder.path, { outside: { 'x.txt': 'x' }, data: {} })
  server = await startServer({
    dataDir: join(folder.path, 'data'),
    libraries: [{ type: 'mixed', path: join(media, 'mixed'), name: 'Mixed' }],
    args: ['--media-roots', media],
  })
  admin = await server.as('admin')
  await server.waitForScans()
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const at = (path: string): string => join(media, path)
const create = (body: unknown) => admin.post('/api/libraries', body)
const make = async (type: string, path: string): Promise<Json> => {
  const { status, body } = await create({ name: type, type, path })
  expect(status).toBe(201)
  return body.library
}
const list = async (): Promise<Json[]> => (await admin.get('/api/libraries')).body.libraries

describe('a folder is refused as a library', () => {
  const refusals: [why: string, path: () => string, code: string][] = [
    ['that is not there', () => at('nowhere'), 'path_not_found'],
    ['that is not there, below a file', () => at('a file/below'), 'path_not_a_directory'],
    ['that is a file', () => at('a file'), 'path_not_a_directory'],
    ['by a relative path', () => 'media/free', 'path_not_found'],
    ['by a path with NUL', () => `${at('free')}\0`, 'path_not_found'],
    ['outside the media roots', () => join(folder.path, 'outside'), 'path_not_allowed'],
    ['outside the media roots, by dots', () => at('../outside'), 'path_not_allowed'],
    ['outside the media roots, by a link', () => at('out'), 'path_not_allowed'],
    ['around the media roots', () => folder.path, 'path_not_allowed'],
    ['of the kernel', () => '/proc', 'path_not_allowed'],
    ['with the data of the service', () => join(folder.path, 'data'), 'path_not_allowed'],
    ['that is a library', () => at('mixed'), 'path_overlaps_library'],
    ['that is a library, spelled differently', () => at('free/../mixed/'), 'path_overlaps_library'],
    ['that is a library, by a link', () => at('to mixed'), 'path_overlaps_library'],
    ['inside a library', () => at('mixed/sub'), 'path_overlaps_library'],
    ['around a library', () => media, 'path_overlaps_library'],
  ]
  for (const [why, path, code] of refusals)
    test(why, async () => {
      const { status, body } = await create({ name: 'Refused', type: 'mixed', path: path() })
      expect([status, body.code]).toEqual([400, code])
      // The library that is there may be told its own folder again.
      const [library] = await list()
      if (code !== 'path_overlaps_library')
        expect((await admin.patch(`/api/libraries/${library.id}`, { path: path() })).body.code).toBe(code)
      expect((await list()).map(({ name, path: own }) => [name, own])).toEqual([['Mixed', at('mixed')]])
    })

  test('whose description is wrong', async () => {
    const good = { name: 'X', type: 'mixed', path: at('free') }
    const bad: unknown[] = [
      ...[{}, [], null, 'text', { ...good, name: '' }, { ...good, name: '  ' }, { ...good, name: 'x'.repeat(101) }, { ...good, name: 5 }],
      ...['a\nb', '\u0007', '\u200b'].map((name) => ({ ...good, name })),
      ...[
        { ...good, type: 'music' },
        { ...good, type: 'Mixed' },
        { ...good, path: '' },
        { ...good, path: 'x'.repeat(5000) },
      ],
      ...[
        { ...good, id: 7 },
        { ...good, role: 'admin' },
        { ...good, owner: 1 },
        { name: 'X', type: 'mixed' },
      ],
      ...['every day', '* * * *', '0 0 * * * *', '61 * * * *', '0 25 * * *', '* * * * 9', '@daily'].map((scanSchedule) => ({
        ...good,
        scanSchedule,
      })),
    ]
    for (const body of bad) {
      const answer = await create(body)
      expect([body, answer.status, answer.body.code]).toEqual([body, 400, 'invalid_request'])
    }
    expect(await list()).toHaveLength(1)
  })
})

test('a folder beside a library whose name it starts with is another folder', async () => {
  const first = await make('movies', at('movies'))
  const second = await make('mixed', at('movies-private'))
  for (const { id } of [first, second]) expect((await admin.delete(`/api/libraries/${id}`)).status).toBe(204)
})

test('a library is made with the days of its trash, or with none', async () => {
  const input = { name: 'Films', type: 'movies', path: at('movies') }
  for (const trashDays of [-1, 3651, 1.5, '7', null])
    expect((await admin.post('/api/libraries', { ...input, trashDays })).body.errors).toMatchObject([{ path: 'trashDays' }])
  for (const trashDays of [0, 7, 3650]) {
    const { status, body } = await admin.post('/api/libraries', { ...input, trashDays })
    expect([status, body.library.trashDays]).toEqual([201, trashDays])
    expect((await admin.delete(`/api/libraries/${body.library.id}`)).status).toBe(204)
  }
})

test('a library of every type can be made, read, changed and forgotten, and no file is touched', async () => {
  for (const type of LIBRARY_TYPES.filter((name) => name !== 'mixed')) {
    const library = await make(type, at(type))
    expect(library).toEqual({
      id: expect.any(Number),
      name: type,
      type,
      itemCount: 0,
      available: true,
      lastScan: null,
      scanSchedule: null,
      path: at(type),
      trashDays: 0,
      aiOnScan: [],
      heldScanId: null,
    })
    await server.scanAndWait(library.id)
    const read = (await admin.get(`/api/libraries/${library.id}`)).body.library
    expect(read).toMatchObject({ id: library.id, itemCount: type === 'games' ? 1 : 0, lastScan: { status: 'done', trigger: 'manual' } })

    const changes = { name: 'New name', scanSchedule: '15 4 * * 1', trashDays: 30, aiOnScan: ['tagging'] }
    const patched = await admin.patch(`/api/libraries/${library.id}`, changes)
    expect([patched.status, patched.body.library]).toEqual([200, { ...read, ...changes }])
    const twice = await admin.patch(`/api/libraries/${library.id}`, { aiOnScan: ['extraction', 'tagging', 'extraction'] })
    expect(twice.body.library.aiOnScan).toEqual(['extraction', 'tagging'])
    // An answer can be sent back; the type is fixed, and with another one nothing is changed.
    const other = await admin.patch(`/api/libraries/${library.id}`, { name: 'Other', type: 'mixed' })
    expect([other.status, other.body.code]).toEqual([422, 'library_type_fixed'])
    const sentBack = await admin.patch(`/api/libraries/${library.id}`, { ...patched.body.library, scanSchedule: null })
    expect([sentBack.status, sentBack.body.library]).toEqual([200, { ...read, ...changes, scanSchedule: null }])
    for (const bad of [
      { trashDays: -1 },
      { trashDays: '1' },
      { scanSchedule: 'soon' },
      { aiOnScan: ['dreaming'] },
      { owner: 1 },
      { name: '' },
      { type: 'music' },
    ])
      expect((await admin.patch(`/api/libraries/${library.id}`, bad)).status).toBe(400)

    expect((await admin.delete(`/api/libraries/${library.id}`)).status).toBe(204)
    for (const answer of [
      await admin.get(`/api/libraries/${library.id}`),
      await admin.patch(`/api/libraries/${library.id}`, { name: 'x' }),
      await admin.delete(`/api/libraries/${library.id}`),
      await admin.get('/api/browse', { libraryId: library.id }),
      await admin.post('/api/scans', { libraryId: library.id }),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    expect((await list()).map(({ name }) => name)).toEqual(['Mixed'])
  }
  expect(await Bun.file(at('games/Solo/Solo.zip')).exists()).toBe(true)
})

test('a library cannot move onto, into or around another', async () => {
  const library = await make('games', at('games'))
  for (const path of [at('mixed'), at('mixed/sub'), media, at('to mixed')])
    expect((await admin.patch(`/api/libraries/${library.id}`, { path })).body.code).toBe('path_overlaps_library')
  expect((await admin.delete(`/api/libraries/${library.id}`)).status).toBe(204)
})

test('a library whose folder moves keeps its items, and says when the folder is away', async () => {
  const library = await make('games', at('games'))
  await server.scanAndWait(library.id)
  renameSync(at('games'), at('moved games'))
  expect((await list()).find(({ id }) => id === library.id)).toMatchObject({ available: false, itemCount: 1 })
  const itemKey = `game:${library.id}:Solo`
  // It is not gone: nobody can say that now.
  const away = { code: 'unavailable', detail: 'The folder of the library is not there now.' }
  for (const path of ['/api/files', '/api/game-archive']) {
    const { status, body } = await admin.get(path, { itemKey })
    expect([path, status, body]).toEqual([path, 503, expect.objectContaining(away)])
  }
  const { status, body } = await admin.patch(`/api/libraries/${library.id}`, { path: at('moved games') })
  expect([status, body.library]).toEqual([200, expect.objectContaining({ available: true, itemCount: 1, path: at('moved games') })])
  expect(await server.scanAndWait(library.id)).toMatchObject({ status: 'done', added: 0, missing: 0 })
  expect((await admin.get('/api/files', { itemKey })).status).toBe(200)
  expect((await admin.delete(`/api/libraries/${library.id}`)).status).toBe(204)
  renameSync(at('moved games'), at('games'))
})

test('a library is away as well where nothing is left in its folder, or another folder lies there, and back with what was in it', async () => {
  const library = await make('games', at('games'))
  const isAvailable = async (): Promise<boolean> => (await list()).find(({ id }) => id === library.id)?.available
  // Nothing was ever in it.
  const bare = await make('tv', at('tv'))
  await server.scanAndWait(library.id)
  await server.scanAndWait(bare.id)
  expect([await isAvailable(), (await list()).find(({ id }) => id === bare.id)?.available]).toEqual([true, true])
  renameSync(at('games'), at('moved games'))
  // As what is left where a disk is not mounted.
  mkdirSync(at('games'))
  makeTree(at('games'), { '.Trash-1000': {} })
  expect(await isAvailable()).toBe(false)
  expect(await server.scanAndWait(library.id)).toMatchObject({ status: 'failed', error: 'root_unavailable' })
  rmSync(at('games'), { recursive: true })
  symlinkSync('moved games', at('games'))
  expect(await isAvailable()).toBe(false)
  expect(await server.scanAndWait(library.id)).toMatchObject({ status: 'failed', error: 'root_unavailable' })
  rmSync(at('games'))
  renameSync(at('moved games'), at('games'))
  expect(await isAvailable()).toBe(true)
  renameSync(at('games/Solo'), at('Solo'))
  expect(await isAvailable()).toBe(false)
  renameSync(at('Solo'), at('games/Solo'))
  expect(await isAvailable()).toBe(true)
  for (const { id } of [library, bare]) expect((await admin.delete(`/api/libraries/${id}`)).status).toBe(204)
})

test('why a folder is none any more is in the log, and one that leads elsewhere for good is taken by the same path again', async () => {
  symlinkSync('games', at('a link'))
  const library = await make('games', at('a link'))
  await server.scanAndWait(library.id)
  makeTree(at('other games'), { Solo: { 'Solo.zip': 1 } })
  const scanAgain = async (change: () => void) => {
    rmSync(at('a link'), { recursive: true })
    change()
    expect(await server.scanAndWait(library.id)).toMatchObject({ status: 'failed', error: 'root_unavailable' })
    const line = server
      .output()
      .match(/.*"scan_root_unavailable".*/g)
      ?.at(-1)
    return JSON.parse(line ?? '{}')
  }
  const told = { level: 'warn', libraryId: library.id }
  expect(await scanAgain(() => symlinkSync('other games', at('a link')))).toMatchObject({
    ...told,
    reason: `${at('a link')} leads somewhere else than it did.`,
  })
  expect((await admin.patch(`/api/libraries/${library.id}`, { path: at('a link') })).body.library).toMatchObject({ available: true })
  expect(await server.scanAndWait(library.id)).toMatchObject({ status: 'done', error: null })
  expect(await scanAgain(() => undefined)).toMatchObject({ ...told, reason: `${at('a link')} cannot be opened.` })
  expect((await admin.delete(`/api/libraries/${library.id}`)).status).toBe(204)
  rmSync(at('other games'), { recursive: true })
})

describe('the folder picker', () => {
  const look = (path?: string) => admin.get('/api/filesystem', { path })

  test('says of a folder that is not there that it is not, as the form does', async () => {
    const detail = `There is no folder ${at('nowhere')}.`
    expect((await look(at('nowhere'))).body.detail).toBe(detail)
    expect((await create({ name: 'Refused', type: 'mixed', path: at('nowhere') })).body.detail).toBe(detail)
  })

  test('shows nothing outside the media roots', async () => {
    const refusals: [string, string][] = [
      [folder.path, 'path_not_allowed'],
      [at('..'), 'path_not_allowed'],
      [at('out'), 'path_not_allowed'],
      ['/', 'path_not_allowed'],
      ['/etc', 'path_not_allowed'],
      [at('nowhere'), 'path_not_found'],
      [`${media}\0`, 'path_not_found'],
      // Where the server happened to be started says nothing of anybody's folders.
      [relative(process.cwd(), media), 'path_not_found'],
      [at('a file'), 'path_not_a_directory'],
    ]
    for (const [path, code] of refusals) {
      const { status, body } = await look(path)
      expect([path, status, body.code]).toEqual([path, 400, code])
    }
  })

  test('shows folders in natural order, no files, no hidden ones, and the way up as far as it goes', async () => {
    mkdirSync(at('free/.hidden'), { recursive: true })
    for (const name of ['Disk 10', 'Disk 9', 'disk 1']) mkdirSync(at(`free/${name}`))
    symlinkSync('/etc', at('free/link'))
    const { body } = await look(at('free'))
    expect(body).toMatchObject({ path: at('free'), parent: media })
    expect(body.folders).toEqual(['disk 1', 'Disk 9', 'Disk 10'].map((name) => ({ name, path: at(`free/${name}`) })))
    const top = (await look()).body
    expect(top).toMatchObject({ path: media, parent: null })
    expect((await look(media)).body).toEqual(top)
    expect(top.folders.map(({ name }: Json) => name)).toContain('movies-private')
    rmSync(at('free'), { recursive: true })
  })
})
