import { flatten } from '@solid-primitives/i18n'
import { marksTexts } from './en/marks.ts'
import { screensTexts } from './en/screens.ts'
import { speaker } from './language.ts'

/** The text of a key of marking many items at once, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...marksTexts }))
