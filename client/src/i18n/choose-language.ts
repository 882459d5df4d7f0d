/** Which language a visitor gets: what the account says, before signing in what this browser had last, and else its own. */

import { LANGUAGES, type Language, language, speak } from './language.ts'

const STORAGE_KEY = 'vitrine.language'

const supported = (tag: string | null | undefined): Language | undefined =>
  LANGUAGES.find((known) => known === tag?.split('-')[0]?.toLowerCase())

/** The first of the browser's languages that there are texts for. */
export const browserLanguage = (tags: readonly string[] = navigator.languages): Language =>
  tags.map(supported).find((known) => known !== undefined) ?? 'en'

/** What a setting stands for: `auto`, and a language without texts, are the browser's. */
export const languageOfSetting = (setting: string): Language => supported(setting) ?? browserLanguage()

const readStored = (): string | null => {
  try {
    return localStorage.getItem(STORAGE_KEY)
  } catch {
    // Storage is refused in some private windows: the browser's language does.
    return null
  }
}

const store = (chosen: Language) => {
  try {
    localStorage.setItem(STORAGE_KEY, chosen)
  } catch {
    // Refused storage only means that the next visit starts in the browser's language.
  }
}

/** The last choice wins, also over one whose texts arrive later. */
let wanted: Language = 'en'

export const chooseLanguage = async (chosen: Language): Promise<void> => {
  wanted = chosen
  store(chosen)
  if (chosen !== language()) {
    const texts = chosen === 'de' ? (await import('./de/german.ts')).german : undefined
    if (wanted !== chosen) return
    speak(chosen, texts)
  }
  document.documentElement.lang = chosen
}

/** Before the first paint. Without its texts (the server has a newer version) a visitor reads English, and not an empty page. */
export const startLanguage = (): Promise<void> => chooseLanguage(supported(readStored()) ?? browserLanguage()).catch(() => undefined)
