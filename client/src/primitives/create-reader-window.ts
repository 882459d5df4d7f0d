/** The window that pages are read in. */

import { createSignal, onMount } from 'solid-js'
import { createMediaQuery } from './create-media-query.ts'
import { listen } from './listen.ts'

/** So that a window that is dragged larger does not ask for every page anew with every pixel. */
const WIDTH_STEP = 320

const pixelsAcross = () => Math.ceil((window.innerWidth * window.devicePixelRatio) / WIDTH_STEP) * WIDTH_STEP

export const createReaderWindow = () => {
  const [width, setWidth] = createSignal(pixelsAcross())
  onMount(() => listen(window, { resize: () => setWidth(pixelsAcross()) }))
  return { isLandscape: createMediaQuery('(orientation: landscape)'), width }
}
