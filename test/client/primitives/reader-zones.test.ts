import { describe, expect, test } from 'bun:test'
import { actionAt, zonesOf } from '../../../client/src/primitives/reader-zones.ts'
import { READER_TAP_ZONES, READING_DIRECTIONS, type ReaderSettings, type ReadingDirection } from '../../../src/domain/reader-settings.ts'

type Point = [x: number, y: number]

const at = (direction: ReadingDirection, points: Point[], settings: Partial<ReaderSettings> = {}) => {
  const zones = zonesOf({ tapZones: 'auto', invertTaps: false, ...settings }, direction)
  return points.map(([x, y]) => actionAt(zones, x, y))
}

const ROW: Point[] = [
  [0.1, 0.5],
  [0.5, 0.5],
  [0.9, 0.5],
]
const COLUMN: Point[] = [
  [0.5, 0.1],
  [0.5, 0.5],
  [0.5, 0.9],
]

describe('where a tap falls', () => {
  test('in thirds, the middle is the menu; what lies ahead follows the direction', () => {
    expect(at('ltr', ROW)).toEqual(['back', 'menu', 'forward'])
    expect(at('rtl', ROW)).toEqual(['forward', 'menu', 'back'])
  })

  test('the bounds are a third and two thirds', () => {
    const bounds: Point[] = [
      [0.32, 0.5],
      [0.34, 0.5],
      [0.65, 0.5],
      [0.67, 0.5],
    ]
    expect(at('ltr', bounds)).toEqual(['back', 'menu', 'menu', 'forward'])
  })

  test('pages below each other are turned in an L', () => {
    for (const direction of ['vertical', 'webtoon'] as const) {
      expect(at(direction, COLUMN)).toEqual(['back', 'menu', 'forward'])
      expect(at(direction, ROW)).toEqual(['back', 'menu', 'forward'])
    }
  })

  test('inverted, next and previous change places, and the menu stays', () => {
    expect(at('ltr', ROW, { invertTaps: true })).toEqual(['forward', 'menu', 'back'])
  })

  test('switched off, every tap is for the menu', () => {
    expect(at('rtl', [...ROW, ...COLUMN], { tapZones: 'off' })).toEqual(Array(6).fill('menu'))
  })

  test('in every layout and direction every point has exactly one meaning', () => {
    const steps = [0.05, 0.2, 0.45, 0.55, 0.8, 0.95]
    for (const direction of READING_DIRECTIONS) {
      for (const tapZones of READER_TAP_ZONES) {
        const zones = zonesOf({ tapZones, invertTaps: false }, direction)
        for (const x of steps) {
          for (const y of steps) {
            const hits = zones.filter(({ left, top, right, bottom }) => x > left && x < right && y > top && y < bottom)
            expect([direction, tapZones, x, y, hits.length]).toEqual([direction, tapZones, x, y, 1])
          }
        }
      }
    }
  })
})
