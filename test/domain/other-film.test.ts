import { expect, test } from 'bun:test'
import { isOtherFilm, otherFilmsAmong } from '../../src/domain/other-film.ts'

const FILM = 'Alien (1979)'

test.each(['Aliens (1986)', 'Alien (1986)', 'Titanic (1997)', 'Alien 3 (1979)', 'Prometheus [2012]', 'Aliens（1986）'])(
  '%s is another film',
  (name) => {
    expect(isOtherFilm(name, FILM)).toBe(true)
  },
)

test.each([
  'Alien (1979)',
  'alien (1979) [1080p]',
  'Alien (1979) {edition-Final Cut}',
  'Alien.(1979)',
  'Alien（1979）',
  'Alien.1979.1080p.BluRay',
  'Extras',
  'CD1',
  'Director’s Cut',
])('%s is the same film, or no film', (name) => {
  expect(isOtherFilm(name, FILM)).toBe(false)
})

test('within a folder without a year, one with a year counts as another film: better refused than lost', () => {
  expect(isOtherFilm('Alien (1979)', 'Alien')).toBe(true)
})

/** The folder; what lies loose in it and is the film, or tells nothing else; and what is another film. */
const LOOSE: [folder: string, own: string[], others: string[]][] = [
  ['Rocky', ['Rocky (1976)'], ['Rocky II (1979)', 'Rocky III (1982)']],
  ['Die Hard (1988)', ['Die Hard (1988)'], ['Die Hard 2 (1990)', 'Die Hard with a Vengeance (1995)']],
  ['Harry Potter', [], ['Harry Potter and the Stone (2001)', 'Harry Potter and the Chamber (2002)']],
  ['Marvel', [], ['Iron.Man.2008.1080p.BluRay.x264-GRP', 'Thor.2011.1080p', 'The.Avengers.2012.1080p']],
  ['Alien 1979', ['Alien.1979.1080p'], ['Aliens.1986.1080p']],
  ['Sand', [], ['Sand Part One (2021)', 'Sand Part Two (2024)']],
  ['Dune', [], ['Dune (1984) 1080p', 'Dune (2021) 4K']],
  ['Dune (1984)', ['Dune (1984)', 'Dune.1984.720p'], ['Dune.2021.2160p']],
  ['Rocky', ['Rocky', 'Rocky II'], []],
  ['Alien', ['Alien.1979', 'Alien.2003.Directors.Cut', 'Alien (2003) [Extended]'], []],
  ['Titanic (1997)', ['Titanic (1997)', 'Titanic 3D (2012)'], []],
  ['Blade Runner (1982)', ['Blade Runner (1982)', 'Blade Runner - The Final Cut (2007)'], []],
  ['The Opera (1925)', ['The Opera (1925) - 1925 version', 'The Opera (1925) - 1929 version'], []],
  ['Film (2010)', ['Film (2010)', 'Film.2009.1080p.BluRay-GRP'], []],
  ['Metropolis (1927)', ['Metropolis.1927.1080p', 'Metropolis.1927.2010.Restoration.720p'], []],
  ['Metropolis (1927)', ['Metropolis.1927.1080p'], ['Nosferatu.1922.1080p']],
  ['1917 (2019)', ['1917 (2019)', '1917.2019.2160p'], ['Dunkirk.2017.1080p']],
  ['Class of 1999 (1990)', ['Class of 1999 (1990)', 'Class of 1999 1080p'], []],
  ['Wonder Woman 1984', ['Wonder Woman 1984', 'Wonder Woman 1984 (2020) 4K'], []],
  ['Blade Runner 2049', ['Blade Runner 2049', 'Blade.Runner.2049.2017.1080p'], []],
]

test.each(LOOSE)('films loose in %s', (folder, own, others) => {
  const files = (stems: string[]) => stems.map((stem) => `${stem}.mkv`)
  expect(otherFilmsAmong(files([...own, ...others]), folder)).toEqual(files(others))
})
