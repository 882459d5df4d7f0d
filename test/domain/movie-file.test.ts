import { expect, test } from 'bun:test'
import { extraLabel, findExtraName, isBonusDisc, isExtrasFolder } from '../../src/domain/extra-name.ts'
import { findPartName, fitOfName, resolutionOfName, versionLabel } from '../../src/domain/movie-file.ts'
import { bracketedYearOf, yearOfName } from '../../src/domain/name-year.ts'

const YEARS: [name: string, year: number | null][] = [
  ['Alien (1979)', 1979],
  ['Alien [1979]', 1979],
  ['Alien (1979) [imdbid-tt0078748]', 1979],
  ['2001 A Space Odyssey (1968)', 1968],
  ['2001 A Space Odyssey', null],
  ['Blade Runner 2049', null],
  ['Blade Runner 2049 (2017)', 2017],
  ['300 (2006)', 2006],
  ['300 2001 (2006)', 2006],
  ['1917', null],
  ['1917 (2019)', 2019],
  ['Drug War 2013', 2013],
  ['Arrival.2016.2160p.Blu-Ray.HEVC', 2016],
  ['First Man 2018 1080p', 2018],
  ['Maximum Ride - 2016 - WEBDL-1080p - x264 AC3', 2016],
  ['Super movie(2009)', 2009],
  ['My Movie (1997) - Group 2019', 1997],
  ['Robin Hood [Multi-Subs] [2018]', 2018],
  ['American Psycho', null],
  ['Show (2008-2013)', 2008],
  ['Movie 1080p', null],
  ['The Garden Scene (1888)', 1888],
  ['流星地图（2019）', 2019],
  ['Movie (1080)', null],
]
for (const [name, year] of YEARS) test(`year of ${name}`, () => expect(yearOfName(name)).toBe(year))

test('where only brackets count, a bare year is none', () => {
  expect(bracketedYearOf('Drug War 2013')).toBeNull()
  expect(bracketedYearOf('Drug War (2013)')).toBe(2013)
})

const EXTRAS: [stem: string, label: string | undefined][] = [
  ['stuff trailerthings', undefined],
  ['The Big Short', undefined],
  ['Interview', undefined],
  ['not a scene', undefined],
  ['theme', undefined],
  ['trailer', 'Trailer'],
  ['300-trailer', 'Trailer'],
  ['300.trailer', 'Trailer'],
  ['300_trailer', 'Trailer'],
  ['300 trailer2', 'Trailer 2'],
  ['300 - Official Trailer #2', 'Trailer 2'],
  ['sample', 'Sample'],
  ['sample-300', 'Sample'],
  ['300-sample', 'Sample'],
  ['300-scene', 'Scene'],
  ['300-scene2', 'Scene 2'],
  ['300-clip', 'Clip'],
  ['300-deleted', 'Deleted scene'],
  ['300-deletedscene', 'Deleted scene'],
  ['300-interview', 'Interview'],
  ['300-behindthescenes', 'Behind the scenes'],
  ['300-featurette', 'Featurette'],
  ['300-short', 'Short'],
  ['300-extra', 'Extra'],
  ['300-other', 'Other'],
]
for (const [stem, label] of EXTRAS) test(`extra by name: ${stem}`, () => expect(findExtraName(stem)?.label).toBe(label))

test('a disc of extras is told from that of the film', () => {
  const names = ['Bonus Disc', 'Bonus-DVD', 'BonusDVD 2', 'Disc 2 - Extras', 'DVD 3 (Bonus)', 'Alien (1979) Bonus Disc', 'Extras Blu-ray']
  expect(names.filter(isBonusDisc)).toEqual(names)
  const others = ['Disc 1', 'CD2', 'Bonus', 'Disc 1 - Film + Extras', 'Extra Discovery', 'Bonus CDs of Life']
  expect(others.filter(isBonusDisc)).toEqual([])
})

test('an extra names its owner', () => expect(findExtraName('Alien (1979)-trailer')?.owner).toBe('Alien (1979)'))

