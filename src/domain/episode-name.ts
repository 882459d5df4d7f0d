/**
 * Season and episode numbers from the name of a video file.
 * Sources: Jellyfin's documentation of shows and the order of its episode expressions; Kodi wiki, "Naming video
 * files/TV shows" and "Episodes/Multi-episode"; Jellyfin issues #1180, #3669, #4429, #4666, #9341, #13714, #16765, #17431.
 * The rules are tried in the order of the table below; the first that reads a number decides.
 */

import { type AirDate, findAirDate, findShortAirDate } from './air-date.ts'
import { findCounted, findCountedInParentheses } from './counted-name.ts'
import { readEnd } from './episode-end.ts'
import {
  BEHIND_TITLE,
  BRACKETED,
  BRACKETED_NUMBER,
  CJK_EDITION,
  CJK_EPISODE,
  CJK_SEASON_EPISODE,
  DASHED,
  EDGE_SEPARATORS,
  EPISODE_IN_WORDS,
  EPISODE_WORD,
  GLUED_SEASON_EPISODE,
  KOREAN_SEASON_EPISODE,
  LAST_OF_GROUP,
  LEADING,
  LEADING_PAIR,
  LEADING_PARENTHESISED,
  LEADING_POINTED,
  NUMBER_DASH_NUMBER,
  NUMBER_EPISODE_WORD,
  NUMBER_SEASON_NUMBER_EPISODE,
  ORDINAL_SEASON_DASH_NUMBER,
  PART,
  SEASON_DASH_NUMBER,
  SEASON_EPISODE,
  SEASON_WORD_EPISODE_WORD,
  SPANISH_CAP,
  STANDALONE,
  X_NOTATION,
} from './episode-patterns.ts'
import { findLedCode, isLed, LED_BY_NUMBER } from './leading-number.ts'
import { isYear } from './name-year.ts'
import { withoutLookalikes, withoutReleaseTags } from './release-tags.ts'
import { SEASON_MARK, seriesPrefix } from './season-name.ts'
import { findSpecialNumber, isAside, isNetAnimation, isUnnumberedSpecial, seasonOfExtra } from './special-name.ts'
import { withPlainDigits, wordNumber } from './written-number.ts'

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
  /** Of a bare number that may begin with its season (`103`) both readings: only the files beside it can tell. */
  either?: { counted: EpisodeName; joined: EpisodeName }
  /** What the name tells where the series has no other episodes: `ONA 01` is then no special. */
  alone?: EpisodeName
  /** Of `1 - Ep2` and `04 - 2x1` the number at the start, and what the name tells where that is its season's, or counts through. */
  led?: { lead: number; behind: EpisodeName }
}

interface Context {
  /** The name without the series' name, separators at its start trimmed. */
  text: string
  /** What stood between the series' name and `text`; undefined where the name does not start with the series. */
  separator: string | undefined
  /** The number of the season folder, null outside of one. */
  seasonNumber: number | null
  /** `[Subs] …`: the name begins with its group. */
  isOfGroup: boolean
}

/** Of a name that tells no number. */
export const UNNUMBERED: EpisodeName = { seasonNumber: null, episodeNumber: null, episodeNumberEnd: null, sortNumber: null, airedAt: null }

const isSeason = (number: number): boolean => number < 200 || (number >= 1928 && number <= 2500)

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

const withLed = (found: EpisodeName, text: string): EpisodeName => {
  const code = found.seasonNumber === null && found.airedAt === null ? findLedCode(text) : undefined
  const behind = code && episodeOf({ season: code.season, episode: code.digits, tail: code.tail })
  return code && behind ? { ...found, led: { lead: code.lead, behind } } : found
}

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

/** A rule for what may be part of an episode's title, where no number stands before that. */
const unlessLed =
  (expression: RegExp, hasSeason: boolean): Rule =>
  (name, context) => {
    const [found] = expression.exec(name) ?? []
    return found && !isLed(name, context.separator, found) ? numbered(expression, hasSeason)(name, context) : undefined
  }

/** A rule that takes what `find` reads: an episode that is known by the day it was aired. */
const dated =
  (find: (name: string) => AirDate | undefined): Rule =>
  (name) => {
    const date = find(name)
    return date && { ...UNNUMBERED, sortNumber: date.day, airedAt: date.airedAt }
  }

