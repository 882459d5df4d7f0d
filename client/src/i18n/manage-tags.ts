import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { commonTexts } from './en/common.ts'
import { manageTagsTexts } from './en/manage-tags.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...commonTexts, ...manageTagsTexts })

/** The text of a key of the screens that tags are managed on, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
