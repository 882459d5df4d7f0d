import { flatten } from '@solid-primitives/i18n'
import { manageTagsTexts } from './en/manage-tags.ts'
import { screensTexts } from './en/screens.ts'
import { speaker } from './language.ts'

/** The text of a key of the screens that tags are managed on, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...manageTagsTexts }))
