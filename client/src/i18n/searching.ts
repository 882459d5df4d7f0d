import { flatten } from '@solid-primitives/i18n'
import { filtersTexts } from './en/filters.ts'
import { screensTexts } from './en/screens.ts'
import { searchingTexts } from './en/searching.ts'
import { speaker } from './language.ts'

/** The text of a key of the search in all libraries, of filters, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...filtersTexts, ...searchingTexts }))
