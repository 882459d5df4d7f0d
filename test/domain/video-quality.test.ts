import { expect, test } from 'bun:test'
import { boxOf, qualitiesBelow } from '../../src/domain/video-quality.ts'

const HD = 1920

test.each([
  // Width, height, the widest that is encoded, what is offered.
  [3840, 2160, HD, [1080, 720, 480, 360]],
  [3840, 2160, 1280, [720, 480, 360]],
  [1920, 1080, HD, [720, 480, 360]],
  [1920, 800, HD, [720, 480, 360]],
  [1440, 1080, HD, [720, 480, 360]],
  [1080, 1920, HD, [720, 480, 360]],
  [1280, 534, HD, [480, 360]],
  [854, 480, HD, [360]],
  [640, 360, HD, []],
  [320, 240, HD, []],
])('%i × %i with an encoder up to %i: %j', (width, height, maxWidth, qualities) => {
  expect<number[]>(qualitiesBelow({ width, height }, maxWidth)).toEqual(qualities)
})

test('the sides are even', () => {
  expect(([1080, 720, 480, 360] as const).map(boxOf)).toEqual([
    { longSide: 1920, shortSide: 1080 },
    { longSide: 1280, shortSide: 720 },
    { longSide: 854, shortSide: 480 },
    { longSide: 640, shortSide: 360 },
  ])
})
