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
  ['Jazz Now (1979)', ['Jazz Now (1979)', 'Jazz Now Redux (2001)'], []],
  ['Nosferatu (1922)', ['Nosferatu.1922', 'Nosferatu.2006.Restoration'], []],
  ['The Assembly (2010)', ['The Assembly (2010)'], ['The Restoration (2016)', 'The Assembly (2019)']],
  ['Touch of Evil (1958)', ['Touch.of.Evil.1958', 'Touch.of.Evil.Reconstructed.1998'], []],
  ['Leon (1994)', ['Leon.The.Professional.1994', 'Leon.Version.Integrale.1996', 'Leon Version intégrale (1996)'], []],
  ['Jaws (1975)', ['Jaws.1975', 'Jaws 40th Anniversary (2015)'], []],
  ['E.T. (1982)', ['E.T. (1982)', 'E.T.the.Extra-Terrestrial.20th.Anniversary.2002'], []],
  ['Alien (1979)', ['Alien.1979'], ['Alien.Resurrection.20th.Anniversary.2017']],
  ['Batman (1989)', ['Batman (1989)'], ['Batman.Returns.1992.Remastered']],
  ['Space Saga - A New Start (1977)', ['Space.Saga.1977.4K77', 'Space.Saga.1997.Special.Edition'], []],
  ['La vita e bella (1997)', ['Life.Is.Beautiful.1997.1080p', 'Life.Is.Beautiful.1998.German'], []],
  ['Mad Max 2 (1981)', ['Mad.Max.2.1981.2160p'], ['The.Road.Warrior.1982.1080p']],
  ['Mad Max 2 (1981)', ['Mad.Max.2.1981.2160p'], ['Brigadoon (1982)']],
  ['Kill Bill (2003)', ['Kill.Bill.2003.1080p'], ['Kill.Bill.Vol.2.2004.1080p']],
  ['Chamber and Stone (2001)', ['Chamber and Stone (2001)'], ['Chamber.of.Fire.2002.1080p']],
  ['Films (2020)', [], ['Tenet.2020.1080p', 'Dune.2021.1080p']],
  ['Marvel', [], ['Captain.America.2011.1080p', 'The.Avengers.2012.1080p']],
  ['Marvel', [], ['Thor 2011', 'Avengers 2012']],
  ['Holiday', [], ['Italy 2010', 'Spain 2016']],
  ['Class of 1999 (1990)', ['Class of 1999 (1990)', 'Class of 1999 1080p'], []],
  ['Wonder Woman 1984', ['Wonder Woman 1984', 'Wonder Woman 1984 (2020) 4K'], []],
  ['Blade Runner 2049', ['Blade Runner 2049', 'Blade.Runner.2049.2017.1080p'], []],
]

test.each(LOOSE)('films loose in %s', (folder, own, others) => {
  const files = (stems: string[]) => stems.map((stem) => `${stem}.mkv`)
  expect(otherFilmsAmong(files([...own, ...others]), folder)).toEqual(files(others))
})
