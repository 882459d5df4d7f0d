import { describe, expect, test } from 'bun:test'
import { createEpisodeReader } from '../../src/domain/episode-name.ts'
import { createMangaReader } from '../../src/domain/manga-name.ts'
import { stemOf } from '../../src/domain/media-file.ts'
import { baseNameOf, folderOf } from '../../src/domain/relative-path.ts'
import { parseSeasonName } from '../../src/domain/season-name.ts'
import { pairSuccessors, placeOf, type SeriesPart } from '../../src/services/scan-successors.ts'

const NOTHING = {
  seasonNumber: null,
  episodeNumber: null,
  episodeNumberEnd: null,
  volumeNumber: null,
  chapterNumber: null,
  sortNumber: null,
  airedAt: null,
}

/** As the readers make it. */
const episode = (path: string): SeriesPart => {
  const [series = '', folder = ''] = path.split('/')
  const season = folderOf(path) === series ? null : parseSeasonName(folder, series)
  return { ...NOTHING, itemType: 'tv_episode', path, ...createEpisodeReader(series)(stemOf(baseNameOf(path)), season) }
}

const volume = (path: string): SeriesPart => {
  const name = createMangaReader(path.split('/', 1)[0] ?? '')(stemOf(baseNameOf(path)))
  return { ...NOTHING, itemType: 'manga_volume', path, ...name }
}

const SEASON_ID = 7
const follows = (found: SeriesPart, gone: SeriesPart): boolean =>
  pairSuccessors([{ part: found, place: placeOf(found, SEASON_ID) }], [{ part: gone, place: placeOf(gone, SEASON_ID) }], { isAtOnce: true })
    .length === 1

describe('a better file of the same episode stands in its place', () => {
  test.each([
    ['Ov/[C] Ov - 01 [BD].mkv', 'Ov/[OtherGroup] Ov - 01v2 [1080p].mkv'],
    ['Show/Show.S01E02.720p.mkv', 'Show/Show.S01E02.1080p.REPACK.mkv'],
    ['Show/Season 1/Show S01E02 - Serenity.avi', 'Show/S01/Show.1x02.Another.Title.1080p-GRP/abc.Show.1x02.mkv'],
    ['Show/Show 1x02.avi', 'Show/Show - 02.mkv'],
    ['Show/Season 1/02.avi', 'Show/Season 01/Show E02.mkv'],
    ['Show/Season 1/02 - Pilot.avi', 'Show/Season 1/02 - Pilot (1080p).mkv'],
    ['Show/Season 1/02 - Pilot.avi', 'Show/Season 1/Show - 02.1080p.mkv'],
    ['Old/[C] Other Title - 05.mkv', 'Old/[D] Other_Title_-_05_[96978EE2].mkv'],
    ['Show/Show.102.HDTV.x264-GRP.avi', 'Show/Show.102.720p.WEB-DL.mkv'],
    ['Show/[C] Show - 12.5.mkv', 'Show/[D] Show - 12.5 [1080p].mkv'],
    ['Show/Season 1/Disc 1/01.mkv', 'Show/Season 01/Disc 1/01.avi'],
    ['Show/Season 1 Bonus/01 - Cast.avi', 'Show/Season 1 Bonus/01 - Cast 1080p.mkv'],
    ['Show/Season 1/Show S01E02.avi', 'Show/Season 1 Extras/Show S01E02.mkv'],
    ['Show/[C] Show [01][720p].mkv', 'Show/[D] Show - 01 [1080p].mkv'],
    ['Show/Show E05 SDTV-GRP.avi', 'Show/Show E05 NF WEB-DL.mkv'],
    ['Show/Show.E05.720p.x264-GRP.mkv', 'Show/Show.E05.1080p.x265-OTHER.mkv'],
    ['Show/Show - 05 - Pilot 720p GRP.mkv', 'Show/Show - 05 - Pilot AMZN 1080p OTHER.mkv'],
    ['Show/Show.E05.PDTV-GRP.avi', 'Show/Show.E05.AMZN.WEB-DL.1080p.mkv'],
    ['Show/Show.E05.TVRip.XviD.avi', 'Show/Show.E05.DSNP.WEB-DL.mkv'],
    ['Show/Show.E05.VOSTFR.HDTV-GRP.avi', 'Show/Show.E05.FRENCH.1080p.mkv'],
    ['Show/Show.E05.iTALiAN.HDTV.avi', 'Show/Show.E05.ITA.ENG.1080p.mkv'],
    ['Show/Show.E05.PROPER-GRP.avi', 'Show/Show.E05.VFF.1080p.mkv'],
    ['Show/Show 05 rus.avi', 'Show/Show 05 lostfilm 1080p.mkv'],
    ['Show/Show DVDRip 05.avi', 'Show/Show 05.mkv'],
    ["Show/05 - Don't Stop.avi", 'Show/05 - Dont Stop.mkv'],
    ['Show/05 - Café.avi', 'Show/05 - Cafe.mkv'],
    ['Show/05 - Das Mädchen.avi', 'Show/05 - Maedchen.mkv'],
    ['Show/05 - Foo & Bar.avi', 'Show/05 - Foo and Bar.mkv'],
    ['Show/05 - The Pilot.avi', 'Show/05 - Pilot.mkv'],
  ])('%s, %s', (from, to) => expect(follows(episode(to), episode(from))).toBe(true))
})

