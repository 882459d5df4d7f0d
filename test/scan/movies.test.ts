import { expect, test } from 'bun:test'
import { isLooseMovie, readMovies } from '../../src/scan/movies.ts'
import { type MemoryTree, memoryTree, readUnit } from './memory-tree.ts'

const read = (path: string, tree: MemoryTree) => readUnit(readMovies, memoryTree(path, tree))

/** Name, role and label of the files of the only film. */
const filesOf = (path: string, tree: MemoryTree) =>
  read(path, tree)
    .get('movie')
    .files.map(({ name, role, label }) => [name, role, label])

test('a folder without a video is no film: a warning where it holds anything, nothing where it is empty', () => {
  expect(read('Papers', { 'a.pdf': 1, sub: { 'b.txt': 1 } })).toMatchObject({ items: [], warnings: [{ path: 'Papers', code: 'no_video' }] })
  expect(read('Empty', { sub: {} })).toMatchObject({ items: [], warnings: [] })
  expect(read('Upcoming', { 'Upcoming-trailer.mp4': 1, trailers: { 'teaser.mp4': 1 } }).items).toEqual([])
})

test('one folder is one film, whatever its files are called', () => {
  const { items } = read('Odd (2001)', { 'a.mkv': 1, 'Odd (2001).mkv': 1, 'Odd (2003) - x.mkv': 1, 'zzz.avi': 9 })
  expect(items).toHaveLength(1)
})

test('the title is the folder name verbatim, the year is taken from it', () => {
  const movie = read('Alien (1979) [imdbid-tt0078748]', { 'Alien.mkv': 1000 }).get('movie')
  expect([movie.title, movie.year, movie.path, movie.parentPath]).toEqual(['Alien (1979) [imdbid-tt0078748]', 1979, movie.title, null])
  expect([movie.mediaKind, movie.mimeType, movie.size, movie.mainFile]).toEqual([
    'video',
    'video/x-matroska',
    1000,
    `${movie.title}/Alien.mkv`,
  ])
  expect(read('Alien', { 'Alien (1979).mkv': 1 }).get('movie').year).toBe(1979)
})

test('versions: the file named like the folder first, then by resolution, then A to Z', () => {
  expect(
    filesOf('Alien (1979)', {
      'Alien (1979) - 720p.mkv': 1,
      'Alien (1979) [Directors Cut].mkv': 1,
      'Alien (1979) - 2160p.mkv': 1,
      'Alien (1979) - Assembly.mkv': 1,
      'Alien (1979).mkv': 1,
    }),
  ).toEqual([
    ['Alien (1979).mkv', 'main', null],
    ['Alien (1979) - 2160p.mkv', 'version', '2160p'],
    ['Alien (1979) - 720p.mkv', 'version', '720p'],
    ['Alien (1979) - Assembly.mkv', 'version', 'Assembly'],
    ['Alien (1979) [Directors Cut].mkv', 'version', 'Directors Cut'],
  ])
})

test('without a file of the folder name the highest resolution is the main version', () => {
  expect(filesOf('Alien (1979)', { 'Alien (1979) - 1080p.mkv': 1, 'Alien (1979) - 4K.mkv': 1 })).toEqual([
    ['Alien (1979) - 4K.mkv', 'main', '4K'],
    ['Alien (1979) - 1080p.mkv', 'version', '1080p'],
  ])
})

test('where no name fits the folder, the larger file is the film', () => {
  expect(filesOf('Alien (1979)', { 'aaa.mkv': 5, 'film.mkv': 9000 }).map(([name]) => name)).toEqual(['film.mkv', 'aaa.mkv'])
})

test('parts are put in order, and the first of them is the main file', () => {
  expect(
    filesOf('Bad Boys (2006)', { 'Bad Boys (2006) part2.mkv': 1, 'Bad Boys (2006) part1.mkv': 1, 'Bad Boys (2006) part10.mkv': 1 }),
  ).toEqual([
    ['Bad Boys (2006) part1.mkv', 'main', 'Part 1'],
    ['Bad Boys (2006) part2.mkv', 'part', 'Part 2'],
    ['Bad Boys (2006) part10.mkv', 'part', 'Part 10'],
  ])
})

test('parts are known as names of other languages and of the time of CDs have them', () => {
  for (const [first, second] of [
    ['M.CD1of2.XviD', 'M.CD2of2.XviD'],
    ['M (1 of 2)', 'M (2 of 2)'],
    ['M - Part One', 'M - Part Two'],
    ['M Teil 1', 'M Teil 2'],
  ])
    expect(filesOf('M (2000)', { [`${second}.mkv`]: 1, [`${first}.mkv`]: 1 }).map(([name, role]) => [name, role])).toEqual([
      [`${first}.mkv`, 'main'],
      [`${second}.mkv`, 'part'],
    ])
})

test('one part alone is a title, and equal part numbers are versions', () => {
  expect(filesOf('Hallows Part 1 (2010)', { 'Hallows Part 1 (2010).mkv': 1 })).toEqual([['Hallows Part 1 (2010).mkv', 'main', null]])
  expect(filesOf('M', { 'M cd1.avi': 1, 'M cd1.mkv': 1 }).map(([, role]) => role)).toEqual(['main', 'version'])
})

