/**
 * SAMI (Microsoft's "Understanding SAMI 1.0"), what subtitles in Korean are in: a page whose texts stay until the next time. A file
 * may have several languages, each of a class of its own.
 */

import { type Cue, cueText } from './subtitles-cues.ts'

/** The last text has no end. */
const LAST_SECONDS = 5
const HEAD_BYTES = 16 * 1024

const START = /^[^<>]*?\bstart\s*=\s*["']?(\d{1,9})/i
const PARAGRAPH = /<p\b([^<>]*)>/i
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

/** An empty one clears what stands there. */
const paragraphsOf = (sync: string): Paragraph[] => {
  const startSeconds = Number(START.exec(sync)?.[1] ?? Number.NaN) / 1000
  if (Number.isNaN(startSeconds)) return []
  const [first = '', ...parts] = sync.slice(sync.indexOf('>') + 1).split(PARAGRAPH)
  const paragraphs =
    parts.length === 0 ? [['', first]] : Array.from({ length: parts.length / 2 }, (_, index) => parts.slice(index * 2, index * 2 + 2))
  return paragraphs.map(([attributes = '', text = '']) => ({
    startSeconds,
    className: CLASS.exec(attributes)?.[1]?.toLowerCase() ?? '',
    text: text.replaceAll('&nbsp;', ' ').replace(/\s+/g, ' '),
  }))
}

/** The cues of one language: of `language` where the file has it, else the first one in it. */
export const parseSami = (text: string, language: string | null): Cue[] => {
  const paragraphs = text
    .split(/<sync\b/i)
    .slice(1)
    .flatMap(paragraphsOf)
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