describe('an episode of the same number is another one', () => {
  test.each([
    ['in another count', 'Ov/[C] Ov - 01 [BD].mkv', 'Ov/[C] Ov II - 01 [BD].mkv'],
    ['by a number in its title', 'Kr/Staffel 1/Kr - 02 - T.mkv', 'Kr/Staffel 1/Kr - 11 - Der Fall Teil 2.mkv'],
    ['on another disc', 'Two/Season 1/Disc 1/01.mkv', 'Two/Season 1/Disc 2/01.mkv'],
    ['beside its season', 'Show/Season 1/Show 01.mkv', 'Show/Season 1 Bonus/01 - Making Of.mkv'],
    ['behind another season in one number', 'Nov/Nov Cap 20.mkv', 'Nov/Nov Cap 120.mkv'],
    ['as its half', 'Show/Show - 12.mkv', 'Show/Show - 12.5.mkv'],
    ['with another title', 'Course/01 - Lions.mkv', 'Course/01 - Tigers.mkv'],
    ['with another title than one that reads like a release', 'Show/05 - Internal Affairs.mkv', 'Show/05 - Lions.mkv'],
    ['with another title than one on the web', 'Show/05 - Web of Lies.mkv', 'Show/05 - Lions.mkv'],
    ['with another title than one word of releases', 'Show/05 - English.mkv', 'Show/05 - Lions.mkv'],
    ['with another title before the tags', 'Show/Show.05.Lions.1080p.WEB.mkv', 'Show/Show.05.Tigers.2160p.WEB.mkv'],
    ['with another title of the series', 'Old/[C] Other Title - 05.mkv', 'Old/[C] Third Title - 05.mkv'],
    ['as the first of two', 'Show/Show S01E01.mkv', 'Show/Show S01E01-E02.mkv'],
  ])('%s', (_, from, to) => expect(follows(episode(to), episode(from))).toBe(false))
})

describe('a better file of the same volume stands in its place', () => {
  test.each([
    ['Guts/Guts v01 c003.cbz', 'Guts/[Group] Guts Vol. 1 Ch. 3.cbz'],
    ['Berserk/Berserk v01', 'Berserk/Berserk v01 (2003) (Digital).cbz'],
    ['Bat/Bat 001 (2016).cbz', 'Bat/Bat 001 (2016) (Digital) (Zone-Empire).cbz'],
    ['Bat/Bat #1.cbz', 'Bat/Bat 001 (2016).cbz'],
    ['Arcs/Arc 1/Chapter 01.cbz', 'Arcs/Arc 1/Ch. 1 - The Start.cbz'],
    ['Pair/Pair 01.cbz', 'Pair/Pair - 01.cbr'],
    ['Blue [Digital]/Volume 01.zip', 'Blue [Digital]/Blue v01.cbz'],
    ['Blue (Complete) [Group]/Vol. 2.zip', 'Blue (Complete) [Group]/Blue v02 (Digital).cbz'],
  ])('%s, %s', (from, to) => expect(follows(volume(to), volume(from))).toBe(true))
})

describe('a volume of the same number is another one', () => {
  test.each([
    ['in another count', 'Bat/Bat 001 (2016).cbz', 'Bat/Bat Annual 001 (2017).cbz'],
    ['in another count, with a sign', 'Bat/Bat #001.cbz', 'Bat/Bat Annual #001.cbz'],
    ['in another folder', 'Arcs/Arc 1/Chapter 01.cbz', 'Arcs/Arc 2/Chapter 01.cbz'],
    ['in another count, below tags', 'Bat [Digital]/Bat 001.cbz', 'Bat [Digital]/Bat Annual 001.cbz'],
    ['as its half', 'Guts/Guts c012.cbz', 'Guts/Guts c012.5.cbz'],
  ])('%s', (_, from, to) => expect(follows(volume(to), volume(from))).toBe(false))
})