test('a version in parts and one in a file go together', () => {
  expect(filesOf('M (2000)', { 'M (2000).mkv': 9, 'M (2000) - Extended cd1.mkv': 1, 'M (2000) - Extended cd2.mkv': 1 })).toEqual([
    ['M (2000).mkv', 'main', null],
    ['M (2000) - Extended cd1.mkv', 'version', 'Extended, CD 1'],
    ['M (2000) - Extended cd2.mkv', 'version', 'Extended, CD 2'],
  ])
})

test('a film without years comes before those that follow it', () => {
  const names = ['The Trilogy.mkv', 'The Trilogy Part II.mkv', 'The Trilogy Part III.mkv']
  expect(filesOf('The Trilogy', Object.fromEntries(names.map((name) => [name, 1]))).map(([name]) => name)).toEqual(names)
})

test('parts in folders of their own are one film', () => {
  const files = filesOf('M (2000)', { CD2: { 'm.avi': 1 }, CD1: { 'm.avi': 1 }, Subs: { 'm.srt': 1 } })
  expect(files).toEqual([
    ['CD1/m.avi', 'main', 'CD 1'],
    ['CD2/m.avi', 'part', 'CD 2'],
  ])
})

test('two films that are called parts are two films of a collection', () => {
  for (const [first, second] of [
    ['Sand Part One', 'Sand Part Two'],
    ['Sand Teil 1', 'Sand Teil 2'],
    ['Sand Part 1 (2021)', 'Sand Part 2 (2024)'],
  ] as const)
    expect(read('Sand Collection', { [first]: { 'a.mkv': 1 }, [second]: { 'b.mkv': 1 } }).items.map(({ title }) => title)).toEqual([
      first,
      second,
    ])
})

test('extras come last, by suffix and by folder, each with a label', () => {
  const files = filesOf('M (2000)', {
    'M (2000).mkv': 1,
    'M (2000)-trailer.mp4': 1,
    'sample.mkv': 1,
    'behind the scenes': { 'On set.mkv': 1 },
    Trailers: { 'Teaser.mp4': 1, 'Theatrical Trailer.mp4': 1 },
    Whatever: { 'Interview with X.mkv': 1 },
  })
  expect(files).toEqual([
    ['M (2000).mkv', 'main', null],
    ['M (2000)-trailer.mp4', 'extra', 'Trailer'],
    ['sample.mkv', 'extra', 'Sample'],
    ['behind the scenes/On set.mkv', 'extra', 'On set'],
    ['Trailers/Teaser.mp4', 'extra', 'Teaser'],
    ['Trailers/Theatrical Trailer.mp4', 'extra', 'Theatrical Trailer'],
    ['Whatever/Interview with X.mkv', 'extra', 'Interview with X'],
  ])
})

test('extras are in natural order', () => {
  const names = ['chapter 1.mkv', 'Chapter 2.mkv', 'chapter 10.mkv']
  const extras = Object.fromEntries(names.map((name) => [name, 1]))
  expect(filesOf('M (2000)', { 'M (2000).mkv': 9, extras }).slice(1)).toEqual(
    names.map((name) => [`extras/${name}`, 'extra', name.slice(0, -4)]),
  )
})

test('a film called like an extra is the film', () => {
  expect(filesOf('Trailer (2020)', { 'Trailer.mkv': 1 })).toEqual([['Trailer.mkv', 'main', null]])
  expect(filesOf('Behind-Interview', { 'Behind-Interview.mkv': 1 })).toEqual([['Behind-Interview.mkv', 'main', null]])
  expect(filesOf('The Other (1972)', { 'The-Other.mkv': 1, 'The-Other-trailer.mkv': 1 })).toEqual([
    ['The-Other.mkv', 'main', null],
    ['The-Other-trailer.mkv', 'extra', 'Trailer'],
  ])
})

test('a collection is no film, and the films in it are', () => {
  const { items, warnings } = read('Alien Collection', {
    'folder.jpg': 1,
    'Alien (1979)': { 'alien.mkv': 1 },
    'Aliens (1986)': { 'aliens.mkv': 1 },
    Extras: { 'x.mkv': 1 },
    Deeper: { 'Alien 3 (1992)': { 'a.mkv': 1 } },
  })
  expect(items.map(({ path, parentPath, title }) => [path, parentPath, title])).toEqual([
    ['Alien Collection/Alien (1979)', null, 'Alien (1979)'],
    ['Alien Collection/Aliens (1986)', null, 'Aliens (1986)'],
    ['Alien Collection/Deeper/Alien 3 (1992)', null, 'Alien 3 (1992)'],
  ])
  expect(warnings).toEqual([])
  expect(read('Alien Collection', { 'Alien (1979)': { 'alien.mkv': 1 } }).get('movie').path).toBe('Alien Collection/Alien (1979)')
})

