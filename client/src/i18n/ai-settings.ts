import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { aiSettingsTexts } from './en/ai-settings.ts'
import { commonTexts } from './en/common.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...commonTexts, ...aiSettingsTexts })

/** The text of a key of Manage → AI Tagging, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
