import { expect, test } from 'bun:test'
import { inLineWith, isAtOrBelow, isRelativePath, outermostFolders } from '../../src/domain/relative-path.ts'

test.each(['', '/', '/a', 'a/', 'a//b', '.', '..', 'a/..', '../a', './a', 'a/./b', 'a\0'])('%p leads elsewhere, or nowhere', (path) => {
  expect(isRelativePath(path)).toBe(false)
})
test.each(['a', 'a/b', '...', 'a/..b', '100% #?日本', 'a\\..\\b'])('%p lies below the root', (path) => {
  expect(isRelativePath(path)).toBe(true)
})

test('a folder is no part of one whose name begins like it', () => {
  expect([isAtOrBelow('a', 'a'), isAtOrBelow('a/b', 'a'), isAtOrBelow('a', ''), isAtOrBelow('', '')]).toEqual([true, true, true, true])
  expect([isAtOrBelow('ab', 'a'), isAtOrBelow('a', 'a/b'), isAtOrBelow('', 'a')]).toEqual([false, false, false])
})

test('of folders in folders the outermost hold all', () => {
  expect(outermostFolders(['b/c', 'a', 'b', 'a', 'ab', 'b c'])).toEqual(['a', 'ab', 'b', 'b c'])
  expect(outermostFolders(['a', ''])).toEqual([''])
})

test('what is at, below or above a place is in line with it, as paths tell one by one', () => {
  const paths = ['', 'a', 'ab', 'a/b', 'a/b c', 'a/b/c', 'a/b/c/d', 'a/x', 'b', 'b/a']
  for (const places of [[], [''], ['a'], ['a/b'], ['a/b/c', 'b'], ['a/b', 'a/b/c/d']]) {
    const isInLine = inLineWith(places)
    const expected = paths.filter((path) => places.some((place) => isAtOrBelow(path, place) || isAtOrBelow(place, path)))
    expect([places, paths.filter(isInLine)]).toEqual([places, expected])
  }
})

test('twenty thousand places are looked through for twenty thousand paths at once', () => {
  const places = Array.from({ length: 20_000 }, (_, index) => `A film (${index})/Extras`)
  const isInLine = inLineWith(places)
  const start = performance.now()
  expect(places.filter((_, index) => isInLine(`A film (${index})/film.mkv`))).toEqual([])
  expect(performance.now() - start).toBeLessThan(2000)
})
