/** The player's keys (UI.md 1.2), as one table for the handler and for the help. */

export type PlayerAction =
  | { kind: 'next' }
  | { kind: 'toggle' | 'mute' | 'fullscreen' | 'pictureInPicture' | 'captions' }
  /** Seconds. */
  | { kind: 'seek'; by: number }
  /** Of the whole, from 0 to 1. */
  | { kind: 'seekTo'; fraction: number }
  | { kind: 'frame'; by: 1 | -1 }
  | { kind: 'speed'; by: number }
  | { kind: 'volume'; by: number }

const SHORT_SECONDS = 5
const LONG_SECONDS = 10
const SPEED_STEP = 0.25
const VOLUME_STEP = 0.05

const KEYS: Readonly<Record<string, PlayerAction>> = {
  ' ': { kind: 'toggle' },
  k: { kind: 'toggle' },
  ArrowLeft: { kind: 'seek', by: -SHORT_SECONDS },
  ArrowRight: { kind: 'seek', by: SHORT_SECONDS },
  j: { kind: 'seek', by: -LONG_SECONDS },
  l: { kind: 'seek', by: LONG_SECONDS },
  ',': { kind: 'frame', by: -1 },
  '.': { kind: 'frame', by: 1 },
  '<': { kind: 'speed', by: -SPEED_STEP },
  '>': { kind: 'speed', by: SPEED_STEP },
  ArrowUp: { kind: 'volume', by: VOLUME_STEP },
  ArrowDown: { kind: 'volume', by: -VOLUME_STEP },
  Home: { kind: 'seekTo', fraction: 0 },
  End: { kind: 'seekTo', fraction: 1 },
  m: { kind: 'mute' },
  f: { kind: 'fullscreen' },
  p: { kind: 'pictureInPicture' },
  c: { kind: 'captions' },
}

interface KeyPress {
  key: string
  shiftKey: boolean
  ctrlKey: boolean
  altKey: boolean
  metaKey: boolean
}

/** What a key means to the player; undefined where it means nothing. */
export const playerAction = ({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyPress): PlayerAction | undefined => {
  if (ctrlKey || altKey || metaKey) return undefined
  if (shiftKey) {
    if (key === 'N') return { kind: 'next' }
    // On most keyboards these two need Shift.
    return key === '<' || key === '>' ? KEYS[key] : undefined
  }
  if (/^\d$/.test(key)) return { kind: 'seekTo', fraction: Number(key) / 10 }
  return KEYS[key.length === 1 ? key.toLowerCase() : key]
}
