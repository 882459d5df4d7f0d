import { expect, test } from 'bun:test'
import { compareNatural } from '../../src/domain/natural-sort.ts'
import { isMangaArchiveName, readManga } from '../../src/scan/manga.ts'
import { type MemoryTree, memoryTree, readUnit } from './memory-tree.ts'

const read = (path: string, tree: MemoryTree) => readUnit(readManga, memoryTree(path, tree))

const volumesOf = (series: string, tree: MemoryTree) =>
  read(series, tree)
    .items.filter((item) => item.itemType === 'manga_volume')
    .map(({ path, title, volumeNumber, chapterNumber, pageCount }) => [path, title, volumeNumber, chapterNumber, pageCount])

test('a folder with neither archive nor page is nothing: a warning where it holds anything', () => {
  for (const [series, tree] of Object.entries<MemoryTree>({
    Notes: { 'a.txt': 1, 'b.pdf': 1, sub: { 'c.epub': 1 } },
    Planned: { 'cover.jpg': 1, 'banner.png': 1 },
  }))
    expect(read(series, tree)).toMatchObject({ items: [], warnings: [{ path: series, code: 'no_pages' }] })
  expect(read('Empty', { sub: {} })).toMatchObject({ items: [], warnings: [] })
})

test('the folder is the series, its archives are the volumes, whatever the names say', () => {
  const { items, get } = read('Berserk (1989)', { 'Berserk v02.cbz': 20, 'Other Name v01 c003.cbr': 10, 'notes.txt': 1 })
  expect(items.map(({ itemType, path, parentPath, title }) => [itemType, path, parentPath, title])).toEqual([
    ['manga_series', 'Berserk (1989)', null, 'Berserk (1989)'],
    ['manga_volume', 'Berserk (1989)/Berserk v02.cbz', 'Berserk (1989)', 'Berserk v02'],
    ['manga_volume', 'Berserk (1989)/Other Name v01 c003.cbr', 'Berserk (1989)', 'Other Name v01 c003'],
  ])
  expect(get('manga_series')).toMatchObject({ year: 1989, size: null })
  expect(get('Berserk (1989)/Other Name v01 c003.cbr')).toMatchObject({
    volumeNumber: 1,
    chapterNumber: 3,
    sortNumber: 1.00003,
    pageCount: null,
    size: 10,
  })
})

test('an archive of 7z, tar or ACE is listed, and said to be unreadable', () => {
  const { items, warnings } = read('S', {
    'S v01.cb7': 1,
    'S v02.7z': 1,
    'S v03.cbz': 1,
    'S v05.cbt': 1,
    'S v06.cba': 1,
    extras: { 'S v04.CB7': 1 },
  })
  expect(items).toHaveLength(7)
  expect(warnings.map(({ path, code }) => [path, code])).toEqual([
    ['S/S v01.cb7', 'unreadable_archive'],
    ['S/S v02.7z', 'unreadable_archive'],
    ['S/S v05.cbt', 'unreadable_archive'],
    ['S/S v06.cba', 'unreadable_archive'],
    ['S/extras/S v04.CB7', 'unreadable_archive'],
  ])
})

test('an image folder is a volume that counts its pages', () => {
  expect(volumesOf('S', { 'Vol. 1': { '001.jpg': 5, '002.png': 6, 'notes.txt': 1 }, 'Vol. 2': { '1.webp': 1 } })).toEqual([
    ['S/Vol. 1', 'Vol. 1', 1, null, 2],
    ['S/Vol. 2', 'Vol. 2', 2, null, 1],
  ])
  expect(read('S', { 'Vol. 1': { '001.jpg': 5, '002.png': 6 } }).get('manga_volume')).toMatchObject({
    size: 11,
    mainFile: 'S/Vol. 1/001.jpg',
  })
})

test("pages directly in the series' folder make that folder one volume", () => {
  const { items, get } = read('Oneshot 3', { 'cover.jpg': 1, '01.jpg': 1, '02.jpg': 1 })
  expect(items.map((item) => [item.itemType, item.path, item.parentPath])).toEqual([
    ['manga_series', 'Oneshot 3', null],
    ['manga_volume', 'Oneshot 3', 'Oneshot 3'],
  ])
  expect(get('manga_volume')).toMatchObject({ pageCount: 3, volumeNumber: null, chapterNumber: null })
})

