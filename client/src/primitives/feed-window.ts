/**
 * Which items of a long list are drawn, and where, in a box that scrolls by whole items. Browsers cut boxes off at some
 * 16 to 33 million pixels, which are some 20,000 screens: the box is only a part of the list and moves along.
 */

/** Items before and after the current one that are there too. */
const NEIGHBOURS = 2
/** Items that the box has room for. */
export const SPAN = 4000
/** So near to an end of the box it is moved. */
const EDGE = 20

/** Where the box begins for a list that is entered at this place. */
export const baseFor = (index: number): number => Math.max(0, index - SPAN / 2)

/** Where the box is to begin instead; undefined while it lies well. What the list loses before the box can leave it to begin too early. */
export const movedBase = (index: number, base: number): number | undefined => {
  const place = index - base
  const isWell = place < SPAN - EDGE && (base === 0 || (base > 0 && place > EDGE))
  return isWell ? undefined : baseFor(index)
}

/** The places that are drawn. */
export const drawnPlaces = (index: number, base: number, end: number): number[] => {
  const first = Math.max(0, base, index - NEIGHBOURS)
  const last = Math.min(end, base + SPAN, index + NEIGHBOURS + 1)
  return Array.from({ length: Math.max(0, last - first) }, (_, step) => first + step)
}

/** How many items high the box is. */
export const boxLength = (base: number, end: number): number => Math.max(0, Math.min(SPAN, end - base))