test('what in a collection lies in a folder called as those of extras is a film where it has a year', () => {
  const pathsOf = (folder: string, tree: MemoryTree): string[] => read(folder, tree).items.map(({ path }) => path)
  const shorts = { 'Luxo Jr (1986)': { 'l.mkv': 1 }, "Geri's Game (1997)": { 'g.mkv': 1 }, Drafts: { 'd.mkv': 1 }, 'loose.mkv': 1 }
  expect(pathsOf('Pixar', { Shorts: shorts })).toEqual(["Pixar/Shorts/Geri's Game (1997)", 'Pixar/Shorts/Luxo Jr (1986)'])
  const bond = { 'Dr No (1962)': { 'd.mkv': 1 }, Other: { 'Never Say Never Again (1983)': { 'n.mkv': 1 }, 'Scans (1984)': { 'a.jpg': 1 } } }
  expect(pathsOf('Bond', bond)).toEqual(['Bond/Dr No (1962)', 'Bond/Other/Never Say Never Again (1983)'])
  expect(pathsOf('Bond (1962)', { 'b.mkv': 1, Other: { 'Making of (1963)': { 'm.mkv': 1 } } })).toEqual(['Bond (1962)'])
})

test('a video that lies loose in a collection takes no film off the lists, and is a warning', () => {
  const films = { 'Alien (1979)': { 'alien.mkv': 1 }, 'Aliens (1986)': { 'aliens.mkv': 1 } }
  const trees: MemoryTree[] = [{ 'Alien 3 (1992).mkv': 1 }, { 'a.mkv': 1, 'Alien-trailer.mkv': 1 }, { 'a.iso': 1 }]
  for (const loose of trees) {
    const { items, warnings } = read('Alien Collection', { ...films, Trailers: { 'Other (2000)': { 't.mkv': 1 } }, ...loose })
    expect(items.map(({ title }) => title)).toEqual(['Alien (1979)', 'Aliens (1986)'])
    expect(warnings.map(({ code }) => code)).toEqual(['loose_file'])
  }
})

test('different films that lie loose in one folder are each a warning, and one film', () => {
  const warningsOf = (folder: string, names: string[]) => {
    const { items, warnings } = read(folder, Object.fromEntries(names.map((name) => [name, 1])))
    expect(items).toHaveLength(1)
    return warnings.map(({ path, code }) => [path.slice(folder.length + 1), code])
  }
  const marvel = ['Avengers (2012) cd1.mkv', 'Avengers (2012) cd2.mkv', 'Iron Man (2008).mkv', 'Thor (2011).iso', 'Thor (2011).mkv']
  expect(warningsOf('Marvel', marvel)).toEqual(marvel.map((name) => [name, 'loose_file']))
  expect(warningsOf('Alien (1979)', ['Alien (1979).mkv', 'Alien - 4K.mkv', 'Aliens (1986).mkv'])).toEqual([
    ['Aliens (1986).mkv', 'loose_file'],
  ])
  expect(warningsOf('Rocky', ['Rocky (1976).mkv', 'Rocky II (1979).mkv'])).toEqual([['Rocky II (1979).mkv', 'loose_file']])
  for (const [folder, ...names] of [
    ['Marvel', 'Iron Man (2008).mkv', 'Iron Man (2008)-trailer.mkv', 'Iron Man (2008) 4K.mkv'],
    ['Verne', 'Nautilus (1954).mkv'],
    ['The Boat (1981)', 'Das Boot (1981).mkv', 'Das Boot (1981) - 4K.mkv'],
    ['The Boat (1981)', 'Das Boot (1982).mkv'],
    ['Alien (1979)', 'Alien (1979) cd1.mkv', 'Alien (1979) cd2.mkv', 'Alien Directors Cut (2003).mkv'],
    ['Alien (1979)', 'Alien (1979).mkv', 'Making of Alien (2003)-behindthescenes.mkv', 'a.mkv'],
    ['Alien', 'Alien.1979.mkv', 'Alien.2003.Directors.Cut.mkv'],
  ] as [string, ...string[]][])
    expect(warningsOf(folder, names)).toEqual([])
})

test('another film in the folder of a film is an extra, and a warning', () => {
  const others = { 'Other Film (2004)': { 'o.mp4': 1 }, More: { 'Third (2005)': { 't.mkv': 1 } } }
  for (const [folder, file] of [
    ['Film (1999)', 'f.mkv'],
    ['Film 1999', 'f.mkv'],
    ['Film', 'Film.mkv'],
  ] as const) {
    const { items, warnings } = read(folder, { [file]: 1, ...others })
    expect(items[0]?.files.map(({ role }) => role)).toEqual(['main', 'extra', 'extra'])
    expect([items.length, ...warnings.map(({ path, code }) => [path, code])]).toEqual([
      1,
      [`${folder}/More/Third (2005)`, 'nested_film'],
      [`${folder}/Other Film (2004)`, 'nested_film'],
    ])
  }
})

test('a folder with its own film is no collection, whatever else lies in it', () => {
  const trees: [string, MemoryTree][] = [
    ['Film', { 'f.mkv': 1, 'Film (1999) 720p': { 'f.mkv': 1 }, 'Film (1999) [1080p]': { 'f.mkv': 1 } }],
    ['Film', { 'movie.nfo': 1, 'f.mkv': 1, 'Film (1999)': { 'f.mkv': 1 }, 'Making of the film (2000)': { 'm.mkv': 1 } }],
    ['Film', { 'f.mkv': 1, 'Booklet (1999)': { 'a.jpg': 1 }, 'Scans (2000)': { 'b.jpg': 1 } }],
    ['Film', { BDMV: { STREAM: { '1.m2ts': 1 } }, 'Other (2000)': { 'o.mkv': 1 }, 'Third (2001)': { 't.mkv': 1 } }],
    ['Film', { 'Film CD1 (1999)': { 'f.avi': 1 }, 'Film CD2 (1999)': { 'f.avi': 1 } }],
  ]
  for (const [folder, tree] of trees) expect(read(folder, tree).items.map(({ path }) => path)).toEqual([folder])
})

