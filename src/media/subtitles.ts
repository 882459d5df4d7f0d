/** A subtitle file of any form as WebVTT. Some megabytes, as of an animated series with every sign typeset, take seconds. */

import type { SubtitleFormat } from '../domain/subtitle-name.ts'
import { parseAss } from './subtitles-ass.ts'
import { decodeSubtitles } from './subtitles-charset.ts'
import { type Cue, renderVtt } from './subtitles-cues.ts'
import { parseSami, samiLanguage } from './subtitles-sami.ts'
import { parseSub } from './subtitles-sub.ts'
import { parseTimedText } from './subtitles-text.ts'

export interface SubtitleSource {
  format: SubtitleFormat
  /** BCP 47: what tells the character set of a file that is not Unicode. Null where nothing does. */
  language: string | null
  /** Of the video: some files count its frames. Absent or null where it is not known. */
  frameRate?: number | null
}

const cuesOf = (text: string, { format, language, frameRate = null }: SubtitleSource): Iterable<Cue> => {
  if (format === 'ass' || format === 'ssa') return parseAss(text)
  if (format === 'smi') return parseSami(text, language)
  return format === 'sub' ? parseSub(text, frameRate) : parseTimedText(text)
}

/** The text of a WebVTT file; what cannot be read as a cue is left out. */
export const subtitlesAsVtt = (bytes: Uint8Array, source: SubtitleSource): string => {
  const language = source.language ?? (source.format === 'smi' ? samiLanguage(bytes) : null)
  return renderVtt(cuesOf(decodeSubtitles(bytes, language), source))
}
