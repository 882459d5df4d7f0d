import { expect, test } from 'bun:test'
import type { ScannedItem } from '../../src/domain/scanned-item.ts'
import { readSeries } from '../../src/scan/tv.ts'
import { processorMs } from '../support/processor-time.ts'
import { type MemoryTree, memoryTree, readUnit } from './memory-tree.ts'

const read = (path: string, tree: MemoryTree) => readUnit(readSeries, memoryTree(path, tree))

const ofType = (items: readonly ScannedItem[], type: string): ScannedItem[] => items.filter((item) => item.itemType === type)

/** Path below the series, season, number and last number of every episode. */
const episodesOf = (series: string, tree: MemoryTree) =>
  ofType(read(series, tree).items, 'tv_episode').map(({ path, parentPath, seasonNumber, episodeNumber, episodeNumberEnd }) => [
    path.slice(series.length + 1),
    parentPath?.slice(series.length + 1),
    seasonNumber,
    episodeNumber,
    episodeNumberEnd,
  ])

const seasonsOf = (series: string, tree: MemoryTree) =>
  ofType(read(series, tree).items, 'tv_season').map(({ path, title, seasonNumber }) => [path.slice(series.length + 1), title, seasonNumber])

test('a folder without episodes is no series, and a season folder without videos no season', () => {
  expect(read('Empty', {}).items).toEqual([])
  expect(read('Only notes', { 'tvshow.nfo': 1 })).toMatchObject({ items: [], warnings: [{ path: 'Only notes', code: 'no_video' }] })
  expect(seasonsOf('Show', { 'Season 1': { 'S01E01.mkv': 1 }, 'Season 2': { 'notes.txt': 1 } })).toEqual([['Season 1', 'Season 1', 1]])
})

test('series, season and episode: keys, titles, numbers and parents', () => {
  const { items, get } = read('Firefly (2002)', { 'Season 01': { 'Firefly S01E02 The Train Job.mkv': 700 } })
  expect(items.map(({ itemType, path, parentPath, title }) => [itemType, path, parentPath, title])).toEqual([
    ['tv_series', 'Firefly (2002)', null, 'Firefly (2002)'],
    ['tv_season', 'Firefly (2002)/Season 01', 'Firefly (2002)', 'Season 01'],
    ['tv_episode', 'Firefly (2002)/Season 01/Firefly S01E02 The Train Job.mkv', 'Firefly (2002)/Season 01', 'Firefly S01E02 The Train Job'],
  ])
  expect([get('tv_series').year, get('tv_season').sortNumber, get('tv_season').size]).toEqual([2002, 1, null])
  expect(get('tv_episode')).toMatchObject({
    seasonNumber: 1,
    episodeNumber: 2,
    episodeNumberEnd: null,
    sortNumber: 2,
    size: 700,
    mediaKind: 'video',
  })
})

test('a flat series gets seasons without folders: the first, those of the names, specials, and years of dated episodes', () => {
  const tree = { 'Show - 01.mkv': 1, 'Show S02E03.mkv': 1, 'Show S00E01.mkv': 1, 'Show 2015-03-04.mkv': 1 }
  expect(seasonsOf('Show', tree).toSorted()).toEqual([
    ['#season-0', 'Specials', 0],
    ['#season-1', 'Season 1', 1],
    ['#season-2', 'Season 2', 2],
    ['#season-2015', 'Season 2015', 2015],
  ])
  const { get } = read('Show', tree)
  expect(get('tv_season').identity).toBeNull()
  expect(get('Show/Show 2015-03-04.mkv')).toMatchObject({
    airedAt: '2015-03-04',
    episodeNumber: null,
    sortNumber: 16498,
    parentPath: 'Show/#season-2015',
  })
})

test('flat episodes join the folder of their season where there is one', () => {
  expect(episodesOf('Show', { 'Show S01E03.mkv': 1, 'Season 1': { 'S01E01.mkv': 1 } })).toEqual([
    ['Show S01E03.mkv', 'Season 1', 1, 3, null],
    ['Season 1/S01E01.mkv', 'Season 1', 1, 1, null],
  ])
})

test('the file name decides the season, but what lies in the folder of specials is a special', () => {
  const tree = { 'Season 1': { 'S02E05.mkv': 1, 'S01E01.mkv': 1 }, 'Season 2': { 'E06.mkv': 1 }, Specials: { 'S01E09 Making of.mkv': 1 } }
  expect(episodesOf('Show', tree)).toEqual(
    [
      ['Season 1/S01E01.mkv', 'Season 1', 1, 1, null],
      ['Season 1/S02E05.mkv', 'Season 2', 2, 5, null],
      ['Season 2/E06.mkv', 'Season 2', 2, 6, null],
      ['Specials/S01E09 Making of.mkv', 'Specials', 0, 9, null],
    ].toSorted(),
  )
})

test('subfolders of a season are still that season', () => {
  const tree = { 'Season 1': { 'Disc 1': { 'S01E01.mkv': 1 }, 'Disc 2': { '05.mkv': 1 }, 'Show.S01E09.1080p': { 'a.mkv': 1 } } }
  expect(episodesOf('Show', tree)).toEqual([
    ['Season 1/Disc 1/S01E01.mkv', 'Season 1', 1, 1, null],
    ['Season 1/Disc 2/05.mkv', 'Season 1', 1, 5, null],
    ['Season 1/Show.S01E09.1080p/a.mkv', 'Season 1', 1, 9, null],
  ])
})

test('a number that several names in a folder begin with is that of their season', () => {
  const numbersOf = (folder: string, names: readonly string[]) =>
    ofType(read('Show', { [folder]: Object.fromEntries(names.map((name) => [`${name}.mkv`, 1])) }).items, 'tv_episode').map(
      ({ seasonNumber, episodeNumber }) => `${seasonNumber}x${episodeNumber}`,
    )
  const inFolder = (folder: string, ...names: string[]) => numbersOf(folder, names).join(' ')
  expect(inFolder('Season 1', '1 - Ep1', '1 - Ep2', '1 - Ep3')).toBe('1x1 1x2 1x3')
  expect(inFolder('Season 1', '1 - Chapter 1', '1 - Chapter 2', '1 - Chapter 3')).toBe('1x1 1x2 1x3')
  expect(inFolder('Season 2', '02 - Ep10', '02 - Ep9')).toBe('2x10 2x9')
  expect(inFolder('Season 2', '01 - Chapter 10', '02 - Chapter 11')).toBe('2x1 2x2')
  // One episode twice, and one in two parts.
  expect(inFolder('Season 1', '02 - E3 2018', '02 - E3 2019')).toBe('1x2 1x2')
  expect(inFolder('Season 1', '05 - Teil 1', '05 - Teil 2')).toBe('1x5')
  const flat = Array.from({ length: 10 }, (_, index) => [`01 - Ep${index + 1}.mkv`, 1] as const)
  expect(episodesOf('Show', Object.fromEntries(flat)).map(([name, , season, number]) => [name, season, number])).toEqual(
    expect.arrayContaining(flat.map(([name], index) => [name, 1, index + 1])),
  )
})

