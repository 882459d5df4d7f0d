/**
 * Sub Station Alpha (`.ssa`, v4) and its successor (`.ass`, v4+) as cues: text, italics and the like, and top or bottom.
 * What only their own renderers can do (positions, drawings, karaoke, fonts) is left out, as Jellyfin does for `<track>`.
 */

import { type Cue, cueText, settingsOfPlace } from './subtitles-cues.ts'

const TIME = /^(\d+):(\d{1,2}):(\d{1,2})[.:](\d{1,3})$/

const secondsOf = (text: string): number => {
  const [matched, hours, minutes, seconds, fraction = ''] = TIME.exec(text.trim()) ?? []
  return matched === undefined ? -1 : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`)
}

/** SSA counts 1 to 3 at the bottom, 5 to 7 at the top, 9 to 11 in the middle. */
const placeOfLegacy = (alignment: number): number => ((alignment - 1) % 4) + 1 + (alignment > 8 ? 3 : alignment > 4 ? 6 : 0)

interface Section {
  /** Lower case, as the file's `Format:` line orders them. */
  fields: string[]
}

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
const readOverrides = (block: string, state: State): string => {
  let tags = ''
  for (const [, name = '', value = ''] of block.matchAll(/\\(an|a|p|i|b|u)(\d+)?(?![a-z])/g)) {
    const number = Number(value)
    if (name === 'an' && number >= 1 && number <= 9) state.place = number
    else if (name === 'a' && number >= 1 && number <= 11) state.place = placeOfLegacy(number)
    else if (name === 'p') state.isDrawing = number > 0
    // Weights from 400 to 900 are bold from 600 on; 1 is bold, 0 is not.
    else if (name === 'b') tags += number === 1 || number >= 600 ? '<b>' : '</b>'
    else if (name === 'i' || name === 'u') tags += number > 0 ? `<${name}>` : `</${name}>`
  }
  return tags
}

const readText = (raw: string, place: number): { text: string; place: number } => {
  const state: State = { place, isDrawing: false }
  let [text, from] = ['', 0]
  const add = (part: string): void => {
    if (!state.isDrawing) text += part.replaceAll('<', '&lt;')
  }
  for (const match of raw.matchAll(OVERRIDES)) {
    add(raw.slice(from, match.index))
    from = match.index + match[0].length
    text += readOverrides(match[1] ?? '', state)
  }
  add(raw.slice(from))
  return { text: cueText(text.replace(/\\[Nn]/g, '\n').replaceAll('\\h', '\u00a0')), place: state.place }
}

/** The cues of a script. Lines that are none are passed over. */
export const parseAss = (script: string): Cue[] => {
  const cues: Cue[] = []
  const places = new Map<string, number>()
  let section = ''
  let format: Section = { fields: [] }
  for (const line of script.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const header = /^\s*\[(.+)\]\s*$/.exec(line)?.[1]
    if (header !== undefined) section = header.toLowerCase()
    const [, key = '', rest = ''] = /^(\w+):\s?(.*)$/.exec(line) ?? []
    if (key === 'Format') format = { fields: rest.split(',').map((field) => field.trim().toLowerCase()) }
    if (key === 'Style') {
      const { name = '', alignment = '' } = readFields(format, rest)
      const number = Number(alignment) || 2
      places.set(name, section.includes('+') ? number : placeOfLegacy(number))
    }
    if (key !== 'Dialogue') continue
    const { start = '', end = '', style = '', text: raw = '' } = readFields(format, rest)
    const { text, place } = readText(raw, places.get(style.replace(/^\*/, '')) ?? 2)
    cues.push({ startSeconds: secondsOf(start), endSeconds: secondsOf(end), settings: settingsOfPlace(place), text })
  }
  return cues
}
