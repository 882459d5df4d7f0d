/**
 * Whether a folder within a film's folder is a film of its own that somebody has put there. Scans take such videos for
 * extras, because one folder is one film, and warn; a deletion must not take them along (Jellyfin #12097, Emby #3663).
 */

import { bracketedYearOf } from './name-year.ts'

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