test('archives and image folders in nested folders are volumes of the series, with their whole path', () => {
  expect(volumesOf('S', { 'Arc 1': { 'S c001.cbz': 1, c002: { 'a.jpg': 1 } }, 'S v01.cbz': 1 }).map(([path]) => path)).toEqual([
    'S/S v01.cbz',
    'S/Arc 1/S c001.cbz',
    'S/Arc 1/c002',
  ])
})

test('what lies in the folder of a volume is of that volume, where its own name tells no other', () => {
  const tree = {
    'Volume 33': { '370 - Will.cbz': 1, 'S v34 c375.cbz': 1, 'Extra.cbz': 1, 'Chapter 371': { '1.jpg': 1 } },
    'Volumes 1-10': { 'c55.cbz': 1 },
    'c400.cbz': 1,
  }
  expect(volumesOf('S', tree).map(([path, , ...numbers]) => [path, ...numbers.slice(0, 2)])).toEqual([
    ['S/c400.cbz', null, 400],
    ['S/Volume 33/370 - Will.cbz', 33, 370],
    ['S/Volume 33/Extra.cbz', 33, null],
    ['S/Volume 33/S v34 c375.cbz', 34, 375],
    ['S/Volume 33/Chapter 371', 33, 371],
    ['S/Volumes 1-10/c55.cbz', null, 55],
  ])
  expect(read('S', tree).get('S/Volume 33/370 - Will.cbz').sortNumber).toBe(33.0037)
})

/** The volumes in the order in which they are read, below the folder of the series. */
const orderOf = (tree: MemoryTree): string[] =>
  read('S', tree)
    .items.filter((item) => item.itemType === 'manga_volume')
    .toSorted((a, b) => (a.sortNumber ?? 9e15) - (b.sortNumber ?? 9e15) || compareNatural(a.title, b.title))
    .map(({ path }) => path.slice('S/'.length))

const files = (...names: string[]): MemoryTree => Object.fromEntries(names.map((name) => [`${name}.cbz`, 1]))

const range = (first: number, last: number): string[] => Array.from({ length: last - first + 1 }, (_, index) => `Episode ${first + index}`)

/** The volumes in the order in which a tree is written. */
const written = (folder: MemoryTree, path: string): string[] =>
  Object.entries(folder).flatMap(([name, content]) => {
    const isVolume = typeof content === 'number' || '1.jpg' in content
    return isVolume ? [path + name] : written(content, `${path}${name}/`)
  })

test.each([
  ['parts', { 'Part 1 - Blood': files('v01', 'v02'), 'Part 2 - Battle': files('v01', 'v02', 'Extra'), 'Part 10': files('v01') }],
  ['seasons', { S1: files('Ep. 01', 'Ep. 02'), S2: files('Ep. 01', 'Ep. 02') }],
  ['seasons of volumes', { 'Season 1': files('v01', 'v02'), 'Season 2': files('v01', 'v02') }],
  ['arcs', { 'Arc 1 - Foo': files('Chapter 1', 'Chapter 2'), 'Arc 2': { 'Chapter 1': { '1.jpg': 1 }, 'Chapter 2': { '1.jpg': 1 } } }],
  ['numbers in words', { 'Part One': files('1', '2'), 'Part Two': files('1', '2'), 'Part Three': files('1', '2') }],
  ['Roman numbers', { 'Part V - A': files('1'), 'Part IX - B': files('1') }],
  ['Chinese numbers', { 第一部: files('1'), 第二部: files('1'), 第三部: files('1') }],
  ['series', { 'Series A': files('v01', 'v02'), 'Series B': files('v01', 'v02') }],
  ['languages', { English: files('v01', 'v02'), 日本語: files('v01', 'v02') }],
  ['folders within folders', { 'Part 1': { 'v01.cbz': 1, Extras: files('v01') }, 'Part 1 - More': files('v01') }],
  ["the series' own folder first", { ...files('v01', 'v02'), Coloured: files('v01', 'v02') }],
  ['parts side by side', files('J - Part 1 - Blood v01', 'J - Part 1 - Blood v02', 'J - Part 2 - Battle v01', 'J - Part 2 - Battle v02')],
  ['parts in words side by side', files('B Part One Volume 1', 'B Part One Volume 2', 'B Part Two Volume 1', 'B Part Two Volume 2')],
  ['halves of chapters', files('c010 Part 1', 'c010 Part 2', 'c011 Part 1', 'c011 Part 2')],
  ['years', files('S 1977-04', 'S 1977-12', 'S 1978-01', 'S 1978-04', 'S 1979-01', 'S Annual 1')],
  ['years before their issues', files('S 2020 #51', 'S 2020 #52', 'S 2021 #01', 'S 2022 01 (HQ)')],
  ['years behind their issues', files('S 12-2000', 'S 01-2001', 'S 02-2001')],
  ['letters', files('Ch 1', 'Ch 1a', 'Ch 1b', 'Ch 1.5', 'Ch 1-extra', 'Ch 2a')],
])('where a count begins anew, one part is read after the other: %s', (_, tree: MemoryTree) => {
  expect(orderOf(tree)).toEqual(written(tree, ''))
})

