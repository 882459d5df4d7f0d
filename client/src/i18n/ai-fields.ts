import { flatten } from '@solid-primitives/i18n'
import { aiFieldsTexts } from './en/ai-fields.ts'
import { screensTexts } from './en/screens.ts'
import { speaker } from './language.ts'

/** The text of a key of the AI panel and of the jobs, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...aiFieldsTexts }))
