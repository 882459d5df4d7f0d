/** Names that a model answers with, and the tags of the vocabulary that they mean. */

import { nameKey } from '../domain/name-key.ts'
import { normalForm } from '../domain/normal-form.ts'
import type { VocabularyTag } from './vocabulary.ts'

/** Signs that nobody sees: they would make two names of one. */
const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|\u034f/gu

const tidy = (name: string): string => normalForm(name.replaceAll(INVISIBLE, ''), 'NFKC').replaceAll(/\s+/g, ' ').trim()

const exactKey = (name: string): string => nameKey(tidy(name))

/** Case, spacing and what stands for a space are not told apart: "Sci-Fi", "sci fi" and "SciFi" are one. */
export const looseNameKey = (name: string): string => exactKey(name).replaceAll(/[\s_\-‐‑‒–—]+/g, '')

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

/** Separates a category from a tag in the keys of `inCategory`: no name holds it. */
const BETWEEN = '\0'

export type FindTag = (name: string) => VocabularyTag | undefined

const finders = new WeakMap<readonly VocabularyTag[], FindTag>()

/**
 * A look-up by everything that a tag may be called. Reads the vocabulary once, for any number of names and answers: `tags` is
 * not to be changed afterwards.
 */
export const tagFinder = (tags: readonly VocabularyTag[]): FindTag => {
  const known = finders.get(tags) ?? makeFinder(tags)
  finders.set(tags, known)
  return known
}

const makeFinder = (tags: readonly VocabularyTag[]): FindTag => {
  const byName = [exactKey, looseNameKey].flatMap((keyOf) => [
    { keyOf, index: indexBy(tags, ({ name }) => [keyOf(name)]) },
    { keyOf, index: indexBy(tags, ({ aliases }) => aliases.map(keyOf)) },
  ])
  const inCategory = indexBy(tags, ({ category, name, aliases }) =>
    [name, ...aliases].map((own) => `${looseNameKey(category)}${BETWEEN}${looseNameKey(own)}`),
  )
  const find = (name: string): VocabularyTag | undefined => {
    for (const { keyOf, index } of byName) {
      const tag = index.get(keyOf(name))
      if (tag) return tag
    }
    return undefined
  }
  /** "Category/Tag", "Category: Tag", "Category > Tag"; both names may hold the separator too. */
  const findInCategory = (name: string): VocabularyTag | undefined => {
    for (const { index } of name.matchAll(/[/:>]/g)) {
      const key = `${looseNameKey(name.slice(0, index))}${BETWEEN}${looseNameKey(name.slice(index + 1))}`
      const tag = inCategory.get(key)
      if (tag) return tag
    }
    return undefined
  }
  return (name) => (name.length > MAX_ANSWERED_CHARACTERS ? undefined : (find(name) ?? findInCategory(name)))
}

/** Two names of a hundred characters and what stands between them; anything longer means no tag. */
const MAX_ANSWERED_CHARACTERS = 400
