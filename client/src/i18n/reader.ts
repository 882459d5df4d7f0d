import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { detailsTexts } from './en/details.ts'
import { readerTexts } from './en/reader.ts'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...detailsTexts, ...readerTexts })

/** The text of a key of the reader and of items, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
