import { expect, test } from 'bun:test'
import { MAX_TAG_NAME_CHARACTERS, tagNameProblem } from '../../src/domain/tag-name.ts'

test.each([
  'x',
  '夜',
  '🌃',
  '👩\u200d🚒',
  'نیم\u200cفاصله',
  '—',
  '0',
  'x'.repeat(MAX_TAG_NAME_CHARACTERS),
  '🌃'.repeat(MAX_TAG_NAME_CHARACTERS),
])('a name: %s', (name) => {
  expect(tagNameProblem(name)).toBeUndefined()
})

test.each([
  ['nothing', '', /needed/],
  ['blanks', ' \u00a0\u3000', /needed/],
  ['what joins or divides, and is not seen', '\u200b', /needed/],
  ['marks of direction', '\u200e\u202e\u2066', /needed/],
  ['fillers', '\u3164\u115f', /needed/],
  ['a control character', 'a\u0007b', /Control/],
  ['a line break', 'a\nb', /Control/],
  ['too many characters', 'x'.repeat(MAX_TAG_NAME_CHARACTERS + 1), /100/],
])('no name: %s', (_, name, problem) => {
  expect(tagNameProblem(name)).toMatch(problem)
})
