/** Tables of tags: `category,tag,aliases`, one tag a line, with or without that line on top (API.md, 8). */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DeclaredCategory, TagFile } from '../domain/tag-file.ts'
import { AppError } from '../errors.ts'
import { assertFewNames } from './tag-names.ts'

/** The longest line: more other names than a tag could have. */
const MAX_LINE_CHARACTERS = 1_000_000
/** Characters a turn, so that other requests get theirs. */
const CHUNK_CHARACTERS = 64 * 1024

const COLUMNS = ['category', 'tag', 'aliases'] as const
type Column = (typeof COLUMNS)[number]

const malformed = (line: number, message: string): AppError =>
  new AppError('invalid_request', `Line ${line}: ${message}`, { errors: [{ path: `line ${line}`, message }] })

/** Spreadsheets of some countries put semicolons between the columns. */
const delimiterOf = (text: string): string => {
  const [firstLine = ''] = text.split('\n', 1)
  return firstLine.includes(';') && !firstLine.includes(',') ? ';' : ','
}

const readRecords = async (text: string): Promise<{ line: number; cells: string[] }[]> => {
  // Most starts never need it.
  const { CsvError, parse } = await import('csv-parse')
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(text),
    info: true,
    max_record_size: MAX_LINE_CHARACTERS,
    // All of them, since a file may have been put together from several.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  })
  const feed = async (): Promise<void> => {
    for (let start = 0; start < text.length; start += CHUNK_CHARACTERS) {
      if (!parser.write(text.slice(start, start + CHUNK_CHARACTERS))) await new Promise((resolve) => parser.once('drain', resolve))
      await nextTurn()
    }
    parser.end()
  }
  const records: { line: number; cells: string[] }[] = []
  const read = async (): Promise<void> => {
    for await (const { record, info } of parser) {
      records.push({ line: info.lines, cells: record })
      assertFewNames(records.length)
    }
  }
  const [, reading] = await Promise.allSettled([Promise.race([feed(), new Promise((resolve) => parser.once('close', resolve))]), read()])
  if (reading.status === 'fulfilled') return records
  const error: unknown = reading.reason
  throw error instanceof CsvError ? malformed(Number(error.lines ?? 1), 'is not a line of a table of comma-separated values') : error
}

const isColumn = (name: string): name is Column => (COLUMNS as readonly string[]).includes(name)

/**
 * Which column stands where, null for one that says nothing of tags; undefined where the first line is a tag already.
 * Throws where names of columns stand there, but not those that a tag needs.
 */
const headerOf = (cells: readonly string[]): (Column | null)[] | undefined => {
  const columns = cells.map((cell) => cell.toLowerCase()).map((name) => (isColumn(name) ? name : null))
  if (columns.includes('category') && columns.includes('tag')) return columns
  if (columns.length > 1 && !columns.includes(null)) throw malformed(1, 'needs the columns category and tag')
  return undefined
}

/** A comma is a part of the names where another sign parts them. */
const splitAliases = (cell: string): string[] =>
  cell
    .split(/[;|]/.test(cell) ? /[;|]/ : ',')
    .map((alias) => alias.trim())
    .filter((alias) => alias !== '')

/** Throws `invalid_request` with the line that is wrong, or `too_many_tags`. */
export const readTagTable = async (text: string): Promise<TagFile> => {
  const records = await readRecords(text)
  const header = headerOf(records[0]?.cells ?? [])
  const columns: readonly (Column | null)[] = header ?? COLUMNS
  const [categoryAt, tagAt] = [columns.indexOf('category'), columns.indexOf('tag')]
  let names = 0
  const categories = records.slice(header ? 1 : 0).map(({ line, cells }): DeclaredCategory => {
    const [name, tag] = [cells[categoryAt], cells[tagAt]]
    if (name === undefined || tag === undefined) throw malformed(line, 'needs a category and a tag')
    const isOther = (place: number): boolean => place === categoryAt || place === tagAt || columns[place] === null
    const aliases = cells.flatMap((cell, place) => (isOther(place) ? [] : splitAliases(cell)))
    names += 1 + aliases.length
    assertFewNames(names)
    return { row: line, name, color: null, tags: [{ name: tag, aliases }] }
  })
  return { categories, assignments: [], libraries: [] }
}
