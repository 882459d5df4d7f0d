import { flatten } from '@solid-primitives/i18n'
import { detailsTexts } from './en/details.ts'
import { screensTexts } from './en/screens.ts'
import { viewersTexts } from './en/viewers.ts'
import { speaker } from './language.ts'

/** The text of a key of the viewer and the player, or of those that they share with other screens. */
export const t = speaker(flatten({ ...screensTexts, ...detailsTexts, ...viewersTexts }))
