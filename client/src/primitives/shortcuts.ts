/** The keys that work everywhere: one table for what they do and for the help. Who listens to them is `shortcut-keys`. */

import { onCleanup, onMount } from 'solid-js'

/** `binding` as tinykeys reads it, `keys` as people read them. On many keyboards "/" and "?" need Shift. */
export const SHORTCUTS = [
  { action: 'search', binding: '[Shift]+/', keys: ['/'] },
  { action: 'filters', binding: 'f', keys: ['F'] },
  // "=" is "+" without Shift on many keyboards.
  { action: 'larger', binding: '[Shift]+([+=])', keys: ['+'] },
  { action: 'smaller', binding: '-', keys: ['-'] },
  { action: 'goHome', binding: 'g h', keys: ['G', 'H'] },
  { action: 'goLibrary', binding: 'g l', keys: ['G', 'L'] },
  { action: 'goManage', binding: 'g m', keys: ['G', 'M'] },
  { action: 'help', binding: '[Shift]+?', keys: ['?'] },
] as const

type ShortcutAction = (typeof SHORTCUTS)[number]['action']

const handlers = new Map<ShortcutAction, (() => void)[]>()

/** Whoever came last is asked: a screen before the frame around it. */
export const runShortcut = (action: ShortcutAction) => handlers.get(action)?.at(-1)?.()

/** What an action does while this screen is there. */
export const createShortcut = (action: ShortcutAction, handler: () => void) => {
  onMount(() => handlers.set(action, [...(handlers.get(action) ?? []), handler]))
  onCleanup(() =>
    handlers.set(
      action,
      (handlers.get(action) ?? []).filter((other) => other !== handler),
    ),
  )
}
