/**
 * Trailers, samples and other extras of films and series, by folder name or by the end of the file name.
 * Sources: Jellyfin's documentation of movies and shows (docs/general/server/media), sections "Extras";
 * Kodi wiki, "Naming video files/Movies" (`-trailer`). Both compare without case.
 */

import { resolutionOfName, versionLabel } from './movie-file.ts'
import { SEASON_WORDS } from './season-name.ts'

const EXTRAS_FOLDERS: ReadonlySet<string> = new Set([
  'behind the scenes',
  'deleted scenes',
  'interviews',
  'scenes',
  'samples',
  'sample',
  'shorts',
  'featurettes',
  'featurette',
  'clips',
  'other',
  'others',
  'extra',
  'extras',
  'trailers',
  'trailer',
  'theme-music',
  'backdrops',
  'bonus',
  'bonus features',
  'special features',
  'making of',
])

/** `Season 01 Extras`, `Staffel 1 - Bonus`, `Show.S01.EXTRAS.1080p`: beside the season's own folder. */
const EXTRAS_OF_SEASON = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:S\\d{1,2}|(?:${SEASON_WORDS.join('|')})[\\s._-]*\\d{1,2})[\\s._\\-–([]+(?:dvd[\\s._-]*)?(?:extras?|bonus)(?=[)\\]]?$|[\\s._-]+\\d{3,4}[pi](?!\\p{L}))`,
  'iu',
)

export const isExtrasOfSeason = (folderName: string): boolean => EXTRAS_OF_SEASON.test(folderName)

export const isExtrasFolder = (folderName: string): boolean => EXTRAS_FOLDERS.has(folderName.toLowerCase()) || isExtrasOfSeason(folderName)

/** What collections are sorted by as well: `Pixar/Shorts`, `Bond/Other`. */
const GROUPS: ReadonlySet<string> = new Set(['clips', 'other', 'others', 'scenes', 'shorts'])

export const mayHoldFilms = (extrasFolderName: string): boolean => GROUPS.has(extrasFolderName.toLowerCase())

const DISC = '(?:cd|dvd|bd|blu-?ray|dis[ck])'
const OF_EXTRAS = '(?:bonus|extras?|supplements?|(?:bonus|special)[ ._]features)'
const BONUS_DISC = new RegExp(
  `(?<!\\p{L})(?:${DISC}[\\s._-]*\\d{0,2}[\\s._\\-–([]*${OF_EXTRAS}[)\\]]?$|${OF_EXTRAS}[\\s._-]*${DISC}(?!\\p{L}))`,
  'iu',
)

/** `Bonus Disc`, `Disc 2 - Extras`: what comes on a disc of its own beside that of the film. */
export const isBonusDisc = (folderName: string): boolean => BONUS_DISC.test(folderName)

const LABELS: Readonly<Record<string, string>> = {
  trailer: 'Trailer',
  sample: 'Sample',
  scene: 'Scene',
  clip: 'Clip',
  interview: 'Interview',
  behindthescenes: 'Behind the scenes',
  deleted: 'Deleted scene',
  deletedscene: 'Deleted scene',
  featurette: 'Featurette',
  short: 'Short',
  extra: 'Extra',
  other: 'Other',
}

/** These two may follow any separator, or be the whole name; the others are common words and need the hyphen. */
const TRAILER_OR_SAMPLE = /^(.*?)[-._ ]*(?<![\p{L}\p{N}])(trailer|sample)[-._ ]?#?(\d{0,2})$/isu
const HYPHENATED = /^(.+)-(scene|clip|interview|behindthescenes|deleted|deletedscene|featurette|short|extra|other)[-._ ]?(\d{0,2})$/is
const SAMPLE_FIRST = /^sample[-._]/i

interface ExtraName {
  /** "Trailer", "Interview 2". */
  label: string
  /** What the name says without the ending: the film or episode that the extra belongs to. May be empty. */
  owner: string
}

/** What kind of extra a file is by its name without extension; undefined where it is none. */
export const findExtraName = (stem: string): ExtraName | undefined => {
  const [, owner = '', word = '', number = ''] = TRAILER_OR_SAMPLE.exec(stem) ?? HYPHENATED.exec(stem) ?? []
  if (word) return { label: `${LABELS[word.toLowerCase()] ?? word}${number ? ` ${Number(number)}` : ''}`, owner }
  return SAMPLE_FIRST.test(stem) ? { label: 'Sample', owner: stem.slice('sample-'.length) } : undefined
}

const withoutSeparators = (name: string): string => name.toLowerCase().replace(/[\s._-]+/g, ' ')

/** Whether a file beside a film is an extra by its name, and not the film: `Trailer (2020)/Trailer.mkv`, `The Other (1972)/The-Other.mkv`. */
export const isExtraOf = (stem: string, folderName: string): boolean => {
  const [own, film] = [withoutSeparators(stem), withoutSeparators(folderName)]
  return findExtraName(stem) !== undefined && own !== film && !film.startsWith(`${own} (`)
}

const BESIDE =
  'making of|behind the scenes|deleted scenes?|bloopers?|outtakes?|gag reel|featurettes?|interviews|extras|(?:bonus|special) features'
/** In lower case, with single spaces. */
const WHOLE_OF_EXTRA = new RegExp(
  `^(?:the )?(?:${BESIDE}|trailers?|teaser(?: trailer)?)(?: #?\\d{1,2})?(?: [([]?(?:19|20)\\d{2}[)\\]]?)?(?: \\d{3,4}[pi](?: .*)?)?$`,
)

/** `making of`, `deleted scenes 2`. */
export const isExtraByWords = (words: string): boolean => WHOLE_OF_EXTRA.test(words)

/** The advertisements of those who released films. */
const ADVERTISEMENT = /^(?:etrg|rarbg(?: com)?)$/

/**
 * Whether a name says nothing beyond the film's but that it goes with a film: `Making of`, `Alien (1979) - Deleted Scenes`,
 * `Alien.1979.Trailer.1080p`. Where there is nothing else it may be the film.
 */
export const isBesideFilm = (stem: string, folderName: string): boolean => {
  const words = versionLabel(withoutSeparators(stem), withoutSeparators(folderName)) ?? ''
  return isExtraByWords(words) || ADVERTISEMENT.test(words)
}

/** What these words say goes without saying, or is no title. */
const NEVER_TITLED = /^Sample/
const SAYS_NOTHING = /^(?:Other|Extra)/

/**
 * How to call an extra of a film: what its name says beyond the film's, and what kind it is. `Theatrical Trailer`,
 * `Gag Reel-other` and `Alien (1979) - Gag Reel-other` are told from others of their kind. `videos` are the names of the
 * film's own files without extension.
 */
export const extraLabel = (stem: string, folderName: string, videos: ReadonlySet<string>): string => {
  const extra = findExtraName(stem)
  if (!extra) return (isBesideFilm(stem, folderName) && versionLabel(stem, folderName)) || stem
  const { label, owner } = extra
  const own = videos.has(owner) || NEVER_TITLED.test(label) ? null : versionLabel(owner, folderName)?.trim()
  if (!own || resolutionOfName(own) > 0) return label
  if (SAYS_NOTHING.test(label)) return own
  return /\strailer[-._ ]?#?\d{0,2}$/i.test(stem) ? `${own} ${label}` : `${own}, ${label}`
}