/** In the folder `Alien (1979)`, beside `alien.1080p.mkv`. The names are those of jellyfin.org #1787 and of Jellyfin's documentation. */
const EXTRA_LABELS: [stem: string, label: string][] = [
  ['Theatrical Trailer', 'Theatrical Trailer'],
  ['Teaser Trailer', 'Teaser Trailer'],
  ['Alien (1979) - Official Trailer #2', 'Official Trailer 2'],
  ['Preview Trailer.trailer', 'Preview Trailer, Trailer'],
  ['Making of the Best Movie Ever-behindthescenes', 'Making of the Best Movie Ever, Behind the scenes'],
  ['Alien (1979) - On Set-featurette', 'On Set, Featurette'],
  ['Gag Reel-other', 'Gag Reel'],
  ['Alien - Gag Reel-extra', 'Gag Reel'],
  ['On Set', 'On Set'],
  ['trailer', 'Trailer'],
  ['trailer2', 'Trailer 2'],
  ['Alien (1979)-trailer', 'Trailer'],
  ['alien.1080p-trailer', 'Trailer'],
  ['Alien.1979.720p.BluRay.trailer', 'Trailer'],
  ['Alien (1979)-deleted1', 'Deleted scene 1'],
  ['grp-al-sample', 'Sample'],
]
for (const [stem, label] of EXTRA_LABELS)
  test(`label of the extra ${stem}`, () => expect(extraLabel(stem, 'Alien (1979)', new Set(['alien.1080p']))).toBe(label))

test('extras folders are known without case, and a film called like one thing more is none', () => {
  for (const name of ['Behind The Scenes', 'deleted scenes', 'Trailers', 'extras', 'Featurettes', 'samples'])
    expect(isExtrasFolder(name)).toBe(true)
  for (const name of ['The Extras', 'not a scene', 'Season 1', '']) expect(isExtrasFolder(name)).toBe(false)
})

const PARTS: [stem: string, part: string | undefined][] = [
  ['Bad Boys (2006)', undefined],
  ['Bad Boys (2006) 1', undefined],
  ['300a', undefined],
  ['Department 2', undefined],
  ['Star Trek 2- The wrath', undefined],
  ['300 (2006) parte', undefined],
  ['Bad Boys (2006) part1', 'Part 1'],
  ['Bad Boys (2006).part2.stv.unrated.multi.1080p', 'Part 2'],
  ['Neverland (2011)[720p][PG]part2', 'Part 2'],
  ['300 (2006) partb', 'Part 2'],
  ['blah blah - cd 2', 'CD 2'],
  ['movie-cd1', 'CD 1'],
  ['The Sound of Music (1965) (Disc 01)', 'Disc 1'],
  ['Movie disk a', 'Disc 1'],
  ['Movie dvd2', 'DVD 2'],
  ['Movie pt 3', 'Part 3'],
  ['CD1', 'CD 1'],
  // As names of other languages and of the time of CDs have it (guessit's movies.yml).
  ['Battle.(2000).(Special.Edition).CD1of2.DVDRiP.XviD-[GRP]', 'CD 1'],
  ['Movie (1 of 2)', 'Part 1'],
  ['Movie.2of2.DVDRip', 'Part 2'],
  ['Movie - Part Two', 'Part 2'],
  ['Movie part III', 'Part 3'],
  ['Movie, Teil 2', 'Teil 2'],
  ['Movie Parte 2', 'Parte 2'],
  ['Movie.Partie.1', 'Partie 1'],
  ['Фильм часть 2', 'Часть 2'],
  ['Ирония судьбы (1975) 1 серия', 'Серия 1'],
  ['Фильм - Серия 2', 'Серия 2'],
  ['Фильм 2 сериал', undefined],
  ['Film 5 1von2', 'Part 1'],
  ['Film (2 von 2)', 'Part 2'],
  ['12 von Herzen', undefined],
  ['Movie in Two Parts', undefined],
  ['The Party Invitation', undefined],
  ['Anteil 2', undefined],
  ['1 of 2', 'Part 1'],
  ['12 of Hearts', undefined],
]
for (const [stem, part] of PARTS) {
  test(`part by name: ${stem}`, () => {
    const found = findPartName(stem)
    expect(found && `${found.word} ${found.number}`).toBe(part)
  })
}

