/** Listens to the keys that work everywhere: in a chunk of its own, which no screen waits for. */

import { onCleanup, onMount } from 'solid-js'
import { tinykeys } from 'tinykeys'
import { runShortcut, SHORTCUTS } from './shortcuts.ts'

/** Between the two keys of a sequence. */
const SEQUENCE_MS = 1200

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=radio], [type=checkbox]), textarea, select'))

/** A dialog has keys of its own, and so have the player and the reader, which fill the screen. */
const isElsewhere = () => document.querySelector('[role=dialog], [role=alertdialog], [data-own-keys]') !== null

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
      ignore: (event) => event.defaultPrevented || isTyping(event.target) || isElsewhere(),
    })
    onCleanup(stop)
  })
}
