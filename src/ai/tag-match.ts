/** Names that a model answers with, and the tags of the vocabulary that they mean. */

import { setNewest } from '../domain/bounded-map.ts'
import { nameKey } from '../domain/name-key.ts'
import { normalForm } from '../domain/normal-form.ts'
import type { VocabularyTag } from './vocabulary.ts'

/** Signs that nobody sees: they would make two names of one. */
const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|\u034f/gu

const tidy = (name: string): string => normalForm(name.replaceAll(INVISIBLE, ''), 'NFKC').replaceAll(/\s+/g, ' ').trim()

const exactKey = (name: string): string => nameKey(tidy(name))

/** As a sigma's form says where a word ends, it is not told apart either. */
const loosened = (key: string): string => key.replaceAll(/[\s_\-‐‑‒–—]+/g, '').replaceAll('ς', 'σ')

/** Case, spacing and what stands for a space are not told apart: "Sci-Fi", "sci fi" and "SciFi" are one. */
export const looseNameKey = (name: string): string => loosened(exactKey(name))

type Index = Map<string, VocabularyTag>

/** Of tags with the same key, the most used one; a tag's own name goes before another tag's other name. */
const put = (index: Index, key: string, tag: VocabularyTag): void => {
  const other = index.get(key)
  if (key !== '' && (!other || tag.usage > other.usage || (tag.usage === other.usage && tag.id < other.id))) index.set(key, tag)
}

const indexBy = (tags: readonly VocabularyTag[], keysOf: (tag: VocabularyTag) => string[]): Index => {
  const index: Index = new Map()
  for (const tag of tags) for (const key of keysOf(tag)) put(index, key, tag)
  return index
}

export type FindTag = (name: string) => VocabularyTag | undefined

const finders = new WeakMap<readonly VocabularyTag[], FindTag>()

/**
 * A look-up by everything that a tag may be called. Reads the vocabulary once, for any number of names and answers: `tags` is
 * not to be changed afterwards.
 */
export const tagFinder = (tags: readonly VocabularyTag[]): FindTag => finders.getOrInsertComputed(tags, makeFinder)

/** Names that are remembered with what they mean. */
const MAX_FOUND = 1000

/** What stands between a category and a tag: "Category/Tag", "Category: Tag", "Category > Tag". */
const BETWEEN = /[/:>]/g
/** Two names of a hundred characters and what stands between them; anything longer means no tag. */
export const MAX_ANSWERED_CHARACTERS = 400

const makeFinder = (tags: readonly VocabularyTag[]): FindTag => {
  const indexesBy = (keyOf: (name: string) => string) => ({
    names: indexBy(tags, ({ name }) => [keyOf(name)]),
    aliases: indexBy(tags, ({ aliases }) => aliases.map(keyOf)),
  })
  const [exact, loose] = [indexesBy(exactKey), indexesBy(looseNameKey)]
  const categories = new Map(
    [...Map.groupBy(tags, ({ category }) => looseNameKey(category))].map(([key, own]) => [
      key,
      indexBy(own, ({ name, aliases }) => [name, ...aliases].map(looseNameKey)),
    ]),
  )
  const longestCategory = categories.keys().reduce((longest, { length }) => Math.max(longest, length), 0)
  /** Both names may hold what stands between them too, and an answer may be nothing but that. */
  const findInCategory = (key: string): VocabularyTag | undefined => {
    for (const { index } of key.matchAll(BETWEEN)) {
      if (index > longestCategory) return undefined
      const tag = categories.get(key.slice(0, index))?.get(key.slice(index + 1))
      if (tag) return tag
    }
    return undefined
  }
  const find: FindTag = (name) => {
    const key = exactKey(name)
    const looseKey = loosened(key)
    return (
      exact.names.get(key) ?? exact.aliases.get(key) ?? loose.names.get(looseKey) ?? loose.aliases.get(looseKey) ?? findInCategory(looseKey)
    )
  }
  /** A batch gets the same names thousands of times. */
  const found = new Map<string, VocabularyTag | undefined>()
  return (name) => {
    if (name.length > MAX_ANSWERED_CHARACTERS) return undefined
    if (found.has(name)) return found.get(name)
    const tag = find(name)
    setNewest(found, name, tag, MAX_FOUND)
    return tag
  }
}
