/** What a route answers, and what a body may be, for the OpenAPI description; it changes nothing at run time. */

import type { MiddlewareHandler } from 'hono'
import type { ZodType } from 'zod'
import { describe } from './description.ts'

const CONTENT_JSON = 'application/json'

/** Every route fails in the same way; `describeApi` brings the schema. */
const PROBLEM = {
  description: 'What is wrong',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

/** A JSON answer of this shape, which is made when the description is: to make the shapes of all answers takes a tenth of a start. */
export const answers = (status: number, shape: () => ZodType, summary: string): MiddlewareHandler =>
  describe((resolve) => ({
    summary,
    responses: { [status]: { description: summary, content: { [CONTENT_JSON]: { schema: resolve(shape()) } } }, default: PROBLEM },
  }))

const bytesOf = (mediaType: string | null, description: string) => ({
  description,
  ...(mediaType ? { content: { [mediaType]: { schema: { type: 'string' as const, format: 'binary' } } } } : {}),
})

/** An answer without a JSON body: nothing at all (204), or bytes of the given media type. */
export const answersBytes = (status: number, mediaType: string | null, summary: string): MiddlewareHandler =>
  describe(() => ({ summary, responses: { [status]: bytesOf(mediaType, summary), default: PROBLEM } }))

/** A file, whole or the part that is asked for. */
export const answersFile = (mediaType: string, summary: string): MiddlewareHandler =>
  describe(() => ({
    summary,
    responses: {
      200: bytesOf(mediaType, summary),
      206: bytesOf(mediaType, 'The part that the range asks for'),
      304: bytesOf(null, 'The caller has this very version'),
      412: { ...PROBLEM, description: 'It is not the version that If-Match or If-Unmodified-Since asks for' },
      default: PROBLEM,
    },
  }))
