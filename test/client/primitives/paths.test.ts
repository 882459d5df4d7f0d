import { describe, expect, test } from 'bun:test'
import {
  decodeSegment,
  entryPath,
  keyOfSegment,
  safeNextPath,
  seasonSegment,
  watchPath,
  withoutBase,
} from '../../../client/src/primitives/paths.ts'
import { type ItemKey, itemKey } from '../../../src/domain/item-key.ts'
import type { ItemType } from '../../../src/domain/item-type.ts'

const ODD_NAMES = ['A/B', 'C:D', 'what?', '50 % off', '#1', 'a b', '葬送のフリーレン', "L'été & co + more"]

const entry = (type: ItemType, path: string, parentKey: ItemKey | null = null) => ({
  itemKey: itemKey(type, 3, path),
  itemType: type,
  libraryId: 3,
  parentKey,
  seasonNumber: 2,
  title: 'Season 2',
})

const lastSegment = (address: string) => address.slice(address.lastIndexOf('/') + 1)

describe('addresses of screens', () => {
  test('a segment that is no valid encoding names nothing', () => {
    expect(decodeSegment('%E0%A4%A')).toBeUndefined()
    expect(keyOfSegment('movie', '3', '%zz')).toBeUndefined()
  })

  test.each(['', '0', '-1', '1.5', 'x', undefined])('library %p is none', (library) => {
    expect(keyOfSegment('movie', library, 'Alien')).toBeUndefined()
  })

  test.each(ODD_NAMES)('%p survives the way into an address and back', (name) => {
    const address = entryPath(entry('movie', name))
    expect(new URL(address, 'http://host').pathname).toBe(address)
    expect(keyOfSegment('movie', '3', lastSegment(address))).toBe(itemKey('movie', 3, name))
  })

  test.each(ODD_NAMES)('an episode of %p keeps its whole key', (name) => {
    const key = itemKey('tv_episode', 3, `${name}/Season 01/${name}.mkv`)
    expect(decodeSegment(lastSegment(watchPath(key)))).toBe(key)
  })

  test('each type has its screen', () => {
    const series = itemKey('tv_series', 3, 'Show')
    expect(entryPath(entry('game', 'Zelda/Ocarina'))).toBe('/l/3/g/Zelda%2FOcarina')
    expect(entryPath(entry('game_series', 'Zelda'))).toBe('/l/3/gs/Zelda')
    expect(entryPath(entry('tv_series', 'Show'))).toBe('/l/3/s/Show')
    expect(entryPath(entry('tv_season', 'Show/S2', series))).toBe('/l/3/s/Show/season/2')
    expect(entryPath(entry('manga_series', 'Berserk'))).toBe('/l/3/b/Berserk')
    expect(entryPath(entry('manga_volume', 'Berserk/v1.cbz', itemKey('manga_series', 3, 'Berserk')))).toBe(
      '/read/manga_volume%3A3%3ABerserk%2Fv1.cbz',
    )
    expect(entryPath(entry('mixed_file', '2020/a#b.jpg'))).toBe('/l/3?item=mixed_file%3A3%3A2020%2Fa%23b.jpg')
  })

  test('a season without a number is named by its title', () => {
    expect(seasonSegment({ seasonNumber: null, title: 'Extras & more' })).toBe('Extras%20%26%20more')
    expect(seasonSegment({ seasonNumber: 0, title: 'Specials' })).toBe('0')
  })
})

describe('where signing in leads', () => {
  test.each([undefined, '', 'https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    '%p leads to the start page',
    (next) => {
      expect(safeNextPath(next)).toBe('/')
    },
  )

  test('a path of our own is kept with its query', () => {
    expect(safeNextPath('/l/1?q=a%2Fb')).toBe('/l/1?q=a%2Fb')
  })

  test.each([
    ['/l/1', '', '/l/1'],
    ['/shelf', '/shelf', '/'],
    ['/shelf/l/1', '/shelf', '/l/1'],
    ['/shelfware/l/1', '/shelf', '/shelfware/l/1'],
  ])('%s below %p is kept as %s', (pathname, base, kept) => {
    expect(withoutBase(pathname, base)).toBe(kept)
  })
})
