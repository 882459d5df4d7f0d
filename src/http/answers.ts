/** What a route answers, and what a body may be, for the OpenAPI description; it changes nothing at run time. */

import type { MiddlewareHandler } from 'hono'
import { type DescribeRouteOptions, resolver, uniqueSymbol } from 'hono-openapi'
import type { ZodType } from 'zod'

const CONTENT_JSON = 'application/json'

/** Every route fails in the same way; `describeApi` brings the schema. */
const PROBLEM = {
  description: 'What is wrong',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

/** As `describeRoute` of hono-openapi, which reads descriptions off the middlewares; but nothing is waited for at each request. */
export const describe = (spec: DescribeRouteOptions): MiddlewareHandler => {
  const passOn: MiddlewareHandler = (_, next) => next()
  return Object.assign(passOn, { [uniqueSymbol]: { spec } })
}

/** A JSON answer of this shape. */
export const answers = (status: number, schema: ZodType, summary: string): MiddlewareHandler =>
  describe({
    summary,
    responses: { [status]: { description: summary, content: { [CONTENT_JSON]: { schema: resolver(schema) } } }, default: PROBLEM },
  })

/** An answer without a JSON body: nothing at all (204), or bytes of the given media type. */
export const answersBytes = (status: number, mediaType: string | null, summary: string): MiddlewareHandler =>
  describe({
    summary,
    responses: {
      [status]: {
        description: summary,
        ...(mediaType ? { content: { [mediaType]: { schema: { type: 'string', format: 'binary' } } } } : {}),
      },
      default: PROBLEM,
    },
  })
