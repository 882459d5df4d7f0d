import { describe, expect, test } from 'bun:test'
import { formatAgo, formatBytes, formatClock, formatCount, formatRuntime } from '../../../client/src/primitives/format.ts'

describe('numbers for people', () => {
  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [99_960, '100 kB'],
    [999_400, '999 kB'],
    [999_600, '1.0 MB'],
    [999_999_999, '1.0 GB'],
    [12_400_000_000, '12.4 GB'],
    [5e15, '5000 TB'],
  ])('%d bytes read %p', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  test.each([
    [-3, '0:00'],
    [5.9, '0:05'],
    [245, '4:05'],
    [3845, '1:04:05'],
  ])('second %d is %p', (seconds, text) => {
    expect(formatClock(seconds)).toBe(text)
  })

  test.each([
    [0, '1 s'],
    [0.08, '5 s'],
    [59.4 / 60, '59 s'],
    [59.6 / 60, '1 min'],
    [1.2, '1 min'],
    [59, '59 min'],
    [59.6, '1 h'],
    [60, '1 h'],
    [119.7, '2 h'],
    [125, '2 h 5 min'],
  ])('%d minutes run %p', (minutes, text) => {
    expect(formatRuntime(minutes)).toBe(text)
  })

  test('thousands are set apart', () => {
    expect(formatCount(20_000)).toBe('20,000')
  })

  test.each([
    ['2026-11-21T11:59:40Z', 'now'],
    // The clock here is behind that of the server.
    ['2026-11-21T12:03:00Z', 'now'],
    ['2026-11-21T11:00:00Z', '1 hour ago'],
    ['2026-11-20T11:00:00Z', 'yesterday'],
    ['2026-11-01T11:00:00Z', '2 weeks ago'],
  ])('%s reads %p', (iso, text) => {
    expect(formatAgo(iso, Date.parse('2026-11-21T12:00:00Z'))).toBe(text)
  })
})
