import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { PARENT_TYPE } from '../../src/domain/item-type.ts'
import { filesBelow } from '../../src/scan/folder-tree.ts'
import { readGames } from '../../src/scan/games.ts'
import { readManga } from '../../src/scan/manga.ts'
import { readMovies } from '../../src/scan/movies.ts'
import { readSeries } from '../../src/scan/tv.ts'
import { type MemoryTree, memoryTree, readUnit } from './memory-tree.ts'

const FILE_NAMES = [
  ...[
    'a.mkv',
    'Show S01E01.mkv',
    'Show S02E01-E02.mkv',
    '03.mp4',
    'Show 2015-01-02.mkv',
    'S01E01-trailer.mkv',
    'sample.mkv',
    'part1.avi',
    'part2.avi',
  ],
  ...[
    'VTS_01_1.VOB',
    'M.iso',
    'movie.nfo',
    'tvshow.nfo',
    'a.nfo',
    'poster.jpg',
    'fanart.png',
    'cover.jpg',
    '001.jpg',
    '002.png',
    'season01-poster.jpg',
  ],
  ...[
    'v01.cbz',
    'v02 c003.cbr',
    'v01.jpg',
    'game.zip',
    'game.tar.gz',
    'setup.exe',
    'x.dmg',
    'notes.txt',
    'shot-1.jpg',
    '#1',
    '...dots.mkv',
    'é.mkv',
  ],
]
const FOLDER_NAMES = [
  'Season 1',
  'Specials',
  'S02',
  'Extras',
  'CD1',
  'CD2',
  'VIDEO_TS',
  'BDMV',
  'STREAM',
  'screenshots',
  'DLC',
  'Game.app',
  'Arc',
  '#season-1',
  'Vol. 1',
  'M (2000)',
]

/** Up to three folders deep; a path never goes through a file, as the names of files and folders differ. */
const path = fc
  .tuple(fc.array(fc.constantFrom(...FOLDER_NAMES), { maxLength: 3 }), fc.constantFrom(...FILE_NAMES))
  .map(([folders, file]) => [...folders, file].join('/'))

const tree = fc
  .array(fc.tuple(path, fc.nat(5)), { maxLength: 14 })
  .map((entries) => entries.reduce<MemoryTree>((into, [place, size]) => put(into, place.split('/'), size), {}))

const put = (into: MemoryTree, [head = '', ...rest]: string[], size: number): MemoryTree => {
  const known = into[head]
  return { ...into, [head]: rest.length === 0 ? size : put(typeof known === 'object' ? known : {}, rest, size) }
}

for (const [type, read] of Object.entries({ games: readGames, movies: readMovies, tv: readSeries, manga: readManga })) {
  test(`${type}: whatever a folder holds, its items fit together and point at what is there`, () => {
    fc.assert(
      fc.property(tree, fc.constantFrom('Show', 'M (2000)', '24', 'Alien Collection'), (content, name) => {
        const folder = memoryTree(name, content, { bundles: type === 'games' })
        const { items } = readUnit(read, folder)
        const filePaths = new Set(filesBelow(folder).map((file) => file.path))
        const keys = new Set(items.map((item) => `${item.itemType} ${item.path}`))
        for (const item of items) {
          const parentType = PARENT_TYPE[item.itemType]
          if (item.parentPath !== null) expect(keys).toContain(`${parentType} ${item.parentPath}`)
          expect(item.path === name || item.path.startsWith(`${name}/`)).toBe(true)
          expect(Number.isInteger(item.modifiedAt) && (item.size === null || Number.isSafeInteger(item.size))).toBe(true)
          expect(item.size === null || item.pageCount !== null || item.files.length > 0).toBe(true)
          for (const { path } of item.artwork) expect(filePaths).toContain(path)
          if (item.nfo) expect(filePaths).toContain(item.nfo.path)
          if (item.mainFile !== null && !item.mainFile.includes('.app/')) expect(filePaths).toContain(item.mainFile)
          expect(new Set(item.files.map((file) => file.name)).size).toBe(item.files.length)
          if (item.itemType === 'movie')
            expect(item.files.map((file) => file.role === 'main')).toEqual(item.files.map((_, index) => index === 0))
        }
      }),
      { numRuns: 400 },
    )
  })
}
