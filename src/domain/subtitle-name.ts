/**
 * Subtitle files beside a video, by name: the video's name, then tokens divided by dots, in any order: a language, `default`,
 * `forced` or `foreign`, `sdh`, `cc` or `hi`; the rest is the track's title (Jellyfin's documentation of external files;
 * Kodi and Stash know a part of it). `hi` alone is Hindi, beside a language it is "hearing impaired".
 */

import { languageName, parseLanguage, saysNoLanguage } from './language-code.ts'
import { extensionOf, isVideoName, stemOf } from './media-file.ts'

const SUBTITLE_FORMATS = ['srt', 'ass', 'ssa', 'vtt'] as const
export type SubtitleFormat = (typeof SUBTITLE_FORMATS)[number]

export interface TrackTraits {
  /** BCP 47; null where nothing tells it. */
  language: string | null
  title: string | null
  isDefault: boolean
  isForced: boolean
  isForHearingImpaired: boolean
}

export interface SidecarName extends TrackTraits {
  format: SubtitleFormat
  /** What the name has beyond the video's: what tells the sidecars of one video apart, and stays when all are renamed. */
  suffix: string
}

const isFormat = (extension: string): extension is SubtitleFormat => (SUBTITLE_FORMATS as readonly string[]).includes(extension)

type Flag = 'isDefault' | 'isForced' | 'isForHearingImpaired'
const FLAGS: ReadonlyMap<string, Flag> = new Map([
  ['default', 'isDefault'],
  ['forced', 'isForced'],
  ['foreign', 'isForced'],
  ['sdh', 'isForHearingImpaired'],
  ['cc', 'isForHearingImpaired'],
])

const LONE_HI = 'hi'

/** `English (SDH)`, `en_forced` and `chs&eng` say in one token what others say in two. */
const wordsOf = (token: string): string[] => {
  const words = token.split(/[\s_\-()[\]&+]+/).filter((word) => word !== '')
  const isAllKnown = words.every((word) => FLAGS.get(word.toLowerCase()) !== undefined || parseLanguage(word) !== null)
  return parseLanguage(token) === null && words.length > 1 && isAllKnown ? words : [token]
}

const traitsOf = (tokens: readonly string[]): TrackTraits => {
  const flags = new Set<Flag>()
  const titles: string[] = []
  let language: string | null = null
  let his = 0
  for (const word of tokens.flatMap(wordsOf)) {
    const flag = FLAGS.get(word.toLowerCase())
    const tag = parseLanguage(word)
    if (flag) flags.add(flag)
    else if (word.toLowerCase() === LONE_HI) his += 1
    else if (tag !== null && language === null) language = tag
    else if (!saysNoLanguage(word)) titles.push(word)
  }
  const isHindi = his > 0 && language === null
  if (his > (isHindi ? 1 : 0)) flags.add('isForHearingImpaired')
  return {
    language: isHindi ? 'hi' : language,
    title: titles.join(' ') || null,
    isDefault: flags.has('isDefault'),
    isForced: flags.has('isForced'),
    isForHearingImpaired: flags.has('isForHearingImpaired'),
  }
}

const comparable = (name: string): string => name.normalize('NFC').toLowerCase()

/** As file systems compare that ignore case. */
export const isNamedAlike = (one: string, other: string): boolean => comparable(one) === comparable(other)

const belongsTo = (fileName: string, videoName: string): boolean => comparable(fileName).startsWith(`${comparable(stemOf(videoName))}.`)

/**
 * What a file beside a video is to it; undefined where it is no subtitle file of it. `siblings` are the names in the folder:
 * `Film.Part 2.srt` belongs to `Film.Part 2.mkv` and not to `Film.mkv`.
 */
export const parseSidecarName = (fileName: string, videoName: string, siblings: readonly string[]): SidecarName | undefined => {
  // A camera's folder has thousands of siblings: few files are worth asking each of them.
  if (!isFormat(extensionOf(fileName)) || !belongsTo(fileName, videoName)) return undefined
  const length = stemOf(videoName).normalize('NFC').length
  const isOfLonger = siblings.some(
    (other) => isVideoName(other) && stemOf(other).normalize('NFC').length > length && belongsTo(fileName, other),
  )
  return isOfLonger ? undefined : parseSuffix(fileName, length, extensionOf(videoName))
}

/**
 * What a file named after a film itself, and after none of its videos, is to every version of the film: beside
 * `Film - 1080p.mkv` and `Film - 720p.mkv` lies `Film.en.srt`. `titles` are the names of the film, the longest first.
 */
export const parseSharedSidecarName = (
  fileName: string,
  titles: readonly string[],
  siblings: readonly string[],
): SidecarName | undefined => {
  const title = titles.find((name) => comparable(fileName).startsWith(`${comparable(name)}.`))
  if (title === undefined || siblings.some((other) => isVideoName(other) && belongsTo(fileName, other))) return undefined
  return parseSuffix(fileName, title.normalize('NFC').length)
}

const SUBTITLE_FOLDER = /^(?:subs?|subtitles)$/i

/** A folder beside videos that holds subtitles of theirs (Kodi looks into "Subs" and "Subtitles"; release groups make them). */
export const isSubtitleFolder = (name: string): boolean => SUBTITLE_FOLDER.test(name)

/** Whether a token tells what kind of track it is, and is no title. */
const isTelling = (token = ''): boolean => wordsOf(token).some((word) => FLAGS.has(word.toLowerCase()) || parseLanguage(word) !== null)

/**
 * What a file in a folder of subtitles is to the one video beside that folder, whatever its name: `2_English.srt`,
 * `SDH.eng.srt`, and `Name.of.a.Release.en.srt`, of which only what follows the name tells something; undefined where it is
 * named after one of `siblings`. `folder` is where it lies, seen from the video.
 */
export const parseLooseSidecarName = (fileName: string, folder: string, siblings: readonly string[] = []): SidecarName | undefined => {
  const format = extensionOf(fileName)
  if (!isFormat(format) || siblings.some((other) => isVideoName(other) && belongsTo(fileName, other))) return undefined
  const tokens = tokensOf(stemOf(fileName).replace(/^\d+_/, ''))
  let first = tokens.findLastIndex(isTelling)
  while (isTelling(tokens[first - 1])) first -= 1
  return { ...traitsOf(tokens.slice(Math.max(0, first))), format, suffix: `/${folder}/${fileName.normalize('NFC')}` }
}

const tokensOf = (text: string): string[] =>
  text
    .split('.')
    .map((token) => token.trim())
    .filter((token) => token !== '')

/** `Film.mkv.en.srt`, as some programs name it, has the video's extension before what it tells. */
const parseSuffix = (fileName: string, length: number, extension?: string): SidecarName | undefined => {
  const format = extensionOf(fileName)
  if (!isFormat(format)) return undefined
  const suffix = fileName.normalize('NFC').slice(length)
  const [first, ...more] = tokensOf(suffix.slice(0, -format.length))
  const tokens = first === undefined || first.toLowerCase() === extension ? more : [first, ...more]
  return { ...traitsOf(tokens), format, suffix }
}

/** `English`, `German (forced)`, `English (SDH) – Commentary`. */
export const subtitleLabel = ({ language, title, isForced, isForHearingImpaired }: TrackTraits): string => {
  const name = (language === null ? null : languageName(language)) ?? title ?? 'Unknown language'
  const marks = [...(isForced ? ['forced'] : []), ...(isForHearingImpaired ? ['SDH'] : [])]
  const more = title !== null && title !== name ? ` – ${title}` : ''
  return `${name}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}${more}`
}
