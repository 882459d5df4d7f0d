/** All German texts in one chunk: only those who read German load it, and then before the first paint. */

import { flatten } from '@solid-primitives/i18n'
import { aiSettingsTexts } from './ai-settings.ts'
import { commonTexts } from './common.ts'
import { detailsTexts } from './details.ts'
import { filtersTexts } from './filters.ts'
import { manageTexts } from './manage.ts'
import { manageTagsTexts } from './manage-tags.ts'
import { readerTexts } from './reader.ts'
import { settingsTexts } from './settings.ts'
import { signInTexts } from './sign-in.ts'
import { viewersTexts } from './viewers.ts'

export const german = flatten({
  ...aiSettingsTexts,
  ...commonTexts,
  ...detailsTexts,
  ...filtersTexts,
  ...manageTexts,
  ...manageTagsTexts,
  ...readerTexts,
  ...settingsTexts,
  ...signInTexts,
  ...viewersTexts,
})
