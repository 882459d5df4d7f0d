/** The viewer's keys (UI.md 1.3), as one table for the handler and for the help. */

export type ViewerAction =
  | 'previous'
  | 'next'
  | 'first'
  | 'last'
  | 'slideshow'
  | 'zoomIn'
  | 'zoomOut'
  | 'zoomFit'
  | 'info'
  | 'tags'
  | 'edit'
  | 'download'
  | 'fullscreen'
  | 'help'

export type ViewerHelp = 'turn' | 'ends' | 'close' | 'play' | 'zoom' | 'info' | 'tags' | 'edit' | 'download' | 'fullscreen' | 'help'

export const VIEWER_KEYS: readonly { key: string; help: ViewerHelp; action?: ViewerAction }[] = [
  { key: 'ArrowLeft', help: 'turn', action: 'previous' },
  { key: 'ArrowRight', help: 'turn', action: 'next' },
  { key: 'Home', help: 'ends', action: 'first' },
  { key: 'End', help: 'ends', action: 'last' },
  { key: ' ', help: 'play', action: 'slideshow' },
  { key: '+', help: 'zoom', action: 'zoomIn' },
  { key: '-', help: 'zoom', action: 'zoomOut' },
  { key: '0', help: 'zoom', action: 'zoomFit' },
  { key: 'i', help: 'info', action: 'info' },
  { key: 't', help: 'tags', action: 'tags' },
  { key: 'e', help: 'edit', action: 'edit' },
  { key: 'd', help: 'download', action: 'download' },
  { key: 'f', help: 'fullscreen', action: 'fullscreen' },
  { key: '?', help: 'help', action: 'help' },
  // The dialog closes by itself.
  { key: 'Escape', help: 'close' },
]

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>

/** What a key means to the viewer; undefined where it means nothing. "=" is "+" without Shift on many keyboards. */
export const viewerAction = ({ key, ctrlKey, altKey, metaKey }: KeyPress): ViewerAction | undefined => {
  if (ctrlKey || altKey || metaKey) return undefined
  const name = key === '=' ? '+' : key.length === 1 ? key.toLowerCase() : key
  return VIEWER_KEYS.find((row) => row.key === name)?.action
}
