import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tooLarge } from '../../../client/src/api/upload.ts'
import { problemTold } from '../../../client/src/i18n/de/problems.ts'
import { ERRORS } from '../../../src/errors.ts'

/** Every reason that the server gives for a problem, as the sources say it. */

const SRC = join(import.meta.dir, '../../../src')
const QUOTED = String.raw`('[A-Z][^'\n]+'|` + String.raw`\`(?:[A-Z"]|\$\{)[^\`\n]+\`)`
/** At the problem itself, or named nearby. */
const SAID = new RegExp(
  String.raw`(?:new AppError\(\s*'\w+',\s*|unsafe\(|refusal: |detail = [^?\n]+\? |const [A-Z_]+ = (?=[^\n]+\.['\`]$))${QUOTED}`,
  'gm',
)
const OF_NFO_FILES = new RegExp(String.raw`^ {2}\w+: ${QUOTED}`, 'gm')

/** The first of two words that it may be; all else is some name or number. */
const filled = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replaceAll(/\$\{[^}]* \? '(\w+)' : [^}]*\}/g, '$1')
    .replaceAll(/\$\{[^}]*\}/g, 'X')

const readSentences = (file: string): string[] => {
  const source = readFileSync(join(SRC, file), 'utf8')
  if (file === 'media/nfo-error.ts') return [...source.matchAll(OF_NFO_FILES)].map(([, quoted = '']) => filled(quoted))
  if (!source.includes('AppError')) return []
  return [...source.matchAll(SAID)].map(([, quoted = '']) => filled(quoted))
}

/** Of the file that turns problems into answers: what others say, which it only knows again. */
const OF_OTHERS = ['The connection was closed.']
const sentences = new Set(
  [...new Bun.Glob('**/*.ts').scanSync(SRC)].flatMap(readSentences).filter((sentence) => !OF_OTHERS.includes(sentence)),
)

test('the sources are read', () => {
  expect(sentences.size).toBeGreaterThan(90)
  expect(sentences).toContain('The library is read-only for this service.')
  expect(sentences).toContain('X cannot be opened (X).')
  expect(sentences).toContain('The NFO file holds no metadata.')
})

test.each([...sentences].map((sentence) => [sentence]))('German: %s', (sentence) => {
  const german = problemTold('unavailable', sentence)
  expect(german).not.toBe(problemTold('unavailable', ''))
  expect(german).not.toContain(sentence)
  expect(german).not.toMatch(/\b(?:the|is|it)\b/i)
})

test('names are kept; a problem without a reason has its own text, and a reason that nobody knows stands behind it', () => {
  expect(problemTold('path_not_a_directory', '/srv/films is not a folder.')).toBe('/srv/films ist kein Ordner.')
  expect(problemTold('pages_unreadable', 'The archive is damaged.')).toBe('Das Archiv ist beschädigt.')
  expect(problemTold('pages_unreadable', 'The HEIC file cannot be read.')).toBe('Die HEIC-Datei lässt sich nicht lesen.')
  const { code: whole, message } = tooLarge()
  expect(problemTold(whole, message)).toBe('Das ist zu groß für den Server oder für den Proxy vor ihm.')
  for (const [code, { title }] of Object.entries(ERRORS)) expect(problemTold(code, title)).not.toContain(title)
  expect(problemTold('unavailable', 'The moon is full.')).toBe('Der Dienst kann das gerade nicht ausführen. (The moon is full.)')
  expect(problemTold('unreachable', 'The server cannot be reached.')).toBe('Der Server ist nicht erreichbar.')
  expect(problemTold('unknown', 'HTTP 418')).toBe('HTTP 418')
})

const ofLines = [...readFileSync(join(SRC, 'services/tag-file-csv.ts'), 'utf8').matchAll(/malformed\([^']+'([^'\n]+)'/g)]

test.each(ofLines.map(([, message = '']) => [message]))('German, of a line of a table: %s', (message) => {
  const german = problemTold('invalid_request', `Line 3: ${message}`)
  expect(german).toStartWith('Zeile 3 der Datei ')
  expect(german).not.toContain('nicht brauchbar')
})

test('what nobody knows of a line stands behind it', () => {
  expect(ofLines).toHaveLength(4)
  expect(problemTold('invalid_request', 'Line 3: is blue')).toBe('Zeile 3 der Datei ist nicht brauchbar. (is blue)')
})
