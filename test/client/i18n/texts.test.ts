import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { flatten } from '@solid-primitives/i18n'
import { german } from '../../../client/src/i18n/de/german.ts'
import { passwordProblem } from '../../../src/domain/password.ts'
import { tagNameProblem } from '../../../src/domain/tag-name.ts'
import { usernameProblem } from '../../../src/domain/username.ts'
import { ERRORS } from '../../../src/errors.ts'
import { keyPatterns, parseSource, parseSources, spokenLiterals } from './source-files.ts'

const ENGLISH = join(import.meta.dir, '../../../client/src/i18n/en')
const GERMAN = join(import.meta.dir, '../../../client/src/i18n/de')

const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'function'

const englishParts = async (): Promise<Record<string, unknown>[]> => {
  const paths = await Array.fromAsync(new Bun.Glob('*.ts').scan(ENGLISH))
  const modules = await Promise.all(paths.map((path): Promise<Record<string, Record<string, unknown>>> => import(join(ENGLISH, path))))
  return modules.flatMap((module) => Object.values(module))
}

const englishTexts = async (): Promise<Record<string, unknown>> => {
  const all: Record<string, unknown> = flatten(Object.assign({}, ...(await englishParts())))
  return Object.fromEntries(Object.entries(all).filter(([, value]) => isText(value)))
}

describe('what is said', () => {
  test('a word in the markup is found, a word in the code is not', () => {
    const spoken = (code: string) => spokenLiterals(parseSource('probe.tsx', `const View = (props) => ${code}`))
    expect(spoken('<p>Hello</p>')).toEqual(['probe.tsx:1: Hello'])
    expect(spoken("<p>{props.isDone ? 'Done' : t('action.done')}</p>")).toEqual(['probe.tsx:1: Done'])
    expect(spoken('<p>{`$' + '{props.count} things`}</p>')).toEqual(['probe.tsx:1: things'])
    expect(spoken('<button aria-label="Close" />')).toEqual(['probe.tsx:1: Close'])
    expect(spoken("<Field label={props.label || 'Name'} />")).toEqual(['probe.tsx:1: Name'])
    expect(spoken("<p class={props.isWide ? 'w-full' : 'w-0'} aria-live=\"polite\">{t('a.b')} · {props.kind === 'x' ? 1 : 2}</p>")).toEqual(
      [],
    )
  })

  test('no view and no component has words of its own', async () => {
    expect((await parseSources('{views,components}/**/*.tsx')).flatMap(spokenLiterals)).toEqual([])
  })

  test('no two parts have a section of one name: the later would hide the earlier', async () => {
    const sections = (await englishParts()).flatMap(Object.keys)
    expect(sections.filter((section, index) => sections.indexOf(section) !== index)).toEqual([])
  })

  test('every text is used', async () => {
    const used = (await parseSources('**/*.{ts,tsx}')).map(keyPatterns)
    const literals = new Set(used.flatMap((file) => file.literals))
    const patterns = used.flatMap((file) => file.patterns)
    const keys = Object.keys(await englishTexts())
    expect(keys.length).toBeGreaterThan(300)
    expect(keys.filter((key) => !literals.has(key) && !patterns.some((pattern) => pattern.test(key)))).toEqual([])
  })
})

describe('German', () => {
  /** Names, and words that both languages write alike. */
  const ALIKE = new Set(
    'Details,Extra,Extras,FFmpeg,Film,Genres,Linux,Manga,Name,Normal,Pause,Player,Position,Specials,System,Tags,Text,Version,Videos,Vitrine,Windows,macOS'.split(
      ',',
    ),
  )

  test('has every text, and hardly one that is the English one', async () => {
    const english = await englishTexts()
    const foreign: Record<string, unknown> = german
    expect(Object.keys(english).filter((key) => !isText(foreign[key]))).toEqual([])
    const alike = Object.entries(english).filter(([key, text]) => typeof text === 'string' && text === foreign[key] && !ALIKE.has(text))
    expect(alike.map(([key, text]) => `${key}: ${text}`)).toEqual([])
  })

  test('has one name for each thing, and one gender for a tag, which otherwise is a day', async () => {
    const others =
      /\b(einen|den|diesen|dieser|keinen|solcher|unbekannter) Tag\b|Lesezeichen|Lesepositionen|Wiedergabestand|Benutzer|KI-Aufgaben/
    const paths = await Array.fromAsync(new Bun.Glob('*.ts').scan(GERMAN))
    const texts = await Promise.all(paths.map((path) => Bun.file(join(GERMAN, path)).text()))
    expect(texts.flatMap((text) => text.split('\n')).filter((line) => others.test(line))).toEqual([])
  })

  test('knows every problem that the server tells of', () => {
    const told = Object.keys(ERRORS).map((code) => german['problem.told'](code, ''))
    expect(told.filter((text) => text === '')).toEqual([])
  })

  test('knows what may be wrong with a name or a password, and says it of the field', () => {
    const unknown = german['problem.field']('')
    const wrong = ['', 'x'.repeat(300), 'a\u0007b']
    const problems = wrong.flatMap((text) => [tagNameProblem(text), usernameProblem(text), passwordProblem(text)]).filter((told) => told)
    expect(problems.length).toBeGreaterThan(7)
    expect(problems.filter((told) => german['problem.field'](told ?? '') === unknown)).toEqual([])
  })
})
