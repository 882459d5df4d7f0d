import { flatten } from '@solid-primitives/i18n'
import { emptyLibraryTexts } from './en/empty-library.ts'
import { screensTexts } from './en/screens.ts'
import { speaker } from './language.ts'

/** The text of a key of a library that has nothing to show, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...emptyLibraryTexts }))
