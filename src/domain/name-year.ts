/** The year that a folder or file name gives, as films and series are usually told apart: `Alien (1979)`. */

/** In brackets films may be as old as films are. Chinese and Japanese names have wide brackets. */
const BRACKETED_YEAR = /[([{（]((?:18[7-9]|19\d|20\d)\d)(?:\s*[-–]\s*(?:(?:19|20)\d{2})?)?[)\]}）]/g

/**
 * Without brackets the year is the last such number that does not start the name (`2001 A Space Odyssey`,
 * `Drug War 2013`, `Arrival.2016.2160p.Blu-Ray`). Jellyfin's date expression reads these alike.
 */
const BARE_YEAR = /(?<=[^\s._([{-][\s._,-]+)((?:19|20)\d{2})(?=$|[\s._,-]+[^\s._,-]|[\])}])/g

/** `Blade Runner 2049` is a title: nobody files a film that many years ahead. */
const LAST_BARE_YEAR = 2035

/** Only a year in brackets, of a span its start: for names where a bare number means something else. */
export const bracketedYearOf = (name: string): number | null => {
  for (const [, year] of name.matchAll(BRACKETED_YEAR)) return Number(year)
  return null
}

/** The first bracketed year; else the last bare one; null where there is none. */
export const yearOfName = (name: string): number | null => {
  const bracketed = bracketedYearOf(name)
  if (bracketed !== null) return bracketed
  const bare = [...name.matchAll(BARE_YEAR)].map(([, year]) => Number(year)).filter((year) => year <= LAST_BARE_YEAR)
  return bare.at(-1) ?? null
}

/** What stands before the year: `Alien` of `Alien (1979)` and of `Alien.1979.1080p`. Empty where there is no year. */
export const nameBeforeYear = (name: string): string => {
  const year = yearOfName(name)
  const at = bracketedYearOf(name) === null ? name.lastIndexOf(String(year)) : name.search(BRACKETED_YEAR)
  return year === null ? '' : name.slice(0, at)
}

/** Whether digits that stand alone may be a year, and so are not taken for the number of an episode or a volume. */
export const isYear = (digits: string): boolean => /^(?:19|20)\d{2}$/.test(digits)
