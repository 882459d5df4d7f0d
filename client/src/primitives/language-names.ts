import { locale } from '../i18n/language.ts'

/** The languages that most sound and subtitles are in (those of the television of the large markets). */
const COMMON = 'ar cs da de el en es fi fr he hi hu id it ja ko nl no pl pt ro ru sv th tr uk vi zh'.split(' ')

/** Languages by their name in the language of the interface, in its order; `also` is among them whatever it is. */
export const languageNames = (also: string | null): { value: string; label: string }[] => {
  const names = new Intl.DisplayNames(locale(), { type: 'language' })
  const tags = [...new Set([...COMMON, ...(also === null ? [] : [also])])]
  return tags
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((one, other) => one.label.localeCompare(other.label, locale()))
}
