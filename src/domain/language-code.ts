/**
 * Languages as files name them: ISO 639-1 (`de`), both forms of ISO 639-2 (`deu`, `ger`), BCP 47 (`pt-BR`), English words
 * (`German`) and the habits of release groups (`chs`, `pob`). One language has one tag here: the shortest that BCP 47 has.
 */

import { normalForm } from './normal-form.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** No ISO codes, but all over the place, as are the names of languages in themselves. `zht` and `chs` tell the script, which matters more than the language. */
const HABITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    pob: 'pt-BR',
    ptb: 'pt-BR',
    ptbr: 'pt-BR',
    brazilian: 'pt-BR',
    brazil: 'pt-BR',
    brasil: 'pt-BR',
    chs: 'zh-Hans',
    zhs: 'zh-Hans',
    cht: 'zh-Hant',
    zht: 'zh-Hant',
    // Where two letters must do (Bazarr, OpenSubtitles).
    pb: 'pt-BR',
    zt: 'zh-Hant',
    ea: 'es-419',
    spl: 'es-419',
    sp: 'es-ES',
    spn: 'es-ES',
    ze: 'zh',
    zhe: 'zh',
    // Nobody means Laos.
    'es-la': 'es-419',
    castilian: 'es',
    castellano: 'es',
    farsi: 'fa',
    mandarin: 'zh',
    cantonese: 'yue',
    // As video services call their tracks.
    'brazilian portuguese': 'pt-BR',
    'portuguese (brazil)': 'pt-BR',
    'simplified chinese': 'zh-Hans',
    'chinese (simplified)': 'zh-Hans',
    'traditional chinese': 'zh-Hant',
    'chinese (traditional)': 'zh-Hant',
    'latin american spanish': 'es-419',
    'spanish (latin america)': 'es-419',
    cn: 'zh',
    jp: 'ja',
    cz: 'cs',
    gr: 'el',
    kr: 'ko',
    ua: 'uk',
    dk: 'da',
    vn: 'vi',
    esp: 'es',
    latino: 'es-419',
    // Chinese groups: simplified and traditional script, and the two character sets that went with them.
    sc: 'zh-Hans',
    gb: 'zh-Hans',
    tc: 'zh-Hant',
    big5: 'zh-Hant',
    简体: 'zh-Hans',
    简中: 'zh-Hans',
    繁体: 'zh-Hant',
    繁體: 'zh-Hant',
    繁中: 'zh-Hant',
    中文: 'zh',
    日本語: 'ja',
    한국어: 'ko',
    русский: 'ru',
    українська: 'uk',
    deutsch: 'de',
    français: 'fr',
    francais: 'fr',
    español: 'es',
    espanol: 'es',
    italiano: 'it',
    português: 'pt',
    portugues: 'pt',
    nederlands: 'nl',
    polski: 'pl',
    svenska: 'sv',
    türkçe: 'tr',
  }),
)

/** Undetermined, several, none, and "not by a language": say nothing. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(['und', 'mul', 'zxx', 'mis', 'root'])

/** `und`, which tools write where a track has no language. */
export const saysNoLanguage = (text: string): boolean => NO_LANGUAGE.has(text.toLowerCase())

/** Made when it is asked for: the first one of a process takes milliseconds. */
let names: Intl.DisplayNames | undefined

/** Throws for what is no language tag. */
const lookUp = (tag: string): string | undefined => {
  names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  return names.of(tag)
}

/** Whether the name of the language may be asked for, known or not: not by `abcd` or `root`, nor with extensions. */
export const isLanguageTag = (text: string): boolean => {
  try {
    lookUp(text)
    return true
  } catch {
    return false
  }
}

const nameOf = (text: string): string | undefined => (isLanguageTag(text) ? lookUp(text) : undefined)

/** By English name in lower case, the code of two letters. */
const twoLetterCodes = (): Map<string, string> => {
  const codes = new Map<string, string>()
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      const name = nameOf(first + second)?.toLowerCase()
      if (name !== undefined && !codes.has(name)) codes.set(name, first + second)
    }
  }
  return codes
}
let codesByName: Map<string, string> | undefined

/** The BCP 47 tag of a language, or null where the text names none. */
export const parseLanguage = (text: string): string | null => {
  const lower = normalForm(text, 'NFC').toLowerCase().replaceAll('_', '-')
  if (NO_LANGUAGE.has(lower)) return null
  const habit = HABITS.get(lower)
  if (habit !== undefined) return habit
  codesByName ??= twoLetterCodes()
  const byName = codesByName.get(lower)
  if (byName !== undefined) return byName
  if (!/^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/.test(lower)) return null
  const [code = '', ...rest] = lower.split('-')
  const name = nameOf(code)
  if (name === undefined) return null
  const short = codesByName.get(name.toLowerCase()) ?? code
  return Intl.getCanonicalLocales([short, ...rest].join('-'))[0] ?? null
}

/** What to call a language in English; null where the tag is unknown. */
export const languageName = (tag: string): string | null => nameOf(tag) ?? null
