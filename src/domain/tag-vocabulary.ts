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
  /** A mapping, by the key of its name. */
  map(sourceKey: string, tagId: number): void
  /** The tag of exactly this name in exactly this category; both as keys. */
  find(categoryKey: string, key: string): number | undefined
  /** Whether this tag, and no other, has exactly this name; as a key. */
  isNameOf(tagId: number, key: string): boolean
  /** The tag that exactly this mapping stands for; its name as a key. */
  findMapping(sourceKey: string): number | undefined
  /** The tag that a name stands for in this category; both as keys. */
  findMapped(categoryKey: string, key: string): number | undefined
  resolve(text: string): TagMeaning
}

/** More than anything that a tag is called by, also with gaps, and with letters that are spelled in several signs. */
const MAX_TEXT_LENGTH = 4096
/** No name holds it. */
const NO_NAME = '\0'

/** What a text is compared by. */
export const tagKeyOf = (text: string): string => (text.length > MAX_TEXT_LENGTH ? NO_NAME : nameKey(text.trim()))
const squeezed = (key: string): string => (/\s\s|[^\S ]/u.test(key) ? key.replace(/\s+/gu, ' ') : key)
const placeOf = (categoryKey: string, key: string): string => `${categoryKey}\0${key}`

const push = (map: Map<string, number[]>, key: string, id: number): void => {
  const ids = map.get(key)
  if (ids) ids.push(id)
  else map.set(key, [id])
}

/** Tags by a key, and where none is spelled exactly so, by the key with single gaps. */
const createIndex = () => {
  const exact = new Map<string, number[]>()
  const loose = new Map<string, number[]>()
  return {
    add: (key: string, id: number): void => {
      push(exact, key, id)
      if (squeezed(key) !== key) push(loose, squeezed(key), id)
    },
    exactly: (key: string): readonly number[] => exact.get(key) ?? [],
    find: (key: string): readonly number[] => exact.get(key) ?? [...(exact.get(squeezed(key)) ?? []), ...(loose.get(squeezed(key)) ?? [])],
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
  /** The keys of their names, with single gaps, by the tags that are in them. */
  const categories = new Map<number, string>()
  const categoryKeys = new Set<string>()
  let longestCategory = 0

  /** Every way to read a key as that of a category that has tags, and of a name. A text may be nothing but "/". */
  const readingsOf = (whole: string): { categoryKey: string; key: string }[] => {
    const readings: { categoryKey: string; key: string }[] = []
    for (let end = whole.indexOf('/'); end >= 0; end = whole.indexOf('/', end + 1)) {
      const categoryKey = whole.slice(0, end).trim()
      const category = squeezed(categoryKey)
      if (category.length > longestCategory) break
      if (categoryKeys.has(category)) readings.push({ categoryKey, key: whole.slice(end + 1).trim() })
    }
    return readings
  }

  const mappedIn = (categoryKey: string, key: string): readonly number[] =>
    mappings.find(key).filter((id) => categories.get(id) === squeezed(categoryKey))

  const resolve = (text: string): TagMeaning => {
    const whole = tagKeyOf(text)
    const readings = readingsOf(whole)
    const exact = meaningOf(readings.flatMap(({ categoryKey, key }) => byPlace.find(placeOf(categoryKey, key))))
    if (exact) return exact
    const named = meaningOf(byName.find(whole))
    if (named && named !== 'ambiguous') return named
    return (
      meaningOf(mappings.find(whole)) ??
      named ??
      meaningOf(readings.flatMap(({ categoryKey, key }) => mappedIn(categoryKey, key))) ??
      'unknown'
    )
  }

  return {
    add: ({ id, categoryKey, nameKey: key }) => {
      byPlace.add(placeOf(categoryKey, key), id)
      byName.add(key, id)
      const category = squeezed(categoryKey)
      categories.set(id, category)
      categoryKeys.add(category)
      longestCategory = Math.max(longestCategory, category.length)
    },
    map: (sourceKey, tagId) => mappings.add(sourceKey, tagId),
    find: (categoryKey, key) => byPlace.exactly(placeOf(categoryKey, key))[0],
    isNameOf: (tagId, key) => {
      const [id, ...others] = byName.exactly(key)
      return id === tagId && others.length === 0
    },
    findMapping: (sourceKey) => mappings.exactly(sourceKey)[0],
    findMapped: (categoryKey, key) => mappings.exactly(`${categoryKey}/${key}`)[0] ?? mappedIn(categoryKey, key)[0],
    resolve,
  }
}
