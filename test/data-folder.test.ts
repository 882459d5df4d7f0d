import { describe, expect, test } from 'bun:test'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { clearTemporary, prepareDataFolder } from '../src/data-folder.ts'
import { folderContents } from './support/folder-contents.ts'
import { makeTree } from './support/library-tree.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const prepare = (dataDir: string, databaseUrl = pathToFileURL(join(dataDir, 'vitrine.db')).href): Promise<boolean> =>
  prepareDataFolder({ dataDir, databaseUrl })

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)

describe('a folder that holds what is not of this service', () => {
  const OTHERS = {
    'a disk': { 'tmp/holiday/photo.jpg': 'a photo', 'movies/Film (2000)/film.mkv': 'a film' },
    'a home': { '.bashrc': '', 'Documents/letter.odt': 'a letter' },
  }
  test.each(Object.entries(OTHERS))('is refused and stays as it is: %s', async (_, tree) => {
    await using folder = await temporaryFolder('data-folder')
    const data = makeTree(join(folder.path, 'data'), tree)
    const before = [await modeOf(data), folderContents(data)]
    await expect(prepare(data)).rejects.toThrow(/^--data, DATA_DIR: .* holds other things \("/)
    expect([await modeOf(data), folderContents(data)]).toEqual(before)
  })
})

describe('a first start is let in', () => {
  const FIRST = {
    'an empty folder': {},
    "a mount's root": { 'lost+found': {}, '.Trash-1000': {} },
    'a volume that was made ready': { '.gitkeep': '', '.snapshot': {}, '@eaDir': {}, 'System Volume Information': {} },
    "the home of the service's user": { '.bashrc': '', '.profile': '', 'vitrine.env': '', 'vitrine/package.json': '{}' },
    'files that a script has put there': { 'server.log': '', 'nohup.out': '', 'settings.json': '{}' },
    'a database from before': { 'vitrine.db': '', notes: 'mine' },
    'backups to go back to': { 'backups/vitrine-2026-11-24.db': '' },
    'a downloaded backup': { 'vitrine-2026-11-24T10-00-00.db': '' },
    'a start that was cut off': { 'server.lock': '' },
    'data whose database was taken away': { 'server.lock': '', 'thumbnails/01/1-a-small.webp': '', notes: 'mine' },
    'data of a version without the lock, whose database is on a server': { 'tmp/hls': {}, 'thumbnails/01': {}, pages: {} },
  }
  test.each(Object.entries(FIRST))('%s', async (_, tree) => {
    await using folder = await temporaryFolder('data-folder')
    const data = makeTree(join(folder.path, 'data'), tree)
    expect(await prepare(data)).toBe(true)
    expect(await modeOf(data)).toBe('700')
  })

  test('a folder that is still to be made', async () => {
    await using folder = await temporaryFolder('data-folder')
    expect(await prepare(join(folder.path, 'a/b'))).toBe(true)
    expect(await modeOf(join(folder.path, 'a/b'))).toBe('700')
  })

  test('a database of another name', async () => {
    await using folder = await temporaryFolder('data-folder')
    const data = makeTree(join(folder.path, 'data'), { 'mine.db': '', 'mine.db-wal': '' })
    expect(await prepare(data, pathToFileURL(join(data, 'mine.db')).href)).toBe(true)
  })
})

test('what a killed server has left in the temporary folder goes, and nothing that anybody else keeps there', async () => {
  await using folder = await temporaryFolder('data-folder')
  const backup = 'tmp/backup-0b0f3c0e-5a3c-4d1e-9c67-2f0f5b0a9d11'
  const theirs = { 'tmp/holiday/photo.jpg': 'a photo', 'tmp/backup-of-mine.db': 'mine', 'vitrine.db': '' }
  const ours = {
    'tmp/hls/Zm9v/0.m4s': '',
    [`${backup}/vitrine.db.partial`]: '',
    [`${backup}.db`]: '',
    [`${backup}.db.partial`]: '',
    'tmp/vitrine-ocr-aB3x9Z/eng.traineddata.gz': '',
  }
  const data = makeTree(join(folder.path, 'data'), { ...theirs, ...ours })
  const left = folderContents(makeTree(join(folder.path, 'left'), theirs))
  await clearTemporary({ dataDir: data })
  expect(folderContents(data)).toEqual(left)
  await mkdir(join(folder.path, 'empty'))
  await clearTemporary({ dataDir: join(folder.path, 'empty') })
})
