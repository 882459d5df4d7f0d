/** The keys of scroll-through (UI.md 1.3; the feed pattern of the ARIA Authoring Practices), for the handler and for the help. */

export type FeedAction = 'next' | 'previous' | 'first' | 'last' | 'before' | 'after' | 'play' | 'mute' | 'close' | 'help'
type FeedHelp = 'turn' | 'ends' | 'leave' | 'play' | 'mute' | 'close' | 'help'

interface KeyRow {
  key: string
  help: FeedHelp
  action: FeedAction
  isWithControl?: boolean
}

export const FEED_KEYS: readonly KeyRow[] = [
  { key: 'ArrowDown', help: 'turn', action: 'next' },
  { key: 'ArrowUp', help: 'turn', action: 'previous' },
  { key: 'j', help: 'turn', action: 'next' },
  { key: 'k', help: 'turn', action: 'previous' },
  { key: 'PageDown', help: 'turn', action: 'next' },
  { key: 'PageUp', help: 'turn', action: 'previous' },
  { key: 'Home', help: 'ends', action: 'first' },
  { key: 'End', help: 'ends', action: 'last' },
  { key: 'Home', help: 'leave', action: 'before', isWithControl: true },
  { key: 'End', help: 'leave', action: 'after', isWithControl: true },
  { key: ' ', help: 'play', action: 'play' },
  { key: 'm', help: 'mute', action: 'mute' },
  { key: 'Escape', help: 'close', action: 'close' },
  { key: '?', help: 'help', action: 'help' },
]

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>

/** What a key means to scroll-through; undefined where it means nothing. */
export const feedAction = ({ key, ctrlKey, altKey, metaKey }: KeyPress): FeedAction | undefined => {
  if (altKey || metaKey) return undefined
  const name = key.length === 1 ? key.toLowerCase() : key
  return FEED_KEYS.find((row) => row.key === name && (row.isWithControl ?? false) === ctrlKey)?.action
}
