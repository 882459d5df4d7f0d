import { describe, expect, test } from 'bun:test'
import { parseTagIds, type TagState, withTagState } from '../../../client/src/primitives/tag-ids.ts'

describe('ids of tags in an address', () => {
  test.each(['x', '-1', '0', '1.5', '1e3', '0x10', '+7', '９', '12 3', '9999999999999999'])('%p is none', (text) => {
    expect(parseTagIds(text)).toEqual({ ids: [], junk: 1 })
  })

  test.each([
    ['', [], 0],
    [',, ,', [], 0],
    ['7', [7], 0],
    ['12,45', [12, 45], 0],
    [' 12 , 45 ,', [12, 45], 0],
    ['3,x,5,-2', [3, 5], 2],
  ])('%p are read', (text, ids, junk) => {
    expect(parseTagIds(text)).toEqual({ ids, junk })
  })

  test('each counts once', () => {
    expect(parseTagIds('5,5,6,5').ids).toEqual([5, 6])
  })
})

describe('a tag of a filter', () => {
  const before = { included: [1, 2], excluded: [3] }

  test.each<[number, TagState, number[], number[]]>([
    [9, 'off', [1, 2], [3]],
    [1, 'off', [2], [3]],
    [3, 'off', [1, 2], []],
    [1, 'included', [1, 2], [3]],
    [9, 'included', [1, 2, 9], [3]],
    [3, 'included', [1, 2, 3], []],
    [1, 'excluded', [2], [3, 1]],
    [9, 'excluded', [1, 2], [3, 9]],
  ])('%i becomes %s, and is on one list at most', (id, state, included, excluded) => {
    expect(withTagState(before, id, state)).toEqual({ included, excluded })
  })
})
