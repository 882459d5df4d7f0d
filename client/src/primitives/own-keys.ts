/** Arrows in a slider and Space on a button mean these, and not the picture. */
export const ownsKey = (target: EventTarget | null, key: string): boolean => {
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('input, select, textarea, media-volume-range')) return true
  return (key === ' ' || key === 'Enter') && target.matches('button, a, [role=button]')
}

/** What is pressed in a dialog that lies over this element means that dialog; one around it is its own. */
export const isInDialogOver = (element: Element, target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=dialog]')?.contains(element) === false
