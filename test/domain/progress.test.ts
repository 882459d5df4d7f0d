import { describe, expect, test } from 'bun:test'
import type { Progress } from '../../src/domain/browse-entry.ts'
import type { ItemType } from '../../src/domain/item-type.ts'
import { advanceProgress, isBegun, type ProgressReport, type ProgressSubject, resumePosition } from '../../src/domain/progress.ts'

const HOUR = 3600
const UNKNOWN: ProgressSubject = { durationSeconds: null, pageCount: null }
const FILM: ProgressSubject = { durationSeconds: HOUR, pageCount: null }
const VOLUME: ProgressSubject = { durationSeconds: null, pageCount: 200 }

const [FIRST, MIDDLE, LAST] = ['a', 'b', 'c'].map((name) => ({ name, isFirst: name === 'a', isLast: name === 'c' }))

const at = (fields: Partial<Progress>): Progress => ({
  positionSeconds: null,
  durationSeconds: null,
  page: null,
  completed: false,
  ...fields,
})

type Row = [rule: string, before: Partial<Progress> | null, report: ProgressReport, subject: ProgressSubject, after: Partial<Progress>]

const of = (positionSeconds: number, durationSeconds = HOUR) => ({ positionSeconds, durationSeconds })

const TABLES: Record<string, Row[]> = {
  'a position': [
    ['is kept as it was told, also below 5 %', null, of(10), UNKNOWN, { positionSeconds: 10, durationSeconds: HOUR }],
    ['below 90 % is kept', null, of(3239), UNKNOWN, { positionSeconds: 3239, durationSeconds: HOUR }],
    ['of 90 % is the end', null, of(3240), UNKNOWN, { positionSeconds: 3240, durationSeconds: HOUR, completed: true }],
    ['beyond the end is the end', null, of(9999), UNKNOWN, { positionSeconds: HOUR, durationSeconds: HOUR, completed: true }],
    ['in less than five minutes is kept too', null, of(2.5, 4), UNKNOWN, { positionSeconds: 2.5, durationSeconds: 4 }],
    [
      'at the end of less than five minutes is the end',
      null,
      of(280, 299),
      UNKNOWN,
      { positionSeconds: 280, durationSeconds: 299, completed: true },
    ],
    [
      'is measured by the duration that the index knows',
      null,
      { positionSeconds: 3300 },
      FILM,
      { positionSeconds: 3300, durationSeconds: HOUR, completed: true },
    ],
    [
      'a little beyond the end that the index knows is the end',
      null,
      { positionSeconds: 3604 },
      FILM,
      { positionSeconds: HOUR, durationSeconds: HOUR, completed: true },
    ],
    ['far beyond it is kept: the index is wrong', null, { positionSeconds: 42 }, { ...FILM, durationSeconds: 2 }, { positionSeconds: 42 }],
    [
      'is measured by the duration that was told before',
      { durationSeconds: HOUR },
      { positionSeconds: 3300 },
      UNKNOWN,
      { positionSeconds: 3300, durationSeconds: HOUR, completed: true },
    ],
    [
      'is measured by what the player tells, first of all',
      null,
      of(1800, 2 * HOUR),
      FILM,
      { positionSeconds: 1800, durationSeconds: 2 * HOUR },
    ],
    ['of something of unknown length is kept as it is', null, { positionSeconds: 7 }, UNKNOWN, { positionSeconds: 7 }],
    ['with a duration of 0 has none', null, of(7, 0), UNKNOWN, { positionSeconds: 7 }],
    ['at the beginning again is the beginning', { positionSeconds: 900 }, of(0), UNKNOWN, { positionSeconds: 0, durationSeconds: HOUR }],
    [
      'of what was completed leaves it completed',
      { positionSeconds: 0, completed: true },
      of(900),
      UNKNOWN,
      { positionSeconds: 900, durationSeconds: HOUR, completed: true },
    ],
  ],
  'a page': [
    ['is kept', null, { page: 5 }, VOLUME, { page: 5 }],
    ['that is the last one is the end', null, { page: 199 }, VOLUME, { page: 199, completed: true }],
    ['that is the only one is the end', null, { page: 0 }, { ...VOLUME, pageCount: 1 }, { page: 0, completed: true }],
    ['beyond the last one is the last one', null, { page: 500 }, VOLUME, { page: 199, completed: true }],
    ['of a volume of unknown length is never the end', null, { page: 500 }, UNKNOWN, { page: 500 }],
    ['of what was read leaves it read', { page: 199, completed: true }, { page: 3 }, VOLUME, { page: 3, completed: true }],
  ],
  'a word of the person': [
    [
      'makes it completed, with nothing to resume',
      { positionSeconds: 900 },
      { completed: true },
      FILM,
      { positionSeconds: 0, durationSeconds: HOUR, completed: true },
    ],
    [
      'keeps a position at the end that comes with it',
      { positionSeconds: 900 },
      { ...of(3500), completed: true },
      FILM,
      { positionSeconds: 3500, durationSeconds: HOUR, completed: true },
    ],
    [
      'leaves no position in the middle, though it comes with it',
      null,
      { ...of(50, 100), completed: true },
      UNKNOWN,
      { positionSeconds: 0, durationSeconds: 100, completed: true },
    ],
    ['makes it completed though nothing was seen', null, { completed: true }, UNKNOWN, { completed: true }],
    ['makes it not begun', { positionSeconds: 0, page: 199, completed: true }, { completed: false }, UNKNOWN, {}],
    [
      'is not overruled by the position',
      null,
      { ...of(3500), completed: false },
      UNKNOWN,
      { positionSeconds: 3500, durationSeconds: HOUR },
    ],
    ['is not overruled by the page', null, { page: 199, completed: false }, VOLUME, { page: 199 }],
    ['leaves no page in the middle, though it comes with it', null, { page: 20, completed: true }, VOLUME, { page: 0, completed: true }],
    ['keeps the last page that comes with it', null, { page: 199, completed: true }, VOLUME, { page: 199, completed: true }],
    [
      'keeps the page that comes with it, where nobody knows the last one',
      null,
      { page: 20, completed: true },
      UNKNOWN,
      { page: 20, completed: true },
    ],
  ],
  'a position in one of three parts': [
    ['in the middle names it', null, { ...of(900), part: MIDDLE }, FILM, { ...of(900), file: 'b' }],
    ['at its end names it, and is not the end', null, { ...of(3500), part: MIDDLE }, FILM, { ...of(3500), file: 'b' }],
    ['in the first is that of the film', { ...of(9), file: 'b' }, { ...of(900), part: FIRST }, FILM, of(900)],
    ['at the end of the first names it, and is not the end', null, { ...of(3500), part: FIRST }, FILM, { ...of(3500), file: 'a' }],
    ['at the end of the last is the end', { ...of(9), file: 'c' }, { ...of(3500), part: LAST }, FILM, { ...of(3500), completed: true }],
    ['is not measured by another', of(900), { positionSeconds: 9999, part: LAST }, UNKNOWN, { positionSeconds: 9999, file: 'c' }],
    ['is gone with a word of the person', { ...of(900), file: 'b' }, { completed: true }, FILM, { ...of(0), completed: true }],
    ['stays beside a word of the person', null, { ...of(900), part: MIDDLE, completed: false }, FILM, { ...of(900), file: 'b' }],
    ['stays where none is told', { ...of(900), file: 'b' }, {}, FILM, { ...of(900), file: 'b' }],
  ],
  'what is not told': [
    [
      'stays',
      { positionSeconds: 900, durationSeconds: HOUR, page: 4 },
      {},
      UNKNOWN,
      { positionSeconds: 900, durationSeconds: HOUR, page: 4 },
    ],
    [
      'stays, also where it is null',
      { positionSeconds: 900 },
      { positionSeconds: null, page: null, completed: null },
      UNKNOWN,
      { positionSeconds: 900 },
    ],
  ],
}