test.each([
  [
    'groups that share a chapter',
    { '[Alpha]': files('Chapter 5', 'Chapter 6', 'Chapter 7'), '[Beta]': files('Chapter 1', 'Chapter 2', 'Chapter 5') },
    ['[Beta]/Chapter 1', '[Beta]/Chapter 2', '[Alpha]/Chapter 5', '[Beta]/Chapter 5', '[Alpha]/Chapter 6', '[Alpha]/Chapter 7'],
  ],
  [
    'editions that share a volume',
    { Digital: files('v3', 'v4', 'v5'), Raw: files('v1', 'v2', 'v3') },
    ['Raw/v1', 'Raw/v2', 'Digital/v3', 'Raw/v3', 'Digital/v4', 'Digital/v5'],
  ],
  [
    'chapters beside volumes',
    { Chapters: files('c002', 'c003', 'c004'), Volumes: files('v1', 'v2', 'v3') },
    ['Volumes/v1', 'Volumes/v2', 'Volumes/v3', 'Chapters/c002', 'Chapters/c003', 'Chapters/c004'],
  ],
  [
    'loose chapters beside a folder of volumes',
    { ...files('c001', 'c002', 'c003', 'Art'), Volumes: files('v1', 'v2') },
    ['Volumes/v1', 'Volumes/v2', 'c001', 'c002', 'c003', 'Art'],
  ],
  [
    'a second edition of the first volumes',
    { Coloured: files('v1', 'v2'), 'Vol 1-3': files('v1', 'v2', 'v3'), 'Vol 4-5': files('v4', 'v5') },
    ['Coloured/v1', 'Coloured/v2', 'Vol 1-3/v1', 'Vol 1-3/v2', 'Vol 1-3/v3', 'Vol 4-5/v4', 'Vol 4-5/v5'],
  ],
  ['years of some issues alone', files('S 2015-02', 'S 1', 'S 2016-03'), ['S 1', 'S 2015-02', 'S 2016-03']],
  ['years in brackets', files('S 01 (2021)', 'S 02 (2020)'), ['S 01 (2021)', 'S 02 (2020)']],
  ['one chapter in another translation', { '[A]': files('c2'), '[B]': files('c0', 'c1', 'c2') }, ['[B]/c0', '[B]/c1', '[B]/c2', '[A]/c2']],
  [
    'a prologue, and a part without its first volume',
    { 'Part 1': files('v02', 'v03', 'Art'), 'Part 2': files('v00', 'v01', 'v02', 'v03') },
    ['Part 1/v02', 'Part 1/v03', 'Part 1/Art', 'Part 2/v00', 'Part 2/v01', 'Part 2/v02', 'Part 2/v03'],
  ],
])('a number that is there twice begins no count anew: %s', (_, tree: MemoryTree, order: string[]) => {
  expect(orderOf(tree)).toEqual(order.map((path) => `${path}.cbz`))
})

test.each([
  ['annuals', files('S (2016) 001 (2016)', 'S 002 (2016)', 'S 003', 'S Annual 001 (2016)', 'S Annual #2 (2017)', 'S Annual 2018')],
  ['side stories', files('001', '002', '179', 'Side Story 01', 'S - Side Story 02')],
  [
    'each kind by itself',
    files(
      'Chapter 1',
      'Chapter 2',
      ...['Side Story 1', 'Side Story 2', 'Bonus Chapter 1', 'Omake 2', 'Extra 3', 'Special 001', 'Special Episode 3', 'TPB 01'],
    ),
  ],
  ['albums', files('S 01', 'S - T02 - La serpe', 'S HS 01', 'S Hors-série 2')],
  ['a paperback', files('LTB 001 - Der Falter', 'LTB 100', 'LTB Spezial 01')],
  ['Korean', files('S 001화', 'S 179화', 'S 외전 1화', 'S 특별편 2화')],
  ['Japanese', files('S 第01巻', 'S 第02巻', 'S 外伝 1', 'S 番外編 第1巻', 'S おまけ2')],
  ['Chinese', files('第001话', '第002话 标题', '番外 第1话', '特别篇01')],
  ['extra chapters between chapters', files('Chapter 12', 'Extra Chapter 12.5', 'Chapter 12-extra', 'Chapter 13')],
  ['the last, of parts that count anew too', { 'Part 1': files('v01', 'v02'), 'Part 2': files('v01', 'v02'), 'S Extra 1.cbz': 1 }],
])('what has a count of its own stands behind the series, where it keeps its number: %s', (_, tree: MemoryTree) => {
  expect(orderOf(tree)).toEqual(written(tree, ''))
})

