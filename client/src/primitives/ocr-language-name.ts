/** Languages of offline recognition as people call them: its data have names such as `jpn` and `jpn_vert`. */

import { t } from '../i18n/ai-fields.ts'
import { locale } from '../i18n/language.ts'

const VERTICAL = /_vert$/
/** Where the data's name is no language tag: script and variety come after an underscore. */
const TAGS: Record<string, string> = { chi_sim: 'zh-Hans', chi_tra: 'zh-Hant', chi: 'zh', equ: 'und' }

export const ocrLanguageName = (code: string): string => {
  const plain = code.replace(VERTICAL, '')
  const tag = TAGS[plain] ?? plain.split('_')[0] ?? plain
  let name: string | undefined
  try {
    name = new Intl.DisplayNames([locale()], { type: 'language', fallback: 'none' }).of(tag)
  } catch (error) {
    // Files may be called anything.
    if (!(error instanceof RangeError)) throw error
  }
  const shown = name ?? code
  return VERTICAL.test(code) ? t('aiFields.vertical', shown) : shown
}
