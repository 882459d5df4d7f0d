import { expect, test } from 'bun:test'
import { languageName, parseLanguage } from '../../src/domain/language-code.ts'

test.each(['', 'x', 'xx', 'the', 'director', 'constructor', 'und', 'mul', 'zxx', '1080p', 'e n', 'en-', 'a'.repeat(1000)])(
  '%p is no language',
  (text) => {
    expect(parseLanguage(text)).toBeNull()
  },
)

const LANGUAGES: [text: string, tag: string, name: string][] = [
  ['en', 'en', 'English'],
  ['ENG', 'en', 'English'],
  ['ger', 'de', 'German'],
  ['deu', 'de', 'German'],
  ['fre', 'fr', 'French'],
  ['chi', 'zh', 'Chinese'],
  ['per', 'fa', 'Persian'],
  ['scc', 'sr', 'Serbian'],
  ['fil', 'fil', 'Filipino'],
  ['french', 'fr', 'French'],
  ['en_US', 'en-US', 'American English'],
  ['es-419', 'es-419', 'Latin American Spanish'],
  ['jp', 'ja', 'Japanese'],
  ['TC', 'zh-Hant', 'Traditional Chinese'],
  ['sc', 'zh-Hans', 'Simplified Chinese'],
  ['Deutsch', 'de', 'German'],
  ['franc\u0327ais', 'fr', 'French'],
  ['简体', 'zh-Hans', 'Simplified Chinese'],
  ['pb', 'pt-BR', 'Brazilian Portuguese'],
  ['pt_BR', 'pt-BR', 'Brazilian Portuguese'],
  ['zt', 'zh-Hant', 'Traditional Chinese'],
  ['ea', 'es-419', 'Latin American Spanish'],
  ['es-LA', 'es-419', 'Latin American Spanish'],
  ['spn', 'es-ES', 'European Spanish'],
  ['zhe', 'zh', 'Chinese'],
  ['ua', 'uk', 'Ukrainian'],
  ['dk', 'da', 'Danish'],
  ['vn', 'vi', 'Vietnamese'],
  ['Brazilian Portuguese', 'pt-BR', 'Brazilian Portuguese'],
  ['Portuguese (Brazil)', 'pt-BR', 'Brazilian Portuguese'],
  ['Chinese (Simplified)', 'zh-Hans', 'Simplified Chinese'],
  ['Traditional Chinese', 'zh-Hant', 'Traditional Chinese'],
  ['Farsi', 'fa', 'Persian'],
  ['Mandarin', 'zh', 'Chinese'],
  ['Cantonese', 'yue', 'Cantonese'],
  ['Castilian', 'es', 'Spanish'],
  ['Brasil', 'pt-BR', 'Brazilian Portuguese'],
  ['Spanish (Latin America)', 'es-419', 'Latin American Spanish'],
]

test.each(LANGUAGES)('%s is %s, %s', (text, tag, name) => {
  expect([parseLanguage(text), languageName(tag)]).toEqual([tag, name])
})
