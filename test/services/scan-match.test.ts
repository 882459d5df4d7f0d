import { describe, expect, test } from 'bun:test'
import { type GoneItem, matchMoved, type UnplacedItem } from '../../src/services/scan-match.ts'

const gone = (fields: Partial<GoneItem> & { path: string }): GoneItem => ({
  id: Bun.hash.crc32(fields.path),
  itemType: 'mixed_file',
  itemKey: `mixed_file:1:${fields.path}`,
  parentId: null,
  size: 10,
  modifiedAt: 1000,
  identity: null,
  contentHash: null,
  mainFile: null,
  missingSince: null,
  isContested: false,
  ...fields,
})

const found = (fields: Partial<UnplacedItem> & { path: string }): UnplacedItem => ({
  itemType: 'mixed_file',
  itemKey: `${fields.itemType ?? 'mixed_file'}:1:${fields.path}`,
  parentKey: null,
  size: 10,
  modifiedAt: 1000,
  identity: null,
  contentHash: null,
  mainFile: null,
  ...fields,
})

const pairs = (unplaced: UnplacedItem[], missing: GoneItem[]): string[] =>
  [...matchMoved(unplaced, missing)].map(([to, from]) => `${from.path} -> ${to.path}`).sort()

describe('nothing is recognised', () => {
  test.each([
    ['when only the size agrees', found({ path: 'b', modifiedAt: 2000 }), [gone({ path: 'a' })]],
    ['when the item types differ', found({ path: 'b', itemType: 'movie', identity: 7 }), [gone({ path: 'a', identity: 7 })]],
    ['when two gone items fit equally well', found({ path: 'c' }), [gone({ path: 'a' }), gone({ path: 'b' })]],
    ['when size and time agree but the content does not', found({ path: 'b', contentHash: 'x' }), [gone({ path: 'a', contentHash: 'y' })]],
    ['by size and time when both files are empty', found({ path: 'b', size: 0 }), [gone({ path: 'a', size: 0 })]],
    [
      'by size and time when the place of the gone item is taken',
      found({ path: 'b', identity: 1 }),
      [gone({ path: 'a', identity: 2, isContested: true })],
    ],
  ])('%s', (_, item, missing) => expect(pairs([item], missing)).toEqual([]))

  test('when two new files fit one gone item equally well', () => {
    expect(pairs([found({ path: 'b' }), found({ path: 'c' })], [gone({ path: 'a' })])).toEqual([])
  })
})

describe('a moved item is recognised', () => {
  test.each([
    [
      'by its inode, though it was edited on the way',
      found({ path: 'b', identity: 7, size: 99, modifiedAt: 5 }),
      [gone({ path: 'a', identity: 7 })],
    ],
    ['by size and time after a copy to another disk', found({ path: 'x/a', identity: 8 }), [gone({ path: 'a', identity: 7 })]],
    [
      'by content when the copy has a new time',
      found({ path: 'b', modifiedAt: 9, contentHash: 'x' }),
      [gone({ path: 'a', contentHash: 'x' })],
    ],
    [
      'by size and time though its place is taken, where nobody knows its inode',
      found({ path: 'b', identity: 7 }),
      [gone({ path: 'a', isContested: true })],
    ],
    ['by its name among files of one size and time', found({ path: 'x/a' }), [gone({ path: 'a' }), gone({ path: 'b' })]],
    [
      'by content among files of one size and time',
      found({ path: 'c', contentHash: 'x' }),
      [gone({ path: 'a', contentHash: 'x' }), gone({ path: 'b', contentHash: 'y' })],
    ],
    [
      'by its name among hard links',
      found({ path: 'x/a', identity: 7 }),
      [gone({ path: 'a', identity: 7 }), gone({ path: 'b', identity: 7 })],
    ],
  ])('%s', (_, item, missing) => expect(pairs([item], missing)).toEqual([`a -> ${item.path}`]))

  test('when two files swap their names', () => {
    const unplaced = [found({ path: 'a', identity: 2 }), found({ path: 'b', identity: 1 })]
    const missing = [gone({ path: 'a', identity: 1, isContested: true }), gone({ path: 'b', identity: 2, isContested: true })]
    expect(pairs(unplaced, missing)).toEqual(['a -> b', 'b -> a'])
  })

  test('the inode outweighs size and time', () => {
    const missing = [gone({ path: 'a', identity: 7, modifiedAt: 1 }), gone({ path: 'b', identity: 8 })]
    expect(pairs([found({ path: 'c', identity: 7 })], missing)).toEqual(['a -> c'])
  })
})

describe('of files that others stand in the places of, by their content', () => {
  /** A copy is another inode. */
  const copied = (to: string, contentHash: string) => found({ path: to, modifiedAt: 2000, contentHash, identity: 8 + Bun.hash.crc32(to) })
  const left = (path: string, isContested = true) => gone({ path, contentHash: `of ${path}`, identity: Bun.hash.crc32(path), isContested })
  test.each([
    { name: 'two are recognised that have changed places', now: { a: 'of b', b: 'of a' }, were: ['a', 'b'], moved: ['a -> b', 'b -> a'] },
    { name: 'those are that have moved up by one', now: { b: 'of a', c: 'of b' }, first: 'a', were: ['b'], moved: ['a -> b', 'b -> c'] },
    { name: 'one is not whose place a file has that nobody knows', now: { a: 'new', b: 'of a' }, were: ['a'], moved: [] },
    { name: 'nor what then has no place to go to', now: { a: 'new', b: 'of a', c: 'of b' }, were: ['a', 'b'], moved: [] },
    { name: 'nor one of which its place has a copy', now: { a: 'of a', b: 'of a' }, were: ['a'], moved: [] },
    { name: 'nor one that is in its place', now: { a: 'of a' }, were: ['a'], moved: [] },
  ])('$name', ({ now, were, first, moved }) => {
    const unplaced = Object.entries(now).map(([path, content]) => copied(path, content))
    const missing = [...were.map((path) => left(path)), ...(first === undefined ? [] : [left(first, false)])]
    expect(pairs(unplaced, missing)).toEqual([...moved])
  })
})

