import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createEpisodeReader } from '../../src/domain/episode-name.ts'

/** Season, episode and last episode; or the date. */
type Expected = [season: number | null, episode: number | null, end?: number] | { airedAt: string }

/**
 * Series folder, number of the season folder (null in the series folder itself), file name without extension, expected.
 * The forms come from Jellyfin's documentation and the issues cited in the module, Kodi's wiki and fansub habits.
 */
const NAMES: [series: string, season: number | null, stem: string, expected: Expected][] = [
  ['Show', 2, 'S02E03 blah', [2, 3]],
  ['Show', 2, '02x03 - 02x04 - 02x15 - Ep Name', [2, 3, 15]],
  ['Show', 1, '01x02 blah', [1, 2]],
  ['Show', 1, 'S01x02 blah', [1, 2]],
  ['Show', 2, 'Harbour Lights - 02x03-04-15 - Ep Name', [2, 3, 15]],
  ['Show', 1, 'S01xE02 blah', [1, 2]],
  ['Show', 1, 'harbour lights S01E02 blah', [1, 2]],
  ['Blade X Blade', 2, '[Subgroup] Blade X Blade - 136 [720p]', [null, 136]],
  ['Blade X Blade', 2, '[Subgroup] Blade X Blade - 136[720p]', [null, 136]],
  ['Show', 2, 'Episode - 16', [null, 16]],
  ['Show', 2, 'Episode 16', [null, 16]],
  ['Show', 2, 'Episode 16 - Some Title', [null, 16]],
  ['Show', 2, '16 Some Title', [null, 16]],
  ['Show', 2, '16 - 12 Some Title', [null, 16]],
  ['Show', 2, '7 - 12 Angry Men', [null, 7]],
  ['Show', 2, '16 12 Some Title', [null, 16]],
  ['Show', 2, '7 12 Angry Men', [null, 7]],
  ['Star Ferry 2199', 4, 'Star.Ferry.2199.E03', [null, 3]],
  ['X', 4, 'Star.Ferry.2199.S04E03', [4, 3]],
  ['Weekly Run', null, 'Weekly Run S2017E368', [2017, 368]],
  ['The Tale of Crane Riders', null, 'The.Tale.of.Crane.Riders.2017.E07.V2.web-dl.1080p.h264.aac-group', [null, 7]],
  ['X', 25, 'The Millers.S25E09.Borrow this one', [25, 9]],
  ['X', 2, '02x03 - x04 - x15 - Ep Name', [2, 3, 15]],
  ['X', 2, '02x03x04x15 - Ep Name', [2, 3, 15]],
  ['X', 2, '02x03-E15 - Ep Name', [2, 3, 15]],
  ['X', 1, 'Harbour Lights - S01E23-E24-E26 - The Woman', [1, 23, 26]],
  ['X', 2009, 'S2009E23-E24-E26 - The Woman', [2009, 23, 26]],
  ['X', 2009, '2009x02 blah', [2009, 2]],
  ['X', 2009, 'S2009x02 blah', [2009, 2]],
  ['X', 2009, 'harbour lights 2009x02 blah', [2009, 2]],
  ['X', 2009, 'Harbour Lights - 2009x03 - 2009x04 - 2009x15 - Ep Name', [2009, 3, 15]],
  ['X', 1, '02 - blah-02 a', [null, 2]],
  ['X', 1, '02 - blah', [null, 2]],
  ['X', 2, '02 - blah 14 blah', [null, 2]],
  ['X', 2, '02', [null, 2]],
  ['X', 2, '2. Infestation', [null, 2]],
  ['The Long Summers', 4, 'The Long Summers s04e07 Garden Party NTSC PDTV', [4, 7]],
  ['X', 1, '4x01 – 20 Hours in America (1)', [4, 1]],
  ['X', 2, '02x03 - 04 Ep Name', [2, 3]],
  ['My show name', 2, 'My show name 02x03 - 04 Ep Name', [2, 3]],
  ['X', 1, '02-03 - blah', [null, 2, 3]],
  ['X', 2, '02-04 - blah 14 blah', [null, 2, 4]],
  ['X', 1, '02-05 - blah-02 a', [null, 2, 5]],
  ['X', 2, '02-04', [null, 2, 4]],
  ['X', 1, 'series-s09e14-1080p', [9, 14]],
  ['X', 1, 'series-s09e14-720p', [9, 14]],
  ['X', 1, 'series-s09e14-720i', [9, 14]],
  ['X', 1, 'NIGHTSHIFT_s01e01-e04', [1, 1, 4]],
  ['Foo', null, 'Foo-S01E01', [1, 1]],
  ['Foo', null, 'Foo - S04E011', [4, 11]],
  ['Foo', null, 'Foo s01x01', [1, 1]],
  ['Foo (2019)', 4, 'Foo (2019).S04E03', [4, 3]],
  ['Granite Bay', null, 'Granite Bay 2x01 Que la lluvia siga [WEB-DL HULU 1080p h264 Dual DD5.1 Subs]', [2, 1]],
  ['Second Spring', null, 'Second Spring 1x06 Episodio 6 [WEB-DL NF 1080p h264 Dual DD 5.1 Sub]', [1, 6]],
  ['The Evening Hour', null, 'The Evening Hour 25x22 - [WEBDL-720p][AAC 2.0][x264] Guest Name-GRP', [25, 22]],
  ['Nightguards (2019)', null, 'Nightguards 1x03 [WEBDL-720p][EAC3 5.1][h264][-GRP] - She Was Hit by a Comet', [1, 3]],
  ['X', null, 'Series Special (1920x1080)', [null, null]],
  ['The Millers', null, 'The Millers - 02 - Ep Name', [null, 2]],
  ['The Millers', null, '02-Ep Name', [null, 2]],
  ['The Millers', null, '02.EpName', [null, 2]],
  ['The Millers', null, 'The Millers - 02 Ep Name', [null, 2]],
  ['QZ Club (2013)', null, 'QZ Club - 07', [null, 7]],
  ['Closed Files (1996-2007)', null, 'Closed Files - 317', [null, 317]],
  ['The Millers', null, 'The Millers 5 - 02 - Ep Name', [null, 2]],
  ['Corner Deli', null, 'Corner Deli 0807 The Bills', [8, 7]],
  ['Closed Files (1996-2007)', null, 'Closed Files - 13', [null, 13]],
  ['something', null, 'something_1996.11.14', { airedAt: '1996-11-14' }],
  ['s', null, 'late.host.2017.04.20.some.guest.720p.hdtv.x264-grp', { airedAt: '2017-04-20' }],
  ['City News', null, 'City News 2018_03_24_19_00_00', { airedAt: '2018-03-24' }],
  ['Quiz Night', null, 'Quiz Night 2023 07 14 HDTV x264 AC3', { airedAt: '2023-07-14' }],
  ['x', null, 'something_14.11.1996', { airedAt: '1996-11-14' }],
  ['x', null, 'An Evening Hour - (2015-01-15) - Episode Name - [720p]', { airedAt: '2015-01-15' }],
  ['x', null, 'Last One Out_KABCDT_2018_05_25_01_28_00', { airedAt: '2018-05-25' }],
  ['x', null, 'something_s1e2', [1, 2]],
  ['x', null, 'something_s01.e02', [1, 2]],
  ['x', null, 'something_102', [1, 2]],
  ['x', null, 'something_1x02', [1, 2]],
  ['x', null, 'the_millers-s02e01_18536', [2, 1]],
  ['x', null, '4x12 - The Woman', [4, 12]],
  ['x', null, 'NY Z, Pt. 1_s06e32', [6, 32]],
  ['Foo', null, '[Fan-Subs] Foo - 05 [1080p][Multiple Subtitle]', [null, 5]],
  ['x', null, 'the.series.name.s01e04.webrip.x264-Grp[Web]', [1, 4]],
  ['Rain Dust and Engines', null, 'Rain.Dust.and.Engines.S01E01.First.Engine.1080p.NF.WEB-DL.DDP5.1.x264-GRP', [1, 1]],
  ['Kaze Nikki', null, '[MoonSubs] Kaze Nikki - Ano Hi Kaze ni Natta Ken - 12 (NVENC H.265 1080p)', [null, 12]],
  ['Harugai', null, "Harugai Zoku 11 - Somebody Always Meets Everyone's Hopes.", [null, 11]],
  ['x', null, '4-12 - The Woman', [4, 12]],
  ['x', null, '1-12 - The Woman', [1, 12]],
  ['The Millers', null, '12', [null, 12]],
  ['The Millers', null, 'The Millers 82', [null, 82]],
  ['The Millers', null, 'The Millers 112', [null, 112]],
  ['The Millers', null, 'Foo_ep_02', [null, 2]],
  ['The Millers', null, 'The Millers 889', [null, 889]],
  ['x', null, 'something_part.II', [null, 2]],
  ['x', null, 'something_pt_II', [null, 2]],
  ['2016', null, 'Season s2016e1', [2016, 1]],
  ['2016', null, 'Season 2016x1', [2016, 1]],
  ['Voyd', 2, 'Voyd-S02xE09-791', [2, 9]],
  ['Long Voyage', 17, 'Long Voyage - 679 [1080p]', [null, 679]],
  ['The Series', 3, 'The Series Season 3 Episode 09 - Episode title', [3, 9]],
  ['Iron Suit Kodo', null, '[Rebel] Iron Suit Kodo - 01 - Kodo Rising!! (BD x264 1080p 8-bit FLAC)', [null, 1]],
  ['30 Rock', 5, '5x20 100 (Part 1)', [5, 20]],
  ['The Crypts', 2, '2x06 Happy 100th Birthday', [2, 6]],
  ['Corner Grill', 6, '6x11 House of 1000 Doors', [6, 11]],
  ['Next Century', 1, '1x01 Rocket Driver 3000', [1, 1]],
  ['Star Orbs', 3, 'Episode 104 The Teacher! A Flying Lesson', [null, 104]],
  ['x', null, '[foo] harbour lights 03 [HEVC-10bit]', [null, 3]],
  ['x', null, '[foo] harbour lights 03 [Ma10p-720p]', [null, 3]],
  ['x', null, '[foo] harbour lights Volume 2 [01]', [null, 1]],
  ['The Quiet Life of the Old King', 1, '[Subs] The Quiet Life of the Old King - 01 (1080p) [969786E2]', [null, 1]],
  ['Nameless Record', null, '[ABC-Raws][Nameless Record Act.2][06][1080P][BDRip][HEVC-10bit][FLAC]', [null, 6]],
  ['x', 1, 'S01E01 The 6-10 to Dover [WEBRip-1080p][AV1 Opus]', [1, 1]],
  ['x', 5, 'S05E23 11-59 [HDTV-1080p][x265 AC3]', [5, 23]],
  ['x', 1, 'S01E01 1-23-45 [Bluray-1080p][AV1 Opus]', [1, 1]],
  ['Cat x Family', null, '[Some-raws] Cat x Family Season 2 - 08 [1080p][Multiple Subtitle][00C44E2F]', [2, 8]],
  ['x', 2, 's2 ep 08', [2, 8]],
  ['x', 2, 's02.ep13', [2, 13]],
  ['x', 2, 'season2 e21', [2, 21]],
  ['Great old Towns', 1, 'got101', [1, 1]],
  ['x', 1, 'Show S01E01E02', [1, 1, 2]],
  ['x', 1, 'Show S01E01-02', [1, 1, 2]],
  ['x', 1, 'Show 1x01-1x02', [1, 1, 2]],
  ['x', 1, 'Show 1x01x02', [1, 1, 2]],
  ['x', 1, 'Show 1x01-02', [1, 1, 2]],
  ['x', 1, 'Show S01E01-S01E02', [1, 1, 2]],
  ['x', 1, 'S01E01 x264', [1, 1]],
  ['x', 0, 'THE HOTEL(1997) s00e01s01e03', [0, 1]],
  ['x', 2, 'Series Name A S02E03 Part 1', [2, 3]],
  ['x', 0, 'Some Special', [null, null]],
  ['24', 1, '24 - 01', [null, 1]],
  ['24', 1, '24.S01E01.720p', [1, 1]],
  ['The 100', 1, 'The 100 - 05', [null, 5]],
  ['Gateway GT-1', 1, 'Gateway GT-1 - 03 - Title', [null, 3]],
  ['3x3 Eyes', null, '3x3 Eyes - 01', [null, 1]],
  ['1923', 1, '1923 S01E02', [1, 2]],
  ['12 Monkeys', 1, '12 Monkeys', [null, null]],
  ['86', null, '[Subs] 86 - 03 (720p) [ABCDEF12]', [null, 3]],
  ['Naruto', 1, 'Naruto - 101', [null, 101]],
  ['x', 1, '101 - Pilot', [1, 1]],
  ['x', null, '101 - Pilot', [null, 101]],
  ['Show', null, 'Show.Name.102.hdtv.xvid', [1, 2]],
  ['Bleach', null, '第03話 title', [null, 3]],
  ['x', null, 'Show 시즌1 03화', [1, 3]],
  ['x', null, '제3화', [null, 3]],
  ['La torre', null, 'La torre de cristal [HDTV][Cap.102]', [1, 2]],
  ['x', 1, 'Folge 3 - Titel', [null, 3]],
  ['x', null, 'Staffel 2 Folge 11 - Titel', [2, 11]],
  ['x', null, 'T1E05', [1, 5]],
  ['x', null, 'Show - 01v2 [720p]', [null, 1]],
  ['x', null, 'Show - 12.5 - Recap', [null, 12]],
  ['x', 1, 'S01E03b Title', [1, 3]],
  ['x', null, 'Show SP01', [0, 1]],
  ['x', null, 'Show S2 - 08 (1080p)', [2, 8]],
  ['Show', null, 'Show 20230916', { airedAt: '2023-09-16' }],
  ['Show', null, 'Show #05', [null, 5]],
  ['Show', null, 'Show (1988) 05', [null, 5]],
  ['Doctor Who (2005)', 1, 'Doctor Who (2005) - S01E02 - The End of the World', [1, 2]],
  ['Doctor Who (2005)', 1, 'Doctor Who 2005 1x02', [1, 2]],
  ['Show', 1, 'Show - S01E01-E02-E03', [1, 1, 3]],
  ['x', 1, 'S01E02.2160p.x265', [1, 2]],
  ['x', 1, 'show.s01e02.1080p.web.h264', [1, 2]],
  ['x', 1, 'Show.S01.E02.Title', [1, 2]],
  ['x', 1, 'Show S01 E02', [1, 2]],
  ['x', 1, 'Show [S01][E02]', [1, 2]],
  ['x', 1, 'Show [1x02]', [1, 2]],
  ['x', 1, 'Show [S01E02]', [1, 2]],
  ['Firefly', 1, 'Firefly S01E01', [1, 1]],
  // A dot before `1x02`, as releases write it where the folder is called otherwise.
  ['Evening', null, 'The.Evening.Hour.1x03.Health.HDTV.XviD-GRP', [1, 3]],
  ['Millers', 12, 'Millers,.The.12x08.A.Bas.Le.Skipper.FR', [12, 8]],
  ['Show', null, 'Other.2010.2x05.Title', [2, 5]],
  ['Show', null, 'Other.1x01.1x02.720p', [1, 1, 2]],
  ['Show', null, 'Show 05 DD5.1x264', [null, 5]],
  // Checksums that read like an episode, a season, or `1x02`.
  ['Moon Tale', null, '[Subs] Moon Tale 1004 [E63F2984]', [null, 1004]],
  ['Moon Tale', null, '[Subs] Moon Tale - 07 (0E12ABCD)', [null, 7]],
  ['Moon Tale', null, 'Moon Tale [20190506]', { airedAt: '2019-05-06' }],
  // A season outside of a season folder, apart from the number.
  ['Moon Tale', null, '[Subs] Moon Tale S2 [05][HEVC-10bit 1080p AAC]', [2, 5]],
  ['Moon', null, '[Subs] Moon Tale With Names (Season 2) - 33 (1280x720 10bit)', [2, 33]],
  ['Moon Tale', null, 'Moon Tale S21 999', [21, 999]],
  ['Moon Tale', null, 'Moon Tale S3 05', [3, 5]],
  ['Moon Tale', null, 'Moon Tale 2nd Season 05', [2, 5]],
  ['Moon Tale', null, 'Moon Tale Season 3 Part 2 - 05', [3, 5]],
  ['Moon Tale', null, 'Moon Tale S3 Part 2 - 05', [3, 5]],
  ['Moon Tale', null, 'Moon Tale Final Season - 61', [null, 61]],
  ['Kitchen', null, 'Kitchen Italia - Stagione 6 (2016) 720p ep13 grp', [6, 13]],
  ['Dome', null, 'Dome.S02.Special-Inside.The.Mill.HDTV.x264-GRP', [2, null]],
  ['Moon Tale', 1, 'Moon Tale S2 Preview 05', [null, 5]],
  // Ranges before dotted tags, and with other signs than a hyphen.
  ['Show', 5, 'Show.S05E01-02.720p.5.1Ch.BluRay', [5, 1, 2]],
  ['Show', 2, 'S02E03-04-05.720p.BluRay-GRP', [2, 3, 5]],
  ['Show', 2, 'S02E03-2.5 Hours', [2, 3]],
  ['Show', 1, 'Show.S01E01+02.FRENCH.DVDRiP', [1, 1, 2]],
  ['Show', 1, 'S01E01 & 02', [1, 1, 2]],
  ['Show', 1, 'Episode 1 & 2', [null, 1, 2]],
  ['Show', 1, 'S01E01 to E03', [1, 1, 3]],
  ['Show', 8, '8x01_02 - Free Falling', [8, 1, 2]],
  ['Show', 1, 'Show_S01E05_24_Hours', [1, 5]],
  ['Show', 1, 'Show_S01E05_06_Tails', [1, 5]],
  ['Show', null, '[Subs] Show! - 01~10 [1080p]', [null, 1, 10]],
  ['Show', null, '[Subs] Show! - 01 ~ 10 [1080p]', [null, 1, 10]],
  ['Show', null, '[Subs] Show - 01 ~ (BD 720p)', [null, 1]],
  ['Show', null, '[Subs][Show][2017][88-91][1080p][AVC]', [null, 88, 91]],
  ['Show', null, '[Subs][Show][01-24完][720P]', [null, 1, 24]],
  ['Show', null, 'name.s01e01.episode1.title.s01e02.episode2.title', [1, 1, 2]],
  ['Show', null, 'S01E01 before S01E05', [1, 1]],
  ['Show', 42, 'The Show - S42 Ep10718 - Ep10722', [42, 10718, 10722]],
  ['Show', 41, 'The Show - S41 E10478 - 2014-08-15', [41, 10478]],
  ['La torre', null, 'La torre - Temporada 15 [HDTV][Cap.1503_1506]', [15, 3, 6]],
  ['Serie', null, 'Serie T3 Capitulo 5', [3, 5]],
  ['Show', 1, '[Subs] Show - S01E05-06v2 (BD 1080p)', [1, 5, 6]],
  ['Show', 2, 'Show S02E05,06', [2, 5, 6]],
  ['Show', 2, 'Show - 05+06', [null, 5, 6]],
  ['Show', 2, '2-05 Title', [2, 5]],
  ['Show', 2, '4-12 Title', [null, 4, 12]],
  ['Show', 1, 'Show_S01E01_x265_720p_WEB-DL', [1, 1]],
  // `1.02` (Jellyfin #8328), `1 of 6`, parts in words.
  ['Old Horses', 1, '1.02 Go East Young Man', [1, 2]],
  ['Old Horses', 7, '7.10 Later', [7, 10]],
  ['Old Horses', null, '1.01 Little Brother', [1, 1]],
  ['Old Horses', 2, '1.02 Go East Young Man', [null, 1]],
  ['Show', null, 'The Story of Tea 1 of 6 - Ancestors CC HDTV', [null, 1]],
  ['Something', null, 'Something.Season.2.1of4.Ep.Title.HDTV', [2, 1]],
  ['Show', null, 'Other.5of9.The.Universe.1990.DVDRip', [null, 5]],
  ['Show', 1, '05 Story Part 1 of 2', [null, 5]],
  ['Show', null, 'Made.in.Finland.Part.Two.720p.HDTV', [null, 2]],
  ['Show', 2, 'Episode Five', [null, 5]],
  ['Show', 2, 'Show - Chapter IV', [null, 4]],
  ['Show', 2, 'Episode Index', [null, null]],
  ['Show', 1, '(01) Title', [null, 1]],
  ['Show (2010)', null, 'Show (2010) {01} Title (1).hdtv', [null, 1]],
  ['Show', null, 'Show - 2016x231', [2016, 231]],
  ['Show', null, 'Show 05 1920x816', [null, 5]],
  // The number before its word, as Russian and German have it.
  ['Show', 1, 'Show 1 сезон 5 серия', [1, 5]],
  ['Show', null, 'Show - 2 сезон, 12-я серия', [2, 12]],
  ['Show', 1, '1. Staffel 5. Folge', [1, 5]],
  ['Show', null, '02.Staffel.-.03.Episode.Titel', [2, 3]],
  ['Show', null, '1ª Temporada - 5º Episódio', [1, 5]],
  ['Show', null, '2nd Season 5th Episode', [2, 5]],
  ['Show', null, 'Show Season 1 Episode 5', [1, 5]],
  ['Show', null, 'Show 1 сезон 5 серия 720p', [1, 5]],
  ['Show', null, 'The Show 2 Season 3 Episode 4', [3, 4]],
  // Specials in the folder of specials.
  ['Show', 0, '[Subs] Show - SP02 [1080p]', [0, 2]],
  ['Show', 0, 'Show OVA3', [0, 3]],
  ['Show', 1, 'Show SP02', [null, null]],
  // Numbers in other digits.
  ['Show', null, '[Subs] Show - １５８ [h264 10-bit]', [null, 158]],
  ['アニメ', null, 'アニメ 第１２話「夜の５人」', [null, 12]],
  ['アニメ', null, 'アニメ ＃０５', [null, 5]],
  ['アニメ', null, 'アニメ #05「タイトル」', [null, 5]],
  ['电视剧', null, '电视剧 第一季 第十二集', [1, 12]],
  // Dates that are written in other ways.
  ['Late Talk', null, 'Late.Talk.2012.16.02.PDTV', { airedAt: '2012-02-16' }],
  ['Late Talk', null, 'Late.Talk.140722.720p.HDTV', { airedAt: '2014-07-22' }],
  ['Late Talk', null, 'Late.Talk.E455.151121.720p', [null, 455]],
  ['Late Talk', null, 'Late.Talk.149922.720p', [null, null]],
]

