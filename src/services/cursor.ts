/**
 * Opaque page cursors: the sort values of the row that a page starts after, and a fingerprint of the query that they
 * belong to, so that a cursor of another list, sort or filter is refused (400) and not silently wrong.
 */

import { AppError } from '../errors.ts'

type Value = string | number | null

const fingerprint = (list: string, query: readonly unknown[]): string => Bun.hash(JSON.stringify([list, ...query])).toString(36)

export const encodeCursor = (list: string, values: readonly Value[], query: readonly unknown[] = []): string =>
  Buffer.from(JSON.stringify([fingerprint(list, query), ...values])).toString('base64url')

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidCursor('not a cursor', cause)
  }
}

const invalidCursor = (message: string, cause?: unknown): AppError =>
  new AppError('invalid_request', 'The cursor is not valid.', { errors: [{ path: 'cursor', message }], cause })

/** JSON can say `1e999`, which the database takes for no number. */
const isValue = (value: unknown): value is Value => value === null || typeof value === 'string' || Number.isFinite(value)

/** The values of a cursor, `count` of them. Throws `invalid_request` for one that this list with this query has not given out. */
export const decodeCursor = (
  list: string,
  cursor: string,
  { query = [], count }: { query?: readonly unknown[]; count: number },
): Value[] => {
  const parsed = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'))
  const [print, ...values]: unknown[] = Array.isArray(parsed) ? parsed : []
  if (print !== fingerprint(list, query)) throw invalidCursor('belongs to another list')
  if (values.length !== count || !values.every(isValue)) throw invalidCursor('not a cursor')
  return values
}
