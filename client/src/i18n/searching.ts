import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { filtersTexts } from './en/filters.ts'
import { screensTexts } from './en/screens.ts'
import { searchingTexts } from './en/searching.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...filtersTexts, ...searchingTexts })

/** The text of a key of the search in all libraries, of filters, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
