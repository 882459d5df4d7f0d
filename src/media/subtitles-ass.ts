/**
 * Sub Station Alpha (`.ssa`, v4) and its successor (`.ass`, v4+) as cues: text, italics and the like, and top or bottom.
 * What only their own renderers can do (positions, drawings, karaoke, fonts) is left out, as Jellyfin does for `<track>`.
 */

import { type Cue, cueText, linesOf, MAX_TEXT, placeOf, settingsOfPlace } from './subtitles-cues.ts'

const TIME = /^(-?)(\d+):(\d{1,2}):(\d{1,2})(?:[.:](\d{1,3}))?$/

/** What has been shifted to before the beginning is there from the beginning on. */
const secondsOf = (text: string): number => {
  const [matched, minus, hours, minutes, seconds, fraction = ''] = TIME.exec(text.trim()) ?? []
  if (matched === undefined) return -1
  return minus ? 0 : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`)
}

/** Names of tags that are on. */
type Tags = ReadonlySet<string>

interface Style {
  place: number
  /** Italics and underlines. Bold is a font's look here, like its colour: Jellyfin and pysubs2 leave it out too. */
  tags: Tags
}

const USUAL_STYLE: Style = { place: 2, tags: new Set() }

/** Flags are -1, in some files 1. */
const readStyle = (valueAt: ValueAt, isLegacy: boolean): Style => ({
  place: placeOf(Number(valueAt('alignment')), isLegacy) ?? USUAL_STYLE.place,
  tags: new Set([...(Number(valueAt('italic')) ? ['i'] : []), ...(Number(valueAt('underline')) ? ['u'] : [])]),
})

/** The value of a field of a line; empty where it has none. */
type ValueAt = (field: string) => string

/** A film with every sign typeset has some hundred. */
const MAX_STYLES = 10_000
/** A style has 23. Every line would be looked through for more. */
const MAX_FIELDS = 64

/** As libass orders them where a script does not say. */
const EVENT_FIELDS = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text']

/** The last field takes the rest of the line: a text may hold commas. */
const readFields = (fields: readonly string[], line: string): ValueAt => {
  const head = line.split(',', fields.length - 1)
  const values = [...head, line.slice(head.reduce((length, value) => length + value.length + 1, 0))]
  return (field) => values[fields.lastIndexOf(field)]?.trim() ?? ''
}

const OVERRIDES = /\{([^{}]*)\}/g

interface State {
  place: number
  isDrawing: boolean
  tags: Tags
}

/** From what is on to what is to be: a switch that changes nothing adds nothing, however often it stands there. */
const switchTags = (from: Tags, to: Tags): string => {
  const ends = [...from]
    .filter((tag) => !to.has(tag))
    .map((tag) => `</${tag}>`)
    .toReversed()
  const starts = [...to].filter((tag) => !from.has(tag)).map((tag) => `<${tag}>`)
  return [...ends, ...starts].join('')
}

const withTag = (tags: Tags, tag: string, isOn: boolean): Tags => {
  if (tags.has(tag) === isOn) return tags
  return new Set(isOn ? [...tags, tag] : [...tags].filter((other) => other !== tag))
}

/** What one block of overrides says that WebVTT can say too. */
const readOverrides = (block: string, state: State, styleOf: (name: string) => Style): void => {
  for (const [, name = 'r', value = '', style = ''] of block.matchAll(/\\(?:(an|a|p|i|b|u)(\d+)?(?![a-z])|r([^\\]*))/g)) {
    const number = Number(value)
    if (name === 'an' || name === 'a') state.place = placeOf(number, name === 'a') ?? state.place
    // Back to the style of the line, or to another one, whatever stood before it.
    else if (name === 'r') state.tags = styleOf(style.trim()).tags
    else if (name === 'p') state.isDrawing = number > 0
    // Weights from 400 to 900 are bold from 600 on; 1 is bold, 0 is not.
    else state.tags = withTag(state.tags, name, name === 'b' ? number === 1 || number >= 600 : number > 0)
  }
}

const readText = (raw: string, styleOf: (name: string) => Style): { text: string; place: number } => {
  const state: State = { ...styleOf(''), isDrawing: false }
  let [text, from] = ['', 0]
  let shown: Tags = USUAL_STYLE.tags
  const add = (part: string): void => {
    if (state.isDrawing || part === '') return
    text += `${switchTags(shown, state.tags)}${part.replaceAll('<', '&lt;')}`
    shown = state.tags
  }
  for (const match of raw.matchAll(OVERRIDES)) {
    add(raw.slice(from, match.index))
    from = match.index + match[0].length
    readOverrides(match[1] ?? '', state, styleOf)
    if (text.length > MAX_TEXT) break
  }
  add(raw.slice(from))
  return { text: cueText(text.replace(/\\[Nn]/g, '\n').replaceAll('\\h', '\u00a0')), place: state.place }
}

/** The cues of a script. Lines that are none are passed over. */
export function* parseAss(script: string): Generator<Cue, undefined> {
  const styles = new Map<string, Style>()
  let section = ''
  /** Lower case, as the file's `Format:` line orders them. */
  let format: readonly string[] = EVENT_FIELDS
  for (const line of linesOf(script)) {
    const header = /^\s*\[(.+)\]\s*$/.exec(line)?.[1]
    if (header !== undefined) {
      section = header.toLowerCase()
      format = EVENT_FIELDS
    }
    const [, label = '', rest = ''] = /^\s*(\w+):\s?(.*)$/.exec(line) ?? []
    const key = label.toLowerCase()
    if (key === 'format') {
      const fields = rest.split(',', MAX_FIELDS + 1)
      if (fields.length <= MAX_FIELDS) format = fields.map((field) => field.trim().toLowerCase())
    }
    if (key !== 'style' && key !== 'dialogue') continue
    const valueAt = readFields(format, rest)
    if (key === 'style') {
      if (styles.size < MAX_STYLES) styles.set(valueAt('name'), readStyle(valueAt, !section.includes('+')))
      continue
    }
    const own = styles.get(valueAt('style').replace(/^\*/, '')) ?? USUAL_STYLE
    const { text, place } = readText(valueAt('text'), (name) => styles.get(name) ?? own)
    const [startSeconds, endSeconds] = [secondsOf(valueAt('start')), secondsOf(valueAt('end'))]
    yield { startSeconds, endSeconds, settings: settingsOfPlace(place), text }
  }
}
