/**
 * Whether what lies in a film's folder is a film of its own that somebody has put there. Scans take such videos for extras
 * or versions, because one folder is one film, and warn; a deletion must not take them along (Jellyfin #12097, Emby #3663).
 */

import { isExtraOf } from './extra-name.ts'
import { isDiscImageName, isVideoName, stemOf } from './media-file.ts'
import { fitOfName, isVersionName, versionLabel } from './movie-file.ts'
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

/**
 * Of the files that lie loose in a film's folder those that are films of their own: `Thor (2011)` beside `Avengers (2012)`.
 * As long as they tell of one year, they are one film, whatever they are called.
 */
export const otherFilmsAmong = (names: readonly string[], filmFolder: string): string[] => {
  const films = names
    .filter((name) => (isVideoName(name) || isDiscImageName(name)) && !isExtraOf(stemOf(name), filmFolder))
    .map((name) => ({ name, stem: stemOf(name), isFitting: fitOfName(stemOf(name), filmFolder) > 0 }))
  const years = films.map(({ stem, isFitting }) => (isFitting ? bracketedYearOf(filmFolder) : null) ?? bracketedYearOf(stem))
  if (new Set(years.filter((year) => year !== null)).size < 2) return []
  return films.filter(({ stem, isFitting }) => !isFitting && isOtherFilm(stem, filmFolder)).map(({ name }) => name)
}
