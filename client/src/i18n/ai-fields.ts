import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { aiFieldsTexts } from './en/ai-fields.ts'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...aiFieldsTexts })

/** The text of a key of the AI panel and of the jobs, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
