import { describe, expect, test } from 'bun:test'
import { mkdirSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { NOTHING_PLAYS } from '../support/scan-scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer } from '../support/test-server.ts'

/** A flag that gives a name means the library of that name, wherever it lies: a second one would be empty of all that people have put on the first. */

describe('a library of the command line that has a name of its own', () => {
  /** Starts with these flags; answers the libraries, what the first of them holds, and what the log says of flags. */
  const start = async (
    dataDir: string,
    flags: { name?: string; path: string }[],
    { meanwhile, env }: { meanwhile?: (admin: HttpClient) => Promise<void>; env?: Record<string, string> } = {},
  ) => {
    const libraries = flags.map((flag) => ({ ...flag, type: 'movies' as const }))
    await using server = await startServer({ dataDir, libraries, env: { ...NOTHING_PLAYS, ...env } })
    await server.waitForScans()
    const admin = await server.as('admin')
    await meanwhile?.(admin)
    const { body } = await admin.get('/api/libraries')
    const told = server.output().match(/library_(?:elsewhere|followed|created|not_created)/g) ?? []
    const shown = body.libraries.map(({ id, name, path, itemCount }: Json) => `${id} ${name} ${basename(path)} ${itemCount}`)
    return { shown, told, tags: (await admin.get('/api/tags/library-assignments', { libraryId: 1 })).body.assignments }
  }
  const makeFilms = (folder: string, ...names: string[]): string[] =>
    names.map((name) => {
      makeTree(join(folder, name), { [`Alien ${name}`]: { 'Alien.mkv': 5 } })
      return join(folder, name)
    })
  const tag = async (admin: HttpClient): Promise<void> => {
    const { id } = (await admin.post('/api/tags/categories', { name: 'Genre' })).body.category
    await admin.post('/api/tags/items', { name: 'Horror', categoryId: id, itemKey: 'movie:1:Alien old' })
  }

  test('follows its flag where its folder is away and the new one is there, with all that is on it', async () => {
    await using folder = await temporaryFolder('startup')
    const dataDir = join(folder.path, 'data')
    const [old = ''] = makeFilms(folder.path, 'old')
    expect(await start(dataDir, [{ name: 'Films', path: old }], { meanwhile: tag })).toMatchObject({
      shown: ['1 Films old 1'],
      told: ['library_created'],
    })
    const moved = join(folder.path, 'new')
    const flags = [{ name: 'Films', path: moved }]
    const rename = async (admin: HttpClient): Promise<void> => void (await admin.patch('/api/libraries/1', { name: 'Cinema' }))
    // Also under a name that an administrator has given it. Not before the folder is there.
    await start(dataDir, [{ name: 'Films', path: old }], { meanwhile: rename })
    renameSync(old, `${old} of before`)
    expect(await start(dataDir, flags)).toMatchObject({ shown: ['1 Cinema old 1'], told: ['library_elsewhere'] })
    mkdirSync(moved)
    // Written in another way, it is the same name.
    expect(await start(dataDir, [{ name: 'fILMS', path: moved }])).toMatchObject({ shown: ['1 Cinema old 1'], told: ['library_elsewhere'] })
    renameSync(join(`${old} of before`, 'Alien old'), join(moved, 'Alien old'))
    const after = { shown: ['1 Cinema new 1'], tags: { 'movie:1:Alien old': [1] } }
    expect(await start(dataDir, flags)).toMatchObject({ ...after, told: ['library_followed'] })
    expect(await start(dataDir, flags)).toMatchObject({ ...after, told: [] })
  })

  test('that has never held anything follows its flag from a folder of the wrong name', async () => {
    await using folder = await temporaryFolder('startup')
    const dataDir = join(folder.path, 'data')
    const [right = ''] = makeFilms(folder.path, 'right')
    const wrong = join(folder.path, 'wrong')
    mkdirSync(wrong)
    await start(dataDir, [{ name: 'Films', path: wrong }])
    // What is there is new, also where nothing else is scanned.
    const followed = await start(dataDir, [{ name: 'Films', path: right }], { env: { SCAN_ON_START: '0' } })
    expect(followed).toMatchObject({ shown: ['1 Films right 1'], told: ['library_followed'] })
  })

  test('is not made again, and stays, where both folders are there, or an administrator has given it another', async () => {
    await using folder = await temporaryFolder('startup')
    const dataDir = join(folder.path, 'data')
    const [old = '', copy = '', third = ''] = makeFilms(folder.path, 'old', 'copy', 'third')
    await start(dataDir, [{ name: 'Films', path: old }])
    expect(await start(dataDir, [{ name: 'Films', path: copy }])).toMatchObject({
      shown: ['1 Films old 1'],
      told: ['library_elsewhere'],
    })
    const give = async (admin: HttpClient): Promise<void> => void (await admin.patch('/api/libraries/1', { path: third }))
    await start(dataDir, [{ name: 'Films', path: old }], { meanwhile: give })
    // Where the disk of the new folder is away at a start, the library does not go back.
    const stays = { shown: [expect.stringMatching(/^1 Films third /)], told: ['library_elsewhere'] }
    expect(await start(dataDir, [{ name: 'Films', path: old }])).toMatchObject(stays)
    renameSync(third, `${third} away`)
    expect(await start(dataDir, [{ name: 'Films', path: old }])).toMatchObject(stays)
  })

  test('keeps nobody from starting where its folder of before is given to another library', async () => {
    await using folder = await temporaryFolder('startup')
    const dataDir = join(folder.path, 'data')
    const [old = '', copy = ''] = makeFilms(folder.path, 'old', 'copy')
    await start(dataDir, [{ name: 'Films', path: old }])
    const flags = [
      { name: 'Films', path: copy },
      { name: 'Alien', path: join(old, 'Alien old') },
    ]
    expect(await start(dataDir, flags)).toMatchObject({ shown: ['1 Films old 1'], told: ['library_elsewhere', 'library_not_created'] })
  })

  test('is no other one: not one of another name, nor one that is called after its folder, nor that of another flag', async () => {
    await using folder = await temporaryFolder('startup')
    const dataDir = join(folder.path, 'data')
    const [old = '', other = '', third = ''] = makeFilms(folder.path, 'old', 'other', 'third')
    makeTree(join(folder.path, 'more/old'), { 'Alien more': { 'Alien.mkv': 5 } })
    const same = [
      { name: 'Films', path: old },
      { name: 'Films', path: other },
    ]
    expect((await start(dataDir, same)).shown).toHaveLength(2)
    expect((await start(dataDir, [...same, { name: 'Films', path: third }])).shown).toHaveLength(3)
    expect((await start(dataDir, [{ name: 'Cinema', path: join(folder.path, 'more/old') }])).shown).toHaveLength(4)
    // Of two that could be meant, neither goes anywhere.
    for (const path of [old, other]) renameSync(path, `${path} moved`)
    const moved = same.map(({ name, path }) => ({ name, path: `${path} moved` }))
    const stays = await start(dataDir, [...moved, { name: 'Films', path: third }])
    expect(stays.told).toEqual(['library_elsewhere', 'library_elsewhere'])
    expect(stays.shown).toHaveLength(4)
    expect((await start(dataDir, [{ path: `${old} moved` }])).shown).toHaveLength(5)
  })
})
