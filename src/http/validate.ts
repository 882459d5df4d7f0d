/**
 * Validation of one part of a request by a zod schema: 400 `invalid_request` with the fields that are wrong.
 * The schema is also what the OpenAPI description shows (hono-openapi reads it off the middleware).
 */

import { zValidator } from '@hono/zod-validator'
import type { ValidationTargets } from 'hono'
import { resolver, uniqueSymbol } from 'hono-openapi'
import type { ZodType } from 'zod'
import { AppError } from '../errors.ts'

export const validate = <Target extends 'json' | 'query' | 'param' | 'form', Schema extends ZodType>(target: Target, schema: Schema) => {
  const middleware = zValidator(target as Target & keyof ValidationTargets, schema, (result) => {
    if (result.success) return
    throw new AppError('invalid_request', undefined, {
      errors: result.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })),
    })
  })
  return Object.assign(middleware, { [uniqueSymbol]: { target, ...resolver(schema) } })
}
