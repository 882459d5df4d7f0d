import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { manageTagsTexts } from './en/manage-tags.ts'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...manageTagsTexts })

/** The text of a key of the screens that tags are managed on, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
