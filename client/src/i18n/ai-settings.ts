import { flatten } from '@solid-primitives/i18n'
import { aiSettingsTexts } from './en/ai-settings.ts'
import { screensTexts } from './en/screens.ts'
import { speaker } from './language.ts'

/** The text of a key of Manage → AI Tagging, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...aiSettingsTexts }))