test('seasons and episodes behind a number that counts through are read where they count on with it', () => {
  const numbersOf = (...names: string[]) =>
    ofType(read('Show', Object.fromEntries(names.map((name) => [`${name}.mkv`, 1]))).items, 'tv_episode')
      .map(({ path, seasonNumber, episodeNumber }) => [path, `${seasonNumber}x${episodeNumber}`] as const)
      .toSorted()
      .map(([, number]) => number)
      .join(' ')
  expect(numbersOf('01 - 1x1', '02 - 1x2', '03 - 1x3', '04 - 2x1', '05 - 2x2')).toBe('1x1 1x2 1x3 2x1 2x2')
  expect(numbersOf('Show - 09 - 1x9 - T', 'Show - 10 - 1x10 - T', 'Show - 12 - 2x1 - T', 'Show - 14 - 2x3 - T')).toBe('1x9 1x10 2x1 2x3')
  expect(numbersOf('01 - Pilot', '02 - 24x7', '03 - 4x4 Racing', '04 - 6x6')).toBe('1x1 1x2 1x3 1x4')
  expect(numbersOf('04 - 4x4', '04 - 4x4 again')).toBe('1x4 1x4')
  expect(numbersOf('04 - 4x4', '07 - 4x7 Racing', '08 - 4x4 Racing')).toBe('1x4 1x7 1x8')
})

test('what lies in a folder of specials within a season is a special, and in one of its extras an extra', () => {
  const tree = {
    'Season 1': {
      'S01E01.mkv': 1,
      Specials: { '01 - Making of.mkv': 1, Disc: { '02 - Trip.mkv': 1 } },
      OVA: { '[G] Show - OVA 1.mkv': 1 },
      SPs: { '[G] Show - SP2.mkv': 1, '[G] Show [NCOP].mkv': 1 },
    },
    'Season 01 Extras': { 'Cast.mkv': 1 },
    'Season 2 - Bonus': { 'Cast.mkv': 1 },
    'Show.S01.EXTRAS.1080p': { 'Cast.mkv': 1 },
    'Season 3 Bonus Edition': { '01.mkv': 1 },
    Specials: { OVA: { 'OVA 3.mkv': 1 } },
  }
  expect(episodesOf('Show', tree).map((row) => row.slice(0, 4))).toEqual([
    ['Season 1/S01E01.mkv', 'Season 1', 1, 1],
    ['Season 1/OVA/[G] Show - OVA 1.mkv', 'Season 1/OVA', 0, 1],
    ['Season 1/SPs/[G] Show - SP2.mkv', 'Season 1/SPs', 0, 2],
    ['Season 1/SPs/[G] Show [NCOP].mkv', 'Season 1/SPs', 0, null],
    ['Season 1/Specials/01 - Making of.mkv', 'Season 1/Specials', 0, 1],
    ['Season 1/Specials/Disc/02 - Trip.mkv', 'Season 1/Specials', 0, 2],
    ['Season 3 Bonus Edition/01.mkv', 'Season 3 Bonus Edition', 3, 1],
    ['Specials/OVA/OVA 3.mkv', 'Specials', 0, 3],
  ])
  expect(read('Show', tree).get('tv_series').files).toHaveLength(3)
})

test('what is numbered as an episode among the extras of a season is one', () => {
  const tree = {
    'Season 1': { 'Show S01E01.mkv': 1 },
    'Season 1 Extras': { 'Show S00E05.mkv': 1, 'Cast.mkv': 1, '07.mkv': 1 },
    'Season 2': { 'Show S02E02.mkv': 1, 'Season 2 Extras': { 'Show S02E03.mkv': 1, 'Trip.mkv': 1 } },
    'Season 2 Bonus': { 'Show S02E01.mkv': 1 },
  }
  expect(episodesOf('Show', tree).map((row) => row.slice(0, 4))).toEqual([
    ['Season 1/Show S01E01.mkv', 'Season 1', 1, 1],
    ['Season 1 Extras/Show S00E05.mkv', 'Season 1 Extras', 0, 5],
    ['Season 2/Show S02E02.mkv', 'Season 2', 2, 2],
    ['Season 2/Season 2 Extras/Show S02E03.mkv', 'Season 2', 2, 3],
    ['Season 2 Bonus/Show S02E01.mkv', 'Season 2', 2, 1],
  ])
  const extras = read('Show', tree).get('tv_series').files
  expect(extras.map(({ name }) => name).toSorted()).toEqual([
    'Season 1 Extras/07.mkv',
    'Season 1 Extras/Cast.mkv',
    'Season 2/Season 2 Extras/Trip.mkv',
  ])
  expect(episodesOf('Show', { 'Season 1 Extras': { 'Show S01E02.mkv': 1 } })).toHaveLength(1)
})

test('where there is nothing but the extras of a season, they are the season', () => {
  const bonus = { 'Season 1 Bonus': { '01.mkv': 1, '02.mkv': 1 }, Extras: { 'Cast.mkv': 1 } }
  expect(episodesOf('Show', bonus).map((row) => row.slice(0, 4))).toEqual([
    ['Season 1 Bonus/01.mkv', 'Season 1 Bonus', 1, 1],
    ['Season 1 Bonus/02.mkv', 'Season 1 Bonus', 1, 2],
  ])
  expect(episodesOf('Show', { ...bonus, 'Season 2': { '01.mkv': 1 } })).toHaveLength(1)
})

