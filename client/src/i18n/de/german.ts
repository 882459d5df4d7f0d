/** All German texts in one chunk: only those who read German load it, and then before the first paint. */

import { flatten } from '@solid-primitives/i18n'
import { aiFieldsTexts } from './ai-fields.ts'
import { aiSettingsTexts } from './ai-settings.ts'
import { detailsTexts } from './details.ts'
import { emptyLibraryTexts } from './empty-library.ts'
import { feedTexts } from './feed.ts'
import { filterPanelTexts } from './filter-panel.ts'
import { filtersTexts } from './filters.ts'
import { foldersTexts } from './folders.ts'
import { helpTexts } from './help.ts'
import { homeTexts } from './home.ts'
import { installTexts } from './install.ts'
import { manageTexts } from './manage.ts'
import { manageTagsTexts } from './manage-tags.ts'
import { marksTexts } from './marks.ts'
import { readerTexts } from './reader.ts'
import { scansTexts } from './scans.ts'
import { screensTexts } from './screens.ts'
import { searchingTexts } from './searching.ts'
import { settingsTexts } from './settings.ts'
import { signInTexts } from './sign-in.ts'
import { taggingTexts } from './tagging.ts'
import { viewersTexts } from './viewers.ts'

export const german = flatten({
  ...aiFieldsTexts,
  ...aiSettingsTexts,
  ...screensTexts,
  ...detailsTexts,
  ...emptyLibraryTexts,
  ...feedTexts,
  ...filterPanelTexts,
  ...filtersTexts,
  ...foldersTexts,
  ...homeTexts,
  ...installTexts,
  ...manageTexts,
  ...manageTagsTexts,
  ...marksTexts,
  ...readerTexts,
  ...scansTexts,
  ...settingsTexts,
  ...signInTexts,
  ...taggingTexts,
  ...searchingTexts,
  ...helpTexts,
  ...viewersTexts,
})