test('versions, extras and parts in folders of their own are no warnings', () => {
  const folders = { 'Film (1999) [4K]': { 'f.mkv': 1 }, Extras: { 'Making of (2000)': { 'm.mkv': 1 } }, 'Bonus film': { 'b.mkv': 1 } }
  expect(read('Film (1999)', { 'f.mkv': 1, ...folders }).warnings).toEqual([])
  expect(read('Film', { 'Film CD1 (1999)': { 'f.avi': 1 }, 'Film CD2 (1999)': { 'f.avi': 1 } }).warnings).toEqual([])
})

test('a film in the folder that it was released with stays one film', () => {
  const movie = read('Alien (1979)', { 'poster.jpg': 1, 'Alien.1979.1080p.BluRay-GRP': { 'alien.mkv': 1 } }).get('movie')
  expect([movie.path, movie.files[0]?.name, movie.thumbnail?.path]).toEqual([
    'Alien (1979)',
    'Alien.1979.1080p.BluRay-GRP/alien.mkv',
    'Alien (1979)/poster.jpg',
  ])
})

test('a folder without a year is one film where what lies between it and its videos tells of versions alone', () => {
  expect(filesOf('Insomnia', { '1080p': { 'Insomnia.mkv': 1 }, '4K': { 'Insomnia.mkv': 2 } })).toEqual([
    ['4K/Insomnia.mkv', 'main', '4K'],
    ['1080p/Insomnia.mkv', 'version', '1080p'],
  ])
  expect(read('Inception', { BluRay: { 'Inception.mkv': 1 } }).get('movie').path).toBe('Inception')
  const titles = (tree: MemoryTree) => read('Films', tree).items.map(({ path }) => path)
  expect(titles({ '4K': { 'Insomnia.mkv': 1 }, '1080p': { 'Inception.mkv': 1 } })).toEqual(['Films/1080p', 'Films/4K'])
  expect(titles({ '4K': { 'Films.mkv': 1 }, Insomnia: { 'Insomnia.mkv': 1 } })).toEqual(['Films/4K', 'Films/Insomnia'])
})

test('a folder without a year is no film where any below is another one, at whatever depth, or may be one by its name', () => {
  const pathsOf = (name: string, tree: MemoryTree) => read(name, tree).items.map(({ path }) => path)
  const own = { 'Rocky.mkv': 1 }
  expect(pathsOf('Rocky', { Rocky: own, Sequels: { 'Rocky II': { 'Rocky II.mkv': 1 } } })).toEqual([
    'Rocky/Rocky',
    'Rocky/Sequels/Rocky II',
  ])
  expect(pathsOf('Rocky', { Rocky: own, Shorts: { 'Creed (2015)': { 'a.mkv': 1 } } })).toEqual(['Rocky/Rocky', 'Rocky/Shorts/Creed (2015)'])
  expect(pathsOf('Rocky', { '4K': { ...own, 'Creed (2015)': { 'a.mkv': 1 } } })).toEqual(['Rocky/4K'])
  expect(pathsOf('Saw', { Saw: { 'Saw.mkv': 1 }, 'Saw 3D': { 'Saw 3D.mkv': 1 } })).toEqual(['Saw/Saw', 'Saw/Saw 3D'])
  expect(pathsOf('Films', { Unrated: { 'Unrated.mkv': 1 }, '3D': { '3D.mkv': 1 } })).toEqual(['Films/3D', 'Films/Unrated'])
  expect(pathsOf('Films', { $: { '$.mkv': 1 } })).toEqual(['Films/$'])
  const withVersion = read('Rocky', { Rocky: { ...own, '4K': own } }).get('Rocky/Rocky')
  expect(withVersion.files.map(({ role }) => role)).toEqual(['main', 'version'])
  expect(pathsOf('Saw', { 'Saw 4K': { 'Saw 4K.mkv': 1 }, '3D': { 'Saw.mkv': 1 }, Art: { 'a.jpg': 1 } })).toEqual(['Saw'])
})

const disc = { VIDEO_TS: { 'VIDEO_TS.VOB': 1, 'VTS_01_0.VOB': 1, 'VTS_01_1.VOB': 90, 'VTS_01_2.VOB': 9 } }
const bluRayDisc = (size: number): MemoryTree => ({ BDMV: { STREAM: { '00001.m2ts': size, '00002.m2ts': 1 } } })

