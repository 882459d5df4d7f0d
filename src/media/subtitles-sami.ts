/**
 * SAMI (Microsoft's "Understanding SAMI 1.0"), what subtitles in Korean are in: a page whose texts stay until the next time. A file
 * may have several languages, each of a class of its own.
 */

import { type Cue, cueText, MAX_FOUND, MAX_TEXT } from './subtitles-cues.ts'

/** The last text has no end. */
const LAST_SECONDS = 5
const HEAD_BYTES = 16 * 1024

const START = /^[^<>]*?\bstart\s*=\s*["']?(\d{1,9})/i
const SYNC = /<sync\b/gi
const PARAGRAPH = /<p\b([^<>]*)>/gi
const CLASS = /\bclass\s*=\s*["']?([\w-]+)/i
const DECLARED = /\.([\w-]+)\s*\{[^{}]*?\blang\s*:\s*([a-z]{2,3})\b/gi

interface Paragraph {
  startSeconds: number
  /** Empty where it has none, and so is of every language. */
  className: string
  text: string
}

const languagesOf = (text: string): Map<string, string> =>
  new Map(
    [...text.slice(0, HEAD_BYTES).matchAll(DECLARED)].map(([, name = '', language = '']) => [name.toLowerCase(), language.toLowerCase()]),
  )

/** The first language that the head of the file names; null where it names none. */
export const samiLanguage = (bytes: Uint8Array): string | null => {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES))
  return languagesOf(head).values().next().value ?? null
}

/** What follows each `mark`, with what that has caught; first what stands before all of them. */
function* partsOf(text: string, mark: RegExp): Generator<[caught: string, part: string], undefined> {
  let [caught, from] = ['', 0]
  for (const match of text.matchAll(mark)) {
    yield [caught, text.slice(from, match.index)]
    caught = match[1] ?? ''
    from = match.index + match[0].length
  }
  yield [caught, text.slice(from)]
}

/** An empty one clears what stands there. */
function* paragraphsOf(text: string): Generator<Paragraph, undefined> {
  for (const [, sync] of partsOf(text, SYNC).drop(1)) {
    const startSeconds = Number(START.exec(sync)?.[1] ?? Number.NaN) / 1000
    if (Number.isNaN(startSeconds)) continue
    const body = sync.slice(sync.indexOf('>') + 1)
    for (const [attributes, part] of partsOf(body, PARAGRAPH).drop(body.search(PARAGRAPH) < 0 ? 0 : 1))
      yield {
        startSeconds,
        className: CLASS.exec(attributes)?.[1]?.toLowerCase() ?? '',
        text: part.slice(0, MAX_TEXT).replaceAll('&nbsp;', ' ').replace(/\s+/g, ' '),
      }
  }
}

/** The cues of one language: of `language` where the file has it, else the first one in it. */
export const parseSami = (text: string, language: string | null): Cue[] => {
  const paragraphs = paragraphsOf(text).take(MAX_FOUND).toArray()
  const languages = languagesOf(text)
  const isWanted = ({ className }: Paragraph): boolean => language !== null && languages.get(className) === language.split('-')[0]
  const className = (paragraphs.find(isWanted) ?? paragraphs.find((paragraph) => paragraph.className !== ''))?.className
  const own = paragraphs
    .filter((paragraph) => paragraph.className === '' || paragraph.className === className)
    .toSorted((a, b) => a.startSeconds - b.startSeconds)
  return own.map(({ startSeconds, text: line }, index) => ({
    startSeconds,
    endSeconds: own[index + 1]?.startSeconds ?? startSeconds + LAST_SECONDS,
    text: cueText(line),
    settings: '',
  }))
}
