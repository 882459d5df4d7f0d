import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { detailsTexts } from './en/details.ts'
import { screensTexts } from './en/screens.ts'
import { viewersTexts } from './en/viewers.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...detailsTexts, ...viewersTexts })

/** The text of a key of the viewer and the player, or of those that they share with other screens. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
