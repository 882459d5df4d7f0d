import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten(screensTexts)

/** The text of a key that every screen may need; a missing key or argument does not compile. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
