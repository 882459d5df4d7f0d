import { locale } from '../i18n/language.ts'
import { t } from '../i18n/viewers.ts'

interface Track {
  label: string
  language: string | null
}

const languageIn = (speech: string, language: string) =>
  new Intl.DisplayNames([speech], { type: 'language', fallback: 'none' }).of(language)

/**
 * A subtitle or sound track in the language of the interface. The server says it in English: the language, or that it is
 * unknown, then what else is known of it; a title that the file has itself stays as it is.
 */
export const trackName = ({ label, language }: Track): string => {
  const english = language === null ? 'Unknown language' : languageIn('en', language)
  const rest = english !== undefined && label.startsWith(english) ? label.slice(english.length) : undefined
  if (rest === undefined || !/^(?:$| \(| – )/.test(rest)) return label
  const own = language === null ? t('watch.unknownLanguage') : (languageIn(locale(), language) ?? english)
  return (
    own +
    rest
      .replace(/^ \(forced(?=[,)])/, ` (${t('watch.forced')}`)
      .replace(/ (\d+) channels\)$/, (_, count) => ` ${t('watch.channels', Number(count))})`)
  )
}
