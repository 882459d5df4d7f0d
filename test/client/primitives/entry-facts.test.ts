import { expect, test } from 'bun:test'
import { splitTitle } from '../../../client/src/primitives/entry-facts.ts'

test.each([
  ['Blade Runner 2049', { name: 'Blade Runner 2049', year: undefined }],
  ['(1994)', { name: '(1994)', year: undefined }],
  ['Northline (2018) Extended', { name: 'Northline (2018) Extended', year: undefined }],
  ['The Salt Meridian (1994)', { name: 'The Salt Meridian', year: '1994' }],
  ['2012 (2009)', { name: '2012', year: '2009' }],
])('%j', (title, split) => {
  expect(splitTitle(title)).toEqual(split)
})
