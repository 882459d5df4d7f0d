import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { detailsTexts } from './en/details.ts'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...detailsTexts })

/** The text of a key of items, viewer, reader and player, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
