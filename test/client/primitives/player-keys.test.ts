import { expect, test } from 'bun:test'
import { PLAYER_KEYS, type PlayerAction, playerAction } from '../../../client/src/primitives/player-keys.ts'

const press = (key: string, held: Partial<Record<'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey', boolean>> = {}) =>
  playerAction({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...held })

test.each([
  ['f', { ctrlKey: true }],
  ['ArrowLeft', { altKey: true }],
  ['c', { metaKey: true }],
  ['K', { shiftKey: true }],
  ['Tab', {}],
  ['Escape', {}],
  ['n', {}],
])('%s with %j belongs to the browser', (key, held) => {
  expect(press(key, held)).toBeUndefined()
})

test.each<[string, PlayerAction]>([
  [' ', { kind: 'toggle' }],
  ['K', { kind: 'toggle' }],
  ['ArrowLeft', { kind: 'seek', length: 'short', direction: -1 }],
  ['l', { kind: 'seek', length: 'long', direction: 1 }],
  ['0', { kind: 'seekTo', fraction: 0 }],
  ['9', { kind: 'seekTo', fraction: 0.9 }],
  ['End', { kind: 'seekTo', fraction: 1 }],
  ['.', { kind: 'frame', by: 1 }],
  ['ArrowUp', { kind: 'volume', by: 0.05 }],
  ['c', { kind: 'captions' }],
])('%j is %j', (key, action) => {
  expect(press(key)).toEqual(action)
})

test('speed and the next episode need Shift', () => {
  expect(press('>', { shiftKey: true })).toEqual({ kind: 'speed', by: 0.25 })
  expect(press('N', { shiftKey: true })).toEqual({ kind: 'next' })
  expect(press('P', { shiftKey: true })).toEqual({ kind: 'previous' })
  expect(press('p')).toEqual({ kind: 'pictureInPicture' })
  expect(press('?', { shiftKey: true })).toEqual({ kind: 'help' })
})

test('every key of the help does what it says', () => {
  for (const { key, action, isShifted = false } of PLAYER_KEYS) expect([key, press(key, { shiftKey: isShifted })]).toEqual([key, action])
})