const readSpanishCap: Rule = (name, context) => {
  const match = SPANISH_CAP.exec(name)
  const [whole = '', season, episode, last] = match ?? []
  if (!match || !season || !episode || Number(season) === 0 || episode === '00') return undefined
  const joined = episodeOf({ season, episode, tail: last ? `-${last}` : '' })
  // `[Cap.102]` is a release's; telenovelas write `Cap 102`, which may be one of a hundred and fifty.
  const mayBeCounted = season.length === 1 && !last && name[match.index - 1] !== '['
  const counted = mayBeCounted ? numbered(EPISODE_WORD, false)(whole, context) : undefined
  if (!joined || !counted) return joined
  const isOtherSeason = context.seasonNumber !== null && context.seasonNumber !== Number(season)
  return isOtherSeason ? counted : { ...joined, either: { counted, joined } }
}

/** Outside of season folders, and in that of the specials, `SP1` and `OVA 2` are specials. */
const readSpecial: Rule = (name, { separator, seasonNumber }) => {
  if (seasonNumber) return undefined
  const number = findSpecialNumber(name, separator !== undefined)
  const special = number && episodeOf({ season: '0', episode: number, tail: '' })
  if (special) return isNetAnimation(name) ? { ...special, alone: { ...special, seasonNumber: 1 } } : special
  return isUnnumberedSpecial(name, separator !== undefined) ? { ...UNNUMBERED, seasonNumber: 0 } : undefined
}

const readExtra: Rule = (name) => {
  const season = seasonOfExtra(name)
  return season === undefined ? undefined : { ...UNNUMBERED, seasonNumber: season }
}

/** Openings and endings without credits, and menus, are specials that count for themselves: `NCOP 01` is no first episode. */
const readAside: Rule = (name, { separator, seasonNumber }) =>
  isAside(name, separator !== undefined) ? { ...UNNUMBERED, seasonNumber: seasonNumber === null ? 0 : null } : undefined

/**
 * `102` as season 1, episode 02: Jellyfin's last resort, and only where nothing speaks for an absolute number. In a
 * season folder it must name that season, since 679 in season 17 is episode 679 (Jellyfin #4429). `103.104` is two.
 */
const readJoined = (digits: string, seasonNumber: number | null, tail: string): EpisodeName | undefined => {
  const [season, episode] = [digits.slice(0, -2), digits.slice(-2)]
  const [, next] = new RegExp(`^[._-]${season}(\\d{2})(?!\\d)`).exec(tail) ?? []
  if (digits.length < 3 || (Number(season) === 0 && seasonNumber !== 0) || episode === '00' || isYear(digits)) return undefined
  if (seasonNumber !== null && Number(season) !== seasonNumber) return undefined
  return episodeOf({ season, episode, tail: Number(next) === Number(episode) + 1 ? `-${next}` : '' })
}

const readPointed: Rule = (name, { seasonNumber }) => {
  const [, word, season, episode] = LEADING_POINTED.exec(name) ?? []
  if (!season || !episode || (seasonNumber ?? Number(season)) !== Number(season)) return undefined
  const joined = episodeOf({ season, episode, tail: '' })
  const half = episode.length === 1 ? `.${episode}` : undefined
  const counted = half || word ? episodeOf({ season: null, episode: season, suffix: half, tail: '' }) : undefined
  return counted && joined ? { ...counted, either: { counted, joined } } : joined
}

