import { expect, test } from 'bun:test'
import { FEED_KEYS, feedAction } from '../../../client/src/primitives/feed-keys.ts'
import { VIEWER_KEYS, viewerAction } from '../../../client/src/primitives/viewer-keys.ts'

const press = { ctrlKey: false, altKey: false, metaKey: false }

test('what is held with another key belongs to the browser', () => {
  for (const held of ['ctrlKey', 'altKey', 'metaKey']) expect(viewerAction({ ...press, key: 'f', [held]: true })).toBeUndefined()
  expect(feedAction({ ...press, key: 'j', ctrlKey: true })).toBeUndefined()
  expect(feedAction({ ...press, key: 'Home', altKey: true })).toBeUndefined()
})

test('the viewer leaves Escape and Tab to the dialog', () => {
  for (const key of ['Escape', 'Tab', 'Enter', 'x']) expect(viewerAction({ ...press, key })).toBeUndefined()
})

test('letters mean the same with Caps Lock, and = is + without Shift', () => {
  expect(viewerAction({ ...press, key: 'I' })).toBe('info')
  expect(viewerAction({ ...press, key: '=' })).toBe('zoomIn')
  expect(feedAction({ ...press, key: 'J' })).toBe('next')
})

test('with Control, Home and End lead out of the feed', () => {
  expect(feedAction({ ...press, key: 'Home' })).toBe('first')
  expect(feedAction({ ...press, key: 'Home', ctrlKey: true })).toBe('before')
  expect(feedAction({ ...press, key: 'End', ctrlKey: true })).toBe('after')
})

test('every key of the help does what it says', () => {
  for (const { key, action } of VIEWER_KEYS) expect([key, viewerAction({ ...press, key })]).toEqual([key, action])
  for (const { key, action, isWithControl = false } of FEED_KEYS)
    expect([key, feedAction({ ...press, key, ctrlKey: isWithControl })]).toEqual([key, action])
})
