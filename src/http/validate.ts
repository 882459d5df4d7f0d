/**
 * Validation of one part of a request by a zod schema: 400 `invalid_request` with the fields that are wrong, 415 for a
 * body of another media type.
 * The schema is also what the OpenAPI description shows (description.ts reads it off the middleware).
 */

import { zValidator } from '@hono/zod-validator'
import type { Context, ValidationTargets } from 'hono'
import type { ZodType, z } from 'zod'
import { setNewest } from '../domain/bounded-map.ts'
import { AppError } from '../errors.ts'
import { saying } from './description.ts'

const MEDIA_TYPES: Partial<Record<keyof ValidationTargets, RegExp>> = {
  json: /^application\/(?:[\w.-]+\+)?json$/i,
  /** The other kind of form holds no files, and files are what forms are for. */
  form: /^multipart\/form-data$/i,
}

const isOfOtherType = ({ req }: Context, target: keyof ValidationTargets): boolean =>
  MEDIA_TYPES[target]?.test(req.header('content-type')?.split(';', 1)[0]?.trim() ?? '') === false

/** A body of another type would count as none at all, and a request that may do without one would be taken for that. */
const requireMediaType = (c: Context, target: keyof ValidationTargets): void => {
  if (isOfOtherType(c, target) && c.req.raw.body !== null) throw new AppError('unsupported_media_type')
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Many clients always say that they send JSON: without any body that is what a request without the header is. */
const readText = async (request: Context['req']): Promise<string> =>
  request.raw.body === null ? '{}' : UTF8.decode(await request.arrayBuffer())

/** Bytes that are not UTF-8 are no JSON (RFC 8259, 8.1): Hono would put U+FFFD in their place, and that would be kept. */
const readJson = (c: Context): void => {
  // Hono keeps promises of what its types call texts.
  if (!isOfOtherType(c, 'json')) Object.assign(c.req.bodyCache, { text: readText(c.req) })
}

type Issue = z.core.$ZodIssue

/** Of something that may be of several shapes, what it lacks to be the one that it comes nearest to: "Invalid input" says nothing. */
const nearest = (issue: Issue): Issue[] => {
  if (issue.code !== 'invalid_union') return [issue]
  const [closest] = issue.errors.toSorted((a, b) => a.length - b.length)
  return closest?.flatMap((one) => nearest({ ...one, path: [...issue.path, ...one.path] })) ?? [issue]
}

/** zod compiles schemas for parsing that waits for nothing, as all of ours do. */
// biome-ignore lint/suspicious/noExplicitAny: the validator's types do not know the result of a schema that is yet to come
const parseAtOnce = (schema: ZodType, value: unknown): any => schema.safeParse(value)

/** For each route. */
const MAX_KNOWN_QUERIES = 64
const MAX_KNOWN_CHARACTERS = 1024

const queryText = ({ req }: Context): string => {
  const start = req.url.indexOf('?')
  return start === -1 ? '' : req.url.slice(start)
}

/** Several requests share it. */
const frozen = <Value extends object>(value: Value): Value => {
  for (const part of Object.values(value)) Object.freeze(part)
  return Object.freeze(value)
}

/**
 * What queries came to, as a schema says the same of the same text. A player asks for the pieces of a film under one
 * address, and to take that apart and check it costs as much as to find the film.
 */
const createKnownQueries = () => {
  const known = new Map<string, object>()
  return {
    find: (c: Context) => known.get(queryText(c)),
    remember: (c: Context, value: unknown): void => {
      const text = queryText(c)
      if (typeof value !== 'object' || value === null || text.length > MAX_KNOWN_CHARACTERS) return
      setNewest(known, text, frozen(value), MAX_KNOWN_QUERIES)
    },
  }
}

/**
 * `schema` is made for the first request: to make those of all routes takes a tenth of a start. `shown` is for the description of the API,
 * where it has a shape that says too little.
 */
export const validate = <Target extends 'json' | 'query' | 'param' | 'form', Schema extends ZodType>(
  target: Target,
  schema: () => Schema,
  shown: () => ZodType = schema,
) => {
  const known = target === 'query' ? createKnownQueries() : undefined
  const make = () =>
    zValidator(
      target,
      schema(),
      (result, c) => {
        requireMediaType(c, target)
        if (result.success) return known?.remember(c, result.data)
        throw new AppError('invalid_request', undefined, {
          errors: result.error.issues.flatMap(nearest).map(({ path, message }) => ({ path: path.join('.'), message })),
        })
      },
      { validationFunction: parseAtOnce },
    )
  let made: ReturnType<typeof make> | undefined
  const checked: ReturnType<typeof make> = (c, next) => {
    const value = known?.find(c)
    if (value) {
      c.req.addValidatedData('query', value)
      return next()
    }
    if (target === 'json') readJson(c)
    made ??= make()
    return made(c, next)
  }
  return saying(checked, (resolve) => ({ target, ...resolve(shown()) }))
}
