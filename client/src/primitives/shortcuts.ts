/** What the keys that work everywhere do on the screen that is shown. Which keys they are says `shortcut-keys`, which comes late. */

import { onCleanup, onMount } from 'solid-js'
import type { ShortcutAction } from './shortcut-keys.ts'

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
