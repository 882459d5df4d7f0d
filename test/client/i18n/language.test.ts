import { afterEach, describe, expect, test } from 'bun:test'
import { flatten } from '@solid-primitives/i18n'
import { browserLanguage, languageOfSetting } from '../../../client/src/i18n/choose-language.ts'
import { counted } from '../../../client/src/i18n/counted.ts'
import { german } from '../../../client/src/i18n/de/german.ts'
import { aiSettingsTexts } from '../../../client/src/i18n/en/ai-settings.ts'
import { scansTexts } from '../../../client/src/i18n/en/scans.ts'
import { screensTexts } from '../../../client/src/i18n/en/screens.ts'
import { language, speak } from '../../../client/src/i18n/language.ts'
import { t } from '../../../client/src/i18n/translate.ts'
import { formatAgo, formatBytes, formatCount, formatDate, formatRating } from '../../../client/src/primitives/format.ts'

afterEach(() => speak('en', undefined))

describe('whose language it is', () => {
  test('a language without texts is English, and not the first of the list', () => {
    expect(browserLanguage(['fr-FR', 'ja'])).toBe('en')
    expect(browserLanguage([])).toBe('en')
  })

  test('the first of the browser that has texts, whatever the country', () => {
    expect(browserLanguage(['fr', 'de-AT', 'en-US'])).toBe('de')
    expect(browserLanguage(['en-GB', 'de'])).toBe('en')
    expect(browserLanguage(['DE'])).toBe('de')
  })

  test('a setting that is a language is that language', () => {
    expect(['de', 'de-CH', 'en'].map(languageOfSetting)).toEqual(['de', 'de', 'en'])
  })
})

describe('speaking German', () => {
  test('changes texts, numbers, dates and plurals together, and back', () => {
    const books = counted('book', 'books')
    const said = () => [language(), t('action.save'), formatCount(12_345), formatBytes(1_500_000), formatRating(7.25), books(1), books(2)]
    const english = said()
    speak('de', german)
    expect(said()).toEqual(['de', 'Speichern', '12.345', '1,5 MB', '7,3', '1 book', '2 books'])
    expect(formatDate('2026-11-22T12:00:00Z')).toBe('22.11.2026')
    expect(formatAgo('2026-11-21T12:00:00Z', Date.parse('2026-11-22T12:00:00Z'))).toBe('gestern')
    speak('en', undefined)
    expect(said()).toEqual(english)
    expect(english).toEqual(['en', 'Save', '12,345', '1.5 MB', '7.3', '1 book', '2 books'])
  })

  test('one thing is one, also where a sentence goes on', () => {
    const english = flatten({ ...screensTexts, ...scansTexts, ...aiSettingsTexts })
    const forms = (texts: typeof english) => [
      texts['scanLine.missing'](1),
      texts['scanLine.missing'](2),
      texts['aiBatch.undoneToast'](1, 0),
      texts['aiBatch.undoneToast'](1, 1),
      texts['aiBatch.undoneToast'](1200, 2),
      texts['aiBatch.full'](1),
    ]
    expect(forms(english)).toEqual([
      '1 missing',
      '2 missing',
      '1 change taken back.',
      '1 change taken back, 1 kept because somebody changed it since.',
      '1,200 changes taken back, 2 kept because somebody changed them since.',
      'The queue is full; 1 more waits for the next batch.',
    ])
    speak('de', german)
    expect(forms(german)).toEqual([
      '1 fehlt',
      '2 fehlen',
      '1 Änderung zurückgenommen.',
      '1 Änderung zurückgenommen, 1 seither geänderte bleibt.',
      '1.200 Änderungen zurückgenommen, 2 seither geänderte bleiben.',
      'Die Warteschlange ist voll; 1 weiterer wartet auf den nächsten Stapel.',
    ])
  })

  test('says what went wrong by its code, and what has none as it came', () => {
    expect(t('problem.told', 'duplicate_name', 'That name is taken')).toBe('That name is taken')
    speak('de', german)
    expect(t('problem.told', 'duplicate_name', 'That name is taken')).toBe('Dieser Name ist vergeben.')
    expect(t('problem.told', 'something_new', 'Something new')).toBe('Something new')
  })
})
