/** From what a model answered to tags of the vocabulary. Whatever else it says is at most a suggestion. */

import { tagNameProblem } from '../domain/tag-name.ts'
import { isRefusal } from './answer-guard.ts'
import { cleanAnswer, withoutFence } from './answer-text.ts'
import { cutOffStrings, jsonIn } from './json-in-text.ts'
import { type FindTag, looseNameKey, MAX_ANSWERED_CHARACTERS, tagFinder } from './tag-match.ts'
import type { VocabularyTag } from './vocabulary.ts'

interface TagChoice {
  /** In the order of the answer, each once. */
  tagIds: number[]
  /** Names that stand for no tag, as answered: for people to look at, never to apply. */
  suggestions: string[]
}

const MAX_SUGGESTIONS = 50
/** A model that names more than these goes round in circles; looking up a million would hold up its thread. */
const MAX_NAMES = 5000
/** With a longer "name" in it, a line is prose. */
const MAX_NAME_WORDS = 6
const NEGATION = /(?:\b(?:not|neither|nor|cannot|never|hardly|nicht|weder|keine?[nmrs]?)|n['’]t)\b/i
/** Of an answer, that are looked at: five thousand names have room in it, and reading millions would hold up the thread too. */
const MAX_CHARACTERS = 256 * 1024
/** How models say that no tag fits. */
const NOTHING: ReadonlySet<string> = new Set(['none', 'notag', 'notags', 'nothing', 'n/a', 'null', 'empty', 'untagged'])

/** An object for each tag, as some models answer: `{"name": "Horror", "confidence": 0.9}`. */
const nameOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const named = Object.entries(value).find(([key, own]) => /^(?:tag|name|label|value)$/i.test(key) && typeof own === 'string')
  return named ? [String(named[1])] : []
}

/**
 * The names in lists by category, `{"Mood": ["Dark"], "Genre": ["Horror"]}`. A list in which its key finds no tag is none: it
 * may be of what does not fit.
 */
const namesByCategory = (lists: [category: string, list: unknown[]][], find: FindTag): string[] =>
  lists.flatMap(([category, list]) => {
    const names = list.flatMap(nameOf).slice(0, MAX_NAMES)
    const isInCategory = names.map((name) => find(`${category}/${name}`) !== undefined)
    if (!isInCategory.includes(true)) return []
    return names.map((name, at) => (isInCategory[at] ? `${category}/${name}` : name))
  })

/** The names in a JSON value; undefined where it is no list of names. */
const namesInJson = (value: unknown, find: FindTag): string[] | undefined => {
  if (Array.isArray(value)) {
    const names = value.flatMap(nameOf)
    return names.length > 0 || value.length === 0 ? names : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const entries: [string, unknown][] = Object.entries(value)
  const tags = entries.find(([key]) => /^tags?$/i.test(key))?.[1]
  if (tags !== undefined) return typeof tags === 'string' ? [tags] : namesInJson(tags, find)
  const lists = entries.flatMap(([key, own]): [string, unknown[]][] => (Array.isArray(own) ? [[key, own]] : []))
  const names = namesByCategory(lists, find)
  return names.length > 0 ? names : namesInJson(lists[0]?.[1], find)
}

/** What models put before a name: a bullet, a number, a hash sign, emphasis, a quotation mark. */
const BEFORE = /^(?:(?:[-*•–—+]|\d{1,4}[.)])\s+|[*_`]+|[#"'“”„«»‘’])\s*/
const BEHIND = /(?:(?<![*_`])[*_`]+|["'“”„«»‘’.,;])$/
/** Nobody puts more on one side. */
const MAX_SIGNS = 4

/** The text, then without one sign after the other. */
function* peeled(text: string, sign: RegExp): Generator<string> {
  yield text
  for (let [layer, signs] = [text, 0]; signs < MAX_SIGNS && sign.test(layer); signs++) {
    layer = layer.replace(sign, '').trim()
    yield layer
  }
}

/** What an answered name may mean, as it stands first: any sign may be the name's own, as in "E.T." and "50. Geburtstag". */
function* readingsOf(name: string): Generator<string> {
  for (const rest of peeled(name.trim(), BEFORE)) yield* peeled(rest, BEHIND)
}

const bare = (text: string, sign: RegExp): string => [...peeled(text, sign)].at(-1) ?? ''

const undecorated = (name: string): string => bare(bare(name.trim(), BEFORE), BEHIND)

interface Answered {
  names: string[]
  /** A list by lines or commas, and not JSON: its "names" may be sentences. */
  isPlain: boolean
}

/**
 * `{"tags": [...]}`, a bare array, either of them fenced or inside prose (the last one counts: models repeat the question
 * first), JSON that was cut off, or a list by lines.
 */
const readAnswer = (answer: string, find: FindTag): Answered => {
  const text = withoutFence(cleanAnswer(answer.slice(0, MAX_CHARACTERS)))
  const list = jsonIn(text)
    .map((value) => namesInJson(value, find))
    .filter((names) => names !== undefined)
    .at(-1)
  const names = list ?? cutOffStrings(text)
  return names ? { names, isPlain: false } : { names: text.split('\n'), isPlain: true }
}

/** One name may be several, "Horror, Comedy", and a plain list may begin with words of its own: "Tags: Horror". */
const piecesOf = (name: string): string[] => name.split(/[,;|、，；]/, MAX_NAMES).filter((piece) => undecorated(piece) !== '')

const afterColon = (name: string): string => name.slice(name.lastIndexOf(':') + 1)

/** The last of several: "Horror, Comedy, and Drama". */
const afterAnd = (piece: string, at: number): string => (at === 0 ? piece : piece.replace(/^\s*(?:and|und|&)\s+/i, ''))

const findRead = (find: FindTag, names: Iterable<string>): VocabularyTag | undefined => {
  for (const name of names) {
    if (name.length > MAX_ANSWERED_CHARACTERS) continue
    // Nearly every name is answered as it stands.
    const asItStands = find(name.trim())
    if (asItStands) return asItStands
    for (const reading of readingsOf(name)) {
      const tag = find(reading)
      if (tag) return tag
    }
  }
  return undefined
}

const isPossible = (name: string): boolean => tagNameProblem(name) === undefined && !NOTHING.has(looseNameKey(name))

/** Whether a line says something instead of naming tags: what it names may be what it denies. `unknown`: of its pieces, those that are no tags. */
const isProse = (line: string, unknown: string[]): boolean =>
  isRefusal(line) || unknown.some((piece) => piece.split(/\s+/).length > MAX_NAME_WORDS || NEGATION.test(piece))

/** The tags of one answered name; nothing where it means none. */
const findAll = (find: FindTag, name: string): { tags: VocabularyTag[]; unknown: string[] } => {
  const whole = findRead(find, [name])
  if (whole) return { tags: [whole], unknown: [] }
  const found = piecesOf(name).map((piece, at) => {
    const rest = afterAnd(piece, at)
    return { rest, tag: findRead(find, new Set([piece, afterColon(piece), rest])) }
  })
  return {
    tags: found.flatMap(({ tag }) => tag ?? []),
    unknown: found.flatMap(({ rest, tag }) => (tag ? [] : [undecorated(rest)])),
  }
}

/** Looks every answered name up in the vocabulary as it is given, which need not be all that the model was offered. */
export const readTagAnswer = (answer: string, vocabulary: readonly VocabularyTag[]): TagChoice => {
  const find = tagFinder(vocabulary)
  const { names, isPlain } = readAnswer(answer, find)
  const tagIds = new Set<number>()
  const unknown = new Map<string, string>()
  let hasProse = false
  let pieces = 0
  for (const name of new Set(names.slice(0, MAX_NAMES))) {
    if (pieces >= MAX_NAMES) break
    const found = findAll(find, name)
    pieces += found.tags.length + found.unknown.length
    if (isPlain && isProse(name, found.unknown)) {
      hasProse = true
      continue
    }
    for (const { id } of found.tags) tagIds.add(id)
    for (const piece of found.unknown) unknown.set(looseNameKey(piece), piece)
  }
  const suggestions = hasProse ? [] : [...unknown.values()].filter(isPossible).slice(0, MAX_SUGGESTIONS)
  return { tagIds: [...tagIds], suggestions }
}
