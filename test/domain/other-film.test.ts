import { expect, test } from 'bun:test'
import { isOtherFilm } from '../../src/domain/other-film.ts'

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
