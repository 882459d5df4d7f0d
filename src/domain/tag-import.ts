/**
 * What importing a file adds to a vocabulary (API.md, 8). Nothing that is there is renamed, moved or taken away, so that the
 * same file again changes nothing.
 */

import { nameKey } from './name-key.ts'
import type { DeclaredCategory, DeclaredTag, SkippedRow, TagText } from './tag-file.ts'
import { mappingProblem, tagNameProblem } from './tag-name.ts'
import { type TagMeaning, tagKeyOf, type Vocabulary } from './tag-vocabulary.ts'

/** Characters of a name in a report: enough to find it by. */
const MAX_SHOWN = 200

interface NewCategory {
  id: number
  name: string
  nameKey: string
  color: string | null
}

interface NewTag {
  id: number
  categoryId: number
  name: string
  nameKey: string
}

interface NewMapping {
  source: string
  sourceKey: string
  tagId: number
}

export interface VocabularyPlan {
  categories: NewCategory[]
  tags: NewTag[]
  mappings: NewMapping[]
  /** Tags that were there, under this name or another. */
  unchanged: number
  skipped: SkippedRow[]
}

export interface PlanStart {
  /** Ids of the categories by the keys of their names; the plan adds its own. */
  categoryIds: Map<string, number>
  /** The plan adds its own. */
  vocabulary: Vocabulary
  nextCategoryId: number
  nextTagId: number
  /** Awaited between two names, of which a file may hold hundreds of thousands. */
  turns(): Promise<void>
}

interface AliasesOf {
  row: number
  tagId: number
  aliases: readonly string[]
}

interface VocabularyPlanner {
  declare(category: DeclaredCategory): Promise<void>
  /** After everything is declared, so that a name which is both in the file is a tag, wherever it stands. */
  finish(): Promise<VocabularyPlan>
}

/** Plans what the categories of a file add to the vocabulary, and writes nothing. */
export const createVocabularyPlanner = (start: PlanStart): VocabularyPlanner => {
  const { categoryIds, vocabulary, turns } = start
  let { nextCategoryId, nextTagId } = start
  const plan: VocabularyPlan = { categories: [], tags: [], mappings: [], unchanged: 0, skipped: [] }
  const named: AliasesOf[] = []

  /** The trimmed name, or nothing where it cannot be one, which is noted. */
  const nameIn = (text: string, row: number, problemOf: (name: string) => string | undefined = tagNameProblem): string | undefined => {
    const name = text.trim()
    if (problemOf(name) === undefined) return name
    plan.skipped.push({ row, reason: 'invalid_name', value: name.slice(0, MAX_SHOWN) })
    return undefined
  }

  const categoryOf = (name: string, color: string | null): { id: number; key: string } => {
    const key = nameKey(name)
    const known = categoryIds.get(key)
    if (known !== undefined) return { id: known, key }
    const id = nextCategoryId++
    categoryIds.set(key, id)
    plan.categories.push({ id, name, nameKey: key, color })
    return { id, key }
  }

  const tagOf = (category: { id: number; key: string }, name: string): number => {
    const key = nameKey(name)
    const known = vocabulary.find(category.key, key) ?? vocabulary.findMapped(category.key, key)
    if (known !== undefined) {
      plan.unchanged += 1
      return known
    }
    const id = nextTagId++
    plan.tags.push({ id, categoryId: category.id, name, nameKey: key })
    vocabulary.add({ id, categoryKey: category.key, nameKey: key })
    return id
  }

  const mapAlias = (text: string, { row, tagId }: AliasesOf): void => {
    const source = nameIn(text, row, mappingProblem)
    if (source === undefined) return
    const sourceKey = nameKey(source)
    // Where another tag is called so, too, it says which of them is meant.
    if (vocabulary.isNameOf(tagId, sourceKey)) return
    const taken = vocabulary.findMapping(sourceKey)
    if (taken !== undefined && taken !== tagId) plan.skipped.push({ row, reason: 'alias_taken', value: source })
    if (taken !== undefined) return
    plan.mappings.push({ source, sourceKey, tagId })
    vocabulary.map(sourceKey, tagId)
  }

  return {
    declare: async ({ row, name, color, tags: declared }) => {
      const categoryName = nameIn(name, row)
      if (categoryName === undefined) return
      const tags: DeclaredTag[] = []
      for (const { name, aliases } of declared) {
        const tagName = nameIn(name, row)
        if (tagName !== undefined) tags.push({ name: tagName, aliases })
        await turns()
      }
      // One that is named for the sake of its tags alone, as in each line of a table, is nothing without them.
      if (declared.length > 0 && tags.length === 0) return
      const category = categoryOf(categoryName, color)
      for (const tag of tags) {
        const tagId = tagOf(category, tag.name)
        if (tag.aliases.length > 0) named.push({ row, tagId, aliases: tag.aliases })
        await turns()
      }
    },
    finish: async () => {
      for (const tag of named)
        for (const alias of tag.aliases) {
          mapAlias(alias, tag)
          await turns()
        }
      return plan
    },
  }
}

/** The tag that a file means by this text. Where the file names its category as well, it is never `ambiguous`. */
export const meaningOfTagText = (vocabulary: Vocabulary, text: TagText): TagMeaning => {
  if (typeof text === 'string') return vocabulary.resolve(text)
  const keys = [tagKeyOf(text.category), tagKeyOf(text.tag)] as const
  const tagId = vocabulary.find(...keys) ?? vocabulary.findMapped(...keys)
  return tagId === undefined ? 'unknown' : { tagId }
}

/** How a report names it. */
export const shownTagText = (text: TagText): string =>
  (typeof text === 'string' ? text : `${text.category}/${text.tag}`).slice(0, MAX_SHOWN)
