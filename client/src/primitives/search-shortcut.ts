import { onCleanup, onMount } from 'solid-js'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** "/" focuses the search field of the screen, unless someone types or a dialog is open. For the shell, once. */
export const createSearchShortcut = () => {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (document.querySelector('[role=dialog], [role=alertdialog]')) return
    const field = document.querySelector<HTMLInputElement>('[data-shortcut=search]')
    if (!field) return
    event.preventDefault()
    field.focus()
    field.select()
  }
  onMount(() => document.addEventListener('keydown', onKeyDown))
  onCleanup(() => document.removeEventListener('keydown', onKeyDown))
}
