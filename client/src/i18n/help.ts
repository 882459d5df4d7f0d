import { flatten } from '@solid-primitives/i18n'
import { filtersTexts } from './en/filters.ts'
import { helpTexts } from './en/help.ts'
import { screensTexts } from './en/screens.ts'
import { speaker } from './language.ts'

/** The text of a key of the help on keys, of filters, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...filtersTexts, ...helpTexts }))
