import { createUrlChoice } from './create-url-state.ts'
import { createDeviceChoice } from './device-choice.ts'

/** How a library shows its entries: as cards, or one below the other. */
const LIBRARY_VIEWS = ['grid', 'list'] as const
export type LibraryView = (typeof LIBRARY_VIEWS)[number]

/** What the address says; where it says nothing, what was chosen last on this device for this library. */
export const createLibraryView = (libraryId: number) => {
  const [remembered, remember] = createDeviceChoice<LibraryView>(`view-${libraryId}`, LIBRARY_VIEWS, 'grid')
  // As it was on arrival: Back undoes what is chosen from then on.
  const onArrival = remembered()
  const [view, setView] = createUrlChoice('view', LIBRARY_VIEWS, () => onArrival)
  return [
    view,
    (chosen: LibraryView) => {
      remember(chosen)
      setView(chosen)
    },
  ] as const
}
