import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { emptyLibraryTexts } from './en/empty-library.ts'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...emptyLibraryTexts })

/** The text of a key of a library that has nothing to show, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
