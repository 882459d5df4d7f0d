import { expect, test } from 'bun:test'
import type { ScannedFile } from '../../src/domain/scanned-item.ts'
import { isLooseGame, readGames } from '../../src/scan/games.ts'
import { type MemoryTree, memoryTree, readUnit } from './memory-tree.ts'

const read = (path: string, tree: MemoryTree) => readUnit(readGames, memoryTree(path, tree, { bundles: true }))

test('a folder without archives, here or one level down, is nothing', () => {
  expect(read('Notes', { 'readme.txt': 10, 'cover.jpg': 10, pictures: { 'a.jpg': 1 } }).items).toEqual([])
  expect(read('Publisher', { Series: { Game: { 'game.zip': 1 } } }).items).toEqual([])
})

test('a folder that holds files and yields nothing is a warning, once, unless something in it was one', () => {
  for (const tree of [
    { 'Game.m3u': 1, 'Disc 1': { 'game.cue': 1, 'game.bin': 1 } },
    { 'game.chd': 1 },
    { 'a.nes': 1, 'b.nes': 1 },
    { deep: { deeper: { 'manual.pdf': 1 } } },
    { manual: { 'pages.zip': 1 } },
  ] as MemoryTree[])
    expect(read('Roms', tree)).toMatchObject({ items: [], warnings: [{ path: 'Roms', code: 'no_archive' }] })
  expect(read('Roms', { sub: {} }).warnings).toEqual([])
  expect(read('Roms', { 'notes.txt': 1, Series: { Game: { 'game.zip': 1 } } }).warnings.map(({ code }) => code)).toEqual(['nested_game'])
  expect(read('Roms', { 'notes.txt': 1, dlc: { 'dlc.zip': 1 } }).warnings.map(({ code }) => code)).toEqual(['series_extras'])
  expect(read('Roms', { 'notes.txt': 1, Game: { 'game.zip': 1 } }).warnings).toEqual([])
})

test('a folder with an archive directly inside is a game, with every archive it has', () => {
  const { items, get, warnings } = read('Ocarina (1998)', {
    'game.dmg': 30,
    'Game.zip': 10,
    'game.tar.gz': 20,
    'game 10.zip': 5,
    'game 9.zip': 5,
    'Game.app': { 'Info.plist': 3, 'game.bin': 40 },
    'readme.txt': 1,
  })
  expect(items).toHaveLength(1)
  const game = get('game')
  expect([game.path, game.parentPath, game.title, game.year, game.size]).toEqual(['Ocarina (1998)', null, 'Ocarina (1998)', 1998, 113])
  expect(game.files).toEqual([
    { name: 'game 9.zip', size: 5, platform: 'windows', kind: 'file' },
    { name: 'game 10.zip', size: 5, platform: 'windows', kind: 'file' },
    { name: 'Game.zip', size: 10, platform: 'windows', kind: 'file' },
    { name: 'game.tar.gz', size: 20, platform: 'linux', kind: 'file' },
    { name: 'Game.app', size: 43, platform: 'macos', kind: 'app_bundle' },
    { name: 'game.dmg', size: 30, platform: 'macos', kind: 'file' },
  ])
  expect(game.mainFile).toBe('Ocarina (1998)/game 9.zip')
  expect(warnings).toEqual([])
})

test('the volumes of a split archive and the parts of an installer belong to it, behind it', () => {
  const namesOf = (files: Record<string, number>) =>
    read('Split', files)
      .get('game')
      .files.map(({ name, platform }) => `${platform} ${name}`)
  expect(namesOf({ 'Game.R00': 1, 'game.rar': 2, 'game.r01': 1, 'game.s00': 1, 'other.r00': 1 })).toEqual([
    'windows game.rar',
    'windows Game.R00',
    'windows game.r01',
    'windows game.s00',
  ])
  expect(namesOf({ 'game.z01': 1, 'game.zip': 2, 'cartridge.z64': 1, 'game.dmg': 1 })).toEqual([
    'windows game.zip',
    'windows game.z01',
    'macos game.dmg',
  ])
  expect(namesOf({ 'setup_game_1.0.exe': 1, 'setup_game_1.0-1.bin': 5, 'data.bin': 1 })).toEqual([
    'windows setup_game_1.0.exe',
    'windows setup_game_1.0-1.bin',
  ])
  expect(namesOf({ 'game.zip': 1, 'game.z99': 1, 'game.z100': 1 })).toHaveLength(3)
  expect(namesOf({ 'game.rar': 1, 'game.u00': 1, 'game.v01': 1 })).toHaveLength(3)
  expect(namesOf({ 'setup.exe': 1, 'setup-1.bin': 1, 'setup-1b.bin': 1 })).toHaveLength(3)
  expect(namesOf({ 'game.dmg': 1, 'game.002.dmgpart': 1, 'other.002.dmgpart': 1 })).toEqual(['macos game.dmg', 'macos game.002.dmgpart'])
  expect(read('Split', { 'game.z01': 1, 'game.zip': 2 }).get('game')).toMatchObject({ mainFile: 'Split/game.zip', size: 3 })
  expect(read('Cartridge', { 'cartridge.z64': 1, 'save-1.bin': 1 }).items).toEqual([])
})

