/**
 * `.sub` files of text, as three programs wrote them: MicroDVD counts frames (`{25}{50}text|second line`), MPL2 tenths of seconds
 * (`[10][20]text`), SubViewer has a line of two times. As FFmpeg reads them (`microdvddec.c`, `mpl2dec.c`, `subviewerdec.c`).
 */

import { type Cue, cueText, linesOf } from './subtitles-cues.ts'
import { timedCues } from './subtitles-text.ts'

/** That of films: FFmpeg's for files whose video is not known. */
const USUAL_FRAME_RATE = 24_000 / 1001
const MPL2_RATE = 10
/** Where a line does not tell its end. */
const OPEN_SECONDS = 5

const FRAMES = /^\{(\d{1,8})\}\{(\d{0,8})\}(.*)$/
const TENTHS = /^\[(\d{1,8})\]\[(\d{0,8})\](.*)$/
const RATE = /^\d{1,3}(?:\.\d{1,6})?$/
const STYLE = /\{y:([a-z,]{0,20})\}/gi
const CODE = /\{[a-z]:[^{}]*\}/gi
const SUBVIEWER_TIMES = /^(\d\d:\d\d:\d\d\.\d\d),(\d\d:\d\d:\d\d\.\d\d)\s*$/

/** `{y:i}` is MicroDVD's, a slash in front MPL2's; fonts, colours and places go. */
const styled = (line: string): string => {
  const isItalic = line.startsWith('/') || [...line.matchAll(STYLE)].some(([, styles = '']) => styles.includes('i'))
  const plain = line.replace(/^\//, '').replace(CODE, '')
  return isItalic ? `<i>${plain}</i>` : plain
}

/** The first line may tell the frame rate: `{1}{1}25.000`. */
const rateOf = ([, start, , text = '']: readonly string[]): number | undefined =>
  Number(start) <= 1 && RATE.test(text.trim()) && Number(text) > 0 ? Number(text) : undefined

function* matchesOf(text: string, pattern: RegExp): Generator<readonly string[], undefined> {
  for (const line of linesOf(text)) {
    const match = pattern.exec(line.trim())
    if (match) yield match
  }
}

const countedCues = (lines: IteratorObject<readonly string[]>, rate: number): Iterable<Cue> =>
  lines.map(([, start = '', end = '', text = '']) => ({
    startSeconds: Number(start) / rate,
    endSeconds: end === '' ? Number(start) / rate + OPEN_SECONDS : Number(end) / rate,
    text: cueText(text.split('|').map(styled).join('\n'), 'subrip'),
    settings: '',
  }))

/** `frameRate`: of the video; null where it does not tell. */
export const parseSub = (text: string, frameRate: number | null): Iterable<Cue> => {
  const [first] = matchesOf(text, FRAMES)
  if (first) {
    const told = rateOf(first)
    return countedCues(matchesOf(text, FRAMES).drop(told === undefined ? 0 : 1), told ?? frameRate ?? USUAL_FRAME_RATE)
  }
  const [tenth] = matchesOf(text, TENTHS)
  if (tenth) return countedCues(matchesOf(text, TENTHS), MPL2_RATE)
  return timedCues(linesOf(text).map((line) => line.replace(SUBVIEWER_TIMES, '$1 --> $2').replaceAll('[br]', '\n')))
}
