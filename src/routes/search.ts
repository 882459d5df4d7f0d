import { Hono } from 'hono'
import { z } from 'zod'
import { ITEM_TYPES, isItemType } from '../domain/item-type.ts'
import { answers } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import { jsonText } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import { search } from '../services/search.ts'
import { cursorField, entryShape, idQueryField, limitField, searchField } from './shapes.ts'

/** Comma-separated item types; none of them is all of them. */
const typesField = z
  .string()
  .max(500)
  .transform((text) => (text === '' ? [] : text.split(',')))
  .refine((types) => types.every(isItemType), `must be some of ${ITEM_TYPES.join(', ')}`)
  .transform((types) => [...new Set(types.filter(isItemType))].sort())

const searchQuery = () =>
  z.object({
    q: searchField,
    libraryId: idQueryField.optional(),
    types: typesField.default([]),
    limit: limitField,
    cursor: cursorField,
  })

const searchShape = () =>
  z.object({
    entries: z.array(
      z.object({
        ...entryShape().shape,
        matchedIn: z.enum(['title', 'tags', 'description', 'extractedText', 'translation']),
        snippet: z
          .object({
            text: z.string(),
            ranges: z.array(z.tuple([z.int(), z.int()])).describe('Start and end of what matched, in UTF-16 units'),
          })
          .nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
  })

export const searchRoutes = new Hono<AppEnv>().get(
  '/',
  requireUser(),
  validate('query', searchQuery),
  answers(200, searchShape, 'What is found in every library, best first'),
  async (c) => {
    const query = { ...c.req.valid('query'), signal: c.req.raw.signal }
    return jsonText<z.infer<ReturnType<typeof searchShape>>>(c, (await search(c.var.deps, c.var.viewer, query)).json)
  },
)
