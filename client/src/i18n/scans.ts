import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { scansTexts } from './en/scans.ts'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...scansTexts })

/** The text of a key of scans, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
