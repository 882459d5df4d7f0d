/** Files of tags as JSON (API.md, 8): what the export writes, and what somebody writes by hand. */

import { z } from 'zod'
import type { DeclaredAssignment, TagFile } from '../domain/tag-file.ts'
import { TAG_COLOR } from '../domain/tag-name.ts'
import type { TagSource } from '../domain/tag-source.ts'
import { AppError } from '../errors.ts'
import { parseEach, parseWith } from './parse-each.ts'
import { assertFewNames } from './tag-names.ts'
import { type ListOf, upToWrong } from './up-to-wrong.ts'

const tagText = z.union(
  [z.string(), z.strictObject({ category: z.string(), tag: z.string() })],
  'must be "Category/Tag", or {category, tag}',
)

const entriesWith = (listOf: ListOf) => {
  const tag = z.strictObject({ name: z.string(), aliases: listOf(z.string()).default([]) })
  return {
    category: z.strictObject({ name: z.string(), color: z.string().regex(TAG_COLOR).nullish(), tags: listOf(tag).default([]) }),
    assignment: z.strictObject({ itemKey: z.string().max(4096), tags: listOf(tagText) }),
  }
}

const { category, assignment } = entriesWith(upToWrong)
const library = z.strictObject({ id: z.int(), name: z.string(), type: z.string() })
const someAssignments = z.array(z.unknown()).default([])
const envelope = z.strictObject({
  categories: z.array(z.unknown()).default([]),
  assignments: someAssignments,
  libraries: z.array(library).max(1000).default([]),
  sources: z
    .strictObject({ default: z.enum(['user', 'import']).default('import'), ai: someAssignments, import: someAssignments })
    .prefault({}),
})

const described = entriesWith(z.array)

/** The JSON form, for the description of the API. */
export const tagFileShape = z.strictObject({
  categories: z.array(described.category),
  assignments: z.array(described.assignment).optional(),
  sources: z
    .strictObject({ default: z.enum(['user', 'import']), ai: z.array(described.assignment), import: z.array(described.assignment) })
    .partial()
    .optional()
    .describe('Who put the assigned tags there: `default`, but for those that are listed again here'),
  libraries: z
    .array(library)
    .optional()
    .describe('Those that the item keys name. One that is gone and was made again, with its name and type, is found by them'),
})

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('invalid_request', 'The file is not JSON.', { errors: [{ path: '', message: 'is not JSON' }], cause })
  }
}

/** What names neither is a file of something else, or was cut off. */
const assertTagFile = (value: unknown): void => {
  if (['categories', 'assignments', 'sources'].some((name) => Object.hasOwn(Object(value), name))) return
  throw new AppError('invalid_request', 'The file holds neither categories nor assignments.', {
    errors: [{ path: '', message: 'holds neither categories nor assignments' }],
  })
}

const listIn = (value: unknown, name: string): unknown[] => {
  const list: unknown = Object(value)[name]
  return Array.isArray(list) ? list : []
}

/** Of categories that nobody has looked at yet: that would take minutes where there are millions. */
const countNames = (categories: readonly unknown[]): number => {
  let count = categories.length
  for (const tag of categories.flatMap((one) => listIn(one, 'tags'))) count += 1 + listIn(tag, 'aliases').length
  return count
}

/** Throws `invalid_request` with the places that are wrong, or `too_many_tags`. */
export const readTagJson = async (text: string): Promise<TagFile> => {
  const value = parseJson(text)
  assertTagFile(value)
  const file = parseWith(envelope, value, [])
  assertFewNames(countNames(file.categories))
  const assignmentsOf = async (values: readonly unknown[], path: string[], source: TagSource): Promise<DeclaredAssignment[]> => {
    // An item cannot carry more tags than there may be.
    for (const one of values) assertFewNames(listIn(one, 'tags').length)
    return (await parseEach(assignment, values, path)).map((entry, index) => ({
      row: path.length === 1 ? index + 1 : null,
      source,
      ...entry,
    }))
  }
  const categories = await parseEach(category, file.categories, ['categories'])
  return {
    categories: categories.map(({ color, ...entry }, index) => ({ row: index + 1, color: color ?? null, ...entry })),
    libraries: file.libraries,
    // Whatever is listed first has its say.
    assignments: [
      ...(await assignmentsOf(file.sources.ai, ['sources', 'ai'], 'ai')),
      ...(await assignmentsOf(file.sources.import, ['sources', 'import'], 'import')),
      ...(await assignmentsOf(file.assignments, ['assignments'], file.sources.default)),
    ],
  }
}
