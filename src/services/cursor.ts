/**
 * Opaque page cursors: the sort values of the row that a page starts after, and a fingerprint of the query that they
 * belong to, so that a cursor of another list, sort or filter is refused (400) and not silently wrong.
 */

import { AppError } from '../errors.ts'

type Value = string | number | null

/** Of a list with what was asked of it. */
export const fingerprint = (list: string, query: readonly unknown[] = []): string => Bun.hash(JSON.stringify([list, ...query])).toString(36)

export const encodeCursor = (print: string, values: readonly Value[]): string =>
  Buffer.from(JSON.stringify([print, ...values])).toString('base64url')

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

/** The values of a cursor, `count` of them. Throws `invalid_request` for one that the list of this fingerprint has not given out. */
export const decodeCursor = (print: string, cursor: string, count: number): Value[] => {
  const parsed = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'))
  const [ofList, ...values]: unknown[] = Array.isArray(parsed) ? parsed : []
  if (ofList !== print) throw invalidCursor('belongs to another list')
  if (values.length !== count || !values.every(isValue)) throw invalidCursor('not a cursor')
  return values
}

/** The same of a list that goes by numbers alone, such as ids. */
export const decodeNumbers = (print: string, cursor: string, count: number): number[] =>
  decodeCursor(print, cursor, count).map((value) => {
    if (typeof value !== 'number') throw invalidCursor('not a cursor')
    return value
  })
