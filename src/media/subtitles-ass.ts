/**
 * Sub Station Alpha (`.ssa`, v4) and its successor (`.ass`, v4+) as cues: text, italics and the like, and top or bottom.
 * What only their own renderers can do (positions, drawings, karaoke, fonts) is left out, as Jellyfin does for `<track>`.
 */

import { type Cue, cueText, placeOf, settingsOfPlace } from './subtitles-cues.ts'

const TIME = /^(-?)(\d+):(\d{1,2}):(\d{1,2})(?:[.:](\d{1,3}))?$/

/** What has been shifted to before the beginning is there from the beginning on. */
const secondsOf = (text: string): number => {
  const [matched, minus, hours, minutes, seconds, fraction = ''] = TIME.exec(text.trim()) ?? []
  if (matched === undefined) return -1
  return minus ? 0 : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`)
}

interface Style {
  place: number
  /** Italics and underlines, as tags. Bold is a font's look here, like its colour: Jellyfin and pysubs2 leave it out too. */
  tags: string
}

const USUAL_STYLE: Style = { place: 2, tags: '' }

/** Flags are -1, in some files 1. */
const readStyle = ({ alignment, italic, underline }: Record<string, string>, isLegacy: boolean): Style => ({
  place: placeOf(Number(alignment), isLegacy) ?? USUAL_STYLE.place,
  tags: `${Number(italic) ? '<i>' : ''}${Number(underline) ? '<u>' : ''}`,
})

interface Section {
  /** Lower case, as the file's `Format:` line orders them. */
  fields: readonly string[]
}

/** As libass orders them where a script does not say. */
const EVENT_FIELDS = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text']

/** The last field takes the rest of the line: a text may hold commas. */
const readFields = ({ fields }: Section, line: string): Record<string, string> => {
  const parts = line.split(',')
  const head = parts.slice(0, fields.length - 1)
  const values = [...head, parts.slice(fields.length - 1).join(',')]
  return Object.fromEntries(fields.map((field, place) => [field, values[place]?.trim() ?? '']))
}

const OVERRIDES = /\{([^{}]*)\}/g

interface State {
  place: number
  isDrawing: boolean
}

/** The tags of one block of overrides that WebVTT has too. */
const readOverrides = (block: string, state: State, styleOf: (name: string) => Style): string => {
  let tags = ''
  for (const [, name = 'r', value = '', style = ''] of block.matchAll(/\\(?:(an|a|p|i|b|u)(\d+)?(?![a-z])|r([^\\]*))/g)) {
    const number = Number(value)
    if (name === 'an' || name === 'a') state.place = placeOf(number, name === 'a') ?? state.place
    // Back to the style of the line, or to another one, whatever stood before it.
    else if (name === 'r') tags = `</b></i></u>${styleOf(style.trim()).tags}`
    else if (name === 'p') state.isDrawing = number > 0
    // Weights from 400 to 900 are bold from 600 on; 1 is bold, 0 is not.
    else if (name === 'b') tags += number === 1 || number >= 600 ? '<b>' : '</b>'
    else if (name === 'i' || name === 'u') tags += number > 0 ? `<${name}>` : `</${name}>`
  }
  return tags
}

const readText = (raw: string, styleOf: (name: string) => Style): { text: string; place: number } => {
  const { place, tags } = styleOf('')
  const state: State = { place, isDrawing: false }
  let [text, from] = [tags, 0]
  const add = (part: string): void => {
    if (!state.isDrawing) text += part.replaceAll('<', '&lt;')
  }
  for (const match of raw.matchAll(OVERRIDES)) {
    add(raw.slice(from, match.index))
    from = match.index + match[0].length
    text += readOverrides(match[1] ?? '', state, styleOf)
  }
  add(raw.slice(from))
  return { text: cueText(text.replace(/\\[Nn]/g, '\n').replaceAll('\\h', '\u00a0')), place: state.place }
}

/** The cues of a script. Lines that are none are passed over. */
export const parseAss = (script: string): Cue[] => {
  const cues: Cue[] = []
  const styles = new Map<string, Style>()
  let section = ''
  let format: Section = { fields: EVENT_FIELDS }
  for (const line of script.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const header = /^\s*\[(.+)\]\s*$/.exec(line)?.[1]
    if (header !== undefined) {
      section = header.toLowerCase()
      format = { fields: EVENT_FIELDS }
    }
    const [, label = '', rest = ''] = /^\s*(\w+):\s?(.*)$/.exec(line) ?? []
    const key = label.toLowerCase()
    if (key === 'format') format = { fields: rest.split(',').map((field) => field.trim().toLowerCase()) }
    if (key === 'style') {
      const { name = '', ...fields } = readFields(format, rest)
      styles.set(name, readStyle(fields, !section.includes('+')))
    }
    if (key !== 'dialogue') continue
    const { start = '', end = '', style = '', text: raw = '' } = readFields(format, rest)
    const own = styles.get(style.replace(/^\*/, '')) ?? USUAL_STYLE
    const { text, place } = readText(raw, (name) => styles.get(name) ?? own)
    cues.push({ startSeconds: secondsOf(start), endSeconds: secondsOf(end), settings: settingsOfPlace(place), text })
  }
  return cues
}
