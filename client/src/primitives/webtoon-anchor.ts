/** Where somebody is in a strip of pages, independent of how wide it is drawn. */

export interface Anchor {
  page: number
  /** Of the page's height, from 0 to 1. */
  fraction: number
}

export interface Extent {
  top: number
  height: number
}

/** The page at `y`, and how far down in it. `extentOf` is asked for few of the `count` pages; they lie below each other. */
export const anchorAt = (y: number, count: number, extentOf: (page: number) => Extent): Anchor => {
  let [low, high] = [0, count - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (extentOf(middle).top <= y) low = middle
    else high = middle - 1
  }
  const { top, height } = extentOf(low)
  return { page: low, fraction: height > 0 ? Math.min(1, Math.max(0, (y - top) / height)) : 0 }
}

/** The place of an anchor as the pages are drawn now. */
export const placeOf = ({ page, fraction }: Anchor, extentOf: (page: number) => Extent): number => {
  const { top, height } = extentOf(page)
  return top + fraction * height
}
