import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { manageTexts } from './en/manage.ts'
import { screensTexts } from './en/screens.ts'
import { signInTexts } from './en/sign-in.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...manageTexts, ...signInTexts })

/** The text of a key of these screens, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