for (const [series, season, stem, expected] of NAMES) {
  test(`${series} / ${season ?? '-'} / ${stem}`, () => {
    const { seasonNumber, episodeNumber, episodeNumberEnd, airedAt } = createEpisodeReader(series)(stem, season)
    if ('airedAt' in expected) return expect({ airedAt, episodeNumber }).toEqual({ airedAt: expected.airedAt, episodeNumber: null })
    const [wantedSeason, wantedEpisode, wantedEnd = null] = expected
    expect([seasonNumber, episodeNumber, episodeNumberEnd, airedAt]).toEqual([wantedSeason, wantedEpisode, wantedEnd, null])
  })
}

const sortNumberOf = (stem: string): number | null => createEpisodeReader('Show')(stem, null).sortNumber

test('half episodes and lettered parts stand between their neighbours', () => {
  const stems = ['Show - 13', 'Show - 12.5 - Recap', 'Show - 12', 'Show S01E12b', 'Show S01E12a']
  expect(stems.toSorted((a, b) => (sortNumberOf(a) ?? 0) - (sortNumberOf(b) ?? 0))).toEqual([
    'Show - 12',
    'Show S01E12a',
    'Show S01E12b',
    'Show - 12.5 - Recap',
    'Show - 13',
  ])
})

test('dated episodes are ordered by day, unnumbered ones have no place', () => {
  expect(sortNumberOf('Show 1970-01-02')).toBe(1)
  expect(sortNumberOf('Show 2015-02-31')).toBeNull()
  expect(sortNumberOf('Making of')).toBeNull()
})

