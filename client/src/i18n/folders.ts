import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { foldersTexts } from './en/folders.ts'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...foldersTexts })

/** The text of a key of folders, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
