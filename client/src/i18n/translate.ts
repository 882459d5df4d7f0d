import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { commonTexts } from './en/common.ts'
import { foreignTexts } from './language.ts'

const english = flatten(commonTexts)

/** The text of a key that every screen may need; a missing key or argument does not compile. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
