import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findOcrData, parseOcrLanguages, withVertical } from '../../src/ai/ocr-languages.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await temporaryFolder('ocr-data')
})
afterAll(() => folder.remove())

const INSTALLED = new Set(['eng', 'jpn', 'jpn_vert', 'kor'])

describe('a language that is not installed is named', () => {
  test.each([
    ['', ''],
    ['deu', 'deu'],
    ['eng+deu', 'deu'],
    ['eng+', ''],
    ['ENG', 'ENG'],
    ['../../etc/passwd', '../../etc/passwd'],
    ['eng\0', 'eng\0'],
    ['eng+../eng', '../eng'],
    ['constructor', 'constructor'],
  ])('%j', (text, unknown) => {
    expect(parseOcrLanguages(text, INSTALLED)).toEqual({ ok: false, unknown })
  })

  test('more than ten are too many', () => {
    const many = Array.from({ length: 11 }, (_, at) => `la${at}`)
    expect(parseOcrLanguages(many.join('+'), new Set(many))).toEqual({ ok: false, unknown: 'la10' })
    expect(parseOcrLanguages(Array(100).fill('eng').join('+'), INSTALLED)).toEqual({ ok: true, languages: ['eng'] })
  })
})

test('languages keep their order, each once', () => {
  expect(parseOcrLanguages('jpn+eng + jpn', INSTALLED)).toEqual({ ok: true, languages: ['jpn', 'eng'] })
})

test('vertical writing comes with its language where there is data for it', () => {
  expect(withVertical(['jpn', 'eng'], INSTALLED)).toEqual(['jpn', 'jpn_vert', 'eng'])
  expect(withVertical(['jpn', 'jpn_vert'], INSTALLED)).toEqual(['jpn', 'jpn_vert'])
  expect(withVertical(['jpn'], new Set(['jpn']))).toEqual(['jpn'])
})

describe('data', () => {
  test('English is always there, and a folder that cannot be read adds nothing', async () => {
    expect((await findOcrData(null)).has('eng')).toBe(true)
    expect((await findOcrData('/no/such/folder')).has('eng')).toBe(true)
  })

  test('placed files count, packed or not, and win over packages; what is no language does not', async () => {
    await mkdir(join(folder.path, 'ita.traineddata'))
    for (const name of ['fra.traineddata.gz', 'chi_sim.traineddata', 'eng.traineddata', 'osd.traineddata', 'notes.txt', '..traineddata'])
      await writeFile(join(folder.path, name), 'data')
    await writeFile(join(folder.path, 'deu.traineddata'), '')
    const found = await findOcrData(folder.path)
    expect([...found.keys()].filter((language) => !['jpn', 'jpn_vert', 'kor'].includes(language)).sort()).toEqual(['chi_sim', 'eng', 'fra'])
    expect(found.get('eng')).toBe(join(folder.path, 'eng.traineddata'))
  })
})
