/** What part of a file a request asks for, and whether it asks at all: RFC 9110, sections 13 (conditions) and 14 (ranges). */

import { listsEtag } from './if-none-match.ts'

export interface ByteRange {
  /** First and last byte, both included. */
  start: number
  end: number
}

/**
 * One satisfiable range; `whole` for none, several, or a form that is none; `unsatisfiable` for one that lies outside.
 * Several ranges at once are only ever asked for to make a server work (CVE-2011-3192). Blanks around the dash are
 * taken as nginx takes them, and Bun, which reads the header by itself where it sends a whole file.
 */
export const parseRange = (header: string | null, size: number): ByteRange | 'whole' | 'unsatisfiable' => {
  const match = header === null ? null : /^bytes=[ \t]*(\d*)[ \t]*-[ \t]*(\d*)[ \t]*$/i.exec(header)
  if (!match) return 'whole'
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** What tells one version of a file from another. */
interface Validators {
  /** Strong, with its quotes. */
  etag: string
  modifiedAtMs: number
}

const secondsOf = (date: string): number => Math.floor(Date.parse(date) / 1000)

/** The caller asks for a version that this is not: the rest of another file would spoil what it has (strong comparison, 13.1.1). */
export const isOtherVersion = (headers: Headers, { etag, modifiedAtMs }: Validators): boolean => {
  const ifMatch = headers.get('If-Match')?.trim()
  if (ifMatch !== undefined) return ifMatch !== '*' && !ifMatch.split(',').some((listed) => listed.trim() === etag)
  const since = headers.get('If-Unmodified-Since')
  return since !== null && Math.floor(modifiedAtMs / 1000) > secondsOf(since)
}

export const isNotModified = (headers: Headers, { etag, modifiedAtMs }: Validators): boolean => {
  const ifNoneMatch = headers.get('If-None-Match')
  if (ifNoneMatch !== null) return listsEtag(ifNoneMatch, etag)
  const since = headers.get('If-Modified-Since')
  return since !== null && Math.floor(modifiedAtMs / 1000) <= secondsOf(since)
}

/** A range may only be answered in part when it belongs to this very version (`If-Range`, strong comparison, 13.1.5). */
export const isRangeOfThis = (headers: Headers, { etag, modifiedAtMs }: Validators): boolean => {
  const condition = headers.get('If-Range')?.trim()
  if (condition === undefined) return true
  if (condition.startsWith('"') || condition.startsWith('W/')) return condition === etag
  return secondsOf(condition) === Math.floor(modifiedAtMs / 1000)
}
