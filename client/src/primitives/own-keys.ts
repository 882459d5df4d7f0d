/** Arrows in a slider and Space on a button mean these, and not the picture. */
export const ownsKey = (target: EventTarget | null, key: string): boolean => {
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('input, select, textarea, media-volume-range')) return true
  return (key === ' ' || key === 'Enter') && target.matches('button, a, [role=button]')
}
