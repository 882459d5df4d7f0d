/**
 * What importing a file adds to a vocabulary (API.md, 8). Nothing that is there is renamed, moved or taken away, so that the
 * same file again changes nothing.
 */

import { nameKey } from './name-key.ts'
import type { DeclaredCategory, SkippedRow, TagFile, TagText } from './tag-file.ts'
import { tagNameProblem } from './tag-name.ts'
import type { TagMeaning, Vocabulary } from './tag-vocabulary.ts'

export interface NewCategory {
  id: number
  name: string
  nameKey: string
  color: string | null
}

export interface NewTag {
  id: number
  categoryId: number
  name: string
  nameKey: string
}

export interface NewMapping {
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
}

interface Planned {
  row: number
  tagId: number
  aliases: readonly string[]
}

/** First all tags and then the other names, so that a name which is both in the file is a tag, wherever it stands. */
export const planVocabulary = (file: Pick<TagFile, 'categories'>, start: PlanStart): VocabularyPlan => {
  const { categoryIds, vocabulary } = start
  let { nextCategoryId, nextTagId } = start
  const plan: VocabularyPlan = { categories: [], tags: [], mappings: [], unchanged: 0, skipped: [] }

  /** The trimmed name, or nothing where it cannot be one, which is noted. */
  const nameIn = (text: string, row: number): string | undefined => {
    const name = text.trim()
    if (tagNameProblem(name) === undefined) return name
    plan.skipped.push({ row, reason: 'invalid_name', value: name.slice(0, 200) })
    return undefined
  }

  const categoryOf = ({ row, name: text, color }: DeclaredCategory): { id: number; name: string } | undefined => {
    const name = nameIn(text, row)
    if (name === undefined) return undefined
    const key = nameKey(name)
    const known = categoryIds.get(key)
    if (known !== undefined) return { id: known, name }
    const id = nextCategoryId++
    categoryIds.set(key, id)
    plan.categories.push({ id, name, nameKey: key, color })
    return { id, name }
  }

  const tagOf = (category: { id: number; name: string }, text: string, row: number): number | undefined => {
    const name = nameIn(text, row)
    if (name === undefined) return undefined
    const known = vocabulary.find(category.name, name) ?? vocabulary.findMapped(category.name, name)
    if (known !== undefined) {
      plan.unchanged += 1
      return known
    }
    const tag: NewTag = { id: nextTagId++, categoryId: category.id, name, nameKey: nameKey(name) }
    plan.tags.push(tag)
    vocabulary.add({ id: tag.id, categoryKey: nameKey(category.name), nameKey: tag.nameKey })
    return tag.id
  }

  const mapAlias = (text: string, { row, tagId }: Planned): void => {
    const source = nameIn(text, row)
    if (source === undefined) return
    const taken = vocabulary.findMapping(source)
    if (taken !== undefined && taken !== tagId) plan.skipped.push({ row, reason: 'alias_taken', value: source })
    if (taken !== undefined) return
    plan.mappings.push({ source, sourceKey: nameKey(source), tagId })
    vocabulary.map(source, tagId)
  }

  const planned: Planned[] = []
  for (const declared of file.categories) {
    const category = categoryOf(declared)
    if (!category) continue
    for (const { name, aliases } of declared.tags) {
      const tagId = tagOf(category, name, declared.row)
      if (tagId !== undefined && aliases.length > 0) planned.push({ row: declared.row, tagId, aliases })
    }
  }
  for (const tag of planned) for (const alias of tag.aliases) mapAlias(alias, tag)
  return plan
}

export const meaningOfTagText = (vocabulary: Vocabulary, text: TagText): TagMeaning => {
  if (typeof text === 'string') return vocabulary.resolve(text)
  const tagId = vocabulary.find(text.category, text.tag) ?? vocabulary.findMapped(text.category, text.tag)
  return tagId === undefined ? 'unknown' : { tagId }
}

/** How a text that is not as long as a book names it in a report. */
export const shownTagText = (text: TagText): string => (typeof text === 'string' ? text : `${text.category}/${text.tag}`).slice(0, 200)
