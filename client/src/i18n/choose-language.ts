/** Which language a visitor gets: what the account says, before signing in what this browser had last, and else its own. */

import { recall, remember } from '../primitives/device-memory.ts'
import { LANGUAGES, type Language, language, speak } from './language.ts'

const MEMORY = 'language'

const supported = (tag: string | null | undefined): Language | undefined =>
  LANGUAGES.find((known) => known === tag?.split('-')[0]?.toLowerCase())

/** The first of the browser's languages that there are texts for. */
export const browserLanguage = (tags: readonly string[] = navigator.languages): Language =>
  tags.map(supported).find((known) => known !== undefined) ?? 'en'

/** What a setting stands for: `auto`, and a language without texts, are the browser's. */
export const languageOfSetting = (setting: string): Language => supported(setting) ?? browserLanguage()

/** The last choice wins, also over one whose texts arrive later. */
let wanted: Language = 'en'

export const chooseLanguage = async (chosen: Language): Promise<void> => {
  wanted = chosen
  remember(MEMORY, chosen)
  if (chosen !== language()) {
    const texts = chosen === 'de' ? (await import('./de/german.ts')).german : undefined
    if (wanted !== chosen) return
    speak(chosen, texts)
  }
  document.documentElement.lang = chosen
}

/** Before the first paint. Without its texts (the server has a newer version) a visitor reads English, and not an empty page. */
export const startLanguage = (): Promise<void> => chooseLanguage(supported(recall(MEMORY)) ?? browserLanguage()).catch(() => undefined)