test.each([
  ['volumes in some names', files('Vol.1 Ch.1', 'Vol.1 Ch.2', 'Ch.3', 'Vol.1 Ch.4', 'Ch.4.5', 'Vol.2 Extra', 'Vol.2 Ch.5', 'Ch.6', 'Ch.7')],
  [
    'volumes and the same chapter twice',
    files('[A] Vol.1 Ch.1', '[A] Ch.2', '[B] Vol.1 Ch.2', '[A] Vol.1 Ch.3', '[A] Vol.2 Ch.4', '[A] Ch.5'),
  ],
  ['a later volume than chapter', files('Vol.11 Ch.8', 'Ch.9', 'Ch.10')],
  ['the newest, behind whole volumes', files('Vol.1 Ch.1', 'Ch.1.5', 'Vol.1 Ch.2', 'v02', 'v03', 'v04', 'Ch.30', 'Ch.31')],
  ['the newest, where one chapter names its volume', files('v01', 'Vol.01 Ch.001', 'v02', 'v03', 'c030', 'c031', 'c032')],
  ['whole volumes between those that are told', files('v01', 'Vol.2 Ch.8', 'v03', 'v04', 'Ch.30', 'Vol.5 Ch.31', 'Ch.32')],
  ['seasons in some names', files('Episode 0', ...range(1, 5), 'Episode 6 (Season 1 Finale)', '(S2) Episode 7', '(S2) Episode 8')],
  ['the end of a season', files(...range(1, 11), 'Episode 12 (Season 1 End)', 'Episode 12.5 - Season 2 Announcement', 'Episode 13')],
])('chapters that are counted through are read so: %s', (_, tree: MemoryTree) => {
  expect(orderOf(tree)).toEqual(written(tree, ''))
})

test('chapters that are counted anew in a season that is told stay apart from those that tell none', () => {
  const loose = read('S', files('Episode 1', 'Episode 2', 'Episode 3', '(S2) Episode 1', '(S2) Episode 2')).items.slice(1)
  expect(loose.filter(({ volumeNumber }) => volumeNumber === null).map(({ sortNumber }) => sortNumber)).toEqual([1, 2, 3])
})

test.each([
  [
    'what has no number, behind the chapters of its volume',
    {
      'Volume 01': files('Prologue', 'Chapter 001', 'Chapter 002', 'Afterword', 'Omake 1', 'Omake 2'),
      'Volume 02': { 'S Prologue.cbz': 1, 'Chapter 003': { '1.jpg': 1 }, Omake: { '1.jpg': 1 } },
    },
  ],
  ['prologues', { ...files('S - Prologue', 'S 001', 'S Epilogue') }],
  ['the prologue of a part', { 'Part 1': files('v01', 'v02'), 'Part 2': files('Prologue', 'v01', 'v02') }],
  ['three volumes', files('上巻', '中巻', '下巻')],
  ['three volumes with a title', files('S（上）', 'S（中）(2019)', '[作者] S（下）')],
  ['halves of volumes', files('第9卷', '第10卷 上', '第10卷 中', '第10卷 下')],
  ['no halves of anything else', files('S 第1巻', 'S 第2巻', 'S ガイド 上巻', 'S ガイド 下巻')],
  ['parts of a story', files('S 前編', 'S 中編', 'S 後編')],
])('words that say where something stands count as its number: %s', (_, tree: MemoryTree) => {
  expect(orderOf(tree)).toEqual(written(tree, ''))
})