test('the volumes of an archive that was split otherwise are files of a game, and a download that is not finished is none', () => {
  const filesOf = (...names: string[]) =>
    read('Split', Object.fromEntries(names.map((name) => [name, 1])))
      .items.flatMap(({ files }) => files ?? [])
      .map(({ name, platform }) => `${platform} ${name}`)
  expect(filesOf('game.zip.part1', 'game.zip.part10', 'game.zip.part2')).toEqual([
    'windows game.zip.part1',
    'windows game.zip.part2',
    'windows game.zip.part10',
  ])
  expect(filesOf('game.tar.gz.part001', 'game.tar.gz.aa', 'game.tar.gz-ab')).toHaveLength(3)
  expect(filesOf('game.zip.part', 'game.rar.!qb', 'game.7z.crdownload', 'game.zip.bak', 'notes.txt.aa')).toEqual([])
})

test("the marks of GameVault tell an archive's system where the specification leaves it open", () => {
  const files = read('Far Shout', {
    'Far Shout (v1.05) (EA) (W_P) (2012).7z': 1,
    'Far Shout (W_S).7z.001': 1,
    'Far Shout (L_SW).rar': 1,
    'Far Shout (L_P).zip': 1,
    'Far Shout.7z': 1,
  }).get('game').files
  expect(files.map(({ name, platform }) => `${platform} ${name}`)).toEqual([
    'windows Far Shout (L_P).zip',
    'windows Far Shout (v1.05) (EA) (W_P) (2012).7z',
    'windows Far Shout (W_S).7z.001',
    'linux Far Shout (L_SW).rar',
    'linux Far Shout.7z',
  ])
})

test('an installer with its goodies in a folder of extras is a game, as lgogdownloader writes it', () => {
  const { items, warnings, get } = read('witching', {
    'setup_witching.exe': 1,
    'setup_witching-1.bin': 2,
    dlc: { 'blood/setup_blood.exe': 1 },
    extras: { 'soundtrack.zip': 1 },
    languagepacks: { 'setup_german.exe': 1 },
  })
  expect(items.map(({ itemType, path }) => [itemType, path])).toEqual([['game', 'witching']])
  expect(get('game').files.map(({ name }) => name)).toEqual([
    'setup_witching.exe',
    'setup_witching-1.bin',
    'dlc/blood/setup_blood.exe',
    'languagepacks/setup_german.exe',
  ])
  expect(warnings.map(({ path, code }) => [path, code])).toEqual([['witching/extras', 'nested_game']])
})

test('what lies in folders that came with a game is listed behind it as its extras, and nothing else is', () => {
  const game = read('Saga', {
    'saga.zip': 10,
    'readme.txt': 2,
    DLC: { 'expansion.zip': 4, 'Level Editor.app': { 'editor.bin': 5 } },
    Patches: { 'readme.txt': 6, 'v1.1': { 'patch.exe': 7 } },
    Extras: { 'artbook.pdf': 8 },
    Bonus: { 'bonus.zip': 1 },
    Engine: { 'data.pak': 1 },
    Screenshots: { 'a.png': 1, 'notes.txt': 1 },
  }).get('game')
  const extra = (name: string, size: number, kind: ScannedFile['kind'] = 'file') => ({ name, size, kind, role: 'extra' as const })
  expect(game.files).toEqual([
    { name: 'saga.zip', size: 10, platform: 'windows', kind: 'file' },
    extra('DLC/expansion.zip', 4),
    extra('DLC/Level Editor.app', 5, 'app_bundle'),
    extra('Extras/artbook.pdf', 8),
    extra('Patches/readme.txt', 6),
    extra('Patches/v1.1/patch.exe', 7),
  ])
  expect([game.size, game.mainFile]).toEqual([10, 'Saga/saga.zip'])
})