test('net animations are specials beside episodes, and else the first season', () => {
  const numbersOf = (tree: MemoryTree) =>
    ofType(read('Cyber', tree).items, 'tv_episode').map(({ seasonNumber, episodeNumber }) => `${seasonNumber}x${episodeNumber}`)
  const net = { '[G] Cyber ONA 01.mkv': 1, '[G] Cyber ONA 02.mkv': 1 }
  expect(numbersOf(net)).toEqual(['1x1', '1x2'])
  expect(numbersOf({ ONA: net })).toEqual(['1x1', '1x2'])
  expect(numbersOf({ ...net, 'SP1.mkv': 1, '[G] Cyber [NCOP].mkv': 1, Specials: { '02.mkv': 1 } }).toSorted()).toEqual([
    '0x1',
    '0x2',
    '0xnull',
    '1x1',
    '1x2',
  ])
  expect(numbersOf({ ...net, '[G] Cyber 01.mkv': 1 }).toSorted()).toEqual(['0x1', '0x2', '1x1'])
  expect(numbersOf({ ...net, 'Season 2': { '01.mkv': 1 } })).toEqual(['0x1', '0x2', '2x1'])
  expect(numbersOf({ Specials: net })).toEqual(['0x1', '0x2'])
})

test('discs and rounds that count anew are seen one after the other, and versions stay one episode', () => {
  const order = (tree: MemoryTree, season = 'Season 1') => {
    const { items } = read('Show', { [season]: tree })
    const episodes = ofType(items, 'tv_episode').map(({ path, sortNumber, title }) => ({
      path: path.slice(6 + season.length),
      sortNumber,
      title,
    }))
    return Object.groupBy(
      episodes.toSorted((a, b) => (a.sortNumber ?? 9e15) - (b.sortNumber ?? 9e15) || (a.title < b.title ? -1 : 1)),
      ({ sortNumber }) => `${sortNumber}`,
    )
  }
  const inOrder = (tree: MemoryTree) => Object.values(order(tree)).map((same) => same?.map(({ path }) => path).join(' + '))
  const files = (...names: string[]) => Object.fromEntries(names.map((name) => [`${name}.mkv`, 1]))
  const of = (folder: string, ...names: string[]) => names.map((name) => `${folder}/${name}.mkv`)
  for (const [first, second, ...names] of [
    ['Disc 1', 'Disc 2', '01 Pilot', '02 Two'],
    ['Disc 9', 'Disc 10', 'title_t00', 'title_t01', 'title_t10'],
    ['Round 01 - Bahrain', 'Round 02 - Jeddah', '01 - Practice', '02 - Race', 'Interviews'],
    ['01 - Bahrain', '02 - Jeddah', '01 - Practice', '02 - Race'],
  ] as [string, string, ...string[]][])
    expect(inOrder({ [first]: files(...names), [second]: files(...names) })).toEqual([...of(first, ...names), ...of(second, ...names)])
  expect(inOrder({ 'Disc 1': files('01'), 'Disc 1 [720p]': files('01'), 'Disc 2': files('01', '02') })).toEqual([
    'Disc 1/01.mkv + Disc 1 [720p]/01.mkv',
    'Disc 2/01.mkv',
    'Disc 2/02.mkv',
  ])
  // Versions, numbers that go on, and names that say by themselves which episode they are.
  for (const [first, second, names, others] of [
    ['1080p', '720p', ['01', '02'], ['01', '02']],
    ['x264', 'x265', ['01', '02'], ['01', '02']],
    ['Version 1', 'Version 2', ['01', '02'], ['01', '02']],
    ['Disc 1', 'Disc 2', ['01', '02'], ['03', '04']],
    ['Disc 1', 'Disc 2', ['S01E01', 'S01E02'], ['S01E02', 'S01E03']],
  ] as [string, string, string[], string[]][]) {
    const numbers = Object.keys(order({ [first]: files(...names), [second]: files(...others) }))
    expect(numbers).toEqual([...new Set([...names, ...others].map((name) => String(Number(name.slice(-2)))))])
  }
})

test('several series in one folder are a warning each, and one in several folders none', () => {
  const season = { '01.mkv': 1 }
  const warningsOf = (tree: MemoryTree) => read('Kids', tree).warnings.map(({ path, code }) => [path, code])
  expect(
    warningsOf({ 'Bluey (2018)': { 'Season 01': { 'Disc 1': season } }, 'More/Peppa Pig': { S01: season }, Other: { 'Season 3': season } }),
  ).toEqual([
    ['Kids/Bluey (2018)', 'nested_series'],
    ['Kids/More/Peppa Pig', 'nested_series'],
  ])
  // One of them may be called as the folder around it.
  for (const [folder, first, second] of [
    ['Naruto', 'Naruto (2002)', 'Naruto Shippuden (2007)'],
    ['Naruto', 'Boruto', 'Naruto'],
    ['Doctor Who', 'Doctor Who (1963)', 'Doctor Who (2005)'],
    ['Doctor Who (2005)', 'Doctor Who', 'Doctor Who (1963)'],
  ] as const)
    expect(read(folder, { [first]: { 'Season 1': season }, [second]: { 'Season 1': season } }).warnings.map(({ path }) => path)).toEqual([
      `${folder}/${first}`,
      `${folder}/${second}`,
    ])
  for (const tree of [
    { 'Kids (2018)': { 'Season 1': season }, 'Kids 1080p': { 'Season 1': season }, 'Kids (2018) [4K]': { 'Season 1': season } },
    { 'Season 1': season, 'Season 2': { 'Season 1': season } },
    { 'Seasons 1-2': { 'Season 1': season, 'Season 2': season }, 'Seasons 3-4': { 'Season 3': season } },
    { '1080p': { 'Season 1': season }, '720p': { 'Season 1': season } },
    { 'English Sub': { 'Season 1': season }, Dub: { 'Season 1': season }, 'Kids [4K HDR]': { 'Season 1': season } },
    { Bluey: { 'Season 1': season }, Peppa: { Specials: season }, Extras: { 'Season 1': season } },
  ] as MemoryTree[])
    expect(warningsOf(tree)).toEqual([])
})

