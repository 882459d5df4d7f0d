/** The reader's keys (UI.md, 1.4), as one table for the handler and for the help. */

import type { ReadingDirection } from '../../../src/domain/reader-settings.ts'

export type ReaderAction =
  | { kind: 'forward' | 'back' | 'first' | 'last' }
  | { kind: 'mode'; direction: ReadingDirection }
  | { kind: 'double' | 'fit' | 'bars' | 'settings' | 'strip' | 'help' | 'goTo' | 'fullscreen' | 'close' }

/** What the help calls each row; keys of one name share a row. */
type ReaderHelp = 'turn' | 'screenful' | 'ends' | 'modes' | Exclude<ReaderAction['kind'], 'forward' | 'back' | 'first' | 'last' | 'mode'>

interface KeyRow {
  key: string
  help: ReaderHelp
  action: ReaderAction
}

const LETTERS: readonly KeyRow[] = [
  { key: 'l', help: 'modes', action: { kind: 'mode', direction: 'ltr' } },
  { key: 'r', help: 'modes', action: { kind: 'mode', direction: 'rtl' } },
  { key: 'v', help: 'modes', action: { kind: 'mode', direction: 'vertical' } },
  { key: 'w', help: 'modes', action: { kind: 'mode', direction: 'webtoon' } },
  { key: 'd', help: 'double', action: { kind: 'double' } },
  { key: 'c', help: 'fit', action: { kind: 'fit' } },
  { key: 'm', help: 'bars', action: { kind: 'bars' } },
  { key: 's', help: 'settings', action: { kind: 'settings' } },
  { key: 't', help: 'strip', action: { kind: 'strip' } },
  { key: 'g', help: 'goTo', action: { kind: 'goTo' } },
  { key: 'f', help: 'fullscreen', action: { kind: 'fullscreen' } },
  { key: 'h', help: 'help', action: { kind: 'help' } },
  { key: '?', help: 'help', action: { kind: 'help' } },
  { key: 'Escape', help: 'close', action: { kind: 'close' } },
]

/** The rows of the help, in their order. */
export const READER_HELP: readonly { help: ReaderHelp; keys: readonly string[] }[] = [
  { help: 'turn', keys: ['ArrowLeft', 'ArrowRight'] },
  { help: 'screenful', keys: [' ', 'Shift+ '] },
  { help: 'ends', keys: ['Home', 'End'] },
  ...LETTERS.map(({ help, key }) => ({ help, keys: [key] })),
]

const FORWARD: ReaderAction = { kind: 'forward' }
const BACK: ReaderAction = { kind: 'back' }

/**
 * What a key does in a direction of reading. Arrows to the side follow the direction: from right to left, Left is the
 * next page. Undefined where the key means nothing, and in a webtoon also where it scrolls.
 */
export const readerAction = (event: Pick<KeyboardEvent, 'key' | 'shiftKey'>, direction: ReadingDirection): ReaderAction | undefined => {
  const isScrolled = direction === 'webtoon'
  switch (event.key) {
    case 'ArrowRight':
      return direction === 'rtl' ? BACK : FORWARD
    case 'ArrowLeft':
      return direction === 'rtl' ? FORWARD : BACK
    case 'ArrowDown':
      return isScrolled ? undefined : FORWARD
    case 'ArrowUp':
      return isScrolled ? undefined : BACK
    case 'PageDown':
      return FORWARD
    case 'PageUp':
      return BACK
    case ' ':
      return event.shiftKey ? BACK : FORWARD
    case 'Home':
      return { kind: 'first' }
    case 'End':
      return { kind: 'last' }
    default: {
      const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key
      return LETTERS.find(({ key }) => key === pressed)?.action
    }
  }
}
