import { describe, expect, test } from 'bun:test'
import { anchorAt, type Extent, placeOf } from '../../../client/src/primitives/webtoon-anchor.ts'

/** Pages of these shapes (height by width), drawn this wide. */
const strip = (shapes: readonly number[], width: number) => {
  const tops = shapes.map((_, page) => shapes.slice(0, page).reduce((sum, shape) => sum + shape * width, 0))
  return (page: number): Extent => ({ top: tops[page] ?? 0, height: (shapes[page] ?? 0) * width })
}

const SHAPES = [1.5, 4, 0.7, 1.5, 10, 1.5]

describe('a place in a strip', () => {
  test('above the first page and below the last one stays within them', () => {
    const extentOf = strip(SHAPES, 100)
    expect(anchorAt(-50, SHAPES.length, extentOf)).toEqual({ page: 0, fraction: 0 })
    expect(anchorAt(99_999, SHAPES.length, extentOf)).toEqual({ page: 5, fraction: 1 })
    expect(anchorAt(10, 1, () => ({ top: 0, height: 0 }))).toEqual({ page: 0, fraction: 0 })
  })

  test('is the page that lies there, from its first pixel on', () => {
    const extentOf = strip(SHAPES, 100)
    expect(anchorAt(149, SHAPES.length, extentOf).page).toBe(0)
    expect(anchorAt(150, SHAPES.length, extentOf)).toEqual({ page: 1, fraction: 0 })
    expect(anchorAt(350, SHAPES.length, extentOf)).toEqual({ page: 1, fraction: 0.5 })
  })

  test('is the same place in any width', () => {
    for (const from of [320, 777, 1280]) {
      for (const to of [390, 840, 2560]) {
        for (let y = 0; y < 19 * from; y += 333) {
          const anchor = anchorAt(y, SHAPES.length, strip(SHAPES, from))
          const there = anchorAt(placeOf(anchor, strip(SHAPES, to)) + 0.001, SHAPES.length, strip(SHAPES, to))
          expect([there.page, there.fraction.toFixed(3)]).toEqual([anchor.page, anchor.fraction.toFixed(3)])
        }
      }
    }
  })

  test('is found by asking few of many pages', () => {
    let asked = 0
    const extentOf = (page: number): Extent => {
      asked += 1
      return { top: page * 100, height: 100 }
    }
    expect(anchorAt(87_650, 1000, extentOf)).toEqual({ page: 876, fraction: 0.5 })
    expect(asked).toBeLessThan(15)
  })
})
