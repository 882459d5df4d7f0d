import { flatten } from '@solid-primitives/i18n'
import { filterPanelTexts } from './en/filter-panel.ts'
import { filtersTexts } from './en/filters.ts'
import { screensTexts } from './en/screens.ts'
import { speaker } from './language.ts'

/** The text of a key of the filter panel, of filters, or of those that all have. */
export const t = speaker(flatten({ ...screensTexts, ...filtersTexts, ...filterPanelTexts }))
