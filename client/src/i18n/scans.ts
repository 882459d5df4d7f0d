import { flatten } from '@solid-primitives/i18n'
import { scansTexts } from './en/scans.ts'
import { screensTexts } from './en/screens.ts'
import { speaker } from './language.ts'

/** The text of a key of scans, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...scansTexts }))
