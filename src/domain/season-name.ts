/**
 * Which season a folder inside a series is.
 * Sources: Jellyfin's documentation of shows and the names that its own tests list (`Season 1`, `S01`, `3.Staffel`,
 * `The.Wonder.Years.S04.PDTV.x264-JCH`, `Stargate SG-1 Season 1`; not `Season (8)`, `s06e05`, `Episode 1 Season 2`);
 * Kodi wiki, "Naming video files/TV shows"; Jellyfin issues on localised words.
 */

import { setNewest } from './bounded-map.ts'
import { findWrittenSeason } from './season-ordinal.ts'
import { cjkNumber, NUMBER_WORDS, ORDINAL_WORDS, withPlainDigits, wordNumber } from './written-number.ts'

/** "Season" as people write it; matched without case and accents folded by hand where both are usual. */
export const SEASON_WORDS = [
  ...['season', 'seasons', 'series', 'serie', 'série', 'séria', 'staffel', 'saison', 'temporada', 'temp', 'stagione', 'seizoen'],
  ...[
    'sezon',
    'sezona',
    'sezóna',
    'sezonul',
    'sezonas',
    'sezono',
    'sezons',
    'sæson',
    'saeson',
    'sesong',
    'seasong',
    'säsong',
    'sasong',
    'kausi',
    'hooaeg',
  ],
  ...['évad', 'evad', 'denboraldi', 'tymor', 'þáttaröð', 'musim', 'mùa', 'phần', 'сезон', 'сезона', 'сезони', 'маусым', 'σεζόν', 'κύκλος'],
  ...['عونة', 'עונה', 'الموسم', 'فصل', 'सीज़न', 'ซีซั่น', 'ฤดูกาลที่', 'ฤดูกาล', 'シーズン', 'シリーズ', '시즌'],
  'řada',
] as const

/** Names of the folder of specials, in whole. */
const SPECIALS: ReadonlySet<string> = new Set([
  ...[
    'specials',
    'special',
    'season specials',
    'special episodes',
    'sp',
    'sps',
    'ova',
    'ovas',
    'oad',
    'oads',
    'spezial',
    'specials & extras',
    'especiales',
    'especiais',
    'spéciaux',
    'speciaux',
    'épisodes spéciaux',
    'hors-série',
    'hors série',
    'sonderfolgen',
    'episodios especiales',
    'episódios especiais',
    'episodi speciali',
    'odcinki specjalne',
    'specialafsnit',
  ],
  ...[
    'speciali',
    'specialer',
    'spesialer',
    'erikoisjaksot',
    'specjalne',
    'speciály',
    'спецвыпуски',
    'スペシャル',
    '特典',
    '特别篇',
    '特別篇',
    '番外篇',
    '番外編',
    '映像特典',
    '스페셜',
  ],
])

