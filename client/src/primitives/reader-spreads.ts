/** Which pages lie side by side. */

interface PageSize {
  width: number | null
  height: number | null
}

interface SpreadRules {
  isDouble: boolean
  /** The first page is a cover and stands alone, as on paper. */
  coverAlone: boolean
}

/** A page that is wider than high is two pages already. */
const isWide = ({ width, height }: PageSize): boolean => width !== null && height !== null && width > height

/** Pages by their index, in reading order, in groups of one or two. */
export const spreadsOf = (pages: readonly PageSize[], { isDouble, coverAlone }: SpreadRules): number[][] => {
  const spreads: number[][] = []
  for (let page = 0; page < pages.length; ) {
    const [first, second] = [pages[page], pages[page + 1]]
    const isPair = isDouble && first && second && !isWide(first) && !isWide(second) && !(coverAlone && page === 0)
    spreads.push(isPair ? [page, page + 1] : [page])
    page += isPair ? 2 : 1
  }
  return spreads
}

/** The place of the spread that a page lies in; the first where there is no such page. */
export const spreadOfPage = (spreads: readonly number[][], page: number): number =>
  Math.max(
    0,
    spreads.findIndex((spread) => spread.includes(page)),
  )
