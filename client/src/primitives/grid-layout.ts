/**
 * Sizes of a grid of cards, computed from the width alone: every row has the same, known height, so virtual rows never
 * need measuring and a restored scroll position lands on the same item (UI tokens: card sizes).
 */

import type { GridSize } from '../api/types.ts'

export type CardShape = 'poster' | 'tile' | 'wide'
/** A `row` is an entry of a list, as wide as the list. */
export type GridShape = CardShape | 'row'

/** Smallest card widths in pixels. */
const MIN_CARD_WIDTHS: Record<CardShape, Record<GridSize, number>> = {
  poster: { small: 120, medium: 160, large: 220 },
  tile: { small: 110, medium: 160, large: 240 },
  wide: { small: 200, medium: 280, large: 360 },
}

/** Height by width of the picture. */
const RATIOS: Record<CardShape, number> = { poster: 3 / 2, tile: 1, wide: 9 / 16 }

/** Pixels below the picture: a title line for tiles, title and facts for the others. */
const CAPTION_HEIGHTS: Record<CardShape, number> = { poster: 48, tile: 28, wide: 48 }

/** Pixels of a list's row: its picture, and the space to the next one. */
const ROW_HEIGHT = 64
const ROW_GAP = 4

const GAP = 12
const PHONE_GAP = 8
const PHONE_WIDTH = 600
/** On phones cards shrink, so that the three sizes stay three different column counts. */
const PHONE_SCALE = 0.8

export interface GridLayout {
  columns: number
  gap: number
  /** Pixels. */
  cardWidth: number
  pictureHeight: number
  rowHeight: number
}

/** Text grows by `textScale`, and a list's pictures with it; those of cards have sizes to choose from. */
export const gridLayout = (shape: GridShape, size: GridSize, width: number, textScale: number): GridLayout => {
  if (shape === 'row') {
    const pictureHeight = Math.round(ROW_HEIGHT * textScale)
    return { columns: 1, gap: ROW_GAP, cardWidth: width, pictureHeight, rowHeight: pictureHeight + ROW_GAP }
  }
  const isPhone = width < PHONE_WIDTH
  const gap = isPhone ? PHONE_GAP : GAP
  const minimum = MIN_CARD_WIDTHS[shape][size] * (isPhone ? PHONE_SCALE : 1)
  const columns = Math.max(1, Math.floor((width + gap) / (minimum + gap)))
  const cardWidth = Math.max(0, (width - gap * (columns - 1)) / columns)
  const pictureHeight = Math.round(cardWidth * RATIOS[shape])
  return { columns, gap, cardWidth, pictureHeight, rowHeight: pictureHeight + Math.round(CAPTION_HEIGHTS[shape] * textScale) + gap }
}
