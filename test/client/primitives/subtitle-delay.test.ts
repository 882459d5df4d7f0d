import { expect, test } from 'bun:test'
import { raiseCues } from '../../../client/src/primitives/cue-places.ts'
import { shiftCues } from '../../../client/src/primitives/subtitle-delay.ts'

const trackOf = (...starts: number[]) => ({ cues: starts.map((startTime) => ({ startTime, endTime: startTime + 1 })) })
const startsOf = (track: ReturnType<typeof trackOf>) => track.cues.map(({ startTime }) => Number(startTime.toFixed(3)))

test('a track whose cues have not come yet is left alone', () => {
  expect(() => shiftCues({ cues: null }, 1)).not.toThrow()
})

test('a delay counts from the file, however often it is changed', () => {
  const track = trackOf(1, 5)
  for (const seconds of [0.1, 0.2, -0.3]) shiftCues(track, seconds)
  expect(startsOf(track)).toEqual([0.7, 4.7])
  expect(track.cues.map(({ endTime }) => Number(endTime.toFixed(3)))).toEqual([1.7, 5.7])
  shiftCues(track, 0)
  expect(startsOf(track)).toEqual([1, 5])
})

test('cues that arrive later are moved as far as those before, and none twice', () => {
  const track = trackOf(1)
  shiftCues(track, 2)
  track.cues.push({ startTime: 10, endTime: 11 })
  shiftCues(track, 2)
  expect(startsOf(track)).toEqual([3, 12])
})

test('cues leave lines free below them, whatever they left before, and keep the place that their file gives them', () => {
  const cues = [
    { line: 'auto' as const, text: 'One line' },
    { line: 'auto' as const, text: 'Two\nlines' },
    { line: 0, text: 'At the top' },
  ]
  raiseCues(cues, 2)
  expect(cues.map(({ line }) => line as number | 'auto')).toEqual([-3, -4, 0])
  raiseCues(cues, 0)
  expect(cues.map(({ line }) => line as number | 'auto')).toEqual([-1, -2, 0])
})
