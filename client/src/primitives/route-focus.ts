/** After a change of path the heading takes the focus, so that screen readers announce the new screen. */

import { useLocation } from '@solidjs/router'
import { createSignal, onMount } from 'solid-js'
import { onChange } from './on-change.ts'

/** What a viewer or the feed was left at: the grid goes to it, through its pages where it must. Another change makes it go there anew. */
export const [soughtKey, setSoughtKey] = createSignal<string>()

let isFocusWanted = false
/** What had the focus as the path changed. */
let left: Element | null

/** For what knows better than the heading where one goes on. */
export const takeFocus = (element: HTMLElement, options: FocusOptions) => {
  isFocusWanted = false
  element.focus(options)
}

// The router restores the scroll position; focusing must not undo it. A screen that says where one begins, as that of the sign-in, is begun there.
const focusHeading = (heading: HTMLElement) =>
  takeFocus(document.querySelector<HTMLElement>('main [autofocus]') ?? heading, { preventScroll: true })

/** For the root, once. */
export const createRouteFocus = () => {
  const location = useLocation()
  onChange(
    () => location.pathname,
    () => {
      isFocusWanted = true
      left = document.activeElement
      const heading = document.querySelector('h1')
      if (heading) focusHeading(heading)
    },
  )
}

/** For every h1: those that appear after their data came still take the focus. */
export const createHeadingFocus = (heading: () => HTMLElement) => {
  onMount(() => {
    // Whoever has begun to type meanwhile types on.
    if (isFocusWanted && (document.activeElement === left || !document.activeElement?.matches('input'))) focusHeading(heading())
  })
}
