import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aiFailure } from '../../../client/src/i18n/de/ai-failures.ts'

/** Every reason that a job can fail for, as the sources say it. */

const SRC = join(import.meta.dir, '../../../src')
const FILES = [
  ...readdirSync(join(SRC, 'ai')).map((name) => `ai/${name}`),
  ...['ai-answer.ts', 'ai-work.ts', 'ai-extraction.ts', 'ai-asker.ts'].map((name) => `workers/${name}`),
  ...['ai-queue.ts', 'ai-threads.ts'].map((name) => `jobs/${name}`),
  ...['picture.ts', 'still.ts', 'svg.ts', 'ai-pictures.ts', 'archive-pages.ts', 'rar-pages.ts', 'zip-entry.ts', 'heic.ts'].map(
    (name) => `media/${name}`,
  ),
]
const SAID =
  /(?:message: |reason: |badAnswer\(|unreachable: |new (?:Impossible|UselessAnswer|UselessTranscript|NoFfmpegError)\(|new (?:OcrError|DecodeError)\('\w+', |return )('[A-Z][^'\n]{8,}\.'|`[A-Z][^`\n]{8,}\.`)/g

const messages = FILES.flatMap((file) => {
  const source = readFileSync(join(SRC, file), 'utf8')
  return [...source.matchAll(SAID)].map(([, quoted = '']) => quoted.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, 'X'))
})

test('the sources are read', () => {
  expect(messages.length).toBeGreaterThan(40)
  expect(messages).toContain('The endpoint asks to wait (429).')
  expect(messages).toContain('The archive is one of several volumes.')
})

test.each([...new Set(messages)].map((message) => [message]))('German: %s', (message) => {
  const german = aiFailure(message)
  expect(german).not.toBe(message)
  expect(german).not.toMatch(/\b(?:the|is|it)\b/i)
})

test('numbers and names are kept, and what nobody knows is said as it is', () => {
  expect(aiFailure('The endpoint has an error of its own (503).')).toBe('Beim Endpunkt ist ein Fehler aufgetreten (503).')
  expect(aiFailure('The endpoint refused the request (401): it wants a valid key.')).toBe(
    'Der Endpunkt lehnte die Anfrage ab (401): Er verlangt einen gültigen Schlüssel.',
  )
  expect(aiFailure('The endpoint refused the request (418).')).toBe('Der Endpunkt lehnte die Anfrage ab (418).')
  expect(aiFailure('More than 5000 entries are too many.')).toBe('Mehr als 5000 Einträge sind zu viele.')
  expect(aiFailure('9000000 bytes are too many for this format.')).toBe('9000000 Bytes sind für dieses Format zu viele.')
  expect(aiFailure('Something else.')).toBe('Something else.')
})
