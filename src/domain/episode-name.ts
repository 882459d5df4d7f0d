/**
 * Season and episode numbers from the name of a video file.
 * Sources: Jellyfin's documentation of shows and the order of its episode expressions; Kodi wiki, "Naming video
 * files/TV shows" and "Episodes/Multi-episode"; Jellyfin issues #1180, #3669, #4429, #4666, #9341, #13714, #17431.
 * The rules are tried in the order of the table below; the first that reads a number decides.
 */

import { withoutReleaseTags } from './release-tags.ts'
import { SEASON_WORDS, seriesPrefix } from './season-name.ts'

export interface EpisodeName {
  /** Only where the file's own name says so: `S01E02`, `1x02`. */
  seasonNumber: number | null
  episodeNumber: number | null
  /** The last one of a file with several episodes, else null. */
  episodeNumberEnd: number | null
  /** What orders the episode in its season: the number (`12.5` and `12a` between 12 and 13), or for a date the days since 1970. */
  sortNumber: number | null
  /** `YYYY-MM-DD` */
  airedAt: string | null
}

interface Context {
  /** The name without the series' name, separators at its start trimmed. */
  text: string
  /** What stood between the series' name and `text`; undefined where the name does not start with the series. */
  separator: string | undefined
  /** The number of the season folder, null outside of one. */
  seasonNumber: number | null
}

const NOTHING: EpisodeName = { seasonNumber: null, episodeNumber: null, episodeNumberEnd: null, sortNumber: null, airedAt: null }

const isSeason = (number: number): boolean => number < 200 || (number >= 1928 && number <= 2500)
const isYear = (digits: string): boolean => /^(?:19|20)\d{2}$/.test(digits)

const MARKED_END = /^(?:\s*[-–&+,]\s*|[ ._]?)(?:s?(\d{1,4})[ ._]*(?=[ex]))?(?:x?ep?\.?|x(?!26[3456]))(\d{1,4})(?!\d)/i
const PLAIN_END = /^-(\d{1,3})(?![\p{L}\d]|\.\d)/u
/** `S01E09-791` is an episode called 791 (Jellyfin #13714). */
const MOST_EPISODES_IN_FILE = 99

/** The last episode of `E01-E02`, `E01E02`, `E01-02`, `x03x04x15`: each must be greater than the one before. */
const readEnd = (tail: string, season: number | null, first: string): number | null => {
  let [rest, last, end] = [tail, Number(first), null as number | null]
  for (;;) {
    const marked = MARKED_END.exec(rest)
    const match = marked ?? PLAIN_END.exec(rest)
    const digits = marked ? marked[2] : match?.[1]
    if (!match || digits === undefined) return end
    const isOtherSeason = marked?.[1] !== undefined && season !== null && Number(marked[1]) !== season
    // `S01E01-5 Ways`: a range is written as wide as its start.
    const isTooShort = !marked && digits.length < Math.min(2, first.length)
    if (isOtherSeason || isTooShort || Number(digits) <= last || Number(digits) - Number(first) > MOST_EPISODES_IN_FILE) return end
    last = Number(digits)
    end = last
    rest = rest.slice(match[0].length)
  }
}

interface Numbers {
  season: string | null
  episode: string
  /** `.5` or `b`, if any. */
  suffix?: string | undefined
  tail: string
}

const fractionOf = (suffix: string | undefined): number => {
  if (!suffix) return 0
  return suffix.startsWith('.') ? Number(`0${suffix}`) : (suffix.toLowerCase().charCodeAt(0) - 96) / 10
}

const episodeOf = ({ season, episode, suffix, tail }: Numbers): EpisodeName | undefined => {
  const seasonNumber = season === null ? null : Number(season)
  if (seasonNumber !== null && !isSeason(seasonNumber)) return undefined
  const episodeNumber = Number(episode)
  const episodeNumberEnd = suffix ? null : readEnd(tail, seasonNumber, episode)
  return { seasonNumber, episodeNumber, episodeNumberEnd, sortNumber: episodeNumber + fractionOf(suffix), airedAt: null }
}

const MS_PER_DAY = 86_400_000

const dateOf = (year: string, month: string, day: string): EpisodeName | undefined => {
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const airedAt = new Date(time).toISOString().slice(0, 10)
  if (airedAt !== `${year}-${month}-${day}`) return undefined
  return { ...NOTHING, sortNumber: Math.floor(time / MS_PER_DAY), airedAt }
}