test('versions in folders of their own are one film, called as their folders', () => {
  const both = (first: string, second: string, files: [string, string] = ['a.mkv', 'b.mkv']) =>
    filesOf('Film (1999)', { [first]: { [files[0]]: 1 }, [second]: { [files[1]]: 2 } })
  expect(both('1080p', '2160p', ['Film.mkv', 'Film.mkv'])).toEqual([
    ['2160p/Film.mkv', 'main', '2160p'],
    ['1080p/Film.mkv', 'version', '1080p'],
  ])
  expect(both("Director's Cut", 'Theatrical')).toEqual([
    ['Theatrical/b.mkv', 'main', 'Theatrical'],
    ["Director's Cut/a.mkv", 'version', "Director's Cut"],
  ])
  for (const [first, second] of [
    ['Film (1999) 1080p BluRay', 'Film (1999) [2160p]'],
    ['Film.1999.1080p.BluRay-GRP', 'Film.1999.2160p.WEB-DL-GRP'],
    ['Film', 'Film - Extended Edition'],
  ] as [string, string][])
    expect(both(first, second).map(([, role]) => role)).toEqual(['main', 'version'])
  expect(both('Deutsch', 'English', ['Film.mkv', 'Film (1999) 1080p.mkv']).map(([, , label]) => label)).toEqual(['Deutsch', 'English'])
  const films = { 'Film - 720p.mkv': 1, 'Film - 1080p.mkv': 1 }
  expect(filesOf('Film (1999)', { German: films, English: { 'Film.mkv': 1 } }).map(([, , label]) => label)).toEqual([
    'English',
    'German, 1080p',
    'German, 720p',
  ])
  expect(filesOf('Film (1999)', { '720p': { 'Film cd1.avi': 1, 'Film cd2.avi': 1 }, '4K': { 'Film.mkv': 1 } })).toEqual([
    ['4K/Film.mkv', 'main', '4K'],
    ['720p/Film cd1.avi', 'version', '720p, CD 1'],
    ['720p/Film cd2.avi', 'version', '720p, CD 2'],
  ])
  const tree = { 'poster.jpg': 1, 'movie.nfo': 1, '1080p': { 'Film.mkv': 1 }, '2160p': { 'Film.mkv': 1 } }
  expect(read('Film', tree).get('movie')).toMatchObject({
    path: 'Film',
    thumbnail: { path: 'Film/poster.jpg' },
    nfo: { path: 'Film/movie.nfo' },
  })
})

test('a film beside folders with the same film has those as versions, and stays the main one', () => {
  const beside = (folder: string, file = 'Film (1999).mkv') =>
    filesOf('Film (1999)', { 'Film (1999).mkv': 1, [folder]: { [file]: 9 } }).slice(1)
  for (const [folder, file, label] of [
    ['4K', 'Film (1999).mkv', '4K'],
    ['German', 'Film.mkv', 'German'],
    ['Film.1999.2160p.WEB-DL', 'film.mkv', '2160p.WEB-DL'],
    ['Film (1999) [4K]', 'f.mkv', '4K'],
  ] as const)
    expect(beside(folder, file)).toEqual([[`${folder}/${file}`, 'version', label]])
  for (const [folder, file] of [
    ['Film (1999) CD1', 'f.avi'],
    ['Film (1999) DVD 1', 'f.avi'],
    ['Day 1', 'Film.mkv'],
    ['More', 'Interview.mkv'],
    ['Film II', 'Film II.mkv'],
    ['Other (1999)', 'Film.mkv'],
    ['Extras', 'Film.mkv'],
    ['Bonus Disc', 'Film.mkv'],
  ] as const)
    expect(beside(folder, file).map(([name, role]) => [name, role])).toEqual([[`${folder}/${file}`, 'extra']])
})

test('a film whose pictures lie in the folder that it was released with has those', () => {
  const posterOf = (tree: MemoryTree) =>
    read('Film (1999)', { ...tree, '4K': { 'Film.mkv': 2, 'poster.jpg': 1 } }).get('movie').artwork[0]?.path
  expect(posterOf({ '720p': { 'Film.mkv': 1, 'poster.jpg': 1 } })).toBe('Film (1999)/4K/poster.jpg')
  expect(posterOf({ 'folder.jpg': 1 })).toBe('Film (1999)/folder.jpg')
})

test('a film of versions in folders has the pictures and the metadata of any of them', () => {
  const beside = (names: MemoryTree) =>
    read('Film (1999)', { '4K': { 'Film.mkv': 2 }, '720p': { 'film.720.mkv': 1, ...names } }).get('movie')
  const movie = beside({ 'poster.jpg': 1, 'fanart.jpg': 1, 'movie.nfo': 1 })
  expect(movie.artwork.map(({ path }) => path)).toEqual(['Film (1999)/720p/poster.jpg', 'Film (1999)/720p/fanart.jpg'])
  expect([movie.mainFile, movie.nfo?.path]).toEqual(['Film (1999)/4K/Film.mkv', 'Film (1999)/720p/movie.nfo'])
  expect(beside({ 'film.720-poster.jpg': 1 }).artwork[0]?.path).toBe('Film (1999)/720p/film.720-poster.jpg')
  expect(beside({ 'film.720.nfo': 1 }).nfo?.path).toBe('Film (1999)/720p/film.720.nfo')
  const disc = { BDMV: { STREAM: { '1.m2ts': 9 } }, 'movie.nfo': 1 }
  expect(read('Film (1999)', { '1080p': disc, '720p': { 'film.mkv': 1 } }).get('movie').nfo?.path).toBe('Film (1999)/1080p/movie.nfo')
})