const WORDS = SEASON_WORDS.join('|')
const AFTER_NUMBER = /^(?:$|[\s._\-–:,([{])/
export const ORDINAL = '(?:st|nd|rd|th|\\.|º|ª|°|a|o|e|er|ère|ere|ème|eme|de|ste|ος|-я|-й|ая|й)?'

/** `Season 01`, `Staffel_1`, `시즌2`. */
const WORD_FIRST = new RegExp(`^(?:${WORDS})[\\s._-]*(?:nr\\.?|no\\.?|#)?\\s*(\\d{1,4})(?!\\d)`, 'iu')
/** `Season Two`, `Saison VII`. */
const WORD_FIRST_WRITTEN = new RegExp(`^(?:${WORDS})[\\s._-]+(${NUMBER_WORDS})(?![\\p{L}\\p{N}])`, 'iu')
/** `1st Season`, `3.Staffel`, `2e Saison`. */
const NUMBER_FIRST = new RegExp(`^(\\d{1,4})${ORDINAL}[\\s._-]*(?:${WORDS})(?![\\p{L}\\p{N}])`, 'iu')
/** `第2季`, `2期`, `1기`. */
const CJK = /^[第제]?\s*(\d{1,3}|[一二三四五六七八九十]{1,3})\s*(?:季|期|기|시즌|シーズン|シリーズ)/u
const BARE_NUMBER = /^(\d{1,4})$/
/** `S01`, its second disc `S01D02`, and the Spanish `T01`. */
const SHORT = /^(?:se?|t)[\s._-]*(\d{1,4})(?:d\d{1,2})?(?=$|[\s._\-–([{])/i
/** A release: `.S04.` anywhere, that is no `S04E01` and no span (`S01-S05`, `S01-05`). */
const RELEASE = /(?<![\p{L}\p{N}]|\d\s?[-–]\s?)S(\d{1,2})(?:D\d{1,2})?(?![\p{L}\p{N}])(?!\s*[-–]\s*S?\d{1,2}(?![\p{L}\p{N}]))/iu
const SPAN = /^[\s.]*(?:[-–+&]|to)[\s.]*(?:s|season\s*)?\d{1,2}(?!\d)/i
const WORD_ANYWHERE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${WORDS})[\\s._-]+(\\d{1,4})(?![\\p{L}\\p{N}])`, 'iu')
/** `Show (2nd Season)`, and behind a name in another language than the series'. */
const ORDINAL_NUMBER_ANYWHERE = /(?<![\p{L}\p{N}])(\d{1,2})(?:st|nd|rd|th)[\s._-]+season(?![\p{L}\p{N}])/iu
/** Behind a name in another language than the series'. */
const CJK_ANYWHERE = /第\s*(\d{1,3})\s*(?:季|期|シーズン|シリーズ)/u
/** `The Complete First Season`, as boxes are called. */
const ORDINAL_ANYWHERE = new RegExp(`(?<![\\p{L}\\p{N}])(${ORDINAL_WORDS})[\\s._-]+season(?![\\p{L}\\p{N}])`, 'iu')
/**
 * A season outside of a season's folder, for a number that says none: `Show S2 [05]`, `Show (Season 2) - 33`,
 * `Show 2nd Season 05`, `Show 2ª Temporada - Ep 05`, `Show Season 3 Part 2 - 05`; but `Show Final Season - 61`, and
 * `The 7 Series` is a car.
 */
export const SEASON_MARK = new RegExp(
  `(?<![\\p{L}\\d])(?:S(\\d{1,2})|(?:${WORDS})(?:[ ._]*|-)(\\d{1,2})|(\\d{1,2})(?:st|nd|rd|th)[ ._-]season|(\\d{1,2})${ORDINAL}[ ._-]?(?!series)(?:${WORDS})(?![\\p{L}\\d])(?![ ._-]*\\d)|第(\\d{1,2})[季期])(?![\\p{L}\\d])(?:[ ._-]+part[ ._-]*\\d(?=[ ._-]+\\S))?`,
  'iu',
)
/** Names that speak of one episode are no season folders. */
const EPISODE = /(?<![\p{L}\p{N}])(?:s\d{1,4}[\s._-]*[ex]\s*\d|\d{1,2}x\d{2}|ep(?:isode)?[\s._-]*\d)/iu

/** A season is a small number or a year; Jellyfin refuses 200 to 1927 too, so that `1080` never is one. */
const plausible = (number: number): number | null => (number < 200 || (number >= 1928 && number <= 2100) ? number : null)

const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const makePrefix = (seriesName: string): RegExp | undefined => {
  const title = seriesName.replace(/[[({](?:(?:19|20)\d{2}[^\])}]*|[a-z]+id?[-=][^\])}]*)[\])}]/gi, ' ')
  // A mark alone is no word: it could as well be part of what lies between two, in more ways than anybody can try.
  const words = title.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu)
  if (!words) return undefined
  const name = words.map(escapeText).join('[^\\p{L}\\p{N}]*')
  const year =
    '(?:[\\s._-]*[([]?(?:19|20)\\d{2}(?:-\\d{4})?[)\\]]?(?![\\p{L}\\p{N}])(?![\\s._-]\\d{2}[\\s._-]\\d{2}|-\\d{1,2}-\\d{1,2}(?!\\d)))?'
  return new RegExp(`^(?:[\\[(【][^\\])】]*[\\])】][\\s._-]*)*${name}(?![\\p{L}\\p{N}])${year}`, 'iu')
}

/** Those last asked for: a series is asked for with each of its files. */
const prefixes = new Map<string, RegExp | undefined>()
const PREFIXES_KEPT = 100

/**
 * An expression for a series' name at the start of another name, however its words are separated, with a release group
 * before it and a year after it. Undefined for a name without letters or digits.
 */
export const seriesPrefix = (seriesName: string): RegExp | undefined => {
  if (!prefixes.has(seriesName)) setNewest(prefixes, seriesName, makePrefix(seriesName), PREFIXES_KEPT)
  return prefixes.get(seriesName)
}

const parseTitle = (name: string): number | null => {
  if (SPECIALS.has(name.toLowerCase())) return 0
  const whole = BARE_NUMBER.exec(name) ?? SHORT.exec(name)
  if (whole?.[1] && !SPAN.test(name.slice(whole[0].length))) return plausible(Number(whole[1]))
  const match = WORD_FIRST.exec(name)
  if (match?.[1] && AFTER_NUMBER.test(name.slice(match[0].length)) && !SPAN.test(name.slice(match[0].length))) {
    return plausible(Number(match[1]))
  }
  const numberFirst = NUMBER_FIRST.exec(name)
  if (numberFirst?.[1]) return plausible(Number(numberFirst[1]))
  const written = WORD_FIRST_WRITTEN.exec(name)
  if (written?.[1]) return wordNumber(written[1])
  const cjk = CJK.exec(name)
  return cjk?.[1] ? plausible(cjkNumber(cjk[1])) : null
}

/** The season number of a folder, 0 for specials, null where the name tells none. */
export const parseSeasonName = (folderName: string, seriesName: string): number | null => {
  const name = withPlainDigits(folderName.normalize('NFC').trim())
  if (EPISODE.test(name)) return null
  const prefix = seriesPrefix(withPlainDigits(seriesName.normalize('NFC')))
  const rest = prefix ? name.replace(prefix, '').replace(/^[\s\p{Po}\p{Pd}_~]+/u, '') : name
  // The series' name goes first: `24 Season 2` is no 24th season (Jellyfin #6928).
  const stripped = rest !== name && rest !== '' && !/^\d+$/.test(rest) ? parseTitle(rest) : null
  if (stripped !== null) return stripped
  const direct = parseTitle(name)
  if (direct !== null) return direct
  const ordinal = ORDINAL_ANYWHERE.exec(rest)
  if (ordinal?.[1]) return wordNumber(ordinal[1])
  const written = findWrittenSeason(rest)
  if (written !== null) return written
  const release = RELEASE.exec(rest) ?? WORD_ANYWHERE.exec(rest) ?? ORDINAL_NUMBER_ANYWHERE.exec(rest) ?? CJK_ANYWHERE.exec(rest)
  if (!release?.[1] || SPAN.test(rest.slice(release.index + release[0].length))) return null
  return plausible(Number(release[1]))
}
