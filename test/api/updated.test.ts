import { expect, setDefaultTimeout, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { LibraryType } from '../../src/domain/item-type.ts'
import type { Json } from '../support/http-client.ts'
import { folder, makeTree, type Tree } from '../support/library-tree.ts'
import { startScene } from '../support/scan-scene.ts'

setDefaultTimeout(60_000)

const of = (year: number) => folder({ 'Season 1': { 'S01E01.mkv': 3 } }, { modified: `${year}-01-01` })
const SAGA = { 'Volume 1': { 'Chapter 1.cbz': 3 } }

test('what has something new in it has changed, however deep below that is, and what nobody has added to has not', async () => {
  await using scene = await startScene({
    tv: { Andor: of(2019), Borgen: of(2020), Cheers: of(2018) },
    manga: { Akira: SAGA, Berserk: SAGA, Claymore: SAGA },
  })
  const listed = async (type: LibraryType, sort = 'updated', parentKey?: string): Promise<string[]> => {
    const { body } = await scene.admin.get('/api/browse', { libraryId: scene.idOf(type), sort, order: 'desc', parentKey })
    return body.entries.map(({ title }: Json) => title)
  }
  const add = (type: LibraryType, tree: Tree): Promise<Json> => {
    makeTree(scene.rootOf(type), tree)
    return scene.scan(type)
  }
  // What one scan has found is ordered by its own dates.
  expect(await listed('tv')).toEqual(['Borgen', 'Andor', 'Cheers'])

  // The folder of the season has changed; that of the series has not.
  expect(await add('tv', { 'Cheers/Season 1/S01E02.mkv': 4 })).toMatchObject({ added: 1, updated: 1 })
  expect(await listed('tv')).toEqual(['Cheers', 'Borgen', 'Andor'])
  expect(await listed('tv', 'added')).toEqual(['Borgen', 'Andor', 'Cheers'])
  // A file as large as a known one waits for the end of the scan.
  await add('tv', { 'Andor/Season 1/S01E02.mkv': 4 })
  expect(await listed('tv')).toEqual(['Andor', 'Cheers', 'Borgen'])

  await add('manga', { 'Akira/Volume 1/Chapter 2.cbz': 4 })
  expect((await listed('manga'))[0]).toBe('Akira')
  await add('manga', { 'Berserk/Volume 1/Chapter 2.cbz': 5 })
  expect((await listed('manga'))[0]).toBe('Berserk')

  // The first episode lends a series its picture; this one lends it nothing.
  const season = join(scene.rootOf('tv'), 'Cheers/Season 1')
  renameSync(join(season, 'S01E02.mkv'), join(season, 'S01E02 again.mkv'))
  expect(await scene.scan('tv')).toMatchObject({ moved: 1, updated: 1 })
  await scene.scan('tv')
  expect(await listed('tv')).toEqual(['Andor', 'Cheers', 'Borgen'])
})
