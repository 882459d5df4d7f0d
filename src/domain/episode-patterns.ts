/** The expressions that find the numbers in an episode's name. */

import { ORDINAL, SEASON_WORDS } from './season-name.ts'
import { NUMBER_WORDS, WITHOUT_SPACE } from './written-number.ts'

/** First those of names that say themselves what a number is. Groups: season (or none), episode, suffix. */
const SUFFIX = '(\\.[1-9](?=$|[\\s\\-_\\[(])|[a-i](?![\\p{L}\\p{N}]))?'
const SEASONS = SEASON_WORDS.join('|')
const EPISODES =
  'episode|episodes|épisode|episodio|episódio|epizod|epizoda|epizóda|episod|folge|teil|aflevering|avsnitt|afsnit|jakso|osa|odcinek|odc|rész|díl|diel|časť|capitulo|capítulo|cap|chapter|серия|эпизод|серія|bölüm|bolum|επεισόδιο|ตอนที่|tập|ep|e'

/** Downloaders of channels count by month, day and more: `s2024.e082201`, `s2022e0804100001`. */
export const SEASON_EPISODE = new RegExp(
  `(?<![\\p{L}\\d])(?:se?|t)(\\d{1,4})[\\]\\[ ._-]*(?:x[ ._-]*)?(?:ep?\\.?|x)[ ._-]*(\\d{1,10})(?!\\d)(?![pi](?![\\p{L}\\d]))${SUFFIX}`,
  'iu',
)
/** `seriesnameS01E02`: glued to letters only in its strict form. */
export const GLUED_SEASON_EPISODE = new RegExp(`s(\\d{2,4})e(\\d{2,4})(?!\\d)${SUFFIX}`, 'iu')
export const SEASON_WORD_EPISODE_WORD = new RegExp(
  `(?<![\\p{L}\\d])(?:${SEASONS}|[st])[ ._-]*(\\d{1,4})[ ._,\\-–:]*(?:${EPISODES})[ ._\\-#]*(\\d{1,4})(?!\\d)${SUFFIX}`,
  'iu',
)
/** `1 сезон 5 серия`, `1. Staffel 5. Folge`; but `Show 2 Season 3 Episode 4`. */
export const NUMBER_SEASON_NUMBER_EPISODE = new RegExp(
  `(?<![\\p{L}\\d])(\\d{1,2})${ORDINAL}[ ._]*(?:${SEASONS})(?![\\p{L}\\d])[ ._,\\-–:]*(\\d{1,4})${ORDINAL}[ ._]*(?:${EPISODES})(?![\\p{L}\\d])(?![ ._\\-#]*\\d{1,3}(?![\\p{L}\\d]))`,
  'iu',
)
/** `Show S2 - 08`, `Spy x Family Season 2 - 08`. */
export const SEASON_DASH_NUMBER = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:${SEASONS})[ ._]*|s)(\\d{1,2})[ ._]+-[ ._]+(\\d{1,4})(?!\\d)(?:v\\d)?${SUFFIX}`,
  'iu',
)
export const ORDINAL_SEASON_DASH_NUMBER = /(?<![\p{L}\d])(\d{1,2})(?:st|nd|rd|th)[ ._]season[ ._]+-[ ._]+(\d{1,4})(?!\d)/iu
export const CJK_SEASON_EPISODE = /第\s*(\d{1,3})\s*[季期].*?第?\s*(\d{1,4})\s*[集話话回]/u
export const KOREAN_SEASON_EPISODE = /시즌\s*(\d{1,3})[^\d]*(\d{1,4})\s*[화회]/u
/** Not in `DD5.1x264`. */
export const X_NOTATION = new RegExp(
  `(?<![\\p{L}\\d])((?<!(?<!\\d)\\d\\.)\\d{1,2}|(?:19|20)\\d{2})[x×](\\d{1,4})(?!\\d)(?![pi](?![\\p{L}\\d]))${SUFFIX}`,
  'iu',
)
/** Japanese seasons, but also the editions of Chinese shows: only where no other number tells. */
export const CJK_EDITION = /第\s*(\d{1,3})\s*期/u
/** Spanish releases: `[Cap.102]` is 1x02, `[Cap.102_104]` goes on to 1x04. */
export const SPANISH_CAP = /(?<![\p{L}\d])cap\.?[ ]?(\d{1,2})(\d{2})(?:_\d{1,2}(\d{2}))?(?!\d)/iu
export const EPISODE_WORD = new RegExp(
  `(?:(?<![\\p{L}\\d])|(?<=[${WITHOUT_SPACE}]))(?:${EPISODES})[ ._\\-–#:]*(\\d{1,4})(?!\\d)(?!x\\d)(?![pi](?![\\p{L}\\d]))(?:v\\d)?${SUFFIX}`,
  'iu',
)
/** `60.Bölüm (31.01.2023)`, `69. Blm`: Turkish names have the number first, and often the day behind it (Sonarr's tests). */
export const NUMBER_EPISODE_WORD = /(?<![\p{L}\d])(\d{1,3})\.?[ ._]?(?:bölüm|bolum|blm)(?![\p{L}\d])(?![ ._\-#]*\d{1,3}(?![\p{L}\d]))/iu
export const CJK_EPISODE = /第\s*(\d{1,4})\s*[集話话回巻]|(?<![\p{N}])(\d{1,4})\s*[話话集화회](?![\p{L}\p{N}])/u

/** And of bare numbers. */
export const BRACKETED = /[[({【（][^\])}】）]*[\])}】）]|「[^」]*」|『[^』]*』/g
export const BRACKETED_NUMBER =
  /[[【{](?:ep?\.?\s*)?(\d{1,4})(\.5)?(?:v\d)?(?:[-~](\d{1,4}))?(?:[\s_]*[（(]?(?:end|fin|完|(?:of|из)[\s_]*\d+)[）)]?)?[\]】}]/gi
