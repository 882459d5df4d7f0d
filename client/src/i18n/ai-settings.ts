import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { aiSettingsTexts } from './en/ai-settings.ts'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...aiSettingsTexts })

/** The text of a key of Manage → AI Tagging, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