test('a DVD is one episode of what is on it, called as its folder', () => {
  const disc = (sets: Record<string, number>) => ({
    VIDEO_TS: { 'VIDEO_TS.IFO': 1, 'VIDEO_TS.VOB': 2, 'VTS_01_0.VOB': 9, ...sets },
  })
  const tree = {
    'Season 1': {
      'Disc 1': disc({ 'VTS_01_1.VOB': 90, 'VTS_02_1.VOB': 60, 'VTS_02_2.VOB': 40, 'VTS_03_1.VOB': 5 }),
      'Show S01E07': disc({ 'VTS_01_1.VOB': 50 }),
      'Disc 3': { 'VIDEO_TS.VOB': 1, 'VTS_01_1.VOB': 30, 'VTS_01_2.VOB': 31 },
      'S01E09.mkv': 1,
    },
  }
  const { items } = read('Show', tree)
  const episodes = ofType(items, 'tv_episode')
  expect(
    episodes.map(({ path, title, episodeNumber, size, files }) => [
      path.slice(14),
      title,
      episodeNumber,
      size,
      files?.map(({ name }) => name),
    ]),
  ).toEqual([
    ['S01E09.mkv', 'S01E09', 9, 1, ['S01E09.mkv']],
    ['Disc 1/VIDEO_TS/VTS_01_1.VOB', 'Disc 1', null, 190, ['VTS_01_1.VOB', 'VTS_02_1.VOB', 'VTS_02_2.VOB']],
    ['Disc 3/VTS_01_1.VOB', 'Disc 3', null, 61, ['VTS_01_1.VOB', 'VTS_01_2.VOB']],
    ['Show S01E07/VIDEO_TS/VTS_01_1.VOB', 'Show S01E07', 7, 50, ['VTS_01_1.VOB']],
  ])
  expect(episodes.map(({ seasonNumber, parentPath }) => [seasonNumber, parentPath])).toEqual(Array(4).fill([1, 'Show/Season 1']))
  expect(episodes[1]?.files?.map(({ role, label }) => [role, label])).toEqual([
    ['main', 'Part 1'],
    ['part', 'Part 2'],
    ['part', 'Part 3'],
  ])
})

test.each([
  [{ '': ['1.1 Hello', '1.2 Setup', '1.10 End', '2.1 Basics', '2.2 More'] }, '1x1 1x2 1x10 2x1 2x2'],
  [{ '': ['Lecture 1.1 - A', 'Lecture 1.2 - B', 'Lecture 1.10 - C', 'Lecture 2.1 - D'] }, '1x1 1x2 1x10 2x1'],
  [{ 'Season 1/': ['1.1 A', '1.2 B', '1.3 C'], 'Season 2/': ['2.1 A', '2.2 B'] }, '1x1 1x2 1x3 2x1 2x2'],
  // Halves of episodes.
  [{ '': ['1 A', '1.5 B', '2 C'] }, '1x1 1x1.5 1x2'],
  [{ '': ['12.5 Recap', '25.5 Recap'] }, '1x12.5 1x25.5'],
])('lessons count within a chapter, where all names in a folder can be read so: %p', (folders: Record<string, string[]>, order) => {
  const names = Object.entries(folders).flatMap(([folder, stems]) => stems.map((stem) => `${folder}${stem}.mp4`))
  const episodes = ofType(read('Course', Object.fromEntries(names.map((name) => [name, 1]))).items, 'tv_episode')
  const numberOf = new Map(episodes.map(({ path, seasonNumber, sortNumber }) => [path, `${seasonNumber}x${sortNumber}`]))
  expect(names.map((name) => numberOf.get(`Course/${name}`)).join(' ')).toBe(order)
})

test('a Blu-ray is one episode of the large streams on it, called as its folder; what is smaller is an extra, and menus are none', () => {
  const disc = (streams: Record<string, number>) => ({ BDMV: { 'index.bdmv': 1, STREAM: streams }, CERTIFICATE: { 'id.bdmv': 1 } })
  const { items } = read('Show', {
    'Season 1': {
      'Disc 1': disc({ '00000.m2ts': 1, '00001.m2ts': 90, '00010.m2ts': 80, '00002.m2ts': 70, '00003.m2ts': 9 }),
      'Disc 2': disc({ '00001.m2ts': 90 }),
      'Disc 3': disc({ '00001.m2ts': 45, '00002.m2ts': 21, '00003.m2ts': 21.5, '00004.m2ts': 20.5, '00005.m2ts': 7, '00006.m2ts': 0.2 }),
    },
    'Season 2': disc({ '00000.m2ts': 0.5, '00001.m2ts': 50 }),
    Extras: disc({ '00001.m2ts': 30, '00002.m2ts': 0.1 }),
    'Season 3': { Camera: { '00000.m2ts': 5, '00001.m2ts': 50 } },
  })
  expect(ofType(items, 'tv_episode').map(({ path, title, size, files }) => [path.slice(5), title, size, files.length])).toEqual([
    ['Season 1/Disc 1/BDMV/STREAM/00001.m2ts', 'Disc 1', 240, 3],
    ['Season 1/Disc 2/BDMV/STREAM/00001.m2ts', 'Disc 2', 90, 1],
    ['Season 1/Disc 3/BDMV/STREAM/00001.m2ts', 'Disc 3', 108, 4],
    ['Season 2/BDMV/STREAM/00001.m2ts', 'Season 2', 50, 1],
    ['Season 3/Camera/00000.m2ts', '00000', 5, 1],
    ['Season 3/Camera/00001.m2ts', '00001', 50, 1],
  ])
  expect(items[0]?.files?.map(({ name, label }) => [name, label])).toEqual([
    ['Extras/BDMV/STREAM/00001.m2ts', 'Extras, 00001'],
    ['Season 1/Disc 1/BDMV/STREAM/00003.m2ts', 'Disc 1, 00003'],
    ['Season 1/Disc 3/BDMV/STREAM/00005.m2ts', 'Disc 3, 00005'],
  ])
})

test("an episode in several files is one, as Jellyfin's documentation names them, and parts that count episodes are not", () => {
  const files = (names: string[], folder = 'Season 2') => {
    const tree = { [folder]: Object.fromEntries(names.map((name) => [`${name}.mkv`, 2])) }
    return ofType(read('Show (2010)', tree).items, 'tv_episode').map(({ title, episodeNumber, size, files: own }) => [
      title,
      episodeNumber,
      size,
      own.map(({ name, role, label }) => `${role} ${name}: ${label}`),
    ])
  }
  expect(files(['Show S02E02', 'Show S02E03 Part 2', 'Show S02E03 Part 1', 'Show S02E04'])).toEqual([
    ['Show S02E02', 2, 2, ['main Show S02E02.mkv: null']],
    ['Show S02E03 Part 1', 3, 4, ['main Show S02E03 Part 1.mkv: Part 1', 'part Show S02E03 Part 2.mkv: Part 2']],
    ['Show S02E04', 4, 2, ['main Show S02E04.mkv: null']],
  ])
  for (const names of [
    ['Show (2010) S02E01-part-1', 'Show (2010) S02E01-part-2'],
    ['Show - S02E01 - Title - pt1', 'Show - S02E01 - Title - pt2'],
    ['01 - Title cd1', '01 - Title cd2'],
    ['2x01.disc1.720p', '2x01.disc2.720p'],
    ['Show 2015.09.07.Part.1', 'Show 2015.09.07.Part.2'],
  ])
    expect(files(names).map(([, , size, own]) => [size, own])).toEqual([[4, names.map(expect.stringContaining)]])
  for (const names of [
    ['Show Part 1', 'Show Part 2'],
    ['Show.1of2', 'Show.2of2'],
    ['Show S02E01 Storm Part 1', 'Show S02E02 Storm Part 2'],
    ['Show S02E01 - 1080p', 'Show S02E01 - 720p'],
    ['Show S02E01 Part 1', 'Show S02E01 Part 1 - 720p'],
  ])
    expect(files(names).map(([title]) => title)).toEqual(names.toSorted((a, b) => (`${a}.mkv` < `${b}.mkv` ? -1 : 1)))
  // A single part is a title.
  expect(files(['Show S02E05 Storm Part 2'])).toEqual([['Show S02E05 Storm Part 2', 5, 2, ['main Show S02E05 Storm Part 2.mkv: null']]])
})

