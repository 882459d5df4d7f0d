/** The keys that work everywhere: one table for what they do and for the help. */

import { onCleanup, onMount } from 'solid-js'
import { tinykeys } from 'tinykeys'

/** `binding` as tinykeys reads it, `keys` as people read them. On many keyboards "/" and "?" need Shift. */
export const SHORTCUTS = [
  { action: 'search', binding: '[Shift]+/', keys: ['/'] },
  { action: 'filters', binding: 'f', keys: ['F'] },
  { action: 'goHome', binding: 'g h', keys: ['G', 'H'] },
  { action: 'goLibrary', binding: 'g l', keys: ['G', 'L'] },
  { action: 'goManage', binding: 'g m', keys: ['G', 'M'] },
  { action: 'help', binding: '[Shift]+?', keys: ['?'] },
] as const

export type ShortcutAction = (typeof SHORTCUTS)[number]['action']

/** Between the two keys of a sequence. */
const SEQUENCE_MS = 1200

const handlers = new Map<ShortcutAction, (() => void)[]>()

/** Whoever came last is asked: a screen before the frame around it. */
const run = (action: ShortcutAction) => handlers.get(action)?.at(-1)?.()

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=radio], [type=checkbox]), textarea, select'))

/** A dialog has keys of its own, and so have the player and the reader, which fill the screen. */
const isElsewhere = () => document.querySelector('[role=dialog], [role=alertdialog], [data-own-keys]') !== null

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

/** For the shell, once. */
export const createShortcutKeys = () => {
  onMount(() => {
    const bindings = SHORTCUTS.map(({ action, binding }) => [
      binding,
      (event: KeyboardEvent) => {
        event.preventDefault()
        run(action)
      },
    ])
    const stop = tinykeys(document.documentElement, Object.fromEntries(bindings), {
      timeout: SEQUENCE_MS,
      ignore: (event) => event.defaultPrevented || isTyping(event.target) || isElsewhere(),
    })
    onCleanup(stop)
  })
}
