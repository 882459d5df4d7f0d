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

const TAG = /<(\/?)([a-z]+)(?:[ .][^<>]*)?>|<[^<>]*>/gi
const KEPT_TAGS: ReadonlySet<string> = new Set(['b', 'i', 'u', 'ruby', 'rt'])

const escapeText = (text: string): string =>
  text
    .replace(/&(?!(?:amp|lt|gt|nbsp|lrm|rlm|quot|#\d{1,7}|#x[\da-f]{1,6});)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** Text of a subtitle file as text of a cue: known tags stay, balanced, all others go, and no line is empty. */
export const cueText = (raw: string): string => {
  const open: string[] = []
  let [text, from] = ['', 0]
  for (const match of raw.matchAll(TAG)) {
    text += escapeText(raw.slice(from, match.index))
    from = match.index + match[0].length
    const [, slash, name = ''] = match
    const tag = name.toLowerCase()
    if (!KEPT_TAGS.has(tag)) continue
    if (!slash) {
      open.push(tag)
      text += `<${tag}>`
    } else if (open.at(-1) === tag) {
      open.pop()
      text += `</${tag}>`
    }
  }
  text += escapeText(raw.slice(from)).trimEnd()
  text += open
    .reverse()
    .map((tag) => `</${tag}>`)
    .join('')
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
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
export const renderVtt = (cues: readonly Cue[]): string => {
  const seen = new Set<string>()
  const blocks = cues
    .filter(({ startSeconds, endSeconds, text }) => text !== '' && startSeconds >= 0 && endSeconds > startSeconds)
    .toSorted((a, b) => a.startSeconds - b.startSeconds)
    .map(({ startSeconds, endSeconds, text, settings }) => {
      const place = settings === '' ? '' : ` ${settings}`
      return `${clock(startSeconds)} --> ${clock(endSeconds)}${place}\n${text}\n`
    })
    .filter((block) => !seen.has(block) && seen.add(block))
  return ['WEBVTT\n', ...blocks.slice(0, MAX_CUES)].join('\n')
}
