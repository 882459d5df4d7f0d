import { describe, expect, test } from 'bun:test'
import { type CardShape, gridLayout } from '../../../client/src/primitives/grid-layout.ts'

const SHAPES: CardShape[] = ['poster', 'tile', 'wide']
const SIZES = ['small', 'medium', 'large'] as const
const WIDTHS = [0, 288, 358, 560, 780, 1000, 1184, 1696]

describe('the layout of a grid', () => {
  test('no width gives neither a negative card nor no column', () => {
    for (const shape of SHAPES) {
      expect(gridLayout(shape, 'medium', 0, 1)).toMatchObject({ columns: 1, cardWidth: 0 })
    }
  })

  test('cards and gaps fill the width exactly', () => {
    for (const shape of SHAPES) {
      for (const size of SIZES) {
        for (const width of WIDTHS) {
          const { columns, gap, cardWidth } = gridLayout(shape, size, width, 1)
          expect(columns * cardWidth + (columns - 1) * gap).toBeCloseTo(width, 6)
        }
      }
    }
  })

  test('a larger size never has more columns', () => {
    for (const shape of SHAPES) {
      for (const width of WIDTHS) {
        const [small, medium, large] = SIZES.map((size) => gridLayout(shape, size, width, 1).columns)
        expect(small).toBeGreaterThanOrEqual(medium ?? 0)
        expect(medium).toBeGreaterThanOrEqual(large ?? 0)
      }
    }
  })

  test('on a phone the three poster sizes are three different grids', () => {
    expect(SIZES.map((size) => gridLayout('poster', size, 358, 1).columns)).toEqual([3, 2, 1])
  })

  test('a row is as high as its picture, its caption and the gap', () => {
    expect(gridLayout('poster', 'medium', 1184, 1)).toMatchObject({ columns: 6, gap: 12, pictureHeight: 281, rowHeight: 281 + 48 + 12 })
    expect(gridLayout('tile', 'medium', 1184, 1)).toMatchObject({ pictureHeight: 187, rowHeight: 187 + 28 + 12 })
  })

  test('where text is larger there is room for it, and the pictures stay as large as they were chosen', () => {
    expect(gridLayout('poster', 'medium', 1184, 1.5)).toMatchObject({ columns: 6, pictureHeight: 281, rowHeight: 281 + 72 + 12 })
    expect(gridLayout('row', 'medium', 1184, 1.5)).toMatchObject({ pictureHeight: 96, rowHeight: 96 + 4 })
  })
})
