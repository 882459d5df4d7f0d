import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { commonTexts } from './en/common.ts'
import { detailsTexts } from './en/details.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...commonTexts, ...detailsTexts })

/** The text of a key of items, viewer, reader and player, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
