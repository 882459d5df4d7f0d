import { expect, test } from 'bun:test'
import { type PageDirection, pageForKey } from '../../../client/src/primitives/reader-keys.ts'

const press = (key: string, page: number, direction: PageDirection = 'ltr') => pageForKey(key, { page, count: 10, direction })

test('keys that mean nothing here are left alone', () => {
  for (const key of ['Escape', 'Tab', 'a', 'Enter']) expect(press(key, 3)).toBeUndefined()
})

test('nobody turns beyond the covers', () => {
  expect([press('ArrowLeft', 0), press('ArrowRight', 9), press('ArrowRight', 0, 'rtl'), press('ArrowLeft', 9, 'rtl')]).toEqual([0, 9, 0, 9])
})

test('arrows follow the direction of reading', () => {
  expect([press('ArrowRight', 3), press('ArrowLeft', 3)]).toEqual([4, 2])
  expect([press('ArrowRight', 3, 'rtl'), press('ArrowLeft', 3, 'rtl')]).toEqual([2, 4])
})

test('down, space and the ends are the same in both', () => {
  for (const direction of ['ltr', 'rtl'] as const) {
    expect(['ArrowDown', ' ', 'ArrowUp', 'Home', 'End'].map((key) => press(key, 3, direction))).toEqual([4, 4, 2, 0, 9])
  }
})