const readLeading: Rule = (name, { separator, seasonNumber, isOfGroup }) => {
  const [, first, second] = LEADING_PAIR.exec(name) ?? []
  if (first && second && (seasonNumber ?? Number(first)) === Number(first)) {
    const joined = episodeOf({ season: first, episode: second, tail: '' })
    // `4-12 - The Woman` is season 4; `02-03 - Title` is two episodes, unless those beside it are `02-01` and `02-02`.
    const span = first.length === 1 ? undefined : episodeOf({ season: null, episode: first, tail: `-${second}` })
    return span && joined ? { ...span, either: { counted: span, joined } } : joined
  }
  const pair = NUMBER_DASH_NUMBER.exec(name)
  if (pair) return episodeOf({ season: null, episode: pair[2] ?? pair[4] ?? '', tail: '' })
  const match = LEADING.exec(name)
  const [, digits, suffix] = match ?? []
  if (!match || !digits || isYear(digits)) return undefined
  // `02 - E3 2019` goes on with its title.
  const tail = LED_BY_NUMBER.test(name) ? '' : name.slice(match[0].length)
  const counted = episodeOf({ season: null, episode: digits, suffix, tail })
  const joined = suffix ? undefined : readJoined(digits, seasonNumber, tail)
  if (!counted || !joined) return counted
  // Fansubs count through, and write spaces and hyphens (`Show - 103`), or their group first.
  const isFansub = separator !== undefined && /[\s-]/.test(separator) && !digits.startsWith('0')
  if (seasonNumber !== null) return isFansub ? { ...counted, either: { counted, joined } } : joined
  if (isFansub || isOfGroup) return counted
  return { ...(digits.startsWith('0') ? joined : counted), either: { counted, joined } }
}

const readDashed: Rule = (name) => {
  const match = DASHED.exec(name)
  const digits = match?.[1] ?? match?.[3]
  if (!match || !digits || isYear(digits)) return undefined
  return episodeOf({ season: null, episode: digits, suffix: match[2], tail: name.slice(match.index + match[0].length) })
}

const readStandalone: Rule = (name, { seasonNumber, isOfGroup }) => {
  const matches = [...name.matchAll(STANDALONE)].filter(([, digits = '']) => !isYear(digits))
  const endOf = (match: RegExpExecArray): string => name.slice(match.index + match[0].length)
  const match = matches.find((candidate) => /^(?:$|\s*[-–]\s|\s{2,})/.test(endOf(candidate))) ?? matches[0]
  const [, digits, suffix] = match ?? []
  if (!match || !digits) return undefined
  const counted = episodeOf({ season: null, episode: digits, suffix, tail: endOf(match) })
  const isDotted = /[._]/.test(name.charAt(match.index - 1))
  const joined = isDotted && !suffix ? readJoined(digits, seasonNumber, endOf(match)) : undefined
  if (!counted || !joined) return counted
  if (seasonNumber !== null) return joined
  if (isOfGroup) return counted
  const isThousand = digits.length > 3 && !digits.startsWith('0')
  return { ...(isThousand ? counted : joined), either: { counted, joined } }
}

const readBracketed: Rule = (name, { seasonNumber }) => {
  for (const [, digits, suffix, last] of name.matchAll(BRACKETED_NUMBER)) {
    if (!digits || isYear(digits)) continue
    const counted = episodeOf({ season: null, episode: digits, suffix, tail: last ? `-${last}` : '' })
    // `Season 4/Show [401] Title`
    const joined = seasonNumber === null || suffix || last ? undefined : readJoined(digits, seasonNumber, '')
    return counted && joined ? { ...counted, either: { counted, joined } } : counted
  }
  const [, first = findCountedInParentheses(name), last] = LEADING_PARENTHESISED.exec(name) ?? []
  return first ? episodeOf({ season: null, episode: first, tail: last ? `-${last}` : '' }) : undefined
}

const readCounted: Rule = (name) => {
  const number = findCounted(name)
  return number ? episodeOf({ season: null, episode: number, tail: '' }) : undefined
}

const readPart: Rule = (name) => {
  const [, number] = PART.exec(name) ?? EPISODE_IN_WORDS.exec(name) ?? []
  if (!number) return undefined
  return episodeOf({ season: null, episode: String(/\d/.test(number) ? Number(number) : wordNumber(number)), tail: '' })
}

/** `got101` in season 1. */
const readGlued: Rule = (name, { seasonNumber }) => {
  const [, digits] = /^\p{L}+(\d{3,4})(?![\p{L}\d])/u.exec(name) ?? []
  return digits && seasonNumber !== null ? readJoined(digits, seasonNumber, '') : undefined
}

const readLastOfGroup: Rule = (name, { isOfGroup }) => {
  const [, digits, suffix] = LAST_OF_GROUP.exec(name) ?? []
  return digits && isOfGroup && !isYear(digits) ? episodeOf({ season: null, episode: digits, suffix, tail: '' }) : undefined
}

