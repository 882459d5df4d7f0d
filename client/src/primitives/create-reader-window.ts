/** The window that pages are read in. */

import { createSignal, onCleanup, onMount } from 'solid-js'
import { createMediaQuery } from './create-media-query.ts'

/** So that a window that is dragged larger does not ask for every page anew with every pixel. */
const WIDTH_STEP = 320

const pixelsAcross = () => Math.ceil((window.innerWidth * window.devicePixelRatio) / WIDTH_STEP) * WIDTH_STEP

export const createReaderWindow = () => {
  const [width, setWidth] = createSignal(pixelsAcross())
  onMount(() => {
    const measure = () => setWidth(pixelsAcross())
    window.addEventListener('resize', measure)
    onCleanup(() => window.removeEventListener('resize', measure))
  })
  return { isLandscape: createMediaQuery('(orientation: landscape)'), width }
}
