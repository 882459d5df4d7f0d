import { createUrlChoice } from './create-url-state.ts'

/** How a library shows its entries: as cards, or one below the other. */
export const LIBRARY_VIEWS = ['grid', 'list'] as const
export type LibraryView = (typeof LIBRARY_VIEWS)[number]

export const createLibraryView = () => createUrlChoice<LibraryView>('view', LIBRARY_VIEWS, () => 'grid')
