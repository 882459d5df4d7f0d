import { flatten } from '@solid-primitives/i18n'
import { detailsTexts } from './en/details.ts'
import { readerTexts } from './en/reader.ts'
import { screensTexts } from './en/screens.ts'
import { speaker } from './language.ts'

/** The text of a key of the reader and of items, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...detailsTexts, ...readerTexts }))
