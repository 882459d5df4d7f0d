/** The keys that work everywhere: one table for what they do and for the help, in a chunk of its own, which no screen waits for. */

import { onCleanup, onMount } from 'solid-js'
import { tinykeys } from 'tinykeys'
import { isForOthers } from './key-target.ts'
import { runShortcut } from './shortcuts.ts'

/** `binding` as tinykeys reads it, `keys` as people read them. On many keyboards "/" and "?" need Shift. */
export const SHORTCUTS = [
  { action: 'search', binding: '[Shift]+/', keys: ['/'] },
  { action: 'select', binding: 's', keys: ['S'] },
  { action: 'filters', binding: 'f', keys: ['F'] },
  // "=" is "+" without Shift on many keyboards.
  { action: 'larger', binding: '[Shift]+([+=])', keys: ['+'] },
  { action: 'smaller', binding: '-', keys: ['-'] },
  { action: 'goHome', binding: 'g h', keys: ['G', 'H'] },
  { action: 'goLibrary', binding: 'g l', keys: ['G', 'L'] },
  { action: 'goManage', binding: 'g m', keys: ['G', 'M'] },
  { action: 'help', binding: '[Shift]+?', keys: ['?'] },
] as const

export type ShortcutAction = (typeof SHORTCUTS)[number]['action']

/** Between the two keys of a sequence. */
const SEQUENCE_MS = 1200

/** For the shell, once. */
export const createShortcutKeys = () => {
  onMount(() => {
    const bindings = SHORTCUTS.map(({ action, binding }) => [
      binding,
      (event: KeyboardEvent) => {
        event.preventDefault()
        runShortcut(action)
      },
    ])
    const stop = tinykeys(document.documentElement, Object.fromEntries(bindings), {
      timeout: SEQUENCE_MS,
      ignore: isForOthers,
    })
    onCleanup(stop)
  })
}
