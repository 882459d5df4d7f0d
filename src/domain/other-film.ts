/**
 * Whether what lies in a film's folder is a film of its own that somebody has put there. Scans take such videos for extras
 * or versions, because one folder is one film, and warn; a deletion must not take them along (Jellyfin #12097, Emby #3663).
 */

import { isBesideFilm, isExtraOf } from './extra-name.ts'
import { isDiscImageName, isVideoName, stemOf } from './media-file.ts'
import { isEditionWord, isVersionName, versionLabel } from './movie-file.ts'
import { bracketedYearOf, nameBeforeYear, yearOfName } from './name-year.ts'

const wordsOf = (name: string): string => {
  const bracket = name.search(/[([{（]/)
  return (bracket < 0 ? name : name.slice(0, bracket))
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** `Aliens (1986)` within `Alien (1979)`; `Alien (1979) [Director's Cut]` is the same film once more. */
export const isOtherFilm = (name: string, filmFolder: string): boolean => {
  const year = bracketedYearOf(name)
  if (year === null) return false
  return year !== bracketedYearOf(filmFolder) || wordsOf(name) !== wordsOf(filmFolder)
}

/** Whether a folder within a film's folder says that it holds the same film: `1080p`, `Alien (1979) 4K`, `Alien.1979.1080p-GRP`. */
export const isSameFilm = (name: string, filmFolder: string): boolean => {
  if (bracketedYearOf(name) !== null) return !isOtherFilm(name, filmFolder)
  const year = yearOfName(name)
  if (year !== null) return year === yearOfName(filmFolder) && wordsOf(nameBeforeYear(name)) === wordsOf(filmFolder)
  return isVersionName(versionLabel(name, filmFolder) ?? '')
}

interface NamedFilm {
  name: string
  title: string
  year: number | null
  /** Its year is that of the edition, then: `Alien Directors Cut (2003)`, `Alien.2003.Directors.Cut`. */
  isEdition: boolean
}

const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an', 'der', 'die', 'das'])

/** `20th Anniversary`: the years since the film. */
const ANNIVERSARY = /(?<!\p{N})(\d{1,3})(?:st|nd|rd|th)[\s._-]+(?=anniversary)/iu

/** `blade runner` and `the final cut`; but what is called `The Assembly` is no edition. */
const splitEdition = (words: readonly string[]): [title: string, edition: readonly string[]] => {
  const last = words.findLastIndex((word) => !isVersionName(word) && !ARTICLES.has(word))
  const length = last < 0 ? words.length : last + 1
  return [words.slice(0, length).join(' '), words.slice(length)]
}

const titleOf = (name: string): string => splitEdition(wordsOf(name.replace(ANNIVERSARY, '')).split(' '))[0]

/**
 * In brackets; else the film's own (`Alien.1979.2003.Recut`), else any. A number that the folder has in its title, too, is
 * no year: `Class of 1999 1080p` in `Class of 1999 (1990)`.
 */
const yearIn = (stem: string, filmFolder: string): number | null => {
  const [bracketed, ofFilm, bare] = [bracketedYearOf(stem), bracketedYearOf(filmFolder), yearOfName(stem)]
  if (bracketed !== null) return bracketed
  if (ofFilm !== null && wordsOf(stem).split(' ').slice(1).includes(String(ofFilm))) return ofFilm
  return wordsOf(filmFolder).split(' ').includes(String(bare)) ? null : bare
}

/** Releases take the year of a festival, or that of the cinemas. */
const areOneYear = (years: readonly number[]): boolean => years.length > 0 && Math.max(...years) - Math.min(...years) <= 1

/** `20th.Anniversary.2002` of a film of 1982 tells that year, whatever the film is called. */
const yearMeant = (stem: string, year: number | null, ofFilm: number | null): number | null => {
  const [, since] = ANNIVERSARY.exec(stem) ?? []
  return year !== null && ofFilm !== null && since && areOneYear([year - Number(since), ofFilm]) ? ofFilm : year
}

const namedFilm = (name: string, filmFolder: string): NamedFilm => {
  const stem = stemOf(name)
  const year = yearIn(stem, filmFolder)
  const isBracketed = bracketedYearOf(stem) !== null
  const at = isBracketed ? nameBeforeYear(stem).length : stem.lastIndexOf(String(year))
  const before = year === null ? stem : stem.slice(0, at)
  const [title, edition] = splitEdition(wordsOf(before.replace(ANNIVERSARY, '')).split(' '))
  const behind = stem
    .slice(before.length)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return {
    name,
    title,
    year: yearMeant(stem, year, bracketedYearOf(filmFolder)),
    isEdition: [...edition, ...behind].some(isEditionWord),
  }
}

/**
 * Of the files that lie loose in a film's folder those that are films of their own: `Thor (2011)` beside `Avengers (2012)`,
 * `Rocky II (1979)` beside `Rocky (1976)`. As long as they tell of one year, they are one film, whatever they are called.
 */
export const otherFilmsAmong = (names: readonly string[], filmFolder: string): string[] => {
  const films = names
    .filter((name) => isVideoName(name) || isDiscImageName(name))
    .filter((name) => !isExtraOf(stemOf(name), filmFolder) && !isBesideFilm(stemOf(name), filmFolder))
    .map((name) => namedFilm(name, filmFolder))
  const titles = [filmFolder, nameBeforeYear(filmFolder)].map(titleOf).filter((title) => title !== '')
  const namesakes = films.filter(({ title }) => titles.includes(title))
  const told = namesakes.flatMap((film) => (film.year === null || film.isEdition ? [] : [film.year]))
  const ofFolder = bracketedYearOf(filmFolder)
  const year = ofFolder ?? (areOneYear(told) ? Math.min(...told) : yearOfName(filmFolder))
  const isInYear = (film: NamedFilm): boolean => year !== null && film.year !== null && areOneYear([film.year, year])
  /** `Star.Wars.1977` in `A New Hope (1977)` is what else the film is called. */
  const otherTitles = new Set(films.flatMap((film) => (film.year !== null && film.year === ofFolder ? [film.title] : [])))
  const isOwn = (film: NamedFilm): boolean => {
    if (namesakes.includes(film)) return film.isEdition || film.year === null || isInYear(film)
    return film.year !== ofFolder && otherTitles.has(film.title) && (film.isEdition || isInYear(film))
  }
  const own = new Set(films.filter(isOwn))
  const years = new Set(films.map((film) => (own.has(film) ? year : film.year)).filter((known) => known !== null))
  return years.size < 2 ? [] : films.filter((film) => !own.has(film) && film.year !== null).map(({ name }) => name)
}
