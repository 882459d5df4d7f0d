import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { marksTexts } from './en/marks.ts'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...marksTexts })

/** The text of a key of marking many items at once, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
