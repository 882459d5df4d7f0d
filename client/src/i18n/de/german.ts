/** All German texts in one chunk: only those who read German load it, and then before the first paint. */

import { flatten } from '@solid-primitives/i18n'
import { aiFieldsTexts } from './ai-fields.ts'
import { aiSettingsTexts } from './ai-settings.ts'
import { detailsTexts } from './details.ts'
import { emptyLibraryTexts } from './empty-library.ts'
import { filtersTexts } from './filters.ts'
import { installTexts } from './install.ts'
import { manageTexts } from './manage.ts'
import { manageTagsTexts } from './manage-tags.ts'
import { readerTexts } from './reader.ts'
import { screensTexts } from './screens.ts'
import { settingsTexts } from './settings.ts'
import { signInTexts } from './sign-in.ts'
import { viewersTexts } from './viewers.ts'

export const german = flatten({
  ...aiFieldsTexts,
  ...aiSettingsTexts,
  ...screensTexts,
  ...detailsTexts,
  ...emptyLibraryTexts,
  ...filtersTexts,
  ...installTexts,
  ...manageTexts,
  ...manageTagsTexts,
  ...readerTexts,
  ...settingsTexts,
  ...signInTexts,
  ...viewersTexts,
})