test('a DVD without a film has its menus alone, and is none', () => {
  expect(episodesOf('Show', { 'Season 1': { VIDEO_TS: { 'VIDEO_TS.VOB': 2 } } }).map(([path]) => path)).toEqual([
    'Season 1/VIDEO_TS/VIDEO_TS.VOB',
  ])
})

test('a folder with one episode names it where the file does not', () => {
  const tree = {
    'Show.S02E05.1080p-GRP': { '160725_02.mkv': 1, 'sample.mkv': 1 },
    'Show.S02E06.1080p': { 'Show.S02E07.mkv': 1 },
    'Show.S02E08-E09': { 'x.mkv': 1 },
    'Show.S03E01-E02.1080p': { '01.mkv': 1, '02.mkv': 1 },
    'Show Season 4 - Disc 2': { 'title.mkv': 1 },
    'Show.2019.05.06.720p': { 'y.mkv': 1 },
  }
  expect(episodesOf('Show', tree).map(([path, , ...numbers]) => [path, ...numbers])).toEqual([
    ['Show Season 4 - Disc 2/title.mkv', 4, null, null],
    ['Show.2019.05.06.720p/y.mkv', 2019, null, null],
    ['Show.S02E05.1080p-GRP/160725_02.mkv', 2, 5, null],
    ['Show.S02E06.1080p/Show.S02E07.mkv', 2, 7, null],
    ['Show.S02E08-E09/x.mkv', 2, 8, 9],
    ['Show.S03E01-E02.1080p/01.mkv', null, 1, null],
    ['Show.S03E01-E02.1080p/02.mkv', null, 2, null],
  ])
})

test('a season folder whose name goes on with a number does not name the only episode in it', () => {
  const tree = { 'Season 2 - 2011': { '1.mkv': 1 }, 'Season 20 - 351 Bearings': { '03.mkv': 1 }, 'Show S3 - 08 [1080p]': { 'a.mkv': 1 } }
  expect(episodesOf('Show', tree).map(([, , ...numbers]) => numbers.slice(0, 2))).toEqual([
    [2, 1],
    [20, 3],
    [3, 8],
  ])
})

const numbersOf = (folder: string | null, names: string[]) => {
  const files = Object.fromEntries(names.map((name) => [`${name}.mkv`, 1]))
  return episodesOf('Lost Tale', folder ? { [folder]: files } : files).map(([, , season, episode]) => [season, episode])
}

test('a number of season and episode is told from one that counts through by those beside it', () => {
  expect(numbersOf(null, ['lost.tale.103.hdtv-grp', 'lost.tale.104.hdtv-grp', 'lost.tale.201.hdtv-grp'])).toEqual([
    [1, 3],
    [1, 4],
    [2, 1],
  ])
  expect(numbersOf(null, ['Lost_Tale_103_Pilot', 'Lost_Tale_104_Storm'])).toEqual([
    [1, 3],
    [1, 4],
  ])
  expect(numbersOf(null, ['101 - Pilot', '102 - Storm'])).toEqual([
    [1, 1],
    [1, 2],
  ])
  expect(numbersOf('Season 1', ['Lost Tale - 101', 'Lost Tale - 102'])).toEqual([
    [1, 1],
    [1, 2],
  ])
  expect(numbersOf('Season 1', ['Lost Tale 105', 'Lost Tale S01E06'])).toEqual([
    [1, 105],
    [1, 6],
  ])
  // Counted through: up to a hundred, past forty, in another season, by fansubs, or nothing beside it tells.
  for (const [folder, names] of [
    [null, ['lost.tale.099', 'lost.tale.101']],
    [null, ['lost.tale.07', 'lost.tale.101']],
    [null, ['lost.tale.139', 'lost.tale.141']],
    [null, ['lost.tale.100', 'lost.tale.101']],
    [null, ['Lost Tale - 101', 'Lost Tale - 102']],
    [null, ['[Subs]_Lost_Tale_101_[720p]', '[Subs]_Lost_Tale_102_[720p]']],
    [null, ['lost.tale.101']],
    ['Season 1', ['Lost Tale - 099', 'Lost Tale - 101']],
    ['Season 1', ['Lost Tale - 101', 'Lost Tale - 201']],
    ['Season 17', ['Lost Tale - 679', 'Lost Tale - 680']],
  ] as [string | null, string[]][])
    expect(numbersOf(folder, names).map(([, episode]) => episode)).toEqual(names.map((name) => Number(/\d+/.exec(name)?.[0])))
})

test('chapters of telenovelas count through where those beside them tell', () => {
  const cap = (number: string) => `Lost Tale Cap ${number} [720p]`
  for (const [folder, season] of [
    [null, 1],
    ['Temporada 1', 1],
  ] as const)
    for (const numbers of [
      ['001', '002', '099', '100', '101', '156'],
      ['101', '102', '156'],
      ['099', '101'],
    ])
      expect(numbersOf(folder, numbers.map(cap))).toEqual(numbers.map((number) => [season, Number(number)]))
  expect(numbersOf(null, ['101', '102', '213'].map(cap))).toEqual([
    [1, 1],
    [1, 2],
    [2, 13],
  ])
})