const SUFFIX = '(\\.[1-9](?=$|[\\s\\-_\\[(])|[a-i](?![\\p{L}\\p{N}]))?'
const SEASONS = SEASON_WORDS.join('|')
const EPISODES =
  'episode|episodes|épisode|episodio|episódio|epizod|epizoda|epizóda|episod|folge|teil|aflevering|avsnitt|afsnit|jakso|osa|odcinek|capitulo|capítulo|cap|chapter|серия|эпизод|серія|bölüm|επεισόδιο|ตอนที่|tập|ep|e'

const SEASON_EPISODE = new RegExp(
  `(?<![\\p{L}\\d])[st](\\d{1,4})[\\]\\[ ._-]*(?:x[ ._-]*)?(?:ep?\\.?|x)[ ._-]*(\\d{1,4})(?!\\d)(?![pi](?![\\p{L}\\d]))${SUFFIX}`,
  'iu',
)
/** `seriesnameS01E02`: glued to letters only in its strict form. */
const GLUED_SEASON_EPISODE = new RegExp(`s(\\d{2,4})e(\\d{2,4})(?!\\d)${SUFFIX}`, 'iu')
const SEASON_WORD_EPISODE_WORD = new RegExp(
  `(?<![\\p{L}\\d])(?:${SEASONS}|s)[ ._-]*(\\d{1,4})[ ._,\\-–:]*(?:${EPISODES})[ ._\\-#]*(\\d{1,4})(?!\\d)${SUFFIX}`,
  'iu',
)
/** `Show S2 - 08`, `Spy x Family Season 2 - 08`. */
const SEASON_DASH_NUMBER = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:${SEASONS})[ ._]*|s)(\\d{1,2})[ ._]+-[ ._]+(\\d{1,4})(?!\\d)(?:v\\d)?${SUFFIX}`,
  'iu',
)
const ORDINAL_SEASON_DASH_NUMBER = /(?<![\p{L}\d])(\d{1,2})(?:st|nd|rd|th)[ ._]season[ ._]+-[ ._]+(\d{1,4})(?!\d)/iu
const CJK_SEASON_EPISODE = /第\s*(\d{1,3})\s*[季期].*?第?\s*(\d{1,4})\s*[集話话回]/u
const KOREAN_SEASON_EPISODE = /시즌\s*(\d{1,3})[^\d]*(\d{1,4})\s*[화회]/u
const X_NOTATION = new RegExp(`(?<![\\p{L}\\d.])(\\d{1,2}|(?:19|20)\\d{2})x(\\d{1,4})(?!\\d)(?![pi](?![\\p{L}\\d]))${SUFFIX}`, 'iu')
/** Spanish releases: `[Cap.102]` is 1x02. */
const SPANISH_CAP = /(?<![\p{L}\d])cap\.?[ ]?(\d{1,2})(\d{2})(?!\d)/iu
const EPISODE_WORD = new RegExp(`(?<![\\p{L}\\d])(?:${EPISODES})[ ._\\-–#:]*(\\d{1,4})(?!\\d)(?!x\\d)(?:v\\d)?${SUFFIX}`, 'iu')
const CJK_EPISODE = /第\s*(\d{1,4})\s*[集話话回巻]|(?<![\p{N}])(\d{1,4})\s*[話话集화회](?![\p{L}\p{N}])/u
const DATE_YMD = /(?<!\d)((?:19|20)\d{2})[ ._-](0[1-9]|1[0-2])[ ._-](0[1-9]|[12]\d|3[01])(?!\d)/
const DATE_DMY = /(?<!\d)(\d{2})[._-](\d{2})[._-]((?:19|20)\d{2})(?!\d)/
const DATE_COMPACT = /(?<!\d)((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/
const SPECIAL = /(?<![\p{L}\d])(?:sp|ova|oad)[ ._-]?(\d{1,2})(?![\p{L}\d])/iu

type Rule = (name: string, context: Context) => EpisodeName | undefined

/** A rule for an expression whose groups are season (or none), episode and suffix. */
const numbered =
  (expression: RegExp, hasSeason: boolean): Rule =>
  (name) => {
    const match = expression.exec(name)
    if (!match) return undefined
    const [season, episode, suffix] = hasSeason
      ? [match[1] ?? null, match[2], match[3]]
      : [null, match[1] ?? match[2], match[2] && match[1] ? match[2] : undefined]
    return episode === undefined ? undefined : episodeOf({ season, episode, suffix, tail: name.slice(match.index + match[0].length) })
  }

const readDate: Rule = (name) => {
  const [, year, month, day] = DATE_YMD.exec(name) ?? DATE_COMPACT.exec(name) ?? []
  if (year && month && day) return dateOf(year, month, day)
  const [, first, second, lastYear] = DATE_DMY.exec(name) ?? []
  if (!first || !second || !lastYear) return undefined
  // Day first as most of the world writes it; a month above 12 can only be the American order.
  return dateOf(lastYear, second, first) ?? dateOf(lastYear, first, second)
}

/** Outside of season folders `SP1` and `OVA 2` are specials. */
const readSpecial: Rule = (name, { seasonNumber }) => {
  const [, number] = SPECIAL.exec(name) ?? []
  return number && seasonNumber === null ? episodeOf({ season: '0', episode: number, tail: '' }) : undefined
}

const BRACKETED = /[[({【（][^\])}】）]*[\])}】）]/g
const BRACKETED_NUMBER = /[[【](?:ep?\.?\s*)?(\d{1,4})(?:v\d)?(?:\s*(?:end|fin|完))?[\]】]/gi
const LEADING = /^#?(\d{1,4})(?:v\d)?(\.[1-9](?=$|[\s\-_[(])|[a-i](?=$|[\s._-]))?(?=$|[\s._\-–,)\]])/
const LEADING_PAIR = /^(\d{1,2})-(\d{2})(?=\s|$)/
const NUMBER_DASH_NUMBER = /^(\d{1,2}) - (\d{2,3})(?=$|\s)(?!\s+[^\s-])|^(\d{1,2}) - (\d{2,3})(?=\s+-\s)/
const DASHED = /(?:^|[\s._])[-–][\s._]+(\d{1,4})(?:v\d)?(\.[1-9](?=$|[\s\-_]))?(?=$|[\s._\-–,])|(?<=[\s._])[-–](\d{1,4})$/
const STANDALONE = /(?<=^|[\s._#])(\d{1,4})(?:v\d)?(\.[1-9](?=$|[\s\-_]))?(?=$|[\s._\-–,])/g
const PART = /(?<![\p{L}\d])p(?:ar)?t[ ._-]*(\d{1,2}|[ivx]{1,5})(?![\p{L}\d])/iu
const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }

const romanNumber = (text: string): number =>
  [...text.toLowerCase()].reduce((sum, letter, index, letters) => {
    const [value = 0, next = 0] = [ROMAN[letter], ROMAN[letters[index + 1] ?? '']]
    return value < next ? sum - value : sum + value
  }, 0)

/**
 * `102` as season 1, episode 02: Jellyfin's last resort, and only where nothing speaks for an absolute number. In a
 * season folder it must name that season, since 679 in season 17 is episode 679 (Jellyfin #4429).
 */
const readJoined = (digits: string, seasonNumber: number | null): EpisodeName | undefined => {
  const [season, episode] = [digits.slice(0, -2), digits.slice(-2)]
  if (digits.length < 3 || episode === '00' || isYear(digits)) return undefined
  return seasonNumber === null || Number(season) === seasonNumber ? episodeOf({ season, episode, tail: '' }) : undefined
}

const readLeading: Rule = (name, { separator, seasonNumber }) => {
  const [, first, second] = LEADING_PAIR.exec(name) ?? []
  // `4-12 - The Woman` without a season folder is season 4; `02-03 - Title` is two episodes.
  if (first && second && seasonNumber === null && first.length === 1) return episodeOf({ season: first, episode: second, tail: '' })
  const pair = NUMBER_DASH_NUMBER.exec(name)
  if (pair) return episodeOf({ season: null, episode: pair[2] ?? pair[4] ?? '', tail: '' })
  const match = LEADING.exec(name)
  const [, digits, suffix] = match ?? []
  if (!match || !digits || isYear(digits)) return undefined
  const isAbsolute = separator !== undefined && /[\s-]/.test(separator)
  const joined =
    suffix || (isAbsolute && !digits.startsWith('0')) || (seasonNumber === null && digits.length === 3)
      ? undefined
      : readJoined(digits, seasonNumber)
  return joined ?? episodeOf({ season: null, episode: digits, suffix, tail: name.slice(match[0].length) })
}

const readDashed: Rule = (name) => {
  const match = DASHED.exec(name)
  const digits = match?.[1] ?? match?.[3]
  if (!match || !digits || isYear(digits)) return undefined
  return episodeOf({ season: null, episode: digits, suffix: match[2], tail: name.slice(match.index + match[0].length) })
}

const readStandalone: Rule = (name, { seasonNumber }) => {
  const matches = [...name.matchAll(STANDALONE)].filter(([, digits = '']) => !isYear(digits))
  const endOf = (match: RegExpExecArray): string => name.slice(match.index + match[0].length)
  const match = matches.find((candidate) => /^(?:$|\s*[-–]\s|\s{2,})/.test(endOf(candidate))) ?? matches[0]
  const [, digits, suffix] = match ?? []
  if (!match || !digits) return undefined
  const isDotted = /[._]/.test(name.charAt(match.index - 1))
  const joined = isDotted && !suffix ? readJoined(digits, seasonNumber) : undefined
  return joined ?? episodeOf({ season: null, episode: digits, suffix, tail: endOf(match) })
}

const readBracketed: Rule = (name) => {
  for (const [, digits] of name.matchAll(BRACKETED_NUMBER)) {
    if (digits && !isYear(digits)) return episodeOf({ season: null, episode: digits, tail: '' })
  }
  return undefined
}

const readPart: Rule = (name) => {
  const [, number] = PART.exec(name) ?? []
  if (!number) return undefined
  return episodeOf({ season: null, episode: String(/\d/.test(number) ? Number(number) : romanNumber(number)), tail: '' })
}

/** `got101` in season 1. */
const readGlued: Rule = (name, { seasonNumber }) => {
  const [, digits] = /^\p{L}+(\d{3,4})(?![\p{L}\d])/u.exec(name) ?? []
  return digits && seasonNumber !== null ? readJoined(digits, seasonNumber) : undefined
}

/** These say themselves what the number is, so they are sought in the whole name. */
const EXPLICIT_RULES: readonly Rule[] = [
  numbered(SEASON_EPISODE, true),
  numbered(GLUED_SEASON_EPISODE, true),
  numbered(SEASON_WORD_EPISODE_WORD, true),
  numbered(CJK_SEASON_EPISODE, true),
  numbered(KOREAN_SEASON_EPISODE, true),
  numbered(SEASON_DASH_NUMBER, true),
  numbered(ORDINAL_SEASON_DASH_NUMBER, true),
  numbered(SPANISH_CAP, true),
  numbered(X_NOTATION, true),
  numbered(EPISODE_WORD, false),
  numbered(CJK_EPISODE, false),
  readDate,
  readSpecial,
]

/** These take a bare number for the episode: outside of brackets first, where releases keep everything else. */
const BARE_RULES: readonly Rule[] = [readLeading, readDashed, readBracketed, readStandalone, readPart, readGlued]

const PICTURE_SIZE = /(?<!\d)\d{3,4}\s?[x×]\s?\d{3,4}(?!\d)/gi
const EDGE_SEPARATORS = /^[\s._\-–,:]+/

/**
 * A reader for the files of one series. `seasonNumber` is the number of the season folder that the file lies in, null
 * outside of one; `stem` is the file's name without its extension.
 */
export const createEpisodeReader = (seriesName: string): ((stem: string, seasonNumber: number | null) => EpisodeName) => {
  const prefix = seriesPrefix(seriesName.normalize('NFC'))
  return (stem, seasonNumber) => {
    const name = stem.normalize('NFC').replace(PICTURE_SIZE, ' ')
    const afterPrefix = prefix ? name.replace(prefix, '') : name
    const isPrefixed = afterPrefix !== name && /\d|[第零一二三四五六七八九十]|p(?:ar)?t/i.test(afterPrefix)
    const text = isPrefixed ? afterPrefix.replace(EDGE_SEPARATORS, '') : name
    const separator = isPrefixed ? afterPrefix.slice(0, afterPrefix.length - text.length) : undefined
    const context: Context = { text, separator, seasonNumber }
    for (const rule of EXPLICIT_RULES) {
      const found = rule(text, context)
      if (found) return found
    }
    // The whole name is the series' name: its digits are part of the title.
    if (!isPrefixed && afterPrefix !== name && afterPrefix.replace(EDGE_SEPARATORS, '') === '') return NOTHING
    const bare = withoutReleaseTags(text)
    const outside = bare.replace(BRACKETED, '  ').replace(EDGE_SEPARATORS, '').trimEnd()
    for (const rule of BARE_RULES) {
      const found = rule(rule === readBracketed ? bare : outside, context)
      if (found) return found
    }
    return NOTHING
  }
}
