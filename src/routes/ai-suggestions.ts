import { Hono } from 'hono'
import { z } from 'zod'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireAdmin } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import { acceptSuggestion, dismissSuggestion, listSuggestions } from '../services/ai-suggestions.ts'
import { limitField } from './shapes.ts'
import { idField, tagName, usedTagShape } from './tag-shapes.ts'

const suggestionsShape = () => z.object({ suggestions: z.array(z.object({ name: z.string(), itemCount: z.int() })) })
const acceptInput = () =>
  z.union([
    z.strictObject({ name: tagName, tagId: idField.describe('The tag that it becomes another name of') }),
    z.strictObject({ name: tagName, categoryId: idField.describe('Where a tag of that name is made') }),
  ])
const acceptedShape = () => z.object({ tag: usedTagShape(), assigned: z.int().describe('Items that have got the tag') })

export const aiSuggestionRoutes = new Hono<AppEnv>()
  .get(
    '/',
    requireAdmin(),
    validate('query', () => z.object({ limit: limitField })),
    answers(200, suggestionsShape, 'Names that models chose and that are no tags, those of most items first'),
    async (c) => jsonWithEtag(c, { suggestions: await listSuggestions(c.var.deps, c.req.valid('query').limit) }),
  )
  .post(
    '/',
    requireAdmin(),
    validate('json', acceptInput),
    answers(200, acceptedShape, 'The tag that the name stands for now, on every item that it was suggested for'),
    async (c) => c.json(await acceptSuggestion(c.var.deps, c.var.viewer, c.req.valid('json')), 200),
  )
  .delete(
    '/',
    requireAdmin(),
    validate('query', () => z.object({ name: tagName })),
    answersBytes(204, null, 'No job suggests it any more'),
    async (c) => {
      await dismissSuggestion(c.var.deps, c.req.valid('query').name)
      return c.body(null, 204)
    },
  )
