/** Where filters are chosen: whoever takes them all off by a button that goes with them goes on from there. */
export const focusFiltersButton = () => document.querySelector<HTMLElement>('[data-filters-button]')?.focus({ preventScroll: true })
