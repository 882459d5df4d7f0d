/** Tables of tags: `category,tag,aliases`, one tag a line, with or without that line on top (API.md, 8). */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DeclaredCategory, TagFile } from '../domain/tag-file.ts'
import { AppError } from '../errors.ts'
import { assertFewNames } from './tag-names.ts'

/** The longest line: more other names than a tag could have. */
const MAX_LINE_CHARACTERS = 1_000_000
/** Of a line: as many as a spreadsheet has columns. */
const MAX_CELLS = 16_384
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

interface Line {
  /** Counted from 1. */
  line: number
  cells: readonly string[]
}

/** Gives out one line after the other. Throws what `take` throws, and `invalid_request`. */
const readLines = async (text: string, take: (line: Line) => void): Promise<void> => {
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
  const read = async (): Promise<void> => {
    for await (const { record, info } of parser) take({ line: info.lines, cells: record })
  }
  const [, reading] = await Promise.allSettled([Promise.race([feed(), new Promise((resolve) => parser.once('close', resolve))]), read()])
  if (reading.status === 'fulfilled') return
  const error: unknown = reading.reason
  throw error instanceof CsvError ? malformed(Number(error.lines ?? 1), 'is not a line of a table of comma-separated values') : error
}

const isColumn = (name: string): name is Column => COLUMNS.some((column) => column === name)

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

/** Takes one line after the other, the first of which may be the names of the columns. */
const createTable = () => {
  const categories: DeclaredCategory[] = []
  let columns: readonly (Column | null)[] | undefined
  let names = 0

  const declare = ({ line, cells }: Line, known: readonly (Column | null)[]): void => {
    const [categoryAt, tagAt] = [known.indexOf('category'), known.indexOf('tag')]
    const [name, tag] = [cells[categoryAt], cells[tagAt]]
    if (name === undefined || tag === undefined) throw malformed(line, 'needs a category and a tag')
    const isOther = (place: number): boolean => place === categoryAt || place === tagAt || known[place] === null
    const aliases = cells.flatMap((cell, place) => (isOther(place) ? [] : splitAliases(cell)))
    names += 1 + aliases.length
    assertFewNames(names)
    categories.push({ row: line, name, color: null, tags: [{ name: tag, aliases }] })
  }

  const take = (line: Line): void => {
    if (line.cells.length > MAX_CELLS) throw malformed(line.line, 'has too many cells')
    if (columns) return declare(line, columns)
    const header = headerOf(line.cells)
    columns = header ?? COLUMNS
    if (!header) declare(line, columns)
  }
  return { categories, take }
}

/** Throws `invalid_request` with the line that is wrong, or `too_many_tags`. */
export const readTagTable = async (text: string): Promise<TagFile> => {
  const { categories, take } = createTable()
  await readLines(text, take)
  return { categories, assignments: [], libraries: [] }
}
