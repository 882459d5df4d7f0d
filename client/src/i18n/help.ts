import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { filtersTexts } from './en/filters.ts'
import { helpTexts } from './en/help.ts'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...filtersTexts, ...helpTexts })

/** The text of a key of the help on keys, of filters, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
