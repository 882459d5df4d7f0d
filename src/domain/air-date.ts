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

/** `News_23.01.06_20-00_ard_15_TVOON_DE`: a German online recorder writes year, month and day, and then the hour. */
const DATE_OF_RECORDER = /(?<=^|_)(\d{2})\.(\d{2})\.(\d{2})(?=_\d{2}-\d{2}_)/
/** English and German months, by their first three letters. */
const MONTHS =
  'jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz?|apr(?:il)?|ma[yi]|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?'
const MONTH_STARTS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** `January 12, 2023`, `11 Jan 2023`, `3. Mai 2021`; behind another number it is of a title: `05 - September 11, 2001`. */
const MONTH_FIRST = new RegExp(`^\\D*?(?<!\\p{L})(${MONTHS})\\.?[ ._]+(\\d{1,2})(?:st|nd|rd|th)?,?[ ._]+((?:19|20)\\d{2})(?!\\d)`, 'iu')
const DAY_FIRST = new RegExp(`^\\D*?(\\d{1,2})(?:st|nd|rd|th|\\.)?[ ._]+(${MONTHS})\\.?,?[ ._]+((?:19|20)\\d{2})(?!\\d)`, 'iu')

const MS_PER_DAY = 86_400_000

/** Undefined for a day that no calendar has. */
const dateOf = (year: string, month: string, day: string): AirDate | undefined => {
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const airedAt = new Date(time).toISOString().slice(0, 10)
  return airedAt === `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    ? { airedAt, day: Math.floor(time / MS_PER_DAY) }
    : undefined
}

const monthOf = (word: string): string => {
  const start = word.slice(0, 3).toLowerCase().replace('ä', 'a').replace('mai', 'may').replace('okt', 'oct').replace('dez', 'dec')
  return String(MONTH_STARTS.indexOf(start) + 1)
}

const findWritten = (name: string): AirDate | undefined => {
  const [, month, day, year] = MONTH_FIRST.exec(name) ?? []
  if (month && day && year) return dateOf(year, monthOf(month), day.padStart(2, '0'))
  const [, firstDay, lastMonth, lastYear] = DAY_FIRST.exec(name) ?? []
  return firstDay && lastMonth && lastYear ? dateOf(lastYear, monthOf(lastMonth), firstDay.padStart(2, '0')) : undefined
}

/** A date with a year of four digits, anywhere in a name (`2014-07-22`, `20140722`, `22.07.2014`), and a recorder's. */
export const findAirDate = (name: string): AirDate | undefined => {
  const [, year, month, day] = DATE_YMD.exec(name) ?? []
  const written = year && month && day ? (dateOf(year, month, day) ?? dateOf(year, day, month)) : undefined
  if (written) return written
  const [, compactYear, compactMonth, compactDay] = DATE_COMPACT.exec(name) ?? []
  if (compactYear && compactMonth && compactDay) return dateOf(compactYear, compactMonth, compactDay)
  const [, first, second, lastYear] = DATE_DMY.exec(name) ?? []
  const [, recorded, recordedMonth, recordedDay] = DATE_OF_RECORDER.exec(name) ?? []
  if (recorded && recordedMonth && recordedDay) return dateOf(`20${recorded}`, recordedMonth, recordedDay)
  if (!first || !second || !lastYear) return findWritten(name)
  // Day first as most of the world writes it; a month above 12 can only be the American order.
  return dateOf(lastYear, second, first) ?? dateOf(lastYear, first, second)
}

/** `140722`. Six digits may be anything, so this is only for names in which nothing else tells. */
export const findShortAirDate = (name: string): AirDate | undefined => {
  const [, year, month, day] = DATE_SHORT.exec(name) ?? []
  return year && month && day ? dateOf(`20${year}`, month, day) : undefined
}
