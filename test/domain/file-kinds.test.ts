import { expect, test } from 'bun:test'
import { findGameFileType, isAppBundleName, isGameExtrasFolder } from '../../src/domain/game-file.ts'
import { isIgnoredName, isMediaServerFolder } from '../../src/domain/ignored-name.ts'
import {
  extensionOf,
  isDiscImageName,
  isPictureName,
  isRawPhotographName,
  isVideoName,
  mediaTypeOf,
  mediaTypesInTurn,
  stemOf,
} from '../../src/domain/media-file.ts'
import { pictureRank, seasonPosterNames } from '../../src/domain/picture-name.ts'
import { inlineTypeOf } from '../../src/http/content-type.ts'

test('names that are no game file: pictures, texts, and endings without a name', () => {
  for (const name of ['cover.jpg', 'readme.txt', '.zip', 'zip', 'game.zip.part', 'save.gz']) expect(findGameFileType(name)).toBeUndefined()
})

const GAME_FILES: [name: string, platform: string][] = [
  ['game.zip', 'windows'],
  ['GAME.ZIP', 'windows'],
  ['setup.exe', 'windows'],
  ['game.zip.001', 'windows'],
  ['game.tar.gz', 'linux'],
  ['game.tgz', 'linux'],
  ['game.tar.xz', 'linux'],
  ['game.tar.zst', 'linux'],
  ['game.tar.bz2', 'linux'],
  ['game.7z', 'linux'],
  ['game.tbz', 'linux'],
  ['game.tar.lz', 'linux'],
  ['game.tar.lzo', 'linux'],
  ['game.tar.Z', 'linux'],
  ['game.tb2', 'linux'],
  ['game.tlz', 'linux'],
  ['game.taz', 'linux'],
  ['game.rpm', 'linux'],
  ['Game-x86_64.AppImage', 'linux'],
  ['game.deb', 'linux'],
  ['install.sh', 'linux'],
  ['Game 1.2.dmg', 'macos'],
]
for (const [name, platform] of GAME_FILES)
  test(`${name} is for ${platform}`, () => expect(findGameFileType(name)?.platform ?? '').toBe(platform))

test('an application folder needs a name before its ending', () => {
  expect([isAppBundleName('Game.app'), isAppBundleName('Game.APP'), isAppBundleName('.app'), isAppBundleName('apps')]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect([isGameExtrasFolder('DLC'), isGameExtrasFolder('Patches'), isGameExtrasFolder('Zelda')]).toEqual([true, true, false])
})

test('kind, MIME type and thumbnail follow from the ending, without case', () => {
  expect(mediaTypeOf('beach.JPG')).toEqual({ kind: 'image', mimeType: 'image/jpeg', thumbnail: 'image' })
  expect(mediaTypeOf('photo.CR2')).toEqual({ kind: 'image', mimeType: 'image/x-canon-cr2', thumbnail: 'image' })
  expect(mediaTypeOf('layers.psd')).toEqual({ kind: 'image', mimeType: 'image/vnd.adobe.photoshop', thumbnail: null })
  expect(mediaTypeOf('clip.mkv')).toEqual({ kind: 'video', mimeType: 'video/x-matroska', thumbnail: 'video' })
  expect(mediaTypeOf('song.flac').kind).toBe('audio')
  expect(mediaTypeOf('paper.pdf').kind).toBe('document')
  expect(mediaTypeOf('backup.tar.gz').kind).toBe('archive')
  expect(mediaTypeOf('setup.exe').kind).toBe('other')
})

test.each([
  ['PXL_20230415_123456789.MP', 'video', 'video/mp4'],
  ['PXL_20230415_123456789.MP~2', 'video', 'video/mp4'],
  ['IMG_20230415_123456_00_001.insp', 'image', 'image/jpeg'],
  ['HNI_0001.MPO', 'image', 'image/jpeg'],
  ['beach.jps', 'image', 'image/jpeg'],
  ['beach.pns', 'image', 'image/png'],
])('what cameras call otherwise, and any browser shows: %s', (name, kind, mimeType) => {
  expect(mediaTypeOf(name)).toMatchObject({ kind, mimeType, thumbnail: kind })
  expect(inlineTypeOf(name)).toBe(mimeType)
})

test('an unknown ending, no ending and a lone dot tell nothing', () => {
  for (const name of ['data.qqq', 'README', 'jpg', 'trailing.', '__proto__', 'constructor']) {
    expect(mediaTypeOf(name)).toEqual({ kind: 'other', mimeType: null, thumbnail: null })
  }
})

test('every ending of the tables is in lower case and has a MIME type', () => {
  for (const name of ['a.heic', 'a.avif', 'a.jxl', 'a.svg', 'a.webm', 'a.m2ts', 'a.opus', 'a.epub', 'a.cbz', 'a.dng']) {
    expect(mediaTypeOf(name).mimeType).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/)
  }
})

