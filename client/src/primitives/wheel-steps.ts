/** A wheel over a control as steps of it: one for each notch, however finely the browser or a touchpad tells them. */

import { onMount } from 'solid-js'
import { listen } from './listen.ts'

/** How much one notch is, by the event's `deltaMode`: pixels, lines, pages. */
const NOTCHES = [100, 3, 1] as const

export const createWheelSteps = (element: () => HTMLElement, onStep: (direction: 'up' | 'down') => void) => {
  let turned = 0
  const onWheel = (event: WheelEvent) => {
    // Together with Control it is the browser's zoom, or two fingers that pinch.
    if (event.ctrlKey || event.deltaY === 0) return
    event.preventDefault()
    const by = event.deltaY / (NOTCHES[event.deltaMode] ?? 1)
    turned = by > 0 === turned > 0 ? turned + by : by
    if (Math.abs(turned) < 1) return
    onStep(turned < 0 ? 'up' : 'down')
    turned = 0
  }
  onMount(() => listen(element(), { wheel: onWheel }, { passive: false }))
}
