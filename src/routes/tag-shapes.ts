/** What tags, categories and mappings look like in requests and answers. */

import { z } from 'zod'
import { mappingProblem, TAG_COLOR, tagNameProblem } from '../domain/tag-name.ts'
import { TAG_SOURCES } from '../domain/tag-source.ts'

const nameWithout = (problemOf: (name: string) => string | undefined) =>
  z
    .string()
    .trim()
    .superRefine((name, ctx) => {
      const message = problemOf(name)
      if (message) ctx.addIssue({ code: 'custom', message })
    })

export const tagName = nameWithout((name) => tagNameProblem(name)).describe('1 to 100 characters, no control characters')

/** `isPresent`: what stands for a tag already may stay as it is. */
export const mappingSource = (isPresent: (source: string) => boolean) =>
  nameWithout((source) => (isPresent(source) ? undefined : mappingProblem(source))).describe(
    'As the name of a tag, or a category and a tag with a slash between them',
  )

export const tagColor = z.string().regex(TAG_COLOR, '#rgb or #rrggbb').nullable()

export const categoryShape = () => z.object({ id: z.int(), name: z.string(), color: z.string().nullable(), tagCount: z.int() })
const tagShape = () =>
  z.object({
    id: z.int(),
    name: z.string(),
    categoryId: z.int(),
    categoryName: z.string(),
    color: z.string().nullable().describe("The category's"),
  })
/** As the list of tags shows it. */
export const usedTagShape = () => z.object({ ...tagShape().shape, usage: z.int() })
export const itemTagShape = () =>
  z.object({
    ...tagShape().shape,
    source: z.enum(TAG_SOURCES),
    assignedAt: z.iso.datetime().nullable(),
    assignedBy: z.string().nullable().describe('The name of the person; null for the AI tagger'),
  })
export const deletePlanShape = () => z.object({ tags: z.int(), assignments: z.int(), mappings: z.int() })

export const idField = z.int().positive()