test('stem and extension part at the last dot, and a leading dot is none', () => {
  expect([stemOf('a.b.mkv'), extensionOf('a.b.MKV')]).toEqual(['a.b', 'mkv'])
  expect([stemOf('.hidden'), extensionOf('.hidden'), stemOf('plain'), extensionOf('plain')]).toEqual(['.hidden', '', 'plain', ''])
  expect([isVideoName('a.ts'), isPictureName('a.psd'), isPictureName('a.jxl'), isDiscImageName('a.ISO')]).toEqual([true, false, true, true])
  // Nobody's poster or page.
  expect([isRawPhotographName('a.NEF'), isPictureName('a.NEF'), isRawPhotographName('a.tif')]).toEqual([true, false, false])
})

test('hidden and system names are ignored everywhere', () => {
  const names = [
    '.DS_Store',
    '.git',
    '@eaDir',
    '#recycle',
    '@Recycle',
    '$RECYCLE.BIN',
    'lost+found',
    '.zfs',
    '.snapshots',
    'System Volume Information',
  ]
  for (const name of [
    ...names,
    'Thumbs.db',
    'desktop.ini',
    '@__thumb',
    '__MACOSX',
    'Icon\r',
    'film.mkv@SynoEAStream',
    'a.zip:Zone.Identifier',
  ])
    expect(isIgnoredName(name)).toBe(true)
})

test('names that only resemble them are not ignored', () => {
  for (const name of [
    'eaDir',
    'Recycle',
    'Alien.',
    'thumbs.db.jpg',
    'lost and found',
    '@home',
    '#1.jpg',
    'sample',
    'extras',
    'subs',
    'metadata',
    '...and more',
    '.',
  ]) {
    expect(isIgnoredName(name)).toBe(false)
  }
})

test('folders of other media servers are known', () => {
  for (const name of ['extrafanart', 'Metadata', 'Subs', 'Alien.trickplay']) expect(isMediaServerFolder(name)).toBe(true)
  expect(isMediaServerFolder('Season 1')).toBe(false)
})

test('the picture that this program writes is preferred', () => {
  expect(pictureRank('jpg')).toBeLessThan(pictureRank('png') ?? 0)
  expect(pictureRank('mkv')).toBeUndefined()
  expect(seasonPosterNames(0)[0]).toBe('season-specials-poster')
  expect(seasonPosterNames(1)[0]).toBe('season01-poster')
})

test('names in a row have the types that each has alone, where one is nothing but an ending or has none too', () => {
  const names = [
    'a.jpg',
    'b.jpg',
    '.jpg',
    'b.JPG',
    'c.mp4',
    'c',
    'jpg',
    'd.',
    '.',
    '',
    'e.tar.gz',
    'f.gz',
    'g.unknown',
    'h.jpg',
    'h.mp.jpg',
  ]
  const inTurn = mediaTypesInTurn()
  for (const first of names)
    for (const second of names) expect([inTurn(first), inTurn(second)]).toEqual([mediaTypeOf(first), mediaTypeOf(second)])
})