test('four digits count through unless those beside them, or the folder, tell of seasons', () => {
  const thousands = Array.from({ length: 20 }, (_, index) => 1085 + index)
  for (const names of [
    thousands.map((number) => `Lost.Tale.${number}.1080p.WEB.x264`),
    ['lost.tale.1101', 'lost.tale.1102'],
    ['1149 - Storm', '1150 - Calm'],
    ['1150 - Calm'],
    ['[Subs]_LT_1000_[720p]', '[Subs]_LT_1001_[720p]', '[Subs]_LT_1101_[720p]'],
    ['[Subs]_LT_101_[720p]', '[Subs]_LT_102_[720p]'],
    ['Found.Tale.0965', 'Found.Tale.0966'],
    ['Lost Tale - 0901', 'Lost Tale - 0965'],
    ['Lost Tale - 0965'],
    ['LT.7889'],
    ['LT.7801', 'LT.7802'],
    ['LT.139', 'LT.141'],
  ])
    expect(numbersOf(null, names)).toEqual(names.map((name) => [1, Number(/\d+/.exec(name)?.[0])]))
  for (const [folder, names, ...numbers] of [
    [null, ['lost.tale.922', 'lost.tale.1001', 'lost.tale.1002'], [10, 1], [10, 2], [9, 22]],
    [null, ['LT_1022', 'LT_1101'], [10, 22], [11, 1]],
    [null, ['Lost Tale 0807 The Bills'], [8, 7]],
    [null, ['lost.tale.0101', 'lost.tale.0102'], [1, 1], [1, 2]],
    ['Season 10', ['1001 - Pilot', '1002 - Storm'], [10, 1], [10, 2]],
    ['Season 10', ['lost.tale.1001'], [10, 1]],
    ['Season 10', ['Lost Tale - 1001', 'Lost Tale - 1002'], [10, 1], [10, 2]],
    ['Season 20', ['Lost Tale - 1085', 'Lost Tale - 1086'], [20, 1085], [20, 1086]],
  ] as [string | null, string[], ...[number, number][]][])
    expect(numbersOf(folder, names)).toEqual(numbers)
})

test('season and episode between a hyphen are told from two episodes by those beside them', () => {
  expect(numbersOf('Season 1', ['01-01 Pilot', '01-02 Storm', '01-03 Calm'])).toEqual([
    [1, 1],
    [1, 2],
    [1, 3],
  ])
  expect(numbersOf(null, ['01-01 Pilot', '01-02 Storm', '02-01 Calm'])).toEqual([
    [1, 1],
    [1, 2],
    [2, 1],
  ])
  const files = { '01-02 Pilot.mkv': 1, '03-04 Storm.mkv': 1, '05 Calm.mkv': 1 }
  expect(episodesOf('Lost Tale', { 'Season 1': files }).map(([, , , ...numbers]) => numbers)).toEqual([
    [1, 2],
    [3, 4],
    [5, null],
  ])
})

test('season and episode in one number in brackets (guessit)', () => {
  expect(numbersOf('Season 4', ['Lost Tale [401] Pilot', 'Lost Tale [402] Storm'])).toEqual([
    [4, 1],
    [4, 2],
  ])
  expect(numbersOf('Season 4', ['[Subs][Lost Tale][301]', '[Subs][Lost Tale][402]'])).toEqual([
    [4, 301],
    [4, 402],
  ])
})

test('an episode whose title ends in an extra word is an episode', () => {
  const files = [
    'Show - S01E04 - The Trailer.mkv',
    'Show S01E05 Free Sample.mkv',
    'Show S01E04 trailer.mkv',
    'Show.S01E05.sample.mkv',
    'The Show trailer.mkv',
  ]
  const tree = { 'Season 1': Object.fromEntries(files.map((name) => [name, 1])) }
  expect(episodesOf('Show', tree).map(([path]) => path)).toEqual(files.slice(0, 2).map((name) => `Season 1/${name}`))
})

test('an episode is not lost for the last word of its title where its name tells no season', () => {
  const files = [
    '05 - Free Sample.mkv',
    '06 - The Job-Interview.mkv',
    'Show - 07 - The Long Trailer.mkv',
    'Show 2020-05-06 The Exit-Interview.mkv',
    '05 - Trailer.mkv',
    '08-trailer.mkv',
    'Cast 2-interview.mkv',
    'Season 1 - Official Trailer.mkv',
    'Show 2010 Official Trailer.mkv',
    'Trailer 2.mkv',
  ]
  const tree = { 'Season 1': Object.fromEntries(files.map((name) => [name, 1])) }
  expect(episodesOf('Show', tree).map(([path]) => path)).toEqual(files.slice(0, 4).map((name) => `Season 1/${name}`))
})

test('an interview beside its episode is an extra, whatever tells the number', () => {
  const tree = { 'Season 1': { '05 - Pilot.mkv': 1, '05 - Pilot-interview.mkv': 1 } }
  expect(episodesOf('Show', tree).map(([path]) => path)).toEqual(['Season 1/05 - Pilot.mkv'])
})

test('a folder around season folders is passed through', () => {
  expect(seasonsOf('Show', { Seasons: { 'Season 1': { 'S01E01.mkv': 1 } } })).toEqual([['Seasons/Season 1', 'Season 1', 1]])
})

test('a folder per episode makes no season of its own', () => {
  const tree = { 'Show.S01E01.1080p': { 'show.s01e01.mkv': 1 }, 'Show.S01E02.1080p': { 'show.s01e02.mkv': 1 } }
  expect(seasonsOf('Show', tree)).toEqual([['#season-1', 'Season 1', 1]])
  expect(seasonsOf('Show', { 'Show.S01E01.1080p': { 'show.s01e01.mkv': 1 } })).toEqual([['#season-1', 'Season 1', 1]])
})

test('a folder per episode of those that count through makes no season of its own', () => {
  for (const name of ['Show.1101', 'Show.E1102', 'Show.101'])
    expect(seasonsOf('Show', { [`${name}.1080p`]: { [`${name}.mkv`]: 1 } })).toEqual([['#season-1', 'Season 1', 1]])
  expect(seasonsOf('Show', { 'Arc 01': { 'Show - 001.mkv': 1 } })).toEqual([['Arc 01', 'Arc 01', null]])
  expect(seasonsOf('Show', { 'Arc of 141': { 'Show - 141.mkv': 1, 'Show - 142.mkv': 1 } })).toEqual([['Arc of 141', 'Arc of 141', null]])
})

test('a folder per dated episode makes no season of its own', () => {
  const tree = { 'Show.2019.05.06.720p': { 'show.2019.05.06.mkv': 1 }, 'Show.2019.05.07.720p': { 'show.2019.05.07.mkv': 1 } }
  expect(seasonsOf('Show', tree)).toEqual([['#season-2019', 'Season 2019', 2019]])
  expect(seasonsOf('Show', { 'Show.2019.05.06.720p': { 'show.2019.05.06.mkv': 1 } })).toEqual([['#season-2019', 'Season 2019', 2019]])
})

