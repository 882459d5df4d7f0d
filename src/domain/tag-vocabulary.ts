/**
 * Which tag a text means: what imports and the AI tagger go by (API.md, 8 and 9). Case does not count, nor does the width
 * of gaps where no name is spelled exactly so.
 *
 * - `Category/Tag` is that tag of that category; either name may hold a "/" of its own.
 * - A name alone is the one tag that is called so; where tags of several categories are, it is none of them.
 * - A mapping stands for its tag, unless a tag is really called so. `Category/Mapping` does where the tag belongs to the category.
 */

import { nameKey } from './name-key.ts'

export interface KnownTag {
  id: number
  categoryKey: string
  nameKey: string
}

export type TagMeaning = { tagId: number } | 'unknown' | 'ambiguous'

export interface Vocabulary {
  add(tag: KnownTag): void
  map(source: string, tagId: number): void
  /** The tag of exactly this name in exactly this category. */
  find(category: string, name: string): number | undefined
  /** The tag that exactly this mapping stands for. */
  findMapping(source: string): number | undefined
  /** The tag that a name stands for in this category. */
  findMapped(category: string, name: string): number | undefined
  resolve(text: string): TagMeaning
}

const keyOf = (text: string): string => nameKey(text.trim())
const squeezed = (key: string): string => key.replace(/\s+/gu, ' ')
const placeOf = (categoryKey: string, key: string): string => `${categoryKey}\0${key}`

/** Every way to read the text as a category and a name, as keys. */
const splitTagText = (text: string): { categoryKey: string; key: string }[] => {
  const parts = text.split('/')
  return parts
    .slice(1)
    .map((_, index) => ({ categoryKey: keyOf(parts.slice(0, index + 1).join('/')), key: keyOf(parts.slice(index + 1).join('/')) }))
}

/** The keys under which the tag that a text means may be kept, as a name or as a mapping. */
export const keysOfTagText = (text: string): string[] => {
  const keys = [keyOf(text), ...splitTagText(text).map(({ key }) => key)]
  return [...new Set([...keys, ...keys.map(squeezed)])]
}

/** Tags by a key, and behind that by the key with single gaps. */
const createIndex = () => {
  const exact = new Map<string, number[]>()
  const loose = new Map<string, number[]>()
  return {
    add: (key: string, id: number): void => {
      exact.set(key, [...(exact.get(key) ?? []), id])
      loose.set(squeezed(key), [...(loose.get(squeezed(key)) ?? []), id])
    },
    exactly: (key: string): number | undefined => exact.get(key)?.[0],
    find: (key: string): readonly number[] => exact.get(key) ?? loose.get(squeezed(key)) ?? [],
  }
}

const meaningOf = (ids: readonly number[]): TagMeaning | undefined => {
  const [tagId, ...others] = new Set(ids)
  return tagId === undefined ? undefined : others.length > 0 ? 'ambiguous' : { tagId }
}

export const createVocabulary = (): Vocabulary => {
  const byPlace = createIndex()
  const byName = createIndex()
  const mappings = createIndex()
  const categories = new Map<number, string>()

  const inCategory = (text: string): number[] =>
    splitTagText(text).flatMap(({ categoryKey, key }) => byPlace.find(placeOf(categoryKey, key)))

  const mappedIn = (categoryKey: string, key: string): readonly number[] =>
    mappings.find(key).filter((id) => squeezed(categories.get(id) ?? '') === squeezed(categoryKey))

  const resolve = (text: string): TagMeaning => {
    const exact = meaningOf(inCategory(text))
    if (exact) return exact
    const named = meaningOf(byName.find(keyOf(text)))
    if (named && named !== 'ambiguous') return named
    return (
      meaningOf(mappings.find(keyOf(text))) ??
      named ??
      meaningOf(splitTagText(text).flatMap(({ categoryKey, key }) => mappedIn(categoryKey, key))) ??
      'unknown'
    )
  }

  return {
    add: ({ id, categoryKey, nameKey: key }) => {
      byPlace.add(placeOf(categoryKey, key), id)
      byName.add(key, id)
      categories.set(id, categoryKey)
    },
    map: (source, tagId) => mappings.add(keyOf(source), tagId),
    find: (category, name) => byPlace.exactly(placeOf(keyOf(category), keyOf(name))),
    findMapping: (source) => mappings.exactly(keyOf(source)),
    findMapped: (category, name) => mappings.exactly(keyOf(`${category}/${name}`)) ?? mappedIn(keyOf(category), keyOf(name))[0],
    resolve,
  }
}
