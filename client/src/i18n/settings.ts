import { flatten } from '@solid-primitives/i18n'
import { manageTexts } from './en/manage.ts'
import { screensTexts } from './en/screens.ts'
import { settingsTexts } from './en/settings.ts'
import { speaker } from './language.ts'

/** The text of a key of Settings, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...manageTexts, ...settingsTexts }))
