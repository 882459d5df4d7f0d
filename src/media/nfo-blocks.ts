/** The root elements of an NFO's text, each as the values that fields are made of. */

import { type SaxesOptions, SaxesParser } from 'saxes'
import type { NfoRoot } from '../domain/nfo.ts'
import { NfoError } from './nfo-error.ts'

/** The attributes that matter: those of `rating`. */
interface Attributes {
  name?: string | undefined
  max?: string | undefined
  default?: string | undefined
}

/** The text of one element; a rating, or the value within one, has the rating's attributes. */
export interface NfoValue extends Attributes {
  /** Names from below the root: `title`, `ratings/rating/value`. */
  path: string
  text: string
}

/** What nests deeper describes nothing that we know, or is meant to exhaust something. */
const MAX_DEPTH = 64
/** Far more than any file has of what we read; the rest of a longer list is left out. */
const MAX_VALUES = 1000
const MAX_TEXT_CHARACTERS = 100_000

/** Five thousand actors' worth. Each of them costs time and memory, even those that are not read. */
const MAX_MARKUP = 50_000

interface OpenElement {
  path: string
  attributes: Attributes
}

const NO_ATTRIBUTES: Attributes = {}

/** What Sick Beard and its heirs, and Media Companion, write around the episodes of one file. */
const EPISODE_WRAPPERS: ReadonlySet<string> = new Set(['xbmcmultiepisode', 'multiepisodenfo'])

const DOCTYPE = /<!(?:DOCTYPE|ENTITY)/i

/** Refuses by a look at the text alone what should not reach a parser. Throws `NfoError`. */
export const checkText = (text: string): void => {
  if (DOCTYPE.test(text)) throw new NfoError('doctype')
  let markup = 0
  for (const sign of ['<', '&'])
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1))
      if (++markup > MAX_MARKUP) throw new NfoError('too_much_markup')
}

const OPTIONS = { fragment: true, position: false, xmlns: false } as const satisfies SaxesOptions

/**
 * The blocks of an NFO file: one for each root element of the wanted name, several where episodes are stacked.
 * What follows the last one, a scraper's address for instance, is not looked at (Kodi wiki, "combination NFO").
 * Only the elements at `wanted` paths are kept, none of which lies within another: memory does not grow with the rest.
 * `text` is checked (`checkText`) and repaired (`repairText`). Throws `NfoError`.
 */
export const readBlocks = (text: string, root: NfoRoot | 'ComicInfo', wanted: ReadonlySet<string>): NfoValue[][] => {
  const blocks: NfoValue[][] = []
  const open: OpenElement[] = []
  let block: NfoValue[] | undefined
  let isWrapped = false
  /** What is being read, and how many elements were open when it began. */
  let value: NfoValue | undefined
  let valueDepth = 0

  const parser = new SaxesParser(OPTIONS)
  parser.on('error', (error) => {
    throw new NfoError('not_sound', error)
  })
  parser.on('opentag', ({ name, attributes }) => {
    const around = open.at(-1)
    if (!around) {
      if (root === 'episodedetails' && EPISODE_WRAPPERS.has(name) && !isWrapped) {
        isWrapped = true
        return
      }
      if (name !== root) throw new NfoError('wrong_root')
      block = []
    }
    if (open.length >= MAX_DEPTH) throw new NfoError('not_sound')
    const path = around ? (open.length === 1 ? name : `${around.path}/${name}`) : ''
    const inherited = around?.attributes ?? NO_ATTRIBUTES
    const own = name === 'rating' ? { name: attributes.name, max: attributes.max, default: attributes.default } : inherited
    if (around && block && wanted.has(path) && block.length < MAX_VALUES) {
      value = { path, text: '', ...own }
      valueDepth = open.length
      block.push(value)
    }
    open.push({ path, attributes: own })
  })
  const addText = (more: string): void => {
    if (value && value.text.length < MAX_TEXT_CHARACTERS) value.text += more.slice(0, MAX_TEXT_CHARACTERS - value.text.length)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    // Without one it is the wrapper's.
    if (!open.pop()) return
    if (open.length === valueDepth) value = undefined
    if (open.length > 0 || !block) return
    blocks.push(block)
    block = undefined
  })

  try {
    parser.write(text).close()
  } catch (error) {
    // Behind a whole block there may be anything but the beginning of another one: that one was cut off.
    const isBehind = blocks.length > 0 && block === undefined && !text.includes(`<${root}`, parser.position)
    if (!isBehind) throw error
  }
  if (blocks.length === 0) throw new NfoError('no_root')
  return blocks
}
