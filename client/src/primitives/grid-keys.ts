/** Where a key press moves to in a grid that is read row by row; undefined where the key means nothing here. */

interface GridPosition {
  index: number
  columns: number
  count: number
  /** Whole rows that fit the window. */
  rowsPerPage: number
}

export const nextGridIndex = (key: string, { index, columns, count, rowsPerPage }: GridPosition): number | undefined => {
  const last = count - 1
  const clamp = (target: number) => Math.max(0, Math.min(last, target))
  switch (key) {
    case 'ArrowLeft':
      return clamp(index - 1)
    case 'ArrowRight':
      return clamp(index + 1)
    case 'ArrowUp':
      return index < columns ? index : index - columns
    case 'ArrowDown':
      // From the last full row into a shorter one: the end of the list, and not a dead key.
      return Math.floor(index / columns) < Math.floor(last / columns) ? clamp(index + columns) : index
    case 'PageUp':
      return index - columns * rowsPerPage < 0 ? index % columns : index - columns * rowsPerPage
    case 'PageDown':
      return clamp(index + columns * rowsPerPage)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
