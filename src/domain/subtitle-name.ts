/**
 * Subtitle files beside a video, by name: the video's name, then tokens divided by dots, in any order: a language, `default`,
 * `forced` or `foreign`, `sdh`, `cc` or `hi`; the rest is the track's title (Jellyfin's documentation of external files;
 * Kodi and Stash know a part of it). `hi` alone is Hindi, beside a language it is "hearing impaired".
 */

import { languageName, parseLanguage, saysNoLanguage } from './language-code.ts'
import { extensionOf, isVideoName, stemOf } from './media-file.ts'

const SUBTITLE_FORMATS = ['srt', 'ass', 'ssa', 'vtt', 'smi', 'sub'] as const
export type SubtitleFormat = (typeof SUBTITLE_FORMATS)[number]

export interface TrackTraits {
  /** BCP 47; null where nothing tells it. */
  language: string | null
  title: string | null
  isDefault: boolean
  isForced: boolean
  isForHearingImpaired: boolean
}

export interface SidecarName {
  format: SubtitleFormat
  /** What the name has beyond the video's: what tells the sidecars of one video apart, and stays when all are renamed. */
  suffix: string
  /** What the name tells. Each of its words may have to be looked up: a folder of thousands is not asked for all of them. */
  traits: () => TrackTraits
}

const isFormat = (extension: string): extension is SubtitleFormat => SUBTITLE_FORMATS.some((format) => format === extension)

type Flag = 'isDefault' | 'isForced' | 'isForHearingImpaired'
const FLAGS: ReadonlyMap<string, Flag> = new Map([
  ['default', 'isDefault'],
  ['forced', 'isForced'],
  ['foreign', 'isForced'],
  ['sdh', 'isForHearingImpaired'],
  ['cc', 'isForHearingImpaired'],
])

const LONE_HI = 'hi'
/** `English (SDH) [forced]` has three. */
const MAX_WORDS = 8

