import { flatten } from '@solid-primitives/i18n'
import { homeTexts } from './en/home.ts'
import { screensTexts } from './en/screens.ts'
import { speaker } from './language.ts'

/** The text of a key of the start page and its shelves, of the page that there is not, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...homeTexts }))