test('a disc of extras is an extra of the film on the others', () => {
  expect(filesOf('Film (2001)', { 'Disc 1': { VIDEO_TS: { 'VTS_01_1.VOB': 9 } }, 'Bonus Disc': disc })).toEqual([
    ['Disc 1/VIDEO_TS/VTS_01_1.VOB', 'main', 'Disc 1'],
    ['Bonus Disc/VIDEO_TS/VTS_01_1.VOB', 'extra', 'Bonus Disc, Part 1'],
    ['Bonus Disc/VIDEO_TS/VTS_01_2.VOB', 'extra', 'Bonus Disc, Part 2'],
  ])
  expect(filesOf('Film (2001)', { 'Disc 1': bluRayDisc(5), 'Disc 2': bluRayDisc(6), 'Disc 3 - Extras': bluRayDisc(7) })).toEqual([
    ['Disc 1/BDMV/STREAM/00001.m2ts', 'main', 'Disc 1'],
    ['Disc 2/BDMV/STREAM/00001.m2ts', 'part', 'Disc 2'],
    ['Disc 3 - Extras/BDMV/STREAM/00001.m2ts', 'extra', 'Disc 3 - Extras'],
  ])
  expect(filesOf('Film', { CD1: { 'a.avi': 1 }, CD2: { 'b.avi': 1 }, Extras: { 'c.avi': 1 } }).map(([, role]) => role)).toEqual([
    'main',
    'part',
    'extra',
  ])
})

test('a disc of extras is the film where its folder has no other', () => {
  for (const [tree, name] of [
    [{ 'x.mkv': 1 }, 'x.mkv'],
    [bluRayDisc(5), 'BDMV/STREAM/00001.m2ts'],
  ] as [MemoryTree, string][])
    expect(filesOf('Solo (2001)', { 'Bonus Disc': tree })).toEqual([[`Bonus Disc/${name}`, 'main', null]])
  expect(read('Solo (2001)', { 'Bonus Disc': { 'x.mkv': 1 } }).get('movie').path).toBe('Solo (2001)')
})

test('the films of a collection with a year, or with metadata, stay films of their own', () => {
  const trees: [string, string, string, string?][] = [
    ['Kill Bill Collection (2003)', 'Kill Bill Vol. 1 (2003)', 'Kill Bill Vol. 2 (2004)'],
    ['Kill Bill (2003)', 'Kill Bill Vol. 1', 'Kill Bill Vol. 2'],
    ['Rocky (1976)', 'Rocky', 'Rocky II'],
    ['Rocky (1976)', 'Rocky (1976)', 'Rocky II (1979)'],
    ['Rings (2001)', 'Fellowship', 'Two Towers'],
    ['Rings (2001)', 'Rings.2001.1080p', 'Rings.2002.1080p'],
    ['Bond (1962)', '1080p', 'Dr No (1962)'],
    ['Bond (1962)', '1080p', 'Dr No'],
  ]
  for (const [folder, ...films] of trees) {
    const tree = { 'movie.nfo': 1, ...Object.fromEntries(films.map((film) => [film, { 'a.mkv': 1 }])) }
    expect(read(folder, tree).items.map(({ path }) => path)).toEqual(films.map((film) => `${folder}/${film}`))
  }
})

test('folders called like versions that hold different films are no versions of one', () => {
  const { items, warnings } = read('Filme (2020)', {
    HD: { 'Dune (2021).mkv': 1, 'Tenet (2020).mkv': 1 },
    '4K': { 'Soul (2020).mkv': 1 },
  })
  expect(items.map(({ path }) => path)).toEqual(['Filme (2020)/4K', 'Filme (2020)/HD'])
  expect(warnings.map(({ path }) => path)).toEqual(['Filme (2020)/HD/Dune (2021).mkv', 'Filme (2020)/HD/Tenet (2020).mkv'])
  const one = read('Alien (1979)', { '1080p': { 'Alien.mkv': 1 }, '4K': { 'Aliens (1986).mkv': 1 } })
  expect(one.items.map(({ path }) => path)).toEqual(['Alien (1979)'])
  expect(one.warnings.map(({ path }) => path)).toEqual(['Alien (1979)/4K/Aliens (1986).mkv'])
  for (const [first, second] of [
    ['Das.Boot.1981', 'Das.Boot.1982'],
    ['Das.Boot.1991', 'The.Boat.1995'],
  ])
    expect(filesOf('The Boat (1981)', { '1080p': { [`${first}.mkv`]: 1 }, '4K': { [`${second}.mkv`]: 1 } })).toEqual([
      [`4K/${second}.mkv`, 'main', '4K'],
      [`1080p/${first}.mkv`, 'version', '1080p'],
    ])
})

test('folders that are counted hold no versions of one film, whatever their files are called', () => {
  const pathsOf = (first: string, second: string): string[] =>
    read('Concert (2010)', { [first]: { 'Concert.mkv': 1 }, [second]: { 'Concert.mkv': 1 } }).items.map(({ path }) => path)
  for (const [first, second] of [
    ['Day 1', 'Day 2'],
    ['Night (01)', 'Night (02)'],
    ['Part One', 'Part Two'],
    ['Concert Day 1', 'Concert Day 2'],
    ['1', '2'],
    ['2010-05-01', '2010-05-02'],
  ] as const)
    expect(pathsOf(first, second)).toEqual([`Concert (2010)/${first}`, `Concert (2010)/${second}`])
  for (const [first, second] of [
    ['Deutsch 5.1', 'English 5.1'],
    ['Deutsch x264', 'English x264'],
    ['Concert 1080', 'Concert 720p'],
    ['HDR 10', 'SDR'],
    ['DVD 9', 'Blu-ray'],
    ['BD 25', 'BD 50'],
    ['MPEG-2', 'MPEG-4'],
    ['AVC', 'MPEG-4'],
    ['16-10', '16-9'],
    ['16-9', '4-3'],
    ['Version 1', 'Version 2'],
    ['v 1', 'v 2'],
    ['Cut 1', 'Cut 2'],
    ['Concert Cut 1', 'Concert Cut 2'],
    ['Day 1', 'Uncut'],
  ] as const)
    expect(pathsOf(first, second)).toEqual(['Concert (2010)'])
})