test('numbers are as they are said; their order is another only where they are there twice', () => {
  const numbers = (tree: MemoryTree) =>
    read('S', tree)
      .items.slice(1)
      .map(({ volumeNumber, sortNumber }) => [volumeNumber, sortNumber])
  expect(numbers({ 'Vol 11-20': files('v11', 'v12'), 'Vol 1-10': files('v01'), Extras: files('Art') })).toEqual([
    [null, null],
    [1, 1],
    [11, 11],
    [12, 12],
  ])
  expect(numbers({ 'Part 1': files('v01', 'Art'), 'Part 2': files('v01') })).toEqual([
    [null, 9999],
    [1, 1],
    [1, 10_001],
  ])
})

test('numbers in the title of the series are not taken for chapters', () => {
  expect(volumesOf('20th Century Girls', { '20th Century Girls 05.cbz': 1 })).toEqual([
    ['20th Century Girls/20th Century Girls 05.cbz', '20th Century Girls 05', null, 5, null],
  ])
})

test('covers: beside the archive, of the series, else the first page of the first volume', () => {
  const { get } = read('S', { 'S v10.cbz': 1, 'S v9.cbz': 1, 'S v9.jpg': 1 })
  expect(get('S/S v9.cbz').thumbnail).toMatchObject({ kind: 'image', path: 'S/S v9.jpg' })
  expect(get('S/S v10.cbz').thumbnail).toMatchObject({ kind: 'pages', path: 'S/S v10.cbz' })
  expect(get('manga_series')).toMatchObject({ artwork: [], thumbnail: { kind: 'image', path: 'S/S v9.jpg' } })
  const withCover = read('S', { 'folder.jpg': 1, 'S v1.cbz': 1 }).get('manga_series')
  expect(withCover).toMatchObject({
    artwork: [{ kind: 'cover', path: 'S/folder.jpg' }],
    thumbnail: { kind: 'image', path: 'S/folder.jpg' },
  })
})

test('a cover of an archive does not make its folder a volume', () => {
  for (const covers of [
    { 'S v1.jpg': 1, 'S v1-2.jpg': 1 },
    { 'S v1-cover.jpg': 1, 'cover.jpg': 1, 'back.jpg': 1 },
    { 's.jpg': 1, 'S-2.jpg': 1 },
  ] as MemoryTree[])
    expect(volumesOf('S', { 'S v1.cbz': 1, ...covers }).map(([path]) => path)).toEqual(['S/S v1.cbz'])
  expect(read('S', { 'v1.cbz': 1, 'S.jpg': 1 }).get('manga_series').artwork).toMatchObject([{ kind: 'cover', path: 'S/S.jpg' }])
  // Without an archive they are pages.
  expect(volumesOf('S', { 'S.jpg': 1, 'back.jpg': 1 }).map(([path]) => path)).toEqual(['S'])
})

test('pages that are called as their folder are its volume, though an archive lies beside them', () => {
  const pages = (stem: string): MemoryTree => Object.fromEntries(range(1, 12).map((_, index) => [`${stem}${index + 1}.jpg`, 1]))
  const countedIn = (tree: MemoryTree) =>
    read('S', tree).items.flatMap(({ path, pageCount, itemType }) => (itemType === 'manga_volume' ? [[path, pageCount]] : []))
  expect(countedIn({ ...pages('S-'), 'S Special.zip': 1 })).toEqual([
    ['S', 12],
    ['S/S Special.zip', null],
  ])
  expect(countedIn({ ...pages('S-'), 'S.jpg': 1, 'Special.zip': 1 })[0]).toEqual(['S', 13])
  expect(countedIn({ 'Chapter 1': { ...pages('Chapter 1-'), 'Chapter 1-cover.jpg': 1, 'bonus.zip': 1 } })[0]).toEqual(['S/Chapter 1', 13])
  expect(countedIn({ ...pages('back-'), 'front.jpg': 1, 'v01.cbz': 1, 'v01-1.jpg': 1 })[0]).toEqual(['S', 13])
})

test('the version of an image folder changes with its pages', () => {
  const versionOf = (tree: MemoryTree) => read('S', { v1: tree }).get('manga_volume').thumbnail?.version
  expect(versionOf({ '1.jpg': 1, '2.jpg': 2 })).not.toBe(versionOf({ '1.jpg': 1, '2.jpg': 3 }))
})

test('archives are known by their ending', () => {
  expect(['a.cbz', 'a.ZIP', 'a.cbr', 'a.rar', 'a.cb7', 'a.7z', 'a.pdf', 'a.epub', 'a.jpg'].map(isMangaArchiveName)).toEqual([
    ...Array.from({ length: 6 }, () => true),
    ...Array.from({ length: 3 }, () => false),
  ])
})