/** `[Group] Other Title-12`: behind a title that is not the folder's, a hyphen alone may be part of it (`Apollo-13`). */
const readOfGroup: Rule = (name, { isOfGroup }) => {
  const [, digits] = /\p{L}[-–](\d{2,4})(?:v\d)?$/u.exec(name) ?? []
  return digits && isOfGroup && !isYear(digits) ? episodeOf({ season: null, episode: digits, tail: '' }) : undefined
}

/** These say themselves what the number is, so they are sought in the whole name. */
const EXPLICIT_RULES: readonly Rule[] = [
  numbered(SEASON_EPISODE, true),
  numbered(GLUED_SEASON_EPISODE, true),
  numbered(NUMBER_SEASON_NUMBER_EPISODE, true),
  numbered(SEASON_WORD_EPISODE_WORD, true),
  readExtra,
  numbered(CJK_SEASON_EPISODE, true),
  numbered(KOREAN_SEASON_EPISODE, true),
  numbered(SEASON_DASH_NUMBER, true),
  numbered(ORDINAL_SEASON_DASH_NUMBER, true),
  readSpanishCap,
  readAside,
  unlessLed(X_NOTATION, true),
  numbered(NUMBER_EPISODE_WORD, false),
  unlessLed(EPISODE_WORD, false),
  numbered(CJK_EPISODE, false),
  dated(findAirDate),
  readSpecial,
]

/** These take a bare number for the episode: outside of brackets first, where releases keep everything else. */
const BARE_RULES: readonly Rule[] = [
  readLastOfGroup,
  readPointed,
  readLeading,
  readDashed,
  readBracketed,
  readCounted,
  readStandalone,
  readPart,
  readGlued,
  numbered(BEHIND_TITLE, false),
  dated(findShortAirDate),
  readOfGroup,
]

/**
 * A reader for the files of one series. `seasonNumber` is the number of the season folder that the file lies in, null
 * outside of one; `stem` is the file's name without its extension.
 */
export const createEpisodeReader = (seriesName: string): ((stem: string, seasonNumber: number | null) => EpisodeName) => {
  const prefix = seriesPrefix(withPlainDigits(seriesName.normalize('NFC')))
  return (stem, seasonNumber) => {
    const name = withoutLookalikes(withPlainDigits(stem.normalize('NFC')))
    const afterPrefix = prefix ? name.replace(prefix, '') : name
    const isPrefixed = afterPrefix !== name && /\d|[第零一二三四五六七八九十]|p(?:ar)?t|ova|oad|oav/i.test(afterPrefix)
    const text = isPrefixed ? afterPrefix.replace(EDGE_SEPARATORS, '') : name
    const separator = isPrefixed ? afterPrefix.slice(0, afterPrefix.length - text.length) : undefined
    const context: Context = { text, separator, seasonNumber, isOfGroup: /^[[(【]/.test(name) }
    const mark = seasonNumber === null ? SEASON_MARK.exec(text) : null
    const season = mark?.slice(1).find((digits) => digits !== undefined)
    const inSeason = (found: EpisodeName): EpisodeName => {
      if (season === undefined) return withLed(found, text)
      const { either, ...told } = found
      return told.seasonNumber !== null || told.airedAt !== null ? told : { ...told, seasonNumber: Number(season) }
    }
    for (const rule of EXPLICIT_RULES) {
      const found = rule(text, context)
      if (found) return inSeason(found)
    }
    // The whole name is the series' name: its digits are part of the title.
    if (!isPrefixed && afterPrefix !== name && afterPrefix.replace(EDGE_SEPARATORS, '') === '') return UNNUMBERED
    const bare = withoutReleaseTags(mark ? text.replace(mark[0], ' ') : text)
    const outside = bare.replace(BRACKETED, '  ').replace(EDGE_SEPARATORS, '').trimEnd()
    for (const rule of BARE_RULES) {
      const found = rule(rule === readBracketed ? bare : outside, context)
      if (found) return inSeason(found)
    }
    return numbered(CJK_EDITION, false)(text, context) ?? inSeason(UNNUMBERED)
  }
}
