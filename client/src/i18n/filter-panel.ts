import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { filterPanelTexts } from './en/filter-panel.ts'
import { filtersTexts } from './en/filters.ts'
import { screensTexts } from './en/screens.ts'
import { foreignTexts } from './language.ts'

const english = flatten({ ...screensTexts, ...filtersTexts, ...filterPanelTexts })

/** The text of a key of the filter panel, of filters, or of those that all have. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
