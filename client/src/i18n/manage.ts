import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { manageTexts } from './en/manage.ts'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...manageTexts })

/** The text of a key of Manage, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
