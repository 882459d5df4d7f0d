import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createRowPlace } from '../../../client/src/primitives/row-place.ts'
import { replaceGlobals } from '../../support/replaced-globals.ts'

const history = { state: { _depth: 0 } }
let restore: () => void
beforeAll(() => {
  restore = replaceGlobals({ history })
})
afterAll(() => restore())

const goTo = (depth: number) => {
  history.state = { _depth: depth }
}

test('Back leads to where a row stood, each to its own', () => {
  goTo(5)
  createRowPlace('films').keep(900)
  createRowPlace('games').keep(120)
  goTo(6)
  createRowPlace('films').keep(30)
  goTo(5)
  expect([createRowPlace('films').before, createRowPlace('games').before, createRowPlace('series').before]).toEqual([900, 120, 0])
})

test('what is opened anew begins at its beginning, also where another place of that number was left', () => {
  goTo(7)
  createRowPlace('films').keep(900)
  goTo(8)
  expect(createRowPlace('films').before).toBe(0)
  goTo(5)
  createRowPlace('films')
  goTo(7)
  expect(createRowPlace('films').before).toBe(0)
})
