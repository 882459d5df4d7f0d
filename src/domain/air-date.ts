/** The day on which an episode was first shown, as the names of dated episodes have it. */

export interface AirDate {
  /** `YYYY-MM-DD` */
  airedAt: string
  /** Days since 1970. */
  day: number
}

/** Also `2024-1-4`; with dots `2019.5.1` is the sound. */
const DATE_YMD = /(?<!\d)((?:19|20)\d{2})(?:[ ._-](?=\d{2}[ ._-]\d{2})|-(?=\d{1,2}-))(\d{1,2})[ ._-](\d{1,2})(?!\d)/
const DATE_DMY = /(?<!\d)(\d{2})(?:[._-](?=\d{2}[._-])| (?=\d{2} ))(\d{2})[ ._-]((?:19|20)\d{2})(?!\d)/
const DATE_COMPACT = /(?<!\d)((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/
/** `140722`, as broadcasters and Korean releases date. */
const DATE_SHORT = /(?<=^|[\s._-])(\d{2})(\d{2})(\d{2})(?=$|[\s._-])/

const MS_PER_DAY = 86_400_000

/** Undefined for a day that no calendar has. */
const dateOf = (year: string, month: string, day: string): AirDate | undefined => {
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const airedAt = new Date(time).toISOString().slice(0, 10)
  return airedAt === `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    ? { airedAt, day: Math.floor(time / MS_PER_DAY) }
    : undefined
}

/** A date with a year of four digits, anywhere in a name: `2014-07-22`, `20140722`, `22.07.2014`. */
export const findAirDate = (name: string): AirDate | undefined => {
  const [, year, month, day] = DATE_YMD.exec(name) ?? []
  const written = year && month && day ? (dateOf(year, month, day) ?? dateOf(year, day, month)) : undefined
  if (written) return written
  const [, compactYear, compactMonth, compactDay] = DATE_COMPACT.exec(name) ?? []
  if (compactYear && compactMonth && compactDay) return dateOf(compactYear, compactMonth, compactDay)
  const [, first, second, lastYear] = DATE_DMY.exec(name) ?? []
  if (!first || !second || !lastYear) return undefined
  // Day first as most of the world writes it; a month above 12 can only be the American order.
  return dateOf(lastYear, second, first) ?? dateOf(lastYear, first, second)
}

/** `140722`. Six digits may be anything, so this is only for names in which nothing else tells. */
export const findShortAirDate = (name: string): AirDate | undefined => {
  const [, year, month, day] = DATE_SHORT.exec(name) ?? []
  return year && month && day ? dateOf(`20${year}`, month, day) : undefined
}
