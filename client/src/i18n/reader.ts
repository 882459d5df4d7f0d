import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { commonTexts } from './en/common.ts'
import { detailsTexts } from './en/details.ts'
import { readerTexts } from './en/reader.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...commonTexts, ...detailsTexts, ...readerTexts })

/** The text of a key of the reader and of items, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
