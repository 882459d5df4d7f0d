import { expect, test } from 'bun:test'
import { isAtOrBelow, isRelativePath, outermostFolders } from '../../src/domain/relative-path.ts'

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
