import { prefersReducedMotion } from '../../primitives/motion.ts'

/** What the reader asks of whatever shows the pages. */
export interface Stage {
  /** Scrolls by so many windows; false where there is nothing left that way. */
  scrollOn: (by: number) => boolean
  isScrolledAcross: () => boolean
}

/** A pixel more or less is rounding. */
export const SLACK = 2

export const scrollWindow = (element: HTMLElement, by: number): boolean => {
  const { scrollTop, clientHeight, scrollHeight } = element
  const isLeft = by > 0 ? scrollTop + clientHeight < scrollHeight - SLACK : scrollTop > SLACK
  if (isLeft) {
    element.scrollBy({ top: by * clientHeight, behavior: prefersReducedMotion() ? 'instant' : 'smooth' })
  }
  return isLeft
}

export const isAtBottom = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean =>
  scrollTop + clientHeight >= scrollHeight - SLACK
