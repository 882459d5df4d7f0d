import { expect, test } from 'bun:test'
import { keepCues, raiseCues } from '../../../client/src/primitives/cue-places.ts'
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

const cueOf = (line: number | 'auto', text: string, { snapToLines = true, vertical = '' } = {}) => ({
  ...{ line, text, snapToLines, vertical },
  ...{ startTime: 0, endTime: 1 },
})
const linesOf = (cues: readonly { line: number | 'auto' }[]) => cues.map(({ line }) => (line === 'auto' ? line : Math.round(line)))

test('cues leave lines free below them, whatever they left before, and keep the place that their file gives them', () => {
  const cues = [cueOf('auto', 'One line'), cueOf('auto', 'Two\nlines'), cueOf(0, 'At the top')]
  raiseCues(cues, 2)
  expect(linesOf(cues)).toEqual([-3, -4, 0])
  raiseCues(cues, 0)
  expect(linesOf(cues)).toEqual([-1, -2, 0])
})

test('cues that are placed from above stand there in the picture however far their box is moved up, and none below the box', () => {
  const cues = [
    cueOf(0, 'At the top'),
    cueOf(2, 'In the third line'),
    cueOf(50, 'In the middle', { snapToLines: false }),
    cueOf(95, 'At the bottom,\nin two lines', { snapToLines: false }),
    cueOf(-1, 'In the last line'),
    cueOf('auto', 'Anywhere'),
    cueOf(0, 'From the right', { vertical: 'rl' }),
  ]
  keepCues(cues, { height: 800, gap: 200, lift: 240, lineHeight: 20 })
  expect(linesOf(cues)).toEqual([55, 60, 80, 95, -1, 'auto', 0])
  keepCues(cues, { height: 400, gap: 0, lift: 0, lineHeight: 20 })
  expect(linesOf(cues)).toEqual([0, 10, 50, 90, -1, 'auto', 0])
})

test('cues that are placed where another one is shown already stand below that', () => {
  const cues = [
    { ...cueOf(0, 'A sign\nof two lines'), endTime: 5 },
    { ...cueOf(0, 'Another one'), startTime: 2, endTime: 9 },
    { ...cueOf(0, 'The next'), startTime: 6, endTime: 7 },
    { ...cueOf(0, 'Alone'), startTime: 9, endTime: 10 },
  ]
  const room = { height: 800, gap: 0, lift: 0, lineHeight: 40 }
  keepCues(cues, room)
  expect(linesOf(cues)).toEqual([0, 10, 15, 0])
  keepCues(cues, room)
  expect(linesOf(cues)).toEqual([0, 10, 15, 0])
})

test('the last cue is changed once more: Chromium shows a change with the next one', () => {
  const told: (number | 'auto')[] = []
  const cue = {
    ...cueOf(0, 'A sign'),
    get line() {
      return told.at(-1) ?? 0
    },
    set line(value) {
      told.push(value)
    },
  }
  keepCues([cue], { height: 800, gap: 0, lift: 80, lineHeight: 40 })
  expect(told.map((line) => Number(line).toFixed(3))).toEqual(['10.000', '10.001'])
})
