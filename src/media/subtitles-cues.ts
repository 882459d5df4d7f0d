/** Subtitles between reading and writing, and how they are written: WebVTT (W3C), cues alone. */

export interface Cue {
  startSeconds: number
  endSeconds: number
  /** Lines divided by "\n"; may hold `<b>`, `<i>`, `<u>`, `<ruby>` and `<rt>`, and is escaped by `cueText`. */
  text: string
  /** Where it is shown, as cue settings; empty for the usual place. */
  settings: string
}

/** What a browser could be kept busy with; a film has 2,000. */
const MAX_CUES = 50_000
/** What is looked through for the first of them: files need not be in order. */
export const MAX_FOUND = 2 * MAX_CUES
/** Nobody reads a longer text; those of scripts may have drawings in front. */
export const MAX_TEXT = 256 * 1024

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13]

/** One after another, as a large file has millions. What is too long is cut. */
export function* linesOf(text: string): Generator<string, undefined> {
  const end = text.trimEnd().length
  let from = text.startsWith('\ufeff') ? 1 : 0
  for (let place = from; place <= end; place++) {
    const code = place === end ? LINE_FEED : text.charCodeAt(place)
    if (code !== LINE_FEED && code !== CARRIAGE_RETURN) continue
    yield text.slice(from, Math.min(place, from + MAX_TEXT))
    if (code === CARRIAGE_RETURN && text.charCodeAt(place + 1) === LINE_FEED) place++
    from = place + 1
  }
}

const ANGLES = /<([^<>]*)>/g
const NAME = /^\s*(?:(\/)\s*)?([a-z]+)(?![\w-])/i
const STYLES: ReadonlySet<string> = new Set(['b', 'i', 'u'])
/** What lies deeper is no text that anybody wrote; the end of a style costs what lies within it. */
const MAX_DEPTH = 16
const KEPT_TAGS: ReadonlySet<string> = new Set([...STYLES, 'ruby', 'rt'])

/** What is markup in SubRip: `<i>`, `</font>`, `<font color=red>`, and WebVTT's `<v Ann>`, `<c.red>` and `<00:01.500>`. */
const SUBRIP_MARKUP = /^\s*(?:\/\s*)?[a-z][\w-]*(?:\s[^=]*=.*|\s*(?:\/\s*)?)$|^(?:c|v|lang)[. ]|^\d+:[\d:.]+$/is

/** Character references stay: browsers read those of HTML in cues, as text (WebVTT, 6.4). */
const escapeText = (text: string): string =>
  text
    .replace(/&(?!(?:[a-z][a-z\d]{1,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

const starts = (tags: readonly string[]): string => tags.map((tag) => `<${tag}>`).join('')
const ends = (tags: readonly string[]): string =>
  tags
    .map((tag) => `</${tag}>`)
    .reverse()
    .join('')

/**
 * What an end tag becomes. Styles may overlap, as the switches of SubStation do and those of SubRip are meant (FFmpeg's
 * `htmlsubtitles.c`): those within go on behind it. The end of a ruby ends its last `<rt>`, too (WebVTT, 6.4).
 */
const endOf = (tag: string, open: string[]): string => {
  const place = open.lastIndexOf(tag)
  const inner = open.slice(place + 1)
  const mayOverlap = STYLES.has(tag) && inner.every((one) => STYLES.has(one))
  if (place < 0 || !(inner.length === 0 || mayOverlap || (tag === 'ruby' && inner.join(' ') === 'rt'))) return ''
  open.splice(place, open.length, ...(mayOverlap ? inner : []))
  return `${ends([tag, ...inner])}${mayOverlap ? starts(inner) : ''}`
}

/**
 * Text of a subtitle file as text of a cue: known tags stay, balanced, all others go, and no line is empty. In WebVTT all that
 * stands between angles is a tag; in SubRip it may be text, `<<as here>>` or in 1<2 and 3>2, and stays.
 */
export const cueText = (raw: string, form: 'webvtt' | 'subrip' = 'webvtt'): string => {
  const open: string[] = []
  let [text, from] = ['', 0]
  for (const match of raw.matchAll(ANGLES)) {
    const [whole, inside = ''] = match
    const [, slash = '', name = ''] = NAME.exec(inside) ?? []
    const tag = name.toLowerCase()
    const isQuoted = raw[match.index - 1] === '<' && !KEPT_TAGS.has(tag)
    if (form === 'subrip' && (isQuoted || !SUBRIP_MARKUP.test(inside))) continue
    text += escapeText(raw.slice(from, match.index))
    from = match.index + whole.length
    if (tag === 'br') text += '\n'
    else if (slash) text += endOf(tag, open)
    else if (KEPT_TAGS.has(tag) && open.length < MAX_DEPTH) {
      open.push(tag)
      text += `<${tag}>`
    }
  }
  text += escapeText(raw.slice(from)).trimEnd()
  if (text.replace(/<[^>]*>/g, '').trim() === '') return ''
  text += ends(open)
  return text
    .replace(/<([biu])><\/\1>/g, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

/**
 * A key of the number pad; SSA counts 1 to 3 at the bottom, 5 to 7 at the top, 9 to 11 in the middle, and takes 4 and 8,
 * which are none, for 5 (VSFilter, and libass after it). Undefined for no place.
 */
export const placeOf = (alignment: number, isLegacy: boolean): number | undefined => {
  if (!(alignment >= 1 && alignment <= (isLegacy ? 11 : 9))) return undefined
  if (!isLegacy) return alignment
  const own = alignment % 4 === 0 ? 5 : alignment
  return (own % 4) + (own > 8 ? 3 : own > 4 ? 6 : 0)
}

/** Places by the keys of a number pad, as SubStation and, after it, SubRip name them: 2 is the usual one. */
export const settingsOfPlace = (place: number): string => {
  const column = ['align:end position:95%', 'align:start position:5%', ''][place % 3] ?? ''
  const row = place >= 7 ? 'line:0' : place >= 4 ? 'line:50%' : ''
  return [row, column].filter((part) => part !== '').join(' ')
}

const two = (number: number): string => String(number).padStart(2, '0')

const clock = (seconds: number): string => {
  const total = Math.round(seconds * 1000)
  return `${two(Math.floor(total / 3_600_000))}:${two(Math.floor(total / 60_000) % 60)}:${two(Math.floor(total / 1000) % 60)}.${String(total % 1000).padStart(3, '0')}`
}

/** Cues in order of time; those without text, without duration, and exact doubles are left out. */
export const renderVtt = (cues: Iterable<Cue>): string => {
  /** With the seconds when they start. */
  const blocks = new Map<string, number>()
  for (const { startSeconds, endSeconds, text, settings } of cues) {
    if (text === '' || startSeconds < 0 || !(endSeconds > startSeconds)) continue
    const place = settings === '' ? '' : ` ${settings}`
    blocks.set(`${clock(startSeconds)} --> ${clock(endSeconds)}${place}\n${text}\n`, startSeconds)
    if (blocks.size === MAX_FOUND) break
  }
  const inOrder = [...blocks].toSorted(([, a], [, b]) => a - b).slice(0, MAX_CUES)
  return ['WEBVTT\n', ...inOrder.map(([block]) => block)].join('\n')
}
