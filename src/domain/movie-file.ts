/**
 * What a video file is to the film whose folder it lies in.
 * Sources: Jellyfin's documentation of movies (multiple versions, multiple parts) and its issues #5528 and #3361; Kodi
 * wiki, "Naming video files/Movies" (file stacking); Plex support, "Local media: editions" (`{edition-Final Cut}`).
 * Unlike Jellyfin's, our rule is that one folder is one film, always, so that no odd name can split it.
 */

import { bracketedYearOf } from './name-year.ts'
import type { ScannedFile } from './scanned-item.ts'
import { NUMBER_WORDS, wordNumber } from './written-number.ts'

export interface PartName {
  /** The name around the part, without case: files of one film in parts agree in it. */
  group: string
  /** The name without the part, as it is spelled. */
  name: string
  /** "Part", "CD", "Disc": as people call it. */
  word: string
  /** From 1; letters count from a = 1, and `One` and `I` are 1. */
  number: number
}

const PART_WORDS: Readonly<Record<string, string>> = {
  ...{ cd: 'CD', dvd: 'DVD', part: 'Part', pt: 'Part', disc: 'Disc', disk: 'Disc' },
  ...{ teil: 'Teil', parte: 'Parte', partie: 'Partie', deel: 'Deel', часть: 'Часть', серия: 'Серия' },
}

const OF = '[ _.]?(?:of|von)[ _.]?\\d{1,2}'
/** `cd1`, `part 2`, `(Disc 01)`, `pt a`, `CD1of2`, `Part Two`, `(1 of 2)`, `1 серия`, at the end of the name or before more of it. */
const PART = new RegExp(
  `^(.*?)(?:[ _.-]+|(?<=[\\])}])|^)[([{]?(?:(${Object.keys(PART_WORDS).join('|')})[ _.-]*(\\d{1,2}|[a-d]|${NUMBER_WORDS})(?:${OF})?|(\\d{1,2})(?:${OF}|[ _.-]?(серия)))[)\\]}]?(?=$|[ _.\\-[({])(.*)$`,
  'isu',
)

/** What the parts of one film count by: letters and numbers do not make one sequence (`part1`, `part2`, `parta`). */
const COUNTS: readonly [kind: string, form: RegExp, toNumber: (text: string) => number][] = [
  ['number', /^\d+$/, Number],
  ['letter', /^[a-d]$/, (letter) => letter.charCodeAt(0) - 96],
  ['word', /./, wordNumber],
]

/** The part that a name without extension speaks of. One file alone with it is no part: `Deathly Hallows Part 1`. */
export const findPartName = (stem: string): PartName | undefined => {
  const [, before, wordBefore, counted, ofAll, wordBehind, after] = PART.exec(stem) ?? []
  const text = (counted ?? ofAll)?.toLowerCase()
  if (before === undefined || text === undefined || after === undefined) return undefined
  const [kind = '', , toNumber = Number] = COUNTS.find(([, form]) => form.test(text)) ?? []
  const word = wordBefore ?? wordBehind ?? 'part'
  const lower = word.toLowerCase()
  return {
    name: before + after,
    group: `${before}\0${after}\0${lower}\0${kind}`.toLowerCase(),
    word: PART_WORDS[lower] ?? word,
    number: toNumber(text),
  }
}

/** What pictures and metadata of a video are called by: its name without extension, and that of all its parts. */
export const ownNamesOf = (stem: string): string[] => {
  const whole = findPartName(stem)?.name.trim()
  return [...(stem ? [stem] : []), ...(whole ? [whole] : [])]
}

const RESOLUTION = /(?<![\p{L}\p{N}])(?:(\d{3,4})[pi]|(8k)|(4k|uhd|ultrahd))(?![\p{L}\p{N}])/iu

/** Lines of the picture as the name tells them (2160 for `4K`), or 0. */
export const resolutionOfName = (text: string): number => {
  const [, lines, eightK, fourK] = RESOLUTION.exec(text) ?? []
  if (lines) return Number(lines)
  if (eightK) return 4320
  return fourK ? 2160 : 0
}

const FORMAT_WORDS: ReadonlySet<string> = new Set(
  `4k 8k hd sd uhd fhd hdr hdr10 hdr10+ sdr dv dovi sbs hsbs tab hou bluray blu ray bd bdrip brrip dvd dvdrip dvd5 dvd9 web
   dl webdl webrip hdtv remux rip x264 x265 h264 h265 hevc avc av1 xvid 8bit 10bit s`.split(/\s+/),
)

