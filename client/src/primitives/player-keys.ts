/** The player's keys (UI.md 1.2), as one table for the handler and for the help. */

export type SeekLength = 'short' | 'long'

export type PlayerAction =
  | { kind: 'next' | 'previous' | 'help' | 'captions' }
  | { kind: 'toggle' | 'mute' | 'fullscreen' | 'pictureInPicture' }
  /** As far as this person has set for the two lengths. */
  | { kind: 'seek'; length: SeekLength; direction: 1 | -1 }
  /** Seconds. */
  | { kind: 'subtitleDelay'; by: number }
  /** Of the whole, from 0 to 1. */
  | { kind: 'seekTo'; fraction: number }
  | { kind: 'frame'; by: 1 | -1 }
  | { kind: 'chapter'; by: 1 | -1 }
  | { kind: 'speed'; by: number }
  | { kind: 'volume'; by: number }

const SPEED_STEP = 0.25
/** Of the whole. */
export const VOLUME_STEP = 0.05
export const DELAY_STEP_SECONDS = 0.1

/** What the help calls each row; keys of one name share a row. */
export type PlayerHelpRow =
  | 'toggle'
  | 'short'
  | 'long'
  | 'frame'
  | 'speed'
  | 'fraction'
  | 'ends'
  | 'chapters'
  | 'volume'
  | 'mute'
  | 'fullscreen'
  | 'pictureInPicture'
  | 'captions'
  | 'delay'
  | 'neighbours'
  | 'close'
  | 'help'

interface KeyRow {
  key: string
  help: PlayerHelpRow
  action?: PlayerAction
  /** Letters that mean something else without Shift. */
  isShifted?: boolean
}

export const PLAYER_KEYS: readonly KeyRow[] = [
  { key: ' ', help: 'toggle', action: { kind: 'toggle' } },
  { key: 'k', help: 'toggle', action: { kind: 'toggle' } },
  { key: 'ArrowLeft', help: 'short', action: { kind: 'seek', length: 'short', direction: -1 } },
  { key: 'ArrowRight', help: 'short', action: { kind: 'seek', length: 'short', direction: 1 } },
  { key: 'j', help: 'long', action: { kind: 'seek', length: 'long', direction: -1 } },
  { key: 'l', help: 'long', action: { kind: 'seek', length: 'long', direction: 1 } },
  { key: ',', help: 'frame', action: { kind: 'frame', by: -1 } },
  { key: '.', help: 'frame', action: { kind: 'frame', by: 1 } },
  { key: '<', help: 'speed', action: { kind: 'speed', by: -SPEED_STEP } },
  { key: '>', help: 'speed', action: { kind: 'speed', by: SPEED_STEP } },
  ...Array.from({ length: 10 }, (_, digit) => ({
    key: String(digit),
    help: 'fraction' as const,
    action: { kind: 'seekTo' as const, fraction: digit / 10 },
  })),
  { key: 'Home', help: 'ends', action: { kind: 'seekTo', fraction: 0 } },
  { key: 'End', help: 'ends', action: { kind: 'seekTo', fraction: 1 } },
  { key: 'PageDown', help: 'chapters', action: { kind: 'chapter', by: -1 } },
  { key: 'PageUp', help: 'chapters', action: { kind: 'chapter', by: 1 } },
  { key: 'ArrowUp', help: 'volume', action: { kind: 'volume', by: VOLUME_STEP } },
  { key: 'ArrowDown', help: 'volume', action: { kind: 'volume', by: -VOLUME_STEP } },
  { key: 'm', help: 'mute', action: { kind: 'mute' } },
  { key: 'f', help: 'fullscreen', action: { kind: 'fullscreen' } },
  { key: 'p', help: 'pictureInPicture', action: { kind: 'pictureInPicture' } },
  { key: 'c', help: 'captions', action: { kind: 'captions' } },
  { key: 'g', help: 'delay', action: { kind: 'subtitleDelay', by: -DELAY_STEP_SECONDS } },
  { key: 'h', help: 'delay', action: { kind: 'subtitleDelay', by: DELAY_STEP_SECONDS } },
  { key: 'n', help: 'neighbours', action: { kind: 'next' }, isShifted: true },
  { key: 'p', help: 'neighbours', action: { kind: 'previous' }, isShifted: true },
  // The screen around the player sees to it.
  { key: 'Escape', help: 'close' },
  { key: '?', help: 'help', action: { kind: 'help' } },
]

/** What goes on for as long as its key is held down; anything else is done once for each press. */
export const HELD_ON: ReadonlySet<PlayerAction['kind']> = new Set(['seek', 'frame', 'speed', 'volume', 'subtitleDelay'] as const)

/** What keys can do while there is no picture. */
export const WITHOUT_PICTURE: ReadonlySet<PlayerAction['kind']> = new Set(['fullscreen', 'help', 'next', 'previous'] as const)

/** On most keyboards these need Shift. */
const SIGNS = new Set(['<', '>', '?'])

type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>

/** What a key means to the player; undefined where it means nothing. */
export const playerAction = ({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyPress): PlayerAction | undefined => {
  if (ctrlKey || altKey || metaKey) return undefined
  const name = key.length === 1 ? key.toLowerCase() : key
  const isShifted = shiftKey && !SIGNS.has(name)
  return PLAYER_KEYS.find((row) => row.key === name && (row.isShifted ?? false) === isShifted)?.action
}
