import { flatten } from '@solid-primitives/i18n'
import { filtersTexts } from './en/filters.ts'
import { screensTexts } from './en/screens.ts'
import { speaker } from './language.ts'

/** The text of a key of filters and selections, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...filtersTexts }))
