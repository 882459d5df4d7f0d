import { expect, test } from 'bun:test'
import type { BrowseEntry } from '../../../client/src/api/types.ts'
import { entryFacts, progressFraction, splitTitle } from '../../../client/src/primitives/entry-facts.ts'
import { seriesPart, withSeriesPart } from '../../../client/src/primitives/series-part.ts'
import { volumeName } from '../../../client/src/primitives/volume-name.ts'

test.each([
  ['Blade Runner 2049', { name: 'Blade Runner 2049', year: undefined }],
  ['(1994)', { name: '(1994)', year: undefined }],
  ['Northline (2018) Extended', { name: 'Northline (2018) Extended', year: undefined }],
  ['The Salt Meridian (1994)', { name: 'The Salt Meridian', year: '1994' }],
  ['2012 (2009)', { name: '2012', year: '2009' }],
])('%j', (title, split) => {
  expect(splitTitle(title)).toEqual(split)
})

test('a volume and an episode among others are told by their series', () => {
  const entry = { title: 'v02', year: null, childCount: null, durationSeconds: null, progress: null } as const
  const volume = {
    ...entry,
    itemType: 'manga_volume',
    itemKey: 'manga_volume:4:Berserk/v02.cbz',
    progress: { page: 6, completed: false },
  } as BrowseEntry
  expect(entryFacts({ ...volume, seriesTitle: 'Berserk' })).toEqual(['On page 7', 'Berserk'])
  const episode = { ...entry, itemType: 'tv_episode', seasonNumber: 1, episodeNumber: 3 } as BrowseEntry
  expect(entryFacts({ ...episode, seriesTitle: 'Northline' })).toEqual(['S1 E3', 'Northline'])
  expect(entryFacts(volume)).toEqual(['On page 7'])
})

test('of a volume that has fewer pages by now than somebody had read it is not told how far, as it begins anew', () => {
  const progress = { positionSeconds: null, durationSeconds: null, page: 79, completed: false }
  const volume = (pageCount: number) =>
    ({ title: 'v01', year: null, childCount: null, durationSeconds: null, itemType: 'manga_volume', pageCount, progress }) as BrowseEntry
  expect([volume(50), volume(79), volume(80)].map((each) => [entryFacts(each), progressFraction(each)])).toEqual([
    [[], undefined],
    [[], undefined],
    [['On page 80'], 1],
  ])
})

test('of what is seen or read again it is told how far somebody has come, and nothing of what has been', () => {
  const entry = { title: 'v01', year: null, childCount: null, durationSeconds: null } as const
  const progress = { positionSeconds: null, durationSeconds: null, completed: true }
  const volume = (page: number) => ({ ...entry, itemType: 'manga_volume', pageCount: 10, progress: { ...progress, page } }) as BrowseEntry
  expect([volume(4), volume(9), volume(0)].map((each) => [entryFacts(each), progressFraction(each)])).toEqual([
    [['On page 5'], 0.5],
    [[], undefined],
    [[], undefined],
  ])
  const film = (positionSeconds: number) => ({
    ...entry,
    progress: { ...progress, page: null, positionSeconds, durationSeconds: 3600 },
  })
  expect([film(900), film(3590)].map(progressFraction)).toEqual([0.25, undefined])
})

test('a volume is told by the folders between its series and itself', () => {
  const volume = (path: string) =>
    ({
      itemType: 'manga_volume',
      itemKey: `manga_volume:4:${path}`,
      title: 'Chapter 1',
      year: null,
      childCount: null,
      progress: null,
    }) as BrowseEntry
  const nested = volume('Restart Saga/Arc 2/Volume 1/Chapter 1.cbz')
  expect(entryFacts(nested)).toEqual(['Arc 2/Volume 1'])
  expect(entryFacts({ ...nested, seriesTitle: 'Restart Saga' })).toEqual(['Arc 2/Volume 1', 'Restart Saga'])
  expect(volumeName(nested)).toBe('Arc 2/Volume 1 · Chapter 1')
  expect(volumeName(volume('Restart Saga/Chapter 1.cbz'))).toBe('Chapter 1')
})

test.each([
  ['Endless Voyage Ch. 001 - The Storm', 'Endless Voyage', 'Endless Voyage '],
  ['one piece - 001', 'One Piece (1997)', 'one piece - '],
  ['Akira (1982) v02', 'Akira', 'Akira '],
  ['20th Century Boys v01', '20th Century Boys', '20th Century Boys '],
  ['Tides', 'Tides', ''],
  ['Tides2', 'Tides', ''],
  ['Tides of War', 'Tides', ''],
  ['v02', 'Tides', ''],
])('the volume %j of %j begins with %j', (title, series, part) => {
  expect(seriesPart(title, series)).toBe(part)
})

test('only of a volume is it left out that its series is said already', () => {
  const entry = { title: 'Tides v01', seriesTitle: 'Tides' } as BrowseEntry
  expect(withSeriesPart({ ...entry, itemType: 'manga_volume' })).toHaveProperty('seriesPart', 'Tides ')
  expect(withSeriesPart({ ...entry, itemType: 'tv_episode' })).not.toHaveProperty('seriesPart')
})
