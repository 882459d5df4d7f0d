import { describe, expect, test } from 'bun:test'
import { spreadOfPage, spreadsOf } from '../../../client/src/primitives/reader-spreads.ts'

const TALL = { width: 800, height: 1200 }
const WIDE = { width: 1600, height: 1200 }
const UNKNOWN = { width: null, height: null }
const tall = (count: number) => Array.from({ length: count }, () => TALL)

describe('pages that stay alone', () => {
  test('all of them, where one is shown at a time', () => {
    expect(spreadsOf(tall(3), { isDouble: false, coverAlone: true })).toEqual([[0], [1], [2]])
    expect(spreadsOf([], { isDouble: true, coverAlone: true })).toEqual([])
  })

  test('a wide one, and the one before it that has lost its neighbour', () => {
    expect(spreadsOf([TALL, TALL, WIDE, TALL, TALL], { isDouble: true, coverAlone: true })).toEqual([[0], [1], [2], [3, 4]])
  })
})

describe('pages side by side', () => {
  test('begin after the cover, or with it', () => {
    expect(spreadsOf(tall(5), { isDouble: true, coverAlone: true })).toEqual([[0], [1, 2], [3, 4]])
    expect(spreadsOf(tall(5), { isDouble: true, coverAlone: false })).toEqual([[0, 1], [2, 3], [4]])
  })

  test('whose size is not known are taken for ordinary ones', () => {
    expect(spreadsOf([TALL, UNKNOWN, UNKNOWN], { isDouble: true, coverAlone: true })).toEqual([[0], [1, 2]])
  })

  test('every page lies in exactly one spread, in order', () => {
    for (const coverAlone of [true, false]) {
      const pages = Array.from({ length: 23 }, (_, index) => (index % 5 === 3 ? WIDE : TALL))
      expect(spreadsOf(pages, { isDouble: true, coverAlone }).flat()).toEqual([...pages.keys()])
    }
  })
})

test('a page is found in its spread, and one that is not there at the beginning', () => {
  const spreads = [[0], [1, 2], [3, 4]]
  expect([0, 1, 2, 4, 9, -1].map((page) => spreadOfPage(spreads, page))).toEqual([0, 1, 1, 2, 0, 0])
})
