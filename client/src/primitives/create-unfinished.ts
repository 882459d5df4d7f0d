import type { LibraryType } from '../../../src/domain/item-type.ts'
import { t } from '../i18n/filter-panel.ts'
import type { Filters } from './create-filters.ts'
import { createLibrary } from './libraries.ts'

const NAMES: Partial<Record<LibraryType, 'unwatched' | 'unread'>> = { movies: 'unwatched', tv: 'unwatched', manga: 'unread' }

/** What is not completed, called by what is done with it; undefined in libraries whose items are not seen or read to an end. */
export const createUnfinished = (filters: Filters): (() => string | undefined) => {
  const { library } = createLibrary(() => filters.level().libraryId)
  return () => {
    const type = library()?.type
    const name = type && NAMES[type]
    return name && t(`filterPanel.${name}`)
  }
}