describe('a container is recognised by its children', () => {
  const episode = (series: string, number: number) =>
    found({ path: `${series}/S/${number}`, itemType: 'tv_episode', size: number, parentKey: `tv_season:1:${series}/S` })
  const goneEpisode = (number: number, parentId: number) =>
    gone({ path: `Old/S/${number}`, itemType: 'tv_episode', size: number, parentId })

  test('seasons by their episodes, then the series by its seasons', () => {
    const unplaced = [
      found({ path: 'New', itemType: 'tv_series', size: null }),
      found({ path: 'New/S', itemType: 'tv_season', size: null, parentKey: 'tv_series:1:New' }),
      ...[1, 2, 3].map((number) => episode('New', number)),
    ]
    const missing = [
      gone({ id: 1, path: 'Old', itemType: 'tv_series', size: null }),
      gone({ id: 2, path: 'Old/S', itemType: 'tv_season', size: null, parentId: 1 }),
      ...[1, 2, 3].map((number) => goneEpisode(number, 2)),
    ]
    expect(pairs(unplaced, missing)).toContain('Old -> New')
    expect(pairs(unplaced, missing)).toContain('Old/S -> New/S')
  })

  test('not when its children came from two containers in equal parts', () => {
    const unplaced = [found({ path: 'New/S', itemType: 'tv_season', size: null }), episode('New', 1), episode('New', 2)]
    const missing = [
      gone({ id: 2, path: 'Old/S', itemType: 'tv_season', size: null }),
      gone({ id: 3, path: 'Older/S', itemType: 'tv_season', size: null }),
      goneEpisode(1, 2),
      goneEpisode(2, 3),
    ]
    expect(pairs(unplaced, missing).filter((pair) => pair.endsWith('New/S'))).toEqual([])
  })

  const seasonOf = (series: string) => ({
    path: `${series}/S`,
    itemType: 'tv_season' as const,
    size: null,
    itemKey: `tv_season:1:${series}/S`,
  })
  const own = { size: 9, itemKey: 'tv_episode:1:New/S/9' }

  test.each([
    { name: 'with a child in its place keeps it, whatever is put into it', hasOwn: true, moved: [] },
    {
      name: 'that has been copied elsewhere leaves its place to what has come',
      hasOwn: true,
      copied: 4,
      moved: ['Old -> New', 'New -> Newer'],
    },
    { name: 'that has none of its children leaves its place to what has come', hasOwn: false, moved: ['Old -> New'] },
  ])('one $name', ({ hasOwn, copied = 0, moved }) => {
    const unplaced = [
      found({ ...seasonOf('New') }),
      ...(copied > 0 ? [found({ ...seasonOf('Newer') })] : []),
      ...[1, 2, 3].map((number) => episode('New', number)),
      ...(hasOwn ? [found({ ...episode('New', 9), ...own, identity: 8 })] : []),
      ...Array.from({ length: copied }, (_, place) => episode('Newer', 4 + place)),
    ]
    const missing = [
      gone({ id: 2, ...seasonOf('Old') }),
      gone({ id: 3, ...seasonOf('New'), isContested: true }),
      ...[1, 2, 3].map((number) => goneEpisode(number, 2)),
      ...(hasOwn ? [gone({ path: 'New/S/9', itemType: 'tv_episode', parentId: 3, ...own, identity: 7, isContested: true })] : []),
      ...Array.from({ length: copied }, (_, place) => goneEpisode(4 + place, 3)),
    ]
    const seasons = pairs(unplaced, missing).filter((pair) => pair.endsWith('/S'))
    expect(seasons).toEqual(moved.map((pair) => pair.replaceAll(/\w+/g, '$&/S')).sort())
  })

  test('when two swap their names', () => {
    const names = ['Old', 'New'] as const
    const unplaced = [...names.map((name) => found(seasonOf(name))), episode('New', 1), episode('Old', 2)]
    const missing = [
      ...names.map((name, place) => gone({ id: 2 + place, ...seasonOf(name), isContested: true })),
      ...[1, 2].map((number) => goneEpisode(number, 1 + number)),
    ]
    expect(pairs(unplaced, missing).filter((pair) => pair.endsWith('/S'))).toEqual(['New/S -> Old/S', 'Old/S -> New/S'])
  })
})

test('fifty thousand copies of one file are looked through at once, and none is recognised', () => {
  const copies = Array.from({ length: 50_000 }, (_, i) => ({ path: `${i}/copy.jpg`, itemKey: '', id: i }))
  const startedAt = performance.now()
  const paired = matchMoved(
    copies.map((copy) => found({ ...copy, itemKey: `mixed_file:1:new/${copy.path}`, path: `new/${copy.path}` })),
    copies.map((copy) => gone({ ...copy, itemKey: `mixed_file:1:${copy.path}` })),
  )
  expect(paired.size).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(8000)
})