test('a folder of another name is the season of its episodes, or one without a number', () => {
  expect(seasonsOf('Show', { 'Book 1 - Water': { 'S01E01.mkv': 1, 'S01E02.mkv': 1 } })).toEqual([['Book 1 - Water', 'Book 1 - Water', 1]])
  expect(seasonsOf('Show', { 'Arc of Rain': { 'Show - 12.mkv': 1 } })).toEqual([['Arc of Rain', 'Arc of Rain', null]])
  expect(seasonsOf('Show', { Pack: { 'S01E01.mkv': 1, 'S02E01.mkv': 1 } })).toEqual([
    ['#season-1', 'Season 1', 1],
    ['#season-2', 'Season 2', 2],
  ])
})

test("a folder with the series' name, or its sibling's, is the first season, and a numeral behind it goes on", () => {
  const numbers = (series: string, folders: string[], files = ['01.mkv']) => {
    const season = Object.fromEntries(files.map((name) => [name, 1]))
    return seasonsOf(series, Object.fromEntries(folders.map((name) => [name, season]))).map(([, , number]) => number)
  }
  expect(numbers('Frieren', ['Season 2', '[Grp] Frieren - 01-28 [BD]'])).toEqual([2, 1])
  expect(numbers('VCB', ['[VCB] Title S2 [Ma10p_1080p]', '[VCB] Title [Ma10p_1080p]'])).toEqual([2, 1])
  expect(numbers('Mob', ['Mob Psycho 100', 'Mob Psycho 100 II'])).toEqual([1, 2])
  expect(numbers('Overlord (2015)', ['Overlord', 'Overlord II', 'Overlord III'])).toEqual([1, 2, 3])
  expect(numbers('Show', ['Show', 'Show (2nd Season)', 'Show 3', 'Show: Cour 4'])).toEqual([1, 2, 3, null])
  // Another season is the first one, or more than one may be; films, other shows, and numbers that nothing leads to.
  expect(numbers('Show', ['Season 1', 'Show'])).toEqual([1, null])
  expect(numbers('Show', ['Show (2003)', 'Show (2010)'])).toEqual([null, null])
  expect(numbers('Show', ['Show', 'Show 7', 'Show Movie', 'Show Movie 2', 'Show Z'])).toEqual([1, null, null, null, null])
  expect(numbers('Show', ['Part', 'Part 2'])).toEqual([null, null])
  expect(seasonsOf('Show', { Show: { 'Season 2': { '01.mkv': 1 }, 'extra.mkv': 1 } }).map(([, , number]) => number)).toEqual([null, 2])
  expect(seasonsOf('Show', { 'Show - SP1.mkv': 1, Show: { '02.mkv': 1 } }).map(([, , number]) => number)).toEqual([0, 1])
  expect(seasonsOf('Show', { 'Show - 01.mkv': 1, Show: { '02.mkv': 1 } }).map(([, , number]) => number)).toEqual([1, null])
  // What the names in it tell stays as it was.
  const files = ['Show 07.mkv', 'Show S01E09.mkv', '[Grp] Show 2 - 101.mkv', '[Grp] Show 2 - SP1.mkv', '[Grp] Show 2 [05].mkv']
  const tree = { Show: { '01.mkv': 1 }, 'Show 2': Object.fromEntries(files.map((name) => [name, 1])) }
  expect(episodesOf('Show', tree).map(([, , ...numbers]) => numbers.slice(0, 2).join('x'))).toEqual([
    '1x1',
    '1x9',
    '2x7',
    '2x101',
    '2x5',
    '0x1',
  ])
})

test('two folders of one season are two seasons with the same number, and no episode is lost', () => {
  const tree = { 'Season 1': { 'S01E01.mkv': 1 }, 'Show.S01.720p': { 'S01E02.mkv': 1 } }
  expect(seasonsOf('Show', tree)).toEqual([
    ['Season 1', 'Season 1', 1],
    ['Show.S01.720p', 'Show.S01.720p', 1],
  ])
  expect(episodesOf('Show', tree)).toHaveLength(2)
})

test('extras are no episodes: by folder, by name, and by the episode that they belong to', () => {
  const tree = {
    'trailer.mkv': 1,
    Extras: { 'Making of.mkv': 1 },
    'Season 1': {
      'Show S01E01.mkv': 1,
      'Show S01E01-behindthescenes.mkv': 1,
      'Show S01E02-Interview.mkv': 1,
      'show.s01e01.sample.mkv': 1,
      'behind the scenes': { 'x.mkv': 1 },
    },
  }
  expect(episodesOf('Show', tree).map(([path]) => path)).toEqual(['Season 1/Show S01E01.mkv', 'Season 1/Show S01E02-Interview.mkv'])
})

test('the videos that are no episodes come with the series, without samples', () => {
  const { get } = read('Show', {
    'trailer.mkv': 1,
    'poster.jpg': 1,
    Extras: { 'Making of.mkv': 2, 'Sample Culture.mkv': 6, 'notes.txt': 1, Deleted: { 'Ending-deletedscene.mkv': 3 } },
    'Season 1': {
      'Show S01E01 Part 1.mkv': 9,
      'Show S01E01 Part 2.mkv': 9,
      'Show S01E02.mkv': 9,
      'Show S01E02-behindthescenes.mkv': 4,
      'show.s01e02.sample.mkv': 1,
      'sample2.mkv': 1,
      Sample: { 'x.mkv': 1 },
      featurettes: { 'On the Set.mkv': 5 },
    },
    'Season 2': { VIDEO_TS: { 'VIDEO_TS.VOB': 1, 'VTS_01_1.VOB': 9, 'VTS_02_1.VOB': 1 } },
  })
  const extra = (name: string, size: number, label: string) => ({ name, size, role: 'extra' as const, label })
  expect(get('tv_series').files).toEqual([
    extra('trailer.mkv', 1, 'Trailer'),
    extra('Extras/Making of.mkv', 2, 'Making of'),
    extra('Extras/Sample Culture.mkv', 6, 'Sample Culture'),
    extra('Extras/Deleted/Ending-deletedscene.mkv', 3, 'Ending, Deleted scene'),
    extra('Season 1/Show S01E02-behindthescenes.mkv', 4, 'Behind the scenes'),
    extra('Season 1/featurettes/On the Set.mkv', 5, 'On the Set'),
  ])
  expect([get('tv_series').size, get('tv_season').files]).toEqual([null, []])
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`${index}.mkv`, 1]))
  expect(read('Show', { 'S01E01.mkv': 1, Extras: many }).get('tv_series').files).toHaveLength(500)
})

