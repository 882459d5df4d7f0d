import { expect, test } from 'bun:test'
import { inStandingPart } from '../../src/domain/standing-part.ts'

const filesOf = (...names: string[]) => names.map((name, index) => ({ name, role: index === 0 ? ('main' as const) : ('part' as const) }))

test.each([
  ['the part of that name', filesOf('Reds cd1.avi', 'Reds cd2.avi'), 'Reds cd2.avi', 'Reds cd2.avi'],
  ['the part of that number', filesOf('Reds part1.mkv', 'Reds part2.mkv'), 'Reds cd2.avi', 'Reds part2.mkv'],
  ['the part in the folder of that number', filesOf('CD 1/Reds.mkv', 'CD 2/Reds.mkv'), 'Reds cd2.avi', 'CD 2/Reds.mkv'],
  ['none where there are fewer', filesOf('Reds part1.mkv', 'Reds part2.mkv'), 'Reds cd3.avi', null],
  ['none in one file', filesOf('Reds cd2.mkv'), 'Reds cd2.avi', null],
  ['none without a number', filesOf('VTS_01_1.VOB', 'VTS_01_2.VOB'), 'VTS_02_2.VOB', null],
])('a saved position is in %s', (_, files, saved, part) => {
  const place: Parameters<typeof inStandingPart>[1] = { positionSeconds: 7, durationSeconds: 9, file: saved }
  const [positionSeconds, durationSeconds] = part === null ? [null, null] : [7, 9]
  expect(inStandingPart(files, place)).toEqual({ positionSeconds, durationSeconds, file: part })
})