test('the large files beside an installer are listed behind it, whatever they are called', () => {
  const mebibyte = 1024 * 1024
  const data = { 'fg-01.bin': mebibyte, 'fg-optional-videos.bin': 9 * mebibyte, 'cover.jpg': mebibyte, 'md5.txt': 99 }
  const filesOf = (tree: MemoryTree) =>
    read('Repack', tree)
      .get('game')
      .files.map(({ name, role }) => [name, role])
  expect(filesOf({ 'setup.exe': 1, 'setup-1.bin': mebibyte, ...data, Redist: { 'vc.exe': 5 } })).toEqual([
    ['setup.exe', undefined],
    ['setup-1.bin', undefined],
    ['fg-01.bin', 'extra'],
    ['fg-optional-videos.bin', 'extra'],
    ['Redist/vc.exe', 'extra'],
  ])
  expect(read('Repack', { 'setup.exe': 7, ...data }).get('game').size).toBe(7)
  expect(filesOf({ 'setup.zip': 1, ...data })).toEqual([['setup.zip', undefined]])
})

test('of a game that lies there unpacked no more than five hundred files are listed', () => {
  const files = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index}.pak`, 1]))
  expect(read('Unpacked', { 'play.exe': 1, music: files }).get('game').files).toHaveLength(501)
})

test('an application folder alone makes a game, known by its largest file', () => {
  const game = read('Mac game', { 'Game.app': { 'Info.plist': 3, 'game.bin': 40 } }).get('game')
  expect(game.files).toEqual([{ name: 'Game.app', size: 43, platform: 'macos', kind: 'app_bundle' }])
  expect(game.mainFile).toBe('Mac game/Game.app/game.bin')
})

test.each<[tree: MemoryTree, main: string]>([
  [{ 'setup.exe': 5, 'readme.txt': 1, data: { 'data1.cab': 7, 'data2.cab': 9 } }, 'data/data2.cab'],
  [{ 'setup.exe': 5, 'Soundtrack.zip': 9, 'cover.png': 9, extras: { 'making of.mp4': 9 }, 'patch 2': { 'patch.exe': 9 } }, 'setup.exe'],
  [{ 'setup_game.exe': 5, 'setup_game-1.bin': 9 }, 'setup_game.exe'],
  [{ 'setup.exe': 5, 'data.bin': 7, 'vcredist_x64.exe': 9, DirectX: { 'dxnt.cab': 9 } }, 'data.bin'],
])('a program that many games have is told by the data around it: %j', (tree, main) => {
  expect(read('Game', tree).get('game').mainFile).toBe(`Game/${main}`)
})

test('a folder with an archive is a game even if it has game subfolders, which are warnings', () => {
  const { items, warnings } = read('Zelda', { 'zelda.zip': 1, Ocarina: { 'ocarina.zip': 1 }, DLC: { 'dlc.zip': 1 } })
  expect(items.map((item) => item.itemType)).toEqual(['game'])
  expect(warnings.map(({ path, code }) => [path, code])).toEqual([['Zelda/Ocarina', 'nested_game']])
})

test('what came with a game is in natural order', () => {
  const tracks = ['track 1.mp3', 'Track 2.mp3', 'track 10.mp3']
  const Soundtrack = Object.fromEntries(tracks.map((name) => [name, 1]))
  const { files } = read('G', { 'g.zip': 1, 'disc.m3u': 1, Soundtrack }).get('game')
  expect(files.slice(1).map(({ name }) => name)).toEqual(['disc.m3u', ...tracks.map((name) => `Soundtrack/${name}`)])
})

test('media words such as "sample" and "extras" mean nothing in games', () => {
  const folders = { Bonus: { 'bonus.zip': 1 }, Extras: { 'extras.zip': 1 }, Sample: { 'sample.zip': 1 }, Trailers: { 'trailers.zip': 1 } }
  expect(read('Saga', folders).items.map(({ title }) => title)).toEqual(['Saga', 'Bonus', 'Extras', 'Sample', 'Trailers'])
  expect(read('Game', { 'game.zip': 1, ...folders }).warnings.map(({ path }) => path)).toEqual(
    Object.keys(folders).map((name) => `Game/${name}`),
  )
})

test('a folder without an archive but with game subfolders is a series of them', () => {
  const { items, get, warnings } = read('Zelda', {
    'cover.jpg': 5,
    Ocarina: { 'ocarina.zip': 1 },
    Majora: { 'majora.tar.gz': 2 },
    Manual: { 'manual.zip': 1 },
    Art: { 'a.jpg': 1 },
  })
  expect(items.map((item) => [item.itemType, item.path, item.parentPath])).toEqual([
    ['game_series', 'Zelda', null],
    ['game', 'Zelda/Majora', 'Zelda'],
    ['game', 'Zelda/Ocarina', 'Zelda'],
  ])
  expect(get('game_series').size).toBeNull()
  expect(get('game_series').thumbnail?.path).toBe('Zelda/cover.jpg')
  expect(warnings).toEqual([])
})

test('archives that a series has in folders of extras, where no game has them, are warnings', () => {
  const folders = { DLC: { 'dlc.zip': 1 }, Hack: { 'v1/deep': { 'hack.7z': 1 } }, Music: { 'a.mp3': 1 }, Manuals: { 'm.zip': 1 } }
  for (const tree of [{ Ocarina: { 'o.zip': 1, DLC: { 'dlc.zip': 1 } }, ...folders }, folders])
    expect(read('Zelda', tree).warnings.map(({ path, code }) => [path, code])).toEqual([
      ['Zelda/DLC', 'series_extras'],
      ['Zelda/Hack', 'series_extras'],
    ])
  expect(read('Zelda', { 'zelda.zip': 1, ...folders }).warnings).toEqual([])
})

test('archives below a game of a series, or deeper than one, are warnings', () => {
  const { items, warnings } = read('Zelda', { Ocarina: { 'o.zip': 1, Master: { 'm.zip': 1 } }, Handheld: { Minish: { 'c.zip': 1 } } })
  expect(items.map((item) => item.path)).toEqual(['Zelda', 'Zelda/Ocarina'])
  expect(warnings.map(({ path, code }) => [path, code])).toEqual([
    ['Zelda/Handheld', 'nested_game'],
    ['Zelda/Ocarina/Master', 'nested_game'],
  ])
})

test('where all games lie too deep there is none of them, and a warning', () => {
  const { items, warnings } = read('Consoles', {
    Zelda: { Ocarina: { 'o.zip': 1 } },
    Metroid: { Handheld: { 'Game Boy': { Fusion: { 'f.zip': 1 } } } },
    Art: { 'a.jpg': 1 },
  })
  expect(items).toEqual([])
  expect(warnings.map(({ path, code }) => [path, code])).toEqual([
    ['Consoles/Metroid', 'nested_game'],
    ['Consoles/Zelda', 'nested_game'],
  ])
})

test('a launcher beside game folders does not turn a series into a game; alone it is one', () => {
  expect(read('Zelda', { 'launcher.exe': 1, Ocarina: { 'o.zip': 1 } }).items[0]?.itemType).toBe('game_series')
  expect(read('Installer', { 'setup.exe': 1 }).get('game').files[0]?.platform).toBe('windows')
})

test('an installer is a game whatever else it installs, unless that is a game by itself', () => {
  const typesOf = (tree: MemoryTree) => read('Disc', tree).items.map(({ itemType, path }) => `${itemType} ${path}`)
  expect(typesOf({ 'setup.exe': 1, 'setup-1.bin': 9, 'DirectX/DXSETUP.exe': 1, 'Redistributables/vcredist.exe': 1 })).toEqual(['game Disc'])
  expect(typesOf({ 'game.exe': 1, 'bin/x.exe': 1, 'data/a.pak': 1 })).toEqual(['game Disc'])
  for (const installer of ['a.zip', 'a.iso', 'setup_a_1.0_(64bit).exe'])
    expect(typesOf({ 'launcher.exe': 1, [`A/${installer}`]: 1, 'B/b.exe': 1 })).toEqual(['game_series Disc', 'game Disc/A', 'game Disc/B'])
  expect(typesOf({ 'A/a.exe': 1, 'B/b.exe': 1 })).toEqual(['game_series Disc', 'game Disc/A', 'game Disc/B'])
})

test.each<[tree: MemoryTree, nested: string[]]>([
  [{ 'setup_disc_2.7.exe': 5, 'Patch 1.08/patch.zip': 1 }, ['Disc/Patch 1.08']],
  [{ 'setup_disc_2.7.exe': 5, 'DLC - Night/setup_night.exe': 3 }, ['Disc/DLC - Night']],
  [
    { 'disc.iso': 5, 'Soundtrack (MP3)/ost.zip': 1, 'Bonus Content/art.zip': 1, 'bin/x.exe': 1 },
    ['Disc/Bonus Content', 'Disc/Soundtrack (MP3)'],
  ],
  [{ 'disc.zip': 5, 'Two/setup_two.exe': 5 }, ['Disc/Two']],
  [
    { 'setup_witcher_1.0.exe': 5, 'Patch v1.08 English/a.zip': 1, 'Witcher Manual/b.zip': 1, 'Bonus Disc 2/c.zip': 1 },
    ['Disc/Bonus Disc 2', 'Disc/Patch v1.08 English', 'Disc/Witcher Manual'],
  ],
])('what adds to an installer or a disc makes no series of it: %p', (tree, nested) => {
  const { items, warnings } = read('Disc', tree)
  expect(items.map(({ itemType }) => itemType)).toEqual(['game'])
  expect(warnings.map(({ path, code }) => [path, code])).toEqual(nested.map((path) => [path, 'nested_game']))
})

test.each<[tree: MemoryTree, loose: string]>([
  [{ 'setup_tools.exe': 5, 'One/one.zip': 1, 'Two/two.zip': 1 }, 'Disc/setup_tools.exe'],
  [{ 'disc.iso': 5, 'CD2/disc2.iso': 5 }, 'Disc/disc.iso'],
  [{ 'setup_base.exe': 5, 'Manual Samuel/ms.zip': 1, 'Bonus Round/br.zip': 1 }, 'Disc/setup_base.exe'],
  [{ 'setup_base.exe': 5, 'Patch Quest/pq.zip': 1 }, 'Disc/setup_base.exe'],
])('a disc or an installer beside games is told of: %p', (tree, loose) => {
  const { items, warnings } = read('Disc', tree)
  expect(items[0]?.itemType).toBe('game_series')
  expect(warnings.map(({ path, code }) => [path, code])).toEqual([[loose, 'loose_file']])
})

test.each([
  [['Game.zip', 'Game Patch.zip', 'Game-Update 2.zip']],
  [['Game.zip', 'Artbook.zip', 'Game OST.zip']],
  [['Dispatch 2.zip', 'Dispatch.zip']],
  [['Patch Quest.zip']],
])('a game goes before the archives that add to it: %p', (names) => {
  const game = read('Game', Object.fromEntries(names.map((name) => [name, 1]))).get('game')
  expect([game.mainFile, game.files.map(({ name }) => name)]).toEqual([`Game/${names[0]}`, names])
})

test('the list of the discs of a game lies behind their archives', () => {
  const { files, size } = read('Game', { 'Game (Disc 1).zip': 4, 'Game (Disc 2).zip': 4, 'Game.m3u': 1 }).get('game')
  expect(files.map(({ name, role }) => [name, role])).toEqual([
    ['Game (Disc 1).zip', undefined],
    ['Game (Disc 2).zip', undefined],
    ['Game.m3u', 'extra'],
  ])
  expect(size).toBe(8)
})

test('covers and screenshots are found by name, empty pictures are none', () => {
  const game = read('Ocarina', {
    'o.zip': 1,
    'cover.png': 7,
    'cover.jpg': 0,
    'widecover.jpg': 9,
    Screenshots: { 'shot-10.jpg': 1, 'shot-9.jpg': 1, 'empty.jpg': 0, 'notes.txt': 1 },
  }).get('game')
  expect(game.artwork.map(({ kind, path }) => [kind, path])).toEqual([
    ['cover', 'Ocarina/cover.png'],
    ['widecover', 'Ocarina/widecover.jpg'],
    ['screenshot', 'Ocarina/Screenshots/shot-9.jpg'],
    ['screenshot', 'Ocarina/Screenshots/shot-10.jpg'],
  ])
  expect(game.thumbnail).toEqual({ kind: 'image', path: 'Ocarina/cover.png', version: game.artwork[0]?.version ?? '' })
})

test('of very many screenshots the newest are kept, and those without a time are old', () => {
  const named = Array.from({ length: 300 }, (_, place) => [`z${place}.png`, `shot-${1000 + place}.jpg`]).flat()
  const game = read('Ocarina', { 'o.zip': 1, screenshots: Object.fromEntries(named.map((name) => [name, 1])) }).get('game')
  const names = game.artwork.map(({ path }) => path.slice('Ocarina/screenshots/'.length))
  expect(names).toHaveLength(500)
  expect([names[0], names[299], names[300], names[499]]).toEqual(['shot-1000.jpg', 'shot-1299.jpg', 'z100.png', 'z299.png'])
})

test('the cover that is uploaded hides older ones of other names', () => {
  const game = read('Ocarina', { 'o.zip': 1, 'folder.png': 7, 'cover.webp': 7, 'cover.jpg': 7 }).get('game')
  expect(game.thumbnail?.path).toBe('Ocarina/cover.jpg')
})

test('loose games are told from other files', () => {
  expect(['a.zip', 'B.app', 'c.dmg', 'd.jpg', 'e.txt'].map(isLooseGame)).toEqual([true, true, true, false, false])
})