test('menus, commercials and openings without credits are extras beside a film, and films where there is nothing else', () => {
  const names = ['[Subs] Film [PV01].mkv', 'CM 01.mkv', 'Menu.mkv', 'NCOP.mkv']
  const asides = Object.fromEntries(names.map((name) => [name, 1]))
  expect(filesOf('Film (2016)', { '[Subs] Film [1080p].mkv': 9, ...asides })).toEqual([
    ['[Subs] Film [1080p].mkv', 'main', null],
    ...names.map((name) => [name, 'extra', name.slice(0, -4)]),
  ])
  expect(filesOf('The Menu (2022)', { 'Menu.mkv': 1 })).toEqual([['Menu.mkv', 'main', null]])
})

test('what is called by nothing but words for extras is one beside a film, and the film where there is nothing else', () => {
  const names: [name: string, label: string][] = [
    ['Big Film (1987) - Behind The Scenes.mkv', 'Behind The Scenes'],
    ['Big Film (1987) Making Of.mkv', 'Making Of'],
    ['Big.Film.1987.Trailer.1080p.WEB.mp4', 'Big.Film.1987.Trailer.1080p.WEB'],
    ['Bloopers.mkv', 'Bloopers'],
    ['Deleted Scenes 2.mkv', 'Deleted Scenes 2'],
    ['ETRG.mp4', 'ETRG'],
    ['Gag Reel (1988).mkv', 'Gag Reel (1988)'],
    ['Making of.mkv', 'Making of'],
    ['RARBG.com.mp4', 'RARBG.com'],
  ]
  const { items, warnings } = read('Big Film (1987)', Object.fromEntries([['film.mkv', 1], ...names.map(([name]) => [name, 9])]))
  expect(items[0]?.files.map(({ name, role, label }) => [name, role, label])).toEqual([
    ['film.mkv', 'main', null],
    ...names.map(([name, label]) => [name, 'extra', label]),
  ])
  expect(warnings).toEqual([])
  for (const name of ['Big Film - Bloopers Cut.mkv', 'Interview.mkv', 'Big Film.mkv', 'Making of a Lady.mkv'])
    expect(filesOf('Big Film (1987)', { 'Big Film (1987).mkv': 1, [name]: 1 }).map(([, role]) => role)).toEqual(['main', 'version'])
  expect(filesOf('Alien Documentary (2003)', { 'Making of.mkv': 1 })).toEqual([['Making of.mkv', 'main', null]])
  expect(filesOf('Bloopers (2010)', { 'Bloopers.mkv': 1, 'Bloopers 720p.mkv': 1 }).map(([, role]) => role)).toEqual(['main', 'version'])
})

test('a DVD is one film of its largest title set, without its menus', () => {
  const movie = read('Sound of Music (1965)', {
    VIDEO_TS: {
      'VIDEO_TS.IFO': 1,
      'VIDEO_TS.VOB': 2,
      'VTS_01_1.VOB': 5,
      'VTS_02_0.VOB': 1,
      'VTS_02_2.VOB': 90,
      'VTS_02_1.VOB': 100,
      'VIDEO_TS.nfo': 1,
    },
    'movie.nfo': 1,
  }).get('movie')
  expect(movie.files.map(({ name, role, label }) => [name, role, label])).toEqual([
    ['VIDEO_TS/VTS_02_1.VOB', 'main', 'Part 1'],
    ['VIDEO_TS/VTS_02_2.VOB', 'part', 'Part 2'],
  ])
  expect(movie.nfo?.path).toBe('Sound of Music (1965)/VIDEO_TS/VIDEO_TS.nfo')
})

test('a disc in a folder called like it has no version', () => {
  expect(filesOf('Discs', { VIDEO_TS: { VIDEO_TS: { 'VTS_01_1.VOB': 5 } } })).toEqual([['VIDEO_TS/VTS_01_1.VOB', 'main', null]])
})

test('a Blu-ray is one film of its largest stream; two disc folders are its parts', () => {
  const bluRay = { BDMV: { 'index.bdmv': 1, STREAM: { '00001.m2ts': 3, '00800.m2ts': 900 } } }
  expect(filesOf('M (2010)', bluRay)).toEqual([['BDMV/STREAM/00800.m2ts', 'main', null]])
  expect(filesOf('M (2010)', { 'M (Disc 1)': bluRay, 'M (Disc 2)': bluRay })).toEqual([
    ['M (Disc 1)/BDMV/STREAM/00800.m2ts', 'main', 'Disc 1'],
    ['M (Disc 2)/BDMV/STREAM/00800.m2ts', 'part', 'Disc 2'],
  ])
})