for (const [what, rows] of Object.entries(TABLES))
  describe(what, () => {
    for (const [rule, before, report, subject, after] of rows)
      test(rule, () => {
        expect(advanceProgress(before && at(before), report, subject)).toEqual(at(after))
      })
  })

describe('what is worth resuming', () => {
  const RESUMED: [rule: string, position: number | null, duration: number | null, from: number][] = [
    ['nothing that was never opened', null, null, 0],
    ['nothing below 5 %', 179, HOUR, 0],
    ['from 5 % on', 180, HOUR, 180],
    ['up to 90 %', 3239, HOUR, 3239],
    ['nothing from there on', 3240, HOUR, 0],
    ['nothing of less than five minutes', 150, 299, 0],
    ['what takes five minutes', 150, 300, 150],
    ['what nobody knows the length of', 7, null, 7],
  ]
  for (const [rule, positionSeconds, durationSeconds, from] of RESUMED)
    test(rule, () => {
      expect(resumePosition({ positionSeconds, durationSeconds })).toBe(from)
    })

  test('any place in a part of a film that is named', () => {
    expect([of(1), of(3500)].map((place) => resumePosition({ ...place, file: 'b' }))).toEqual([1, 3500])
  })

  test('nothing where there is no progress', () => {
    expect([resumePosition(null), resumePosition(undefined)]).toEqual([0, 0])
  })
})

describe('what there is to go on with', () => {
  const LISTED: [rule: string, itemType: ItemType, fields: Partial<Progress>, isListed: boolean][] = [
    ['no film that was hardly begun', 'movie', of(29), false],
    ['a film of which half a minute was seen', 'movie', of(30), true],
    ['a short film', 'movie', of(4, 10), true],
    ['no short film of which little was seen', 'movie', of(0.4, 10), false],
    ['no film at its end', 'movie', of(3240), false],
    ['an episode that is seen again', 'tv_episode', { ...of(900), completed: true }, true],
    ['no film that was put back to its beginning', 'movie', of(0), false],
    ['the first seconds of the second part of a film', 'movie', { ...of(3), file: 'b' }, true],
    ['the end of the first part of a film', 'movie', { ...of(3500), file: 'a' }, true],
    ['no short clip', 'mixed_file', of(100, 200), false],
    ['a long clip', 'mixed_file', of(200, 400), true],
    ['what nobody knows the length of', 'movie', { positionSeconds: 7 }, true],
    ['a volume', 'manga_volume', { page: 1 }, true],
    ['no volume at its first page', 'manga_volume', { page: 0 }, false],
    ['no volume that was read', 'manga_volume', { page: 199, completed: true }, false],
    ['a volume that is read again', 'manga_volume', { page: 5, completed: true }, true],
    ['no volume that was read, and opened again at its first page', 'manga_volume', { page: 0, completed: true }, false],
    ['no volume that was read and has fewer pages by now', 'manga_volume', { page: 250, completed: true }, false],
    ['a volume that was begun and has fewer pages by now', 'manga_volume', { page: 250 }, true],
  ]
  for (const [rule, itemType, fields, isListed] of LISTED)
    test(rule, () => {
      expect(isBegun({ ...at(fields), itemType, pageCount: itemType === 'manga_volume' ? 200 : null })).toBe(isListed)
    })

  test('no volume that was read, as long as nobody knows its pages', () => {
    expect(isBegun({ ...at({ page: 5, completed: true }), itemType: 'manga_volume', pageCount: null })).toBe(false)
  })
})
