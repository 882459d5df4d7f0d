export type PageDirection = 'ltr' | 'rtl'

interface ReaderPosition {
  page: number
  count: number
  direction: PageDirection
}

/** The page that a key turns to: arrows follow the direction of reading. Undefined where the key means nothing. */
export const pageForKey = (key: string, { page, count, direction }: ReaderPosition): number | undefined => {
  const forward = direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const back = direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
  switch (key) {
    case forward:
    case 'ArrowDown':
    case 'PageDown':
    case ' ':
      return Math.min(count - 1, page + 1)
    case back:
    case 'ArrowUp':
    case 'PageUp':
      return Math.max(0, page - 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