test('discs are counted as people call them', () => {
  for (const [first, second] of [
    ['BD1', 'BD2'],
    ['Blu-ray 1', 'Blu-ray 2'],
    ['M (2010) BD 1', 'M (2010) BD 2'],
    ['D1', 'D2'],
  ] as const)
    expect(filesOf('M (2010)', { [first]: bluRayDisc(5), [second]: bluRayDisc(6) })).toEqual([
      [`${first}/BDMV/STREAM/00001.m2ts`, 'main', 'Disc 1'],
      [`${second}/BDMV/STREAM/00001.m2ts`, 'part', 'Disc 2'],
    ])
  expect(filesOf('M (2010)', { 'M (2010) DVD 1': bluRayDisc(5), 'M (2010) DVD 2': bluRayDisc(6) }).map(([, role]) => role)).toEqual([
    'main',
    'part',
  ])
  for (const [first, second] of [
    ['D1', 'D2'],
    ['BD 1', 'BD 2'],
  ] as const) {
    expect(read('Trilogy', { [first]: { 'a.mkv': 1 }, [second]: { 'b.mkv': 1 } }).items.map(({ title }) => title)).toEqual([first, second])
    expect(filesOf('Film', { [first]: { 'f.mkv': 1 }, [second]: { 'F.mkv': 1 } }).map(([, role]) => role)).toEqual(['main', 'part'])
  }
  for (const [first, second] of [
    ['BD 25', 'BD 50'],
    ['BluRay.5.1', 'BluRay.7.1'],
  ] as const)
    expect(filesOf('M (2010)', { [first]: { 'M.mkv': 1 }, [second]: { 'M.mkv': 2 } }).map(([, role]) => role)).toEqual(['main', 'version'])
})

test('an image of a disc is a film where there is no video, without a thumbnail of its own', () => {
  const movie = read('M (2010)', { 'M.iso': 10 }).get('movie')
  expect([movie.files[0]?.name, movie.mimeType, movie.thumbnail]).toEqual(['M.iso', null, null])
  expect(filesOf('M (2010)', { 'M.iso': 10, 'M.mkv': 1 })).toEqual([['M.mkv', 'main', null]])
})

test("poster and backdrop: the file's own first, then the bare names; empty pictures are passed over", () => {
  const pictures = { 'M.mkv': 1, 'poster.jpg': 1, 'folder.jpg': 1, 'fanart.jpg': 1, 'backdrop.jpg': 1 }
  const paths = (tree: MemoryTree) =>
    read('M (2010)', tree)
      .get('movie')
      .artwork.map(({ kind, path }) => `${kind} ${path.slice(9)}`)
  expect(paths(pictures)).toEqual(['poster poster.jpg', 'backdrop fanart.jpg'])
  expect(paths({ ...pictures, 'M-poster.png': 1, 'M-fanart.jpg': 1 })).toEqual(['poster M-poster.png', 'backdrop M-fanart.jpg'])
  expect(paths({ ...pictures, 'poster.jpg': 0 })).toEqual(['poster folder.jpg', 'backdrop fanart.jpg'])
  // Wide pictures are no posters, and the last of the backdrops.
  expect(paths({ ...pictures, 'M-thumb.jpg': 1 })).toEqual(['poster poster.jpg', 'backdrop fanart.jpg'])
  expect(paths({ 'M.mkv': 1, 'M-thumb.jpg': 1 })).toEqual(['backdrop M-thumb.jpg'])
  // Called as the folder, or as all parts of the film.
  const ofFolder = { 'M (2010)-poster.jpg': 1, 'M (2010)-fanart.jpg': 1 }
  expect(paths({ 'm.2010.mkv': 1, ...ofFolder })).toEqual(['poster M (2010)-poster.jpg', 'backdrop M (2010)-fanart.jpg'])
  const ofParts = { 'm.2.cd1.avi': 1, 'm.2.cd2.avi': 1, 'm.2-poster.jpg': 1, 'm.2-fanart.jpg': 1 }
  expect(paths(ofParts)).toEqual(['poster m.2-poster.jpg', 'backdrop m.2-fanart.jpg'])
  expect(read('M (2010)', { 'M.mkv': 1 }).get('movie').thumbnail).toMatchObject({ kind: 'video', path: 'M (2010)/M.mkv' })
})

test("the NFO file: movie.nfo, else the video's, also without its part", () => {
  const nfo = (tree: MemoryTree) => read('M (2010)', tree).get('movie').nfo?.path
  expect(nfo({ 'M.mkv': 1, 'M.nfo': 1, 'movie.nfo': 1 })).toBe('M (2010)/movie.nfo')
  expect(nfo({ 'M.mkv': 1, 'm.NFO': 1, 'scene.nfo': 1 })).toBe('M (2010)/m.NFO')
  expect(nfo({ 'M cd1.mkv': 1, 'M cd2.mkv': 1, 'M.nfo': 1 })).toBe('M (2010)/M.nfo')
  expect(nfo({ 'M.mkv': 1, 'scene.nfo': 1 })).toBeUndefined()
})

test('loose films are told from other files', () => {
  expect(['a.mkv', 'b.iso', 'c.jpg', 'd.nfo'].map(isLooseMovie)).toEqual([true, true, false, false])
})
