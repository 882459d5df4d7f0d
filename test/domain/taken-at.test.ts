import { expect, test } from 'bun:test'
import { type ExifTime, takenAt } from '../../src/domain/taken-at.ts'

const NOW = Date.UTC(2026, 5, 1)

/** Time and offset as they stand in the file, and what is made of them. */
const TIMES: [time: string | undefined, offset: string | undefined, taken: string | null][] = [
  ['2019:05:04 03:02:01', undefined, '2019-05-04T03:02:01.000Z'],
  ['2019:05:04 03:02:01', '+02:00', '2019-05-04T01:02:01.000Z'],
  ['2019:05:04 03:02:01', '-03:30', '2019-05-04T06:32:01.000Z'],
  ['2019:05:04 03:02:01', 'Z', '2019-05-04T03:02:01.000Z'],
  ['2019:05:04 03:02:01', '   :  ', '2019-05-04T03:02:01.000Z'],
  ['2019:05:04 03:02:01', '+99:00', '2019-05-04T03:02:01.000Z'],
  ['2019-05-04T03:02:01', undefined, '2019-05-04T03:02:01.000Z'],
  ['2020:02:29 12:00:00', undefined, '2020-02-29T12:00:00.000Z'],
  ['1965:07:20 12:00:00', undefined, '1965-07-20T12:00:00.000Z'],
  ['1826:01:01 00:00:00', undefined, '1826-01-01T00:00:00.000Z'],
  ['2026:06:01 20:00:00', undefined, '2026-06-01T20:00:00.000Z'],
  ['1825:12:31 23:59:59', undefined, null],
  ['2026:06:03 00:00:00', undefined, null],
  ['9999:12:31 23:59:59', undefined, null],
  ['0000:00:00 00:00:00', undefined, null],
  ['2019:02:31 00:00:00', undefined, null],
  ['2019:13:01 00:00:00', undefined, null],
  ['2019:05:04 24:00:00', undefined, null],
  ['2019:05:04 03:02:61', undefined, null],
  ['    :  :     :  :  ', undefined, null],
  ['yesterday', undefined, null],
  ['', undefined, null],
  [undefined, '+02:00', null],
]

const isoOf = (...times: ExifTime[]): string | null => {
  const ms = takenAt(times, NOW)
  return ms === null ? null : new Date(ms).toISOString()
}

test.each(TIMES)('%p at %p is %p', (time, offset, taken) => {
  expect(isoOf({ time, offset })).toBe(taken)
})

test('a clock of which nobody says where it went is read as one of the household', () => {
  const zone = process.env.TZ
  process.env.TZ = 'Europe/Berlin'
  try {
    expect(isoOf({ time: '2019:05:04 23:02:01', offset: undefined })).toBe('2019-05-04T21:02:01.000Z')
    expect(isoOf({ time: '2019:05:04 23:02:01', offset: 'Z' })).toBe('2019-05-04T23:02:01.000Z')
    expect(isoOf({ time: '2019:05:04 23:02:01', offset: '-03:30' })).toBe('2019-05-05T02:32:01.000Z')
  } finally {
    process.env.TZ = zone ?? 'UTC'
  }
})

test('the first time that can be true is taken', () => {
  const nonsense = { time: '0000:00:00 00:00:00', offset: '+02:00' }
  const scanned = { time: '2001:01:01 00:00:00', offset: undefined }
  expect(isoOf(nonsense, scanned)).toBe('2001-01-01T00:00:00.000Z')
  expect(isoOf(scanned, { ...scanned, time: '2002:01:01 00:00:00' })).toBe('2001-01-01T00:00:00.000Z')
  expect(isoOf()).toBeNull()
})
