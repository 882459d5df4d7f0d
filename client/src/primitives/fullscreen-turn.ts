import { onMount } from 'solid-js'
import { listen } from './listen.ts'

/** A wide picture that fills the screen of a phone lies across it, however the phone is held. What cannot turn refuses, and stays as it is. */
export const createFullscreenTurn = (video: () => HTMLVideoElement): void => {
  const turn = () => {
    const { videoWidth, videoHeight } = video()
    if (!document.fullscreenElement || videoWidth <= videoHeight) return
    // Leaving full screen turns it back by itself. Not in every browser.
    const orientation: Partial<ScreenOrientation> | undefined = screen.orientation
    void orientation?.lock?.('landscape').catch(() => undefined)
  }
  onMount(() => listen(document, { fullscreenchange: turn }))
}