const EDITION_WORDS: ReadonlySet<string> = new Set(
  `2d 3d imax theatrical director directors cut final extended uncut unrated special ultimate collectors collector anniversary
   edition version remastered restored restoration reconstructed reconstruction recut redux despecialized assembly roadshow
   criterion original workprint alternate open matte integrale intégrale longue restaurée
   fassung kinofassung langfassung ungekürzt ungekürzte unzensiert unzensierte remasterte restauriert restaurierte rekonstruierte`.split(
    /\s+/,
  ),
)

/** `directors`, `remastered`: what an edition is called by, and not the file that it is in. In lower case. */
export const isEditionWord = (word: string): boolean => EDITION_WORDS.has(word)

/** `1080p`, `Director's Cut`, `4K HDR Remux`: nothing but what tells one version of a film from another. */
export const isVersionName = (name: string): boolean =>
  (name.toLowerCase().match(/[\p{L}\p{N}+]+/gu) ?? []).every(
    (word) => FORMAT_WORDS.has(word) || EDITION_WORDS.has(word) || resolutionOfName(word) > 0,
  )

const BRACKETS = /[[({]\s*(?:edition-)?([^\])}]*?)\s*[\])}]/g
const EDGE_SEPARATORS = /^[\s._,-]+|[\s._,-]+$/g

const withoutYearAndIds = (name: string): string =>
  name.replace(/\s*[[({（](?:(?:19|20)\d{2}|(?:imdb|tmdb|tvdb)(?:id)?[-=][^\])}]*)[\])}）]/gi, '').trim()

const withoutEdition = (name: string): string => name.replace(/\s*[[({]edition-[^\])}]*[\])}]/gi, '').trim()

/** Where both have words apart: `Aliens` does not begin with `Alien`, but `天气之子4K` with `天气之子`. */
const beginsWith = (name: string, title: string): boolean =>
  name.startsWith(title) && !(/[\p{Lu}\p{Ll}\p{N}]$/u.test(title) && /^[\p{Lu}\p{Ll}\p{N}]/u.test(name.slice(title.length)))

/** `Alien.1979.2160p`: the year that the folder has in brackets tells nothing either. */
const withoutYearOf = (rest: string, folderName: string): string => {
  const year = bracketedYearOf(folderName)
  return year === null ? rest : rest.replace(new RegExp(`^[\\s._-]*${year}(?![\\p{L}\\p{N}])`, 'u'), '')
}

/**
 * How to call this version: what the file name says beyond the folder's name (`- 2160p`, `[Directors Cut]`,
 * `{edition-Final Cut}`). Null where that is nothing; the whole name where it has nothing in common with the folder.
 */
export const versionLabel = (stem: string, folderName: string): string | null => {
  const lower = stem.toLowerCase()
  const known = beginningsOf(folderName).find((name) => beginsWith(lower, name.toLowerCase()))
  if (known === undefined) return stem
  const behind = stem.slice(known.length)
  // `The Opera (1925) - 1925 version` has said its year before.
  const hasYear = bracketedYearOf(known) !== null || bracketedYearOf(behind) !== null
  const rest = hasYear ? withoutYearAndIds(behind) : withoutYearOf(withoutYearAndIds(behind), folderName)
  return rest.replace(BRACKETS, ' $1 ').replace(/\s+/g, ' ').replace(EDGE_SEPARATORS, '') || null
}

/** What a film's folder calls it: with everything, and without year and ids. */
export const titlesOfFolder = (folderName: string): string[] =>
  [...new Set([folderName, withoutYearAndIds(folderName)])].filter((title) => title !== '')

/** How the names of a film's files may begin: one edition lies in the folder that another one has named. */
const beginningsOf = (folderName: string): string[] => [...titlesOfFolder(folderName), ...titlesOfFolder(withoutEdition(folderName))]

/**
 * How well a name fits the folder: 2 the same, 1 begins with it, 0 neither. The film itself is named like its folder,
 * in Jellyfin by rule and everywhere by habit.
 */
export const fitOfName = (stem: string, folderName: string): 0 | 1 | 2 => {
  const name = stem.toLowerCase()
  const titles = titlesOfFolder(folderName).map((title) => title.toLowerCase())
  if (titles.includes(name)) return 2
  return beginningsOf(folderName).some((title) => beginsWith(name, title.toLowerCase())) ? 1 : 0
}

/** The film's own files relative to its folder, the main one first. Rows that no scan has seen for long tell that one alone. */
export const filmFilesOf = ({
  path,
  mainFile,
  files,
}: {
  path: string
  mainFile: string | null
  files: readonly Pick<ScannedFile, 'name' | 'role'>[] | null
}): string[] => {
  if (files !== null) return files.filter(({ role }) => role !== 'extra').map(({ name }) => name)
  return mainFile?.startsWith(`${path}/`) ? [mainFile.slice(path.length + 1)] : []
}
