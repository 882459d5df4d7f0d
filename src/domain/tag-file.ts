/** What a file of tags says (API.md, 8), as import and export see it. */

import type { TagSource } from './tag-source.ts'

export type TagFileFormat = 'json' | 'csv'

/** `Category/Tag`, or both names where that could be read in two ways. */
export type TagText = string | { category: string; tag: string }

export interface DeclaredTag {
  name: string
  aliases: readonly string[]
}

export interface DeclaredCategory {
  /** Where it stands, counted from 1: the line of a table, the place in a list. */
  row: number
  name: string
  color: string | null
  tags: readonly DeclaredTag[]
}

export interface DeclaredAssignment {
  /** Null where the file only says again who made an assignment. */
  row: number | null
  itemKey: string
  tags: readonly TagText[]
  source: TagSource
}

/** A library that item keys of the file name by its number. */
export interface DeclaredLibrary {
  id: number
  name: string
  type: string
}

export interface TagFile {
  categories: readonly DeclaredCategory[]
  assignments: readonly DeclaredAssignment[]
  libraries: readonly DeclaredLibrary[]
}

export const SKIP_REASONS = ['invalid_name', 'alias_taken', 'unknown_item', 'unknown_tag', 'ambiguous_tag'] as const
type SkipReason = (typeof SKIP_REASONS)[number]

export interface SkippedRow {
  row: number
  reason: SkipReason
  /** The name or the item key that was passed over. */
  value: string
}
