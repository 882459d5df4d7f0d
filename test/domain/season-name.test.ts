import { expect, test } from 'bun:test'
import { parseSeasonName, seriesPrefix } from '../../src/domain/season-name.ts'
import { processorMs } from '../support/processor-time.ts'

/** Folder name, series name, season number. */
const NAMES: [folder: string, series: string, season: number | null][] = [
  ['Season 1', 'X', 1],
  ['s1', 'X', 1],
  ['S1', 'X', 1],
  ['Season 02', 'X', 2],
  ['S02', 'Corner Deli', 2],
  ['2', 'Corner Deli', 2],
  ['Corner Deli - S02', 'Corner Deli', 2],
  ['Season 2009', 'X', 2009],
  ['Season1', 'X', 1],
  ['The.Long.Summers.S04.PDTV.x264-GRP', 'The Long Summers', 4],
  ['Season 7 (2016)', 'X', 7],
  ['Staffel 7 (2016)', 'X', 7],
  ['Stagione 7 (2016)', 'X', 7],
  ['Season (8)', 'X', null],
  ['3.Staffel', 'X', 3],
  ['s06e05', 'X', null],
  ['The.Tale.of.Crane.Riders.2017.V2.web-dl.1080p.h264.aac-group', 'X', null],
  ['specials', 'X', 0],
  ['Specials', 'X', 0],
  ['Episode 1 Season 2', 'X', null],
  ['Gateway GT-1 Season 1', 'Gateway GT-1', 1],
  ['Season 00', 'X', 0],
  ['S00', 'X', 0],
  ['1st Season', 'X', 1],
  ['2nd Season', 'X', 2],
  ['Saison 3', 'X', 3],
  ['Temporada 4', 'X', 4],
  ['Seizoen 1', 'X', 1],
  ['Sezon 2', 'X', 2],
  ['Säsong 1', 'X', 1],
  ['Kausi 1', 'X', 1],
  ['Série 5', 'X', 5],
  ['シーズン1', 'X', 1],
  ['シーズン 2', 'X', 2],
  ['시즌 1', 'X', 1],
  ['시즌2', 'X', 2],
  ['сезон 1', 'X', 1],
  ['Сезон 3', 'X', 3],
  ['1 сезон', 'X', 1],
  ['第1季', 'X', 1],
  ['第一季', 'X', 1],
  ['第十二季', 'X', 12],
  ['第2期', 'X', 2],
  ['1. évad', 'X', 1],
  ['1080p', 'X', null],
  ['720p', 'X', null],
  ['1080', 'X', null],
  ['2160p', 'X', null],
  ['Season 1 - The Beginning', 'X', 1],
  ['Season 1 [1080p]', 'X', 1],
  ['Season 01 1080p BluRay', 'X', 1],
  ['Burning Sand Season 1', 'Burning Sand (2008)', 1],
  ['Burning Sand (2008) Season 1', 'Burning Sand (2008)', 1],
  ['Burning.Sand.S01-S05.1080p', 'Burning Sand', null],
  ['Season 1-3', 'X', null],
  ['Seasons 1 - 3', 'X', null],
  ['Rain.Dust.and.Engines.S01.1080p.NF.WEB-DL', 'Rain Dust and Engines', 1],
  ['4000.Miles.And.Me.The.Red.Tide.Story.2027.HUN.WEB-DL.1080p.H.264-GRP', 'X', null],
  ['20.Years.Before.2026.1080p.MA.WEBRip.DDP5.1.Atmos.x264.HUN-GRP', 'X', null],
  ['Disc 1', 'X', null],
  ['Extras', 'X', null],
  ['Series 2', 'X', 2],
  ['2e Saison', 'X', 2],
  ['Saison 1 (VF)', 'X', 1],
  ['24', '24', 24],
  ['24 - S03', '24', 3],
  ['Specials & Extras', 'X', 0],
  ['S.W.A.T. S02', 'S.W.A.T.', 2],
  ['Volume 1', 'X', null],
  ['Odder Things S4', 'Odder Things', 4],
  ['2019', 'X', 2019],
  ['S2019', 'X', 2019],
  ['Season 1a', 'X', null],
  ['Season.03', 'X', 3],
  ['Season_03', 'X', 3],
  ['season-3', 'X', 3],
  ['Temporada 1 Completa', 'X', 1],
  ['Book 1 - Water', 'X', null],
  ['The Office US S02 1080p', 'The Office (US)', 2],
  ['24 Season 2', '24', 2],
  ['24 Staffel 2', '24', 2],
  ['24', 'Season 24', 24],
  ['T01', 'X', 1],
  ['2a Temporada', 'X', 2],
  ['제1시즌', 'X', 1],
  ['第２期', 'X', 2],
  ['シーズン２', 'X', 2],
  ['ฤดูกาลที่ 2', 'X', 2],
  ['2. sezons', 'X', 2],
  ['Season Two', 'X', 2],
  ['Season II', 'X', 2],
  ['Saison VII FRENCH', 'Rain', 7],
  ['Season Vision', 'X', null],
  ['SP', 'X', 0],
  ['SPs', 'X', 0],
  ['Special Episodes', 'X', 0],
  ['Show.Name.-.Season.1.to.3.-.Mp4', 'Show Name', null],
  // Behind a name that ends in a sign, and as Japanese and Czech say it (Jellyfin #13602).
  ['K-QN! 2nd Season', 'K-QN!', 2],
  ['Who Knows It? 3. Staffel', 'Who Knows It?', 3],
  ['けいほん!　第2期', 'けいほん!', 2],
  ['おうち・ユイ 第2シリーズ', 'おうち・ユイ', 2],
  ['シリーズ2', 'X', 2],
  ['其它片 第三季 1080p', 'X', 3],
  ['2. řada', 'X', 2],
  ['SE01', 'X', 1],
  // Boxes and discs.
  ['The Complete Second Season', 'X', 2],
  ['Show - The Complete First Season', 'Show', 1],
  ['First Season', 'X', 1],
  ['The First Seasons', 'X', null],
  ['Show (2nd Season)', 'Show', 2],
  ['[Grp] Other Title 2nd Season [1080p]', 'Show', 2],
  ['S01D02', 'X', 1],
  ['Show.S01D02.PAL.DVDR', 'Show', 1],
  ['Hors-série', 'X', 0],
  ['Sonderfolgen', 'X', 0],
  ['Odcinki specjalne', 'X', 0],
  ['番外篇', 'X', 0],
  ['Seasong 1', 'X', 1],
  ['OVA', 'X', 0],
  ['Show OADs', 'Show', 0],
]

for (const [folder, series, season] of NAMES) {
  test(`${folder} in ${series}`, () => expect(parseSeasonName(folder, series)).toBe(season))
}

test('a composed and a decomposed spelling are the same word', () => {
  expect(parseSeasonName('Sa\u0308song 2', 'X')).toBe(2)
})

test('a series name is found however its words are separated, with its group and year', () => {
  const prefix = seriesPrefix('The Office (US) [tvdbid-73244]')
  expect('[Grp] the.office.US.2005.S01E01'.replace(prefix ?? '', '')).toBe('.S01E01')
  expect('The Officer S01E01'.replace(prefix ?? '', '')).toBe('The Officer S01E01')
  expect(seriesPrefix('!!!')).toBeUndefined()
})

test('a series name of accents alone holds nobody up', () => {
  const startedAt = processorMs()
  expect(parseSeasonName(`${'\u0301'.repeat(36)}a`, `${'\u0301 '.repeat(18)}b`)).toBeNull()
  expect(processorMs() - startedAt).toBeLessThan(1000)
  expect(seriesPrefix('\u0301 \u0301')).toBeUndefined()
  expect('नमस्ते S01'.replace(seriesPrefix('नमस्ते') ?? '', '')).toBe(' S01')
})