/** `English (SDH)`, `en_forced` and `chs&eng` say in one token what others say in two. */
const wordsOf = (token: string): string[] => {
  const words = token.split(/[\s_\-()[\]&+]+/).filter((word) => word !== '')
  const isAllKnown =
    words.length <= MAX_WORDS && words.every((word) => FLAGS.get(word.toLowerCase()) !== undefined || parseLanguage(word) !== null)
  return parseLanguage(token) === null && words.length > 0 && isAllKnown ? words : [token]
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

/** What a track is, is told by the last ones. */
const MAX_TOKENS = 30

const tokensOf = (text: string): string[] =>
  text
    .split('.')
    .map((token) => token.trim())
    .filter((token) => token !== '')
    .slice(-MAX_TOKENS)

/** Whether a token tells what kind of track it is, and is no title. */
const isTelling = (token = ''): boolean => wordsOf(token).some((word) => FLAGS.has(word.toLowerCase()) || parseLanguage(word) !== null)

/** Between the video's name and a language (Kodi): `_fr`, ` - English`, `[en].forced`. */
const DIVIDERS = /^[-_ ([]+/

/** With any other word it is another name: `Film-2.srt`. */
const isToldOnly = (suffix: string): boolean => {
  const tokens = tokensOf(stemOf(suffix).replace(DIVIDERS, ''))
  return DIVIDERS.test(suffix) && tokens.length > 0 && tokens.every(isTelling)
}

const belongsTo = (fileName: string, comparableStem: string): boolean => {
  const name = comparable(fileName)
  if (!name.startsWith(comparableStem)) return false
  const suffix = name.slice(comparableStem.length)
  return suffix.startsWith('.') || isToldOnly(suffix)
}

/** The name of the video that a file is named after, as file systems compare; undefined where it is named after none. */
type FindVideo = (fileName: string) => string | undefined

/**
 * Among the files of a folder, the longest name: `Film.Part 2.srt` belongs to `Film.Part 2.mkv` and not to `Film.mkv`. The
 * folder is looked through when it is first asked for: a camera's has thousands of videos, and no subtitles.
 */
export const videosAmong = (fileNames: readonly string[]): FindVideo => {
  let stems: Set<string> | undefined
  let lengths: Set<number> | undefined
  return (fileName) => {
    stems ??= new Set(fileNames.filter(isVideoName).map((name) => comparable(stemOf(name))))
    lengths ??= new Set(Array.from(stems, ({ length }) => length))
    const name = comparable(fileName)
    for (let end = name.lastIndexOf('.'); end > 0; end = name.lastIndexOf('.', end - 1))
      if (lengths.has(end) && stems.has(name.slice(0, end))) return name.slice(0, end)
    return undefined
  }
}

/** What a file beside a video is to it; undefined where it is no subtitle file of it, or of one beside it with a longer name. */
export const parseSidecarName = (fileName: string, videoName: string, findVideo: FindVideo): SidecarName | undefined => {
  const stem = comparable(stemOf(videoName))
  if (!isFormat(extensionOf(fileName)) || !belongsTo(fileName, stem)) return undefined
  const isOfLonger = (findVideo(fileName)?.length ?? 0) > stem.length
  return isOfLonger ? undefined : parseSuffix(fileName, stemOf(videoName).normalize('NFC').length, extensionOf(videoName))
}

/**
 * What a file named after a film itself, and after none of its videos, is to every version of the film: beside
 * `Film - 1080p.mkv` and `Film - 720p.mkv` lies `Film.en.srt`. `titles` are the names of the film, the longest first.
 */
export const parseSharedSidecarName = (fileName: string, titles: readonly string[], findVideo: FindVideo): SidecarName | undefined => {
  const title = titles.find((name) => belongsTo(fileName, comparable(name)))
  if (title === undefined || findVideo(fileName) !== undefined) return undefined
  return parseSuffix(fileName, title.normalize('NFC').length)
}

const SUBTITLE_FOLDER = /^(?:subs?|subtitles)$/i

/** A folder beside videos that holds subtitles of theirs (Kodi looks into "Subs" and "Subtitles"; release groups make them). */
export const isSubtitleFolder = (name: string): boolean => SUBTITLE_FOLDER.test(name)

/**
 * What a file in a folder of subtitles is to the one video beside that folder, whatever its name: `2_English.srt`,
 * `SDH.eng.srt`, and `Name.of.a.Release.en.srt`, of which only what follows the name tells something; undefined where it is
 * named after one beside the folder. `folder` is where it lies, seen from the video.
 */
export const parseLooseSidecarName = (fileName: string, folder: string, findVideo?: FindVideo): SidecarName | undefined => {
  const format = extensionOf(fileName)
  if (!isFormat(format) || findVideo?.(fileName) !== undefined) return undefined
  const traits = (): TrackTraits => {
    const tokens = tokensOf(stemOf(fileName).replace(/^\d+_/, ''))
    let first = tokens.findLastIndex(isTelling)
    while (isTelling(tokens[first - 1])) first -= 1
    return traitsOf(tokens.slice(Math.max(0, first)))
  }
  return { format, suffix: `/${folder}/${fileName.normalize('NFC')}`, traits }
}

/** What a file beside the one video is to it that is called by a language alone: `English.srt`, `de.forced.srt`. */
export const parseBareSidecarName = (fileName: string, findVideo: FindVideo): SidecarName | undefined => {
  const format = extensionOf(fileName)
  if (!isFormat(format)) return undefined
  const tokens = tokensOf(stemOf(fileName).replace(/^\d+_/, ''))
  if (tokens.length === 0 || !tokens.every(isTelling) || findVideo(fileName) !== undefined) return undefined
  return { format, suffix: `/${fileName.normalize('NFC')}`, traits: () => traitsOf(tokens) }
}

/** `Film.mkv.en.srt`, as some programs name it, has the video's extension before what it tells. */
const parseSuffix = (fileName: string, length: number, extension?: string): SidecarName | undefined => {
  const format = extensionOf(fileName)
  if (!isFormat(format)) return undefined
  const suffix = fileName.normalize('NFC').slice(length)
  const traits = (): TrackTraits => {
    const [first, ...more] = tokensOf(suffix.slice(0, -format.length).replace(DIVIDERS, ''))
    return traitsOf(first === undefined || first.toLowerCase() === extension ? more : [first, ...more])
  }
  return { format, suffix, traits }
}

/** `English`, `German (forced)`, `English (SDH) – Commentary`. */
export const subtitleLabel = ({ language, title, isForced, isForHearingImpaired }: TrackTraits): string => {
  const name = (language === null ? null : languageName(language)) ?? title ?? 'Unknown language'
  const marks = [...(isForced ? ['forced'] : []), ...(isForHearingImpaired ? ['SDH'] : [])]
  const more = title !== null && title !== name ? ` – ${title}` : ''
  return `${name}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}${more}`
}
