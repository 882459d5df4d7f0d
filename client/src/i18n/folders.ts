import { flatten } from '@solid-primitives/i18n'
import { foldersTexts } from './en/folders.ts'
import { screensTexts } from './en/screens.ts'
import { speaker } from './language.ts'

/** The text of a key of folders, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...foldersTexts }))