test('an American date is read where the day could be no month', () => {
  expect(createEpisodeReader('Show')('Show 01-15-2015', null).airedAt).toBe('2015-01-15')
  expect(createEpisodeReader('Show')('Show 05-04-2015', null).airedAt).toBe('2015-04-05')
})

test('no name makes the reader throw, take long, or answer numbers out of order', () => {
  const piece = fc.oneof(
    fc.constantFrom('S01', 'E02', 'x', '-', ' - ', '.', '[', ']', '(', '1080p', '2015', '12', 'Part', 'Season ', '第', '話', ' '),
    fc.string({ unit: 'grapheme', maxLength: 5 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.option(fc.nat(20)), (pieces, season) => {
      const { episodeNumber, episodeNumberEnd, sortNumber } = createEpisodeReader('Show')(pieces.join(''), season)
      if (episodeNumberEnd !== null) expect(episodeNumberEnd).toBeGreaterThan(episodeNumber ?? Number.POSITIVE_INFINITY)
      if (episodeNumber !== null) expect(Math.floor(sortNumber ?? -1)).toBe(episodeNumber)
    }),
    { numRuns: 3000 },
  )
  const start = performance.now()
  for (const long of ['1 '.repeat(120), '['.repeat(250), 'S01'.repeat(80), 'part '.repeat(50), 'E1-'.repeat(80)])
    createEpisodeReader(long)(long, 1)
  expect(performance.now() - start).toBeLessThan(1000)
})
