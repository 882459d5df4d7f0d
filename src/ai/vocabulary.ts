/** The tags that a model is offered. */

import { compareText, sortTitle } from '../domain/natural-sort.ts'
import { normalForm } from '../domain/normal-form.ts'
import { looseNameKey } from './tag-match.ts'

export interface VocabularyTag {
  id: number
  name: string
  category: string
  /** Assignments in all libraries. */
  usage: number
  /** Other names that stand for it. */
  aliases: string[]
}

/** About four thousand tokens: a local model with a context of eight thousand has room for the item and for its answer. */
export const MAX_VOCABULARY_CHARACTERS = 12_000

/** By its name alone, or "Category/Tag" where several categories have a tag of that name. */
const offeredNames = (tags: readonly VocabularyTag[]): Map<VocabularyTag, string> => {
  const counts = new Map<string, number>()
  for (const { name } of tags) counts.set(looseNameKey(name), (counts.get(looseNameKey(name)) ?? 0) + 1)
  return new Map(tags.map((tag) => [tag, (counts.get(looseNameKey(tag.name)) ?? 0) > 1 ? `${tag.category}/${tag.name}` : tag.name]))
}

const wordsOf = (text: string): string[] =>
  normalForm(text, 'NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

interface Word {
  text: string
  /** Scripts without spaces make one word of a whole sentence. */
  mayBeInside: boolean
}

/** The words of each of its names that has any. */
type Wordings = ReadonlyMap<VocabularyTag, readonly (readonly Word[])[]>

const wordingsOf = ({ name, aliases }: VocabularyTag): Word[][] =>
  [name, ...aliases]
    .map((candidate) => wordsOf(candidate).map((text) => ({ text, mayBeInside: /[^\p{Script=Latin}\p{N}]/u.test(text) })))
    .filter((words) => words.length > 0)

/** Made once for a vocabulary of which each item is offered other tags. */
const wordings = new WeakMap<readonly VocabularyTag[], Wordings>()

const wordingsIn = (tags: readonly VocabularyTag[]): Wordings =>
  wordings.getOrInsertComputed(tags, () => new Map(tags.map((tag) => [tag, wordingsOf(tag)])))

/** Whether the item's own words name a tag: every word of its name, or of another name of it, is among them. */
const namedBy = (text: string, known: Wordings): ((tag: VocabularyTag) => boolean) => {
  const lower = normalForm(text, 'NFKC').toLowerCase()
  const said = new Set(wordsOf(lower))
  const isSaid = (word: Word): boolean => said.has(word.text) || (word.mayBeInside && lower.includes(word.text))
  return (tag) => known.get(tag)?.some((words) => words.every(isSaid)) === true
}

/** What does not depend on the item, made once for a vocabulary, which may be asked about thousands of times. */
interface Prepared {
  names: ReadonlyMap<VocabularyTag, string>
  byUsage: readonly VocabularyTag[]
  /** By category and name. */
  inPlace: readonly VocabularyTag[]
  characters: number
  /** All names as they are offered, in place. */
  offered: readonly string[]
}

const sortInPlace = (tags: readonly VocabularyTag[]): VocabularyTag[] =>
  tags
    .map((tag) => ({ tag, category: sortTitle(tag.category), name: sortTitle(tag.name) }))
    .sort((a, b) => compareText(a.category, b.category) || compareText(a.name, b.name) || a.tag.id - b.tag.id)
    .map(({ tag }) => tag)

const prepare = (tags: readonly VocabularyTag[]): Prepared => {
  const names = offeredNames(tags)
  const inPlace = sortInPlace(tags)
  return {
    names,
    byUsage: [...tags].sort((a, b) => b.usage - a.usage || a.id - b.id),
    inPlace,
    offered: inPlace.map((tag) => names.get(tag) ?? tag.name),
    characters: [...names.values()].reduce((sum, name) => sum + name.length + 1, 0),
  }
}

const prepared = new WeakMap<readonly VocabularyTag[], Prepared>()

const preparedOf = (tags: readonly VocabularyTag[]): Prepared => prepared.getOrInsertComputed(tags, prepare)

const chooseTags = ({ names, byUsage }: Prepared, isNamed: (tag: VocabularyTag) => boolean, maxCharacters: number): Set<VocabularyTag> => {
  const chosen = new Set<VocabularyTag>()
  let room = maxCharacters
  const take = (candidates: readonly VocabularyTag[], leave: number): void => {
    for (const tag of candidates) {
      if (chosen.has(tag)) continue
      const cost = (names.get(tag) ?? '').length + 1
      if (room - cost < leave) return
      chosen.add(tag)
      room -= cost
    }
  }
  take(byUsage.filter(isNamed), maxCharacters / 2)
  take(byUsage, 0)
  return chosen
}

/**
 * The names to offer, by category and name. Where they are more than fit, the tags that the item's own words (title,
 * plot, text) name are preferred up to half of the room, and the most used ones fill the rest. `tags` is not to be changed
 * afterwards: what is made of it is remembered by the array. Where all fit, the answer is the same array each time.
 */
export const offerVocabulary = (
  tags: readonly VocabularyTag[],
  words: () => string,
  maxCharacters = MAX_VOCABULARY_CHARACTERS,
): readonly string[] => {
  const known = preparedOf(tags)
  if (known.characters <= maxCharacters) return known.offered
  const chosen = chooseTags(known, namedBy(words(), wordingsIn(tags)), maxCharacters)
  return known.inPlace.filter((tag) => chosen.has(tag)).map((tag) => known.names.get(tag) ?? tag.name)
}
