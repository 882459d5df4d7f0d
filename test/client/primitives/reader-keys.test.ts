import { expect, test } from 'bun:test'
import { READER_HELP, readerAction } from '../../../client/src/primitives/reader-keys.ts'
import { READING_DIRECTIONS, type ReadingDirection } from '../../../src/domain/reader-settings.ts'

const kindOf = (key: string, direction: ReadingDirection, shiftKey = false) => readerAction({ key, shiftKey }, direction)?.kind

test('keys that mean nothing here are left alone', () => {
  for (const direction of READING_DIRECTIONS) {
    for (const key of ['x', 'Enter', 'Tab', 'Shift', 'F5', 'q']) expect(kindOf(key, direction)).toBeUndefined()
  }
})

test('arrows to the side follow the direction of reading', () => {
  expect([kindOf('ArrowLeft', 'rtl'), kindOf('ArrowRight', 'rtl')]).toEqual(['forward', 'back'])
  for (const direction of ['ltr', 'vertical', 'webtoon'] as const) {
    expect([kindOf('ArrowLeft', direction), kindOf('ArrowRight', direction)]).toEqual(['back', 'forward'])
  }
})

test('up and down turn pages, and scroll a strip', () => {
  for (const direction of ['ltr', 'rtl', 'vertical'] as const) {
    expect([kindOf('ArrowDown', direction), kindOf('ArrowUp', direction)]).toEqual(['forward', 'back'])
  }
  expect([kindOf('ArrowDown', 'webtoon'), kindOf('ArrowUp', 'webtoon')]).toEqual([undefined, undefined])
})

test('space and the page keys go on and back, Home and End to the covers', () => {
  for (const direction of READING_DIRECTIONS) {
    expect([kindOf(' ', direction), kindOf(' ', direction, true)]).toEqual(['forward', 'back'])
    expect([kindOf('PageDown', direction), kindOf('PageUp', direction)]).toEqual(['forward', 'back'])
    expect([kindOf('Home', direction), kindOf('End', direction)]).toEqual(['first', 'last'])
  }
})

test('letters choose the mode, in either case', () => {
  const modes = ['l', 'R', 'v', 'W'].map((key) => readerAction({ key, shiftKey: false }, 'rtl'))
  expect(modes).toEqual((['ltr', 'rtl', 'vertical', 'webtoon'] as const).map((direction) => ({ kind: 'mode', direction })))
})

test('every key of the help does something', () => {
  for (const key of READER_HELP.flatMap(({ keys }) => keys).filter((name) => !name.includes('+'))) {
    expect([key, kindOf(key, 'rtl') === undefined]).toEqual([key, false])
  }
})