/** Also as a file manager numbers what it renames: `Show (1)`, `Show (2)`. */
export const LEADING_PARENTHESISED = /^\((\d{1,3}|\d{1,4}(?=[-~]))(?:[-~](\d{1,4}))?\)(?=$|[\s._-])/
export const LEADING = /^#?(\d{1,4})(?:[vV]\d)?(\.[1-9](?=$|[\s\-_[(])|(?:[a-i]|(?<=\d{2})[A-I])(?=$|[\s._-]))?(?=$|[\s._\-–,)\]~+])/
/**
 * `1.02 Title`: season 1, episode 2 (Jellyfin #8328). `12.5` is half an episode, unless those beside it are `12.4` and `13.1`: lessons,
 * also as `Lecture 1.1`. Groups: word (or none), season, episode.
 */
export const LEADING_POINTED = /^(\p{L}+[\s_])?(\d{1,2})\.(\d{2}|[1-9])(?=$|[\s_-])/u
export const LEADING_PAIR = /^(\d{1,2})-(\d{2})(?=\s|$)/
export const NUMBER_DASH_NUMBER = /^(\d{1,2})[ _]-[ _](\d{2,3})(?=$|[\s_])(?![\s_]+[^\s_-])|^(\d{1,2})[ _]-[ _](\d{2,3})(?=[\s_]+-[\s_])/
export const DASHED =
  /(?:^|[\s._])[-–][\s._]+(\d{1,4})(?:[vV]\d)?(\.[1-9](?=$|[\s\-_])|(?<=\d{2})[a-iA-I](?=$|[\s_-]))?(?=$|[\s._\-–,~+])|(?<=[\s._])[-–](\d{1,4})$/
export const STANDALONE = /(?<=^|[\s._#])(\d{1,4})(?:[vV]\d)?(\.[1-9](?=$|[\s\-_]))?(?=$|[\s._\-–,])/g
export const PART = new RegExp(`(?<![\\p{L}\\d])p(?:ar)?t[ ._-]*(\\d{1,2}|${NUMBER_WORDS})(?![\\p{L}\\d])`, 'iu')
export const EPISODE_IN_WORDS = new RegExp(`(?<![\\p{L}\\d])(?:episode|chapter)[ ._-]+(${NUMBER_WORDS})(?![\\p{L}\\d])`, 'iu')
/** `[Group] Show - 100 Years - 05 [720p]`: groups write the number last, unless one stands between hyphens before it. */
export const LAST_OF_GROUP = /^(?!(?:.*[\s._]-[\s._])?\d{1,4}(?:v\d)?[\s._]-[\s._]).*[\s._]-[\s._](\d{2,4})(\.[1-9])?(?:v\d)?[\s._]*$/i
/** `甄嬛传01`, where nothing else tells a number; `全36` says how many there are. */
export const BEHIND_TITLE = new RegExp(
  `(?<=[${WITHOUT_SPACE}])(?<!全)(?!(?:19|20)\\d{2}(?!\\d))(\\d{1,4})(?:v\\d)?(?=$|[\\s._\\-–,])`,
  'iu',
)

export const EDGE_SEPARATORS = /^[\s._\-–,:!?%]+/
