import { afterAll, beforeAll, expect, test } from 'bun:test'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { type DemoCollection, makeDemoCollection } from './demo-collection.ts'
import { runProgram } from './program.ts'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'

let folder: TemporaryFolder
let collection: DemoCollection
const at = (path: string): string => join(collection.root, path)

beforeAll(async () => {
  folder = await temporaryFolder('demo')
  collection = await makeDemoCollection(join(folder.path, 'media'), { size: 'small' })
}, 60_000)
afterAll(() => folder.remove())

test('every library type has its folder', async () => {
  expect((await readdir(collection.root)).toSorted()).toEqual(['games', 'manga', 'mixed', 'movies', 'tv'])
})

test('films have a video that plays, a poster and an NFO', async () => {
  const film = 'movies/The Salt Meridian (1994)'
  expect((await readdir(at(film))).toSorted()).toEqual([
    'The Salt Meridian (1994).de.srt',
    'The Salt Meridian (1994).en.srt',
    'The Salt Meridian (1994).mkv',
    'fanart.jpg',
    'movie.nfo',
    'poster.jpg',
  ])
  const streams = await runProgram([
    'ffprobe',
    '-v',
    'error',
    '-show_entries',
    'stream=codec_name',
    '-of',
    'csv=p=0',
    at(`${film}/The Salt Meridian (1994).mkv`),
  ])
  expect(streams.toString().trim().split('\n')).toEqual(['h264', 'aac'])
  expect(await sharp(at(`${film}/poster.jpg`)).metadata()).toMatchObject({ width: 200, height: 300 })
  expect(await readFile(at(`${film}/movie.nfo`), 'utf8')).toContain('<title>The Salt Meridian</title>')
})

test('there is a film with versions, one with parts and one with extras', async () => {
  expect(await readdir(at('movies/Harbour of Glass (2011)'))).toContain('Harbour of Glass (2011) - 720p.mkv')
  expect(await readdir(at('movies/Nine Winters Out (1987)'))).toContain('Nine Winters Out (1987) - part2.mp4')
  expect(await readdir(at('movies/Night Bus to Orlow (2019)/extras'))).toEqual(['Making of.mp4'])
})

test('series lie in season folders with specials, flat, by date, and two episodes to a file', async () => {
  expect(await readdir(at('tv/Northline (2018)'))).toContain('Specials')
  expect(await readdir(at('tv/The Lamplighters (2009)'))).toContain('The Lamplighters - 1x01 - Wick and Flame.mkv')
  expect(await readdir(at('tv/Morning Ferry (2024)/2024'))).toContain('Morning Ferry 2024-03-01.mkv')
  expect(await readdir(at('tv/Orbital Pantry (2020)/Season 1'))).toContain('Orbital Pantry S01E01-E02.mkv')
})

test('a game comes as zip, tar.gz, dmg and as a bundle with its executable bit and its links', async () => {
  const game = 'games/Pocket Orchard'
  expect(await readdir(at(game))).toEqual(
    expect.arrayContaining(['Pocket Orchard-windows.zip', 'Pocket Orchard-linux.tar.gz', 'Pocket Orchard.dmg', 'Pocket Orchard.app']),
  )
  const bundle = `${game}/Pocket Orchard.app/Contents`
  expect((await lstat(at(`${bundle}/MacOS/Pocket Orchard`))).mode & 0o111).toBe(0o111)
  expect(await readlink(at(`${bundle}/Frameworks/Engine.framework/Versions/Current`))).toBe('A')
})

test('manga volumes are archives of twenty pages, folders of images, and nested', async () => {
  const listing = (await runProgram(['unzip', '-Z1', at('manga/Paper Lanterns/Paper Lanterns v01.cbz')])).toString().trim().split('\n')
  expect(listing.filter((name) => name.endsWith('.jpg'))).toHaveLength(20)
  expect(listing).toContain('ComicInfo.xml')
  expect(await readdir(at('manga/Tidal Kitchen/Tidal Kitchen v01'))).toHaveLength(20)
  expect(await readdir(at('manga/Mountain Post/Arc 1 - Departure'))).toEqual(['Mountain Post v01.cbz'])
})

test('the album has the formats that turn up, and photographs that say how they were held', async () => {
  expect((await readFile(at('mixed/2024/IMG_0815.HEIC'))).subarray(4, 12).toString()).toBe('ftypheic')
  expect((await sharp(at('mixed/Documents/bounce.gif'), { animated: true }).metadata()).pages).toBe(8)
  const album = at('mixed/2021/Winter walk')
  const photo = (await readdir(album)).find((name) => name.startsWith('IMG_'))
  const { exif, orientation } = await sharp(join(album, photo ?? '')).metadata()
  expect(exif?.includes('2021:06:03')).toBe(true)
  expect(orientation).toBe(1)
})
