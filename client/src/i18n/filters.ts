import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { filtersTexts } from './en/filters.ts'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...filtersTexts })

/** The text of a key of filters and selections, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