test('parts of one film agree in everything but the number, and letters do not mix with numbers', () => {
  expect(findPartName('Bad Boys part1')?.group).toBe(findPartName('bad boys PART2')?.group ?? '')
  expect(findPartName('Bad Boys part1')?.group).not.toBe(findPartName('Bad Boys parta')?.group ?? '')
  expect(findPartName('Bad Boys part1')?.group).not.toBe(findPartName('300 part2')?.group ?? '')
  expect(findPartName('Bad Boys CD1of2')?.group).toBe(findPartName('Bad Boys CD2of2')?.group ?? '')
  expect(findPartName('Bad Boys Part One')?.group).toBe(findPartName('Bad Boys Part Two')?.group ?? '')
})

const LABELS: [stem: string, folder: string, label: string | null][] = [
  ['Alien (1979)', 'Alien (1979)', null],
  ['alien', 'Alien (1979)', null],
  ['Alien (1979) - 2160p', 'Alien (1979)', '2160p'],
  ['Alien (1979) [Directors Cut]', 'Alien (1979)', 'Directors Cut'],
  ['Alien (1979) {edition-Final Cut}', 'Alien (1979)', 'Final Cut'],
  ['Alien (1979) {imdb-tt0078748} {edition-Final Cut}', 'Alien (1979)', 'Final Cut'],
  ['Alien (1979) {edition-Theatrical}', 'Alien (1979) {edition-Final Cut}', 'Theatrical'],
  ['Alien {edition-Theatrical} (1979)', 'Alien {edition-Final Cut} (1979)', 'Theatrical'],
  ['Alien - 4K', 'Alien (1979) {edition-Final Cut}', '4K'],
  ['Alien (1979) {edition-Final Cut} - 4K', 'Alien (1979) {edition-Final Cut}', '4K'],
  ['Aliens (1986)', 'Alien (1979) {edition-Final Cut}', 'Aliens (1986)'],
  ['Iron Man_3d.hsbs', 'Iron Man', '3d.hsbs'],
  ['Iron Man-720p', 'Iron Man', '720p'],
  ['Blade (1982) [Final Cut] [1080p HEVC AAC]', 'Blade (1982)', 'Final Cut 1080p HEVC AAC'],
  ['something else', 'Alien (1979)', 'something else'],
  ['Aliens (1986)', 'Alien (1979)', 'Aliens (1986)'],
  ['Alien.1979.2160p.BluRay', 'Alien (1979)', '2160p.BluRay'],
  ['Alien 1979', 'Alien (1979)', null],
  ['Alien 1986 Cut', 'Alien (1979)', '1986 Cut'],
  ['流星地图 - 1080p', '流星地图（2019）', '1080p'],
  // Jellyfin's MultiVersionTests.
  ['The Opera (1925) - 1925 version', 'The Opera (1925)', '1925 version'],
  ['The Opera (1925) - 1929 version', 'The Opera (1925)', '1929 version'],
  ['The Opera (1925) - 1925 version', 'The Opera (1925) [imdbid-tt0016220]', '1925 version'],
]
for (const [stem, folder, label] of LABELS)
  test(`version label of ${stem} in ${folder}`, () => expect(versionLabel(stem, folder)).toBe(label))

test('resolutions are lines, and only whole words', () => {
  const lines = ['Movie 2160p', 'Movie.4K.HDR', 'Movie - UHD', 'Movie [1080i]', 'Movie 8K', 'Movie 1080', 'Pop'].map(resolutionOfName)
  expect(lines).toEqual([2160, 2160, 2160, 1080, 4320, 0, 0])
})

test('a file fits its folder by name, with or without the year', () => {
  expect(fitOfName('ALIEN (1979)', 'Alien (1979) [imdbid-tt0078748]')).toBe(1)
  expect(fitOfName('alien', 'Alien (1979)')).toBe(2)
  expect(fitOfName('Alien (1979) - 4K', 'Alien (1979)')).toBe(1)
  expect(fitOfName('Alien (1979)', 'Alien (1979) {edition-Final Cut}')).toBe(1)
  expect(fitOfName('random', 'Alien (1979)')).toBe(0)
  expect(fitOfName('Aliens (1986)', 'Alien (1979)')).toBe(0)
})
