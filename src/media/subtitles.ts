/** A subtitle file of any form as WebVTT. Some megabytes, as of an animated series with every sign typeset, take seconds. */

import type { SubtitleFormat } from '../domain/subtitle-name.ts'
import { parseAss } from './subtitles-ass.ts'
import { decodeSubtitles } from './subtitles-charset.ts'
import { renderVtt } from './subtitles-cues.ts'
import { parseTimedText } from './subtitles-text.ts'

export interface SubtitleSource {
  format: SubtitleFormat
  /** BCP 47: what tells the character set of a file that is not Unicode. Null where nothing does. */
  language: string | null
}

/** The text of a WebVTT file; what cannot be read as a cue is left out. */
export const subtitlesAsVtt = (bytes: Uint8Array, { format, language }: SubtitleSource): string => {
  const text = decodeSubtitles(bytes, language)
  return renderVtt(format === 'ass' || format === 'ssa' ? parseAss(text) : parseTimedText(text))
}