test('no folder is taken for a season that lies below another one', () => {
  const tree = { 'Doctor Who (1963)': { '01.mkv': 1 }, 'Doctor Who (2005)': { 'Season 1': { 'S01E01.mkv': 1 } } }
  expect(episodesOf('Doctor Who', tree).map(([path, , season]) => [path, season])).toEqual([
    ['Doctor Who (1963)/01.mkv', null],
    ['Doctor Who (2005)/Season 1/S01E01.mkv', 1],
  ])
  const later = { 'Doctor Who (1963)': { '01.mkv': 1 }, 'Doctor Who (2005)': { 'Season 2': { 'S02E01.mkv': 1 } } }
  expect(episodesOf('Doctor Who', later).map(([, , season]) => season)).toEqual([1, 2])
})

test('several episodes in a file are one item with a last number', () => {
  expect(episodesOf('Show', { 'Season 1': { 'S01E01-E02.mkv': 1 } })).toEqual([['Season 1/S01E01-E02.mkv', 'Season 1', 1, 1, 2]])
})

test('the same file name in two series makes different keys', () => {
  const paths = ['A', 'B'].map((series) => read(series, { 'Season 1': { 'S01E01.mkv': 1 } }).get('tv_episode').path)
  expect(paths).toEqual(['A/Season 1/S01E01.mkv', 'B/Season 1/S01E01.mkv'])
})

test('pictures: of the series, of the season here or in the series folder, of the episode; else a frame', () => {
  const { get } = read('Show', {
    'poster.jpg': 1,
    'fanart.jpg': 1,
    'season01-poster.jpg': 1,
    'season-specials-poster.jpg': 1,
    'Season 1': { 'S01E01.mkv': 1, 'S01E01-thumb.jpg': 1, 'S01E02.mkv': 1 },
    'Season 2': { 'S02E01.mkv': 1, 'folder.jpg': 1 },
    'Season 3': { 'S03E01.mkv': 1 },
    Specials: { 'S00E01.mkv': 1 },
  })
  const artwork = (path: string) => get(path).artwork.map((picture) => `${picture.kind} ${picture.path}`)
  expect(artwork('Show')).toEqual(['poster Show/poster.jpg', 'backdrop Show/fanart.jpg'])
  expect(artwork('Show/Season 1')).toEqual(['poster Show/season01-poster.jpg'])
  expect(artwork('Show/Season 2')).toEqual(['poster Show/Season 2/folder.jpg'])
  expect(artwork('Show/Specials')).toEqual(['poster Show/season-specials-poster.jpg'])
  expect([artwork('Show/Season 3'), get('Show/Season 3').thumbnail?.path]).toEqual([[], 'Show/poster.jpg'])
  expect(get('Show/Season 1/S01E01.mkv').thumbnail).toMatchObject({ kind: 'image', path: 'Show/Season 1/S01E01-thumb.jpg' })
  expect(get('Show/Season 1/S01E02.mkv').thumbnail).toMatchObject({ kind: 'video', path: 'Show/Season 1/S01E02.mkv' })
})

test("a season's pictures may lie in its folder with their number too (Jellyfin's documentation of shows; Plex: Season01)", () => {
  const { get } = read('Show', {
    'season01-poster.jpg': 1,
    'Season 1': { 'S01E01.mkv': 1, 'season1-poster.jpg': 1, 'season01-fanart.jpg': 1, 'season02-poster.jpg': 1 },
    'Season 2': { 'S02E01.mkv': 1, 'Season02.jpg': 1, 'poster.png': 1 },
    Specials: { 'S00E01.mkv': 1, 'season-specials-poster.jpg': 1 },
    Odd: { 'b.mkv': 1, 'season1-poster.jpg': 1 },
  })
  const artwork = (path: string) => get(path).artwork.map((picture) => `${picture.kind} ${picture.path}`)
  expect(artwork('Show/Season 1')).toEqual(['poster Show/Season 1/season1-poster.jpg', 'backdrop Show/Season 1/season01-fanart.jpg'])
  expect(artwork('Show/Season 2')).toEqual(['poster Show/Season 2/poster.png'])
  expect(artwork('Show/Specials')).toEqual(['poster Show/Specials/season-specials-poster.jpg'])
  expect(artwork('Show/Odd')).toEqual([])
})

test('NFO files: tvshow.nfo of the series, <video>.nfo of an episode, none of a season', () => {
  const { get } = read('Show', {
    'tvshow.nfo': 1,
    'Season 1': { 'S01E01.mkv': 1, 'S01E01.nfo': 1, 'season.nfo': 1, 'S01E02.mkv': 1 },
    'Season 2': { 'S02E01 cd1.mkv': 1, 'S02E01 cd2.mkv': 1, 'S02E01.nfo': 1 },
  })
  expect(get('tv_series').nfo?.path).toBe('Show/tvshow.nfo')
  expect(get('tv_season').nfo).toBeNull()
  expect(get('Show/Season 1/S01E01.mkv').nfo?.path).toBe('Show/Season 1/S01E01.nfo')
  expect(get('Show/Season 1/S01E02.mkv').nfo).toBeNull()
  // Also without the part.
  expect(get('Show/Season 2/S02E01 cd1.mkv').nfo?.path).toBe('Show/Season 2/S02E01.nfo')
})

test('every episode has its season among the items, and every season its series', () => {
  const { items } = read('Show', {
    'a.mkv': 1,
    'S03E01.mkv': 1,
    'Season 1': { 'b.mkv': 1, 'S00E01.mkv': 1, 'S02E01.mkv': 1 },
    Odd: { 'c.mkv': 1, Odder: { 'S05E01.mkv': 1 } },
    Specials: { 'd.mkv': 1 },
  })
  const paths = new Set(items.map((item) => `${item.itemType} ${item.path}`))
  for (const { itemType, parentPath } of items) {
    if (itemType === 'tv_episode') expect(paths).toContain(`tv_season ${parentPath}`)
    if (itemType === 'tv_season') expect(paths).toContain(`tv_series ${parentPath}`)
  }
  expect(paths.size).toBe(items.length)
})

test('thousands of files that may be extras are told apart at once', () => {
  const files = Array.from({ length: 6000 }, (_, number) => [`Show S01E${1000 + number}-interview.mkv`, 1] as const)
  const startedAt = processorMs()
  expect(episodesOf('Show', Object.fromEntries(files))).toHaveLength(6000)
  expect(processorMs() - startedAt).toBeLessThan(2500)
})
