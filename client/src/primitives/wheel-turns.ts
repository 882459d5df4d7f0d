/** A mouse wheel over things that fill the screen: one roll of it turns to the next. Fingers on a touchpad scroll by themselves. */

import { onMount } from 'solid-js'
import { listen } from './listen.ts'

/** A wheel that rests this long has been let go. */
const REST_MS = 150
/** Whoever goes on rolling goes on turning. */
const AGAIN_MS = 500
/** How browsers tell of one notch, whatever distance the system makes of it. */
const NOTCH = 120

const isOfNotches = (event: WheelEvent): boolean =>
  event.deltaMode !== WheelEvent.DOM_DELTA_PIXEL || ('wheelDeltaY' in event && Number(event.wheelDeltaY) % NOTCH === 0)

export const createWheelTurns = (element: () => HTMLElement, onTurn: (step: 1 | -1) => void): void => {
  /** Whether what goes on has begun with a mouse. */
  let isMouse = false
  /** By the times of the events: how busy the page is meanwhile says nothing of the wheel. */
  let rolledAt = Number.NEGATIVE_INFINITY
  let turnedAt = Number.NEGATIVE_INFINITY
  const onWheel = (event: WheelEvent) => {
    // Together with Control it is the browser's zoom.
    if (event.ctrlKey || event.deltaY === 0) return
    if (event.timeStamp - rolledAt > REST_MS) {
      isMouse = isOfNotches(event)
      turnedAt = Number.NEGATIVE_INFINITY
    }
    rolledAt = event.timeStamp
    if (!isMouse) return
    event.preventDefault()
    if (event.timeStamp - turnedAt < AGAIN_MS) return
    turnedAt = event.timeStamp
    onTurn(event.deltaY > 0 ? 1 : -1)
  }
  onMount(() => listen(element(), { wheel: onWheel }, { passive: false }))
}
