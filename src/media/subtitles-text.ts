/**
 * SubRip and WebVTT, which differ by little: both are cues after lines of two times. Whatever else a file holds (numbers,
 * styles, notes) is passed over, so that files written by hand work too.
 */

import { type Cue, cueText, linesOf, MAX_TEXT, placeOf, settingsOfPlace } from './subtitles-cues.ts'

/** Colons, commas and points may be those of Chinese and Japanese fonts. */
const timesBy = (seconds: string): RegExp => {
  const time = String.raw`(?:(\d{1,3})[:：])?(\d{1,2})[:：](${seconds})(?:[,.:，．：](\d{1,3}))?`
  return new RegExp(String.raw`^\s*${time}\s*(?:-{1,2}>|- >)\s*${time}(?![\d,.:，．：])(.*)$`)
}

const VTT_TIMES = timesBy(String.raw`\d{1,2}`)
/** Some programs write `00:00:013,567` (ExoPlayer's `typical_with_tags`). */
const SUBRIP_TIMES = timesBy(String.raw`\d{1,2}|0\d\d`)
/** A line of times where one is missing or cannot be read. Nobody says this, so it ends a cue, and begins none. */
const BROKEN_TIMES = /^[\s\d,.:，．：]*-->[\s\d,.:，．：]*$/

/** Settings of WebVTT cues (its section 3.5); a region needs a block that is not kept. */
const SETTING =
  /^(?:vertical:(?:rl|lr)|line:-?\d{1,5}(?:\.\d{1,5})?%?(?:,(?:start|center|end))?|position:\d{1,3}(?:\.\d{1,5})?%(?:,(?:line-left|center|line-right))?|size:\d{1,3}(?:\.\d{1,5})?%|align:(?:start|center|end|left|right))$/

/** `{\an8}`, in SubRip files too, and the older `{\a6}`, which counts the rows otherwise. */
const PLACE = /\{[^{}]*?\\a(n?)(\d{1,2})(?!\d)/
/** SubStation's, and those of MicroDVD: `{Y:i}`. */
const BRACED = /\{(?:\\|[CFPSY]:)[^{}]*\}/gi
const SWITCH = /\{\\([biu])([01])\}/g
/** SubRip's own other form: `{b}`. */
const BRACED_TAG = /\{(\/?[biu])\}/gi

const secondsOf = (hours: string | undefined, minutes: string, seconds: string, fraction: string | undefined): number =>
  Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds) + Number((fraction ?? '').padEnd(3, '0')) / 1000

const readTimes = (line: string, isVtt: boolean): Omit<Cue, 'text'> | undefined => {
  const [matched, h1, m1 = '', s1 = '', f1, h2, m2 = '', s2 = '', f2, rest = ''] = (isVtt ? VTT_TIMES : SUBRIP_TIMES).exec(line) ?? []
  if (matched === undefined) return undefined
  // An alignment that nobody knows leaves its number valid (WebVTT, 6.3): `position:10%,start`.
  const parts = rest.split(/\s+/).map((part) => (SETTING.test(part) ? part : part.replace(/,.*/, '')))
  const settings = parts.filter((part) => SETTING.test(part))
  return { startSeconds: secondsOf(h1, m1, s1, f1), endSeconds: secondsOf(h2, m2, s2, f2), settings: settings.join(' ') }
}

/** Nobody reads more of one cue. */
const MAX_LINES = 1000

interface Block {
  /** Undefined where they are broken, and before the first. */
  times: Omit<Cue, 'text'> | undefined
  /** What stands in front of it: its number, if it has one. */
  before: string | undefined
  /** Up to the next times, or to the end. */
  lines: string[]
}

/**
 * In WebVTT a cue ends at the first line that is empty, or has an arrow; YouTube begins cues with a line of one space. SubRip
 * files have empty lines inside cues, and numbers before the next, even where that is cut off.
 */
const textLinesOf = ({ before, lines }: Block, { isVtt, isLast }: { isVtt: boolean; isLast: boolean }): string[] => {
  const end = isVtt ? lines.findIndex((line) => line === '' || line.includes('-->')) : -1
  if (isVtt) return end < 0 ? lines : lines.slice(0, end)
  const last = lines.at(-1) ?? ''
  const isNext = Number(last) === Number(before) + 1 && lines.at(-2)?.trim() === ''
  const isNumbered = /^\s*-?\d+\s*$/.test(last) && (!isLast || isNext)
  return isNumbered ? lines.slice(0, -1) : lines
}

/** Tags of SubStation that got into a SubRip file: bold, italics and underlines are switched, the others go. */
const withoutBraces = (text: string): string =>
  text
    .replace(SWITCH, (_, name: string, digit: string) => `<${digit === '0' ? '/' : ''}${name}>`)
    .replace(BRACED_TAG, '<$1>')
    .replace(BRACED, '')

const cuesOf = (block: Block, form: { isVtt: boolean; isLast: boolean }): Cue[] => {
  if (!block.times) return []
  const own = textLinesOf(block, form).join('\n').slice(0, MAX_TEXT)
  const [, isModern = '', number = ''] = PLACE.exec(own) ?? []
  const key = placeOf(Number(number), isModern === '')
  const plain = withoutBraces(own)
  const text = form.isVtt ? cueText(plain) : cueText(plain.replaceAll('\\N', '\n').replaceAll('\\h', '\u00a0'), 'subrip')
  return [{ ...block.times, settings: key ? settingsOfPlace(key) : block.times.settings, text }]
}

/** Times that run backwards and cues without text are sorted out when they are written. */
export function* timedCues(lines: Iterable<string>): Generator<Cue, undefined> {
  let isVtt: boolean | undefined
  let before: string | undefined
  let block: Block = { times: undefined, before, lines: [] }
  for (const line of lines) {
    isVtt ??= /^WEBVTT(?:\s|$)/.test(line)
    const times = readTimes(line, isVtt)
    if (times || BROKEN_TIMES.test(line)) {
      yield* cuesOf(block, { isVtt, isLast: false })
      block = { times, before, lines: [] }
    } else if (block.lines.length < MAX_LINES) block.lines.push(line)
    before = line
  }
  yield* cuesOf(block, { isVtt: isVtt === true, isLast: true })
}

/** The cues of a SubRip or WebVTT file. */
export const parseTimedText = (text: string): Iterable<Cue> => timedCues(linesOf(text))
