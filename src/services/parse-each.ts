/** Schemas for lists of hundreds of thousands. */

import type { z } from 'zod'
import { AppError } from '../errors.ts'
import { createTurns } from './turns.ts'

/** Throws `invalid_request` with the places that are wrong. */
export const parseWith = <T>(schema: z.ZodType<T>, value: unknown, path: readonly PropertyKey[]): T => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue) => ({ path: [...path, ...issue.path].join('.'), message: issue.message }))
  throw new AppError('invalid_request', undefined, { errors })
}

/** Up to the first entry that is wrong, while other requests get their turn. */
export const parseEach = async <T>(schema: z.ZodType<T>, values: readonly unknown[], path: readonly PropertyKey[]): Promise<T[]> => {
  const parsed: T[] = []
  const turns = createTurns()
  for (const [index, value] of values.entries()) {
    parsed.push(parseWith(schema, value, [...path, index]))
    await turns()
  }
  return parsed
}
